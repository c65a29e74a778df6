"""When a match in which all act at once runs: who is here, who is awaited, who is stood in for.

It begins when everybody is here and ready (or has been awaited long enough), stands still while nobody is,
and lets an agent play for whoever stays away. Looked at a few times a second and whenever somebody comes or
goes; never inside a tick.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from django.conf import settings

from webapp.host import frames
from webapp.host.connection import PLAYER, Connection, encode

if TYPE_CHECKING:
    from webapp.host.realtime import JointMatch

WAITING, COUNTDOWN, RUNNING, PAUSED = "waiting", "countdown", "running", "paused"
LOOK_EVERY = 0.25  # seconds
START_PATIENCE = 20.0  # seconds from the first player to a start without the others
READY_PATIENCE = 60.0  # the same for those who are here and not ready; alone one has all the time
RETURN_PATIENCE = 5.0  # the same when a game goes on with another host
GO_ON_AFTER = 1  # seconds from the first to come back to a pause's next tick
OUTAGE = 10.0  # seconds for which records may wait for the database
LATE = 3.0  # seconds after which it is said that an agent is late
OUTAGE_TEXT = "The game can't be saved at the moment. It goes on by itself as soon as it can."


class Attendance:
    def __init__(self, match: JointMatch) -> None:
        self.match = match
        self.phase = WAITING
        self.pause_text = ""
        self.running_since = 0.0
        self._first_at: float | None = None
        self._ends_at = 0.0
        self._stopped_at = 0.0
        self._timer: asyncio.Handle | None = None
        self._late_since: dict[int, float] = {}
        self._told_late: set[int] = set()

    def look(self) -> None:
        """Begin, stand still, go on, or fill a seat, as who is here asks for."""
        match = self.match
        if match.over or match.closed:
            self._stop(PAUSED)
        elif not match.connections:
            self._first_at = None
            if self.phase in (COUNTDOWN, RUNNING):
                self._stop(PAUSED if match.sim.tick else WAITING)
        elif self.phase == WAITING and self._everybody():
            self._count_down(settings.COUNTDOWN_SECONDS)
        elif self.phase == PAUSED and match.unsaved_for() < time.monotonic() - self._stopped_at:
            match.post(frames.resumed())
            self.pause_text = ""
            self._count_down(min(GO_ON_AFTER, settings.COUNTDOWN_SECONDS))
        elif self.phase == RUNNING:
            self._look_at_the_game()

    def pause(self) -> float:
        """Seconds until the next look."""
        return LOOK_EVERY

    def greet(self, connection: Connection) -> None:
        """Tell somebody who has just joined why nothing moves, and see whether it can now."""
        if self.phase == PAUSED and self.pause_text:
            connection.post(encode(frames.paused(self.pause_text)))
        elif self.phase == COUNTDOWN:
            left = max(0.0, self._ends_at - time.monotonic())
            connection.post(encode(frames.countdown(round(left, 1))))
        self.look()

    # --- Beginning and standing still ----------------------------------------------------------------------

    def _people(self) -> list[int]:
        """Seats that their people play themselves."""
        return [seat for seat, controller in self.match.controllers.items() if controller["kind"] == "person"]

    def _everybody(self) -> bool:
        match, people = self.match, self._people()
        if people and not any(connection.role == PLAYER for connection in match.connections):
            return False
        if self._first_at is None:
            self._first_at = time.monotonic()
        waited = time.monotonic() - self._first_at
        patience = RETURN_PATIENCE if match.sim.tick else START_PATIENCE
        here = [seat for seat in people if match.present(seat)]
        unready = [seat for seat in here if not match.ready(seat)]
        if unready and not match.sim.tick and (len(people) == 1 or waited <= READY_PATIENCE):
            match.thinker.ask()
            return False
        if waited > patience:
            return True
        # An agent that is being loaded would stay through the first seconds.
        match.thinker.ask()
        return all(match.present(seat) for seat in people) and match.thinker.ready()

    def _count_down(self, seconds: float) -> None:
        self.phase = COUNTDOWN
        self._ends_at = time.monotonic() + seconds
        self.match.post(frames.countdown(seconds))
        self._timer = self.match.loop.call_later(seconds, self._go)

    def _go(self) -> None:
        self.phase = RUNNING
        self.running_since = time.monotonic()
        self._late_since.clear()
        self.match.go()

    def _stop(self, phase: str) -> None:
        if self.phase != phase:
            self._stopped_at = time.monotonic()
        self.phase = phase
        if self._timer:
            self._timer.cancel()
        self.match.halt()

    # --- While it runs -------------------------------------------------------------------------------------

    def _look_at_the_game(self) -> None:
        match, now = self.match, time.monotonic()
        if match.unsaved_for() > OUTAGE:
            self._stop(PAUSED)
            self.pause_text = OUTAGE_TEXT
            match.post(frames.paused(OUTAGE_TEXT))
            return
        limit = match.absence_allowed()
        for seat in self._people():
            since = match.absent_since.get(seat)
            if since is not None and now - max(since, self.running_since) > limit and match.stand_in_agent:
                match.keep(match.stand_in(seat, left=False))
        self._look_for_late_agents(now)

    def _look_for_late_agents(self, now: float) -> None:
        match = self.match
        waits = match.late if match.real_time else match.awaited_agents()
        for seat in list(self._late_since):
            if seat not in waits:
                del self._late_since[seat]
                self._told_late.discard(seat)
        for seat in waits:
            since = self._late_since.setdefault(seat, now)
            if not match.real_time and now - since > settings.AGENT_TIMEOUT_MS / 1000:
                match.turn_without(seat)
        late = [seat for seat, since in self._late_since.items() if now - since > LATE]
        if news := [seat for seat in late if seat not in self._told_late]:
            self._told_late.update(news)
            match.keep(match.tell(frames.notice(match.sim.tick, news[0], self._late_text(news))))

    def _late_text(self, seats: list[int]) -> str:
        """One line, however many are late."""
        if len(seats) == 1:
            return f"{frames.seat_name(self.match, seats[0])} is late and stays where it is."
        first = ", ".join(frames.seat_name(self.match, seat) for seat in seats[:2])
        if len(seats) == 2:
            return f"{first.replace(', ', ' and ')} are late and stay where they are."
        return f"{first} and {len(seats) - 2} more are late and stay where they are."

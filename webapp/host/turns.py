"""Matches in which one seat moves at a time: a move counts when its record is durable.

Only then the game is stepped, the mover acknowledged and the others told. Everything runs in the task of
`run`, one message after the other, so nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from django.conf import settings

from engine import language
from engine.games.watched import watched
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from engine.simulation.spoken import last_move
from webapp.host import frames, storage
from webapp.host.attendance import OUTAGE, OUTAGE_TEXT
from webapp.host.batches import Entry
from webapp.host.connection import Connection, Refused, encode
from webapp.host.match import LiveMatch, Work
from webapp.host.resume import Resumed

if TYPE_CHECKING:
    from webapp.host.manager import Host

logger = logging.getLogger(__name__)
INBOX = 256


class TurnMatch(LiveMatch):
    def __init__(self, host: Host, loaded: storage.Loaded, state: Resumed) -> None:
        super().__init__(host, loaded, state)
        self.history = state.history
        self.past: deque[Simulation] = deque(state.past, maxlen=loaded.watch_delay + 1)
        self.changed_at = time.monotonic()
        self._inbox: asyncio.Queue[Work] = asyncio.Queue(INBOX)
        self._thinking: asyncio.Task | None = None

    # --- Life of the task ----------------------------------------------------------------------------------

    async def run(self) -> None:
        try:
            if self.sim.over or self.log_end:  # the last host died before all of the end was written
                await self.finish("finished")
            else:
                self.keep(self.host.agents.wake(self))
                await self.settle()  # what was said before the game, or in the last host's last moment
                self.prompt_agent()
            while not self.closed:
                work = await self._inbox.get()
                await work()
        except storage.Fenced:
            await self.close(4009)
        except Exception:
            logger.exception("match %s: its task failed", self.id)
            await self.close(1011)
        finally:
            self.closed = True
            if self._thinking:
                self._thinking.cancel()

    def put(self, work: Work) -> bool:
        """Queue something for the task; False when it has too much to do or has ended."""
        if self.closed:
            return False
        try:
            self._inbox.put_nowait(work)
        except asyncio.QueueFull:
            return False
        return True

    async def submit(self, work: Work) -> bool:
        return self.put(work)

    async def close(self, code: int) -> None:
        await super().close(code)
        if self._inbox.empty():
            self._inbox.put_nowait(_nothing)

    # --- The log -------------------------------------------------------------------------------------------

    async def write(
        self,
        records: list[dict[str, Any]],
        operation: Callable[[], None] | None = None,
        before: list[dict[str, Any]] | None = None,
    ) -> None:
        """Durable when it returns; a database that is away is waited for. Raises Refused, Fenced."""
        problem = await self._settled(self.host.writer.put(self.ledger, records, operation, now=True))
        if isinstance(problem, Refusal):
            raise Refused("not_kept", str(problem))
        if problem is not None:
            raise problem

    async def _settled(self, entry: Entry) -> Exception | None:
        """What has become of it; people who wait long are told why."""
        done, _ = await asyncio.wait([entry.done], timeout=OUTAGE)
        if not done:
            seats = [record["seat"] for record in entry.records if record.get("seat") is not None]
            seat = seats[0] if seats else self.sim.current or 0
            await self.broadcast(frames.notice(self.sim.tick, seat, OUTAGE_TEXT))
        return await entry.done

    def refused(self, entry: Entry, why: Refusal) -> None:
        """Whoever waits for it tells its sender; nobody has seen anything of it."""

    async def acknowledge(self, connection: Connection, seq: int) -> None:
        """Whatever was recorded is durable already."""
        await connection.send({"type": "ack", "seq": seq, "tick": self.sim.tick})

    # --- The game ------------------------------------------------------------------------------------------

    async def move(self, connection: Connection, seat: int, action: int, seq: int) -> None:
        if self.controllers[seat]["kind"] != "person":
            raise Refused("not_controlled", "An agent is playing your seat now.")
        if self.sim.current is not None and self.sim.current != seat:
            raise Refused("not_your_turn", "It isn't your turn.")
        await self.take(seat, action)
        await self.acknowledge(connection, seq)
        await self.after_move()

    async def take(self, seat: int, action: int, reasons: Sequence[dict[str, Any]] = ()) -> None:
        """One move: durable first, with why it was made, then made, then told. Raises Refused when it isn't
        legal.
        """
        if why := self.sim.why_illegal(seat, action):
            raise Refused("illegal", why)
        joint = [self.sim.no_op] * self.sim.seats
        joint[seat] = action
        # The next state is made first: once the record is there, nothing can fail any more.
        moved = self.sim.copy()
        moved.act(seat, action)
        await self.write([{"type": "step", "tick": self.sim.tick, "actions": joint}, *reasons])
        self.sim = moved
        self.past.append(moved)
        self.history.append(last_move(self.sim))
        self.changed_at = time.monotonic()

    async def settle(self) -> None:
        """As for all matches, and tell what can't be obeyed now."""
        await super().settle()
        self.look()

    def look(self) -> None:
        """Note how far each seat is with what it was told, and tell what has changed."""
        before = dict(self.goals)
        for seat in range(self.sim.seats):
            spans = self.in_force.of(seat)
            states = language.progresses(self.game, [span.program for span in spans], self.sim, seat)
            for span, progress in zip(spans, states, strict=True):
                self._progress.setdefault(span.id, {})[seat] = progress
        self.tell_goals(set(self._progress))
        self.post_goals(before)

    async def after_move(self) -> None:
        """Tell the new state; end the game or let the next agent think."""
        self.look()
        await self.tell_state()
        if self.coach:
            self.coach.look()
        if self.sim.over:
            await self.finish("finished")
            return
        self.prompt_agent()
        if self.planner:
            self.planner.ask()

    def prompt_agent(self) -> None:
        """If an agent is to move, let it think beside this task."""
        seat = self.sim.current
        if seat is None or self.ended or self.controllers[seat]["kind"] != "agent":
            return
        if self._thinking and not self._thinking.done():
            self._thinking.cancel()
        self._thinking = self.keep(self._think(seat, self.sim.tick))

    async def _think(self, seat: int, tick: int) -> None:
        choice = await self.host.agents.choose(self, seat)
        pause = settings.AGENT_PAUSE_MS / 1000 - (time.monotonic() - self.changed_at)
        if pause > 0:
            await asyncio.sleep(pause)

        async def work() -> None:
            if tick != self.sim.tick or self.ended or self.controllers[seat]["kind"] != "agent":
                return
            if choice.problem:
                await self.tell(frames.notice(tick, seat, choice.problem))
            await self.take(seat, choice.action, choice.reasons)
            await self.after_move()
            for reason in choice.reasons:
                await self.tell(frames.reason(reason))

        while not self.put(work) and not self.closed:
            await asyncio.sleep(0.05)

    async def controllers_changed(self) -> None:
        self.prompt_agent()

    def idle_for(self) -> float:
        thinking = self._thinking is not None and not self._thinking.done()
        return 0.0 if thinking else super().idle_for()

    # --- What is shown -------------------------------------------------------------------------------------

    async def tell_state(self) -> None:
        """Send everybody the state as they may see it."""
        for connection in list(self.connections):
            connection.post(encode(self.shown_state(connection)))

    def _sim_for(self, connection: Connection) -> Simulation:
        return self.past[0] if connection.watches and not self.ended else self.sim

    def state_for(self, connection: Connection) -> tuple[int, np.ndarray]:
        sim = self._sim_for(connection)
        return sim.tick, sim.state

    def shown_state(self, connection: Connection) -> dict[str, Any]:
        sim = self._sim_for(connection)
        current = self.sim.current
        thinking = current if current is not None and self.controllers[current]["kind"] == "agent" else None
        open_view = not connection.watches or self.ended
        view = sim.view(connection.seat) if open_view else watched(self.game, sim.state)
        return frames.turn_state(sim.tick, view, thinking)

    def shown_history(self, connection: Connection) -> list[dict[str, Any]]:
        if connection.watches and not self.ended:
            return self.history[: max(0, self.sim.tick - self.watch_delay)]
        return self.history


async def _nothing() -> None:
    """Wakes the task, which then sees that it is closed."""

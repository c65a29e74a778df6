"""The plans of a match: asks the child process in which they are made (engine.planning.serve) for what comes
next, one request at a time, and takes what people change about them at once. Nothing waits for an answer:
until one is there the last plan holds.

Not for: what is planned and what an edit changes (engine.planning), how agents get their steps
(engine.simulation.told).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings

from engine.planning.edits import edited
from engine.refusal import Refusal
from engine.simulation.planned import Record
from engine.simulation.told import PLANS
from webapp.host import frames
from webapp.host.connection import Connection, Refused, encode
from webapp.host.deciding import DECIDE_EVERY
from webapp.host.meter import meter

if TYPE_CHECKING:
    from webapp.host.match import LiveMatch

logger = logging.getLogger(__name__)
HEARD = ("instruction", "standing", "control", *PLANS)  # the records that a plan depends on
AT_ONCE = 50  # ticks in one request: more of them would take a part of a tick to encode
AGAIN_AFTER = 1.0  # seconds after a request that failed
LOOK_AGAIN = 1.5  # seconds after which a planner that thinks is asked again where no clock ticks
MOST = 500  # edits in one match


class Planner:
    """Of one match. `records`: those of its log so far that a plan depends on."""

    def __init__(self, match: LiveMatch, records: Iterable[Record]) -> None:
        self.match = match
        self.records = [record for record in records if record["type"] in HEARD]
        self._every = DECIDE_EVERY if match.sim.spec.heads else 1  # ticks between two requests
        self._known: int | None = None  # the tick that the child has the game at; None: it has to begin anew
        self._news: list[Record] = list(self.records)  # what the child hasn't been told yet
        self._under_way = False
        self._edits = sum(record["type"] == "plan_edit" for record in self.records)
        self._again_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def note(self, record: Record) -> None:
        """Something else was said or changed."""
        self.records.append(record)
        self._news.append(record)

    # --- Asking --------------------------------------------------------------------------------------------

    def ask(self, again: bool = False) -> None:
        """Ask what comes next where a plan is on, unless a request is under way: its answer asks again.
        `again`: although nothing has happened since.
        """
        match = self.match
        if self._under_way or match.closed or match.is_over() or time.monotonic() < self._again_at:
            return
        if not any(match.in_force.plan.on.values()):
            return
        fresh = self._known is None or self._news or match.sim.tick - self._known >= self._every
        if not fresh and not again:
            return
        begun = meter.begin()
        request: dict[str, Any] = {"match": str(match.id)}
        if self._known is None:
            request |= {"header": match.in_force.header, "planner": settings.PLANNER}
        request["from"] = self._known or 0
        request["actions"] = match.actions_since(request["from"], AT_ONCE)
        # What was said is told once the child has caught up, so that it plans for the present.
        whole = request["from"] + len(request["actions"]) == match.sim.tick
        request["records"] = self._news if whole else []
        if whole:
            self._news = []
        self._under_way = True
        match.host.planning.post(request, partial(self._answered, self._edits))
        meter.end("asking for plans", begun)

    def _answered(self, edits: int, reply: dict[str, Any]) -> None:
        self.match.keep(self._submit(edits, reply))

    async def _submit(self, edits: int, reply: dict[str, Any]) -> None:
        if not await self.match.submit(partial(self._take, edits, reply)):
            self._under_way = False
            self._begin_anew()

    async def _take(self, edits: int, reply: dict[str, Any]) -> None:
        """Use an answer to a request that was made when there had been so many edits."""
        self._under_way = False
        if self.match.closed or self.match.is_over():
            return
        if "error" in reply:  # or it has stopped
            logger.error("match %s: no plan: %s", self.match.id, reply["error"])
            self._begin_anew()
            self._again_at = time.monotonic() + AGAIN_AFTER
        elif "forgotten" in reply or (reply["records"] and edits != self._edits):
            self._begin_anew()  # what was planned before an edit would go against it
        else:
            self._known = reply["tick"]
            await self._keep(reply["records"])
        self.ask()
        if not self._under_way and not self.match.ticks_per_second:
            if self._timer:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(LOOK_AGAIN, self.ask, True)

    def _begin_anew(self) -> None:
        self._known, self._news = None, list(self.records)

    async def _keep(self, records: list[Record]) -> None:
        """Keep what was planned, and tell those whom it is for."""
        if not records:
            return
        begun = meter.begin()
        for record in records:
            self.match.in_force.note(record)
        self.records += records
        meter.end("plans", begun)
        await self.match.write(records)
        self._tell(records)

    # --- What people change --------------------------------------------------------------------------------

    async def edit(self, edit: Record) -> None:
        """What somebody changes about the plan of their side (engine.planning.edits). Raises Refused."""
        if self._edits >= MOST:
            raise Refused("too_many", f"Plans of one game can be changed {MOST} times, no more.")
        seats = [seat.index for seat in self.match.seats if self.match.side(seat.index) == edit["side"]]
        people = [seat for seat, one in self.match.controllers.items() if one["kind"] == "person"]
        try:
            records = edited(self.match.in_force, seats, edit, people)
        except Refusal as error:
            raise Refused("plan", str(error)) from None
        if not records:
            return
        self._edits += 1
        for record in records:
            self.note(record)
        if edit["do"] == "off":
            self._begin_anew()
        await self.match.write(records)
        self._tell(records)
        if edit["do"] in ("on", "off"):
            for frame in frames.turned(self.match.in_force, edit):
                await self.match.tell(frame)
            await self.match.settle()
        if self.match.coach:
            self.match.coach.note(edit)
        self.ask()

    # --- Telling -------------------------------------------------------------------------------------------

    def _tell(self, records: list[Record]) -> None:
        match, begun = self.match, meter.begin()
        for side in {match.side(seat.index) for seat in match.seats}:
            if frame := frames.plan(match, side, records):
                text = encode(frame)
                for connection in match.connections:
                    if match.hears_side(connection, side):
                        connection.post(text)
        meter.end("plans", begun)

    def shown(self, connection: Connection) -> dict[str, Any] | None:
        """The plan that a socket may see, of players that of their own side; None: there is none."""
        sides = dict.fromkeys(self.match.side(seat.index) for seat in self.match.seats)
        theirs = [side for side in sides if self.match.hears_side(connection, side)]
        made = [side for side in theirs if side in self.match.in_force.plan.on]
        return frames.plan(self.match, made[0], None) if made else None

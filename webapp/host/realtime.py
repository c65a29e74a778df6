"""Matches in which all seats act at once: by the clock, or turn by turn when everybody has moved.

By the clock, a tick is a plain function that the event loop calls at t0 + k / ticks per second: it takes what
was pressed and what agents have answered, steps the game, and hands out frames and records. It waits for
nobody: an agent that is late stays, a slow browser misses states, the log is written beside it (writer.py).
Turn by turn, the same step is made once all people in control have moved and all agents have answered.

When ticks are made, and who plays a seat that is empty, is decided in attendance.py.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from django.conf import settings

from engine.games.watched import watched
from engine.language import reasons, standings
from engine.refusal import Refusal
from engine.simulation.life import State
from webapp.host import frames, storage
from webapp.host.attendance import RUNNING, Attendance
from webapp.host.batches import Entry
from webapp.host.connection import COPILOT, Connection, Refused, encode
from webapp.host.keys import Keys
from webapp.host.match import LiveMatch, Work
from webapp.host.meter import meter
from webapp.host.resume import Resumed
from webapp.host.thinking import Thinker

if TYPE_CHECKING:
    from webapp.host.manager import Host

logger = logging.getLogger(__name__)
BEHIND = 0.5  # seconds after which missed ticks are left out instead of made up for


class JointMatch(LiveMatch):
    takes_keys = True  # messages about keys, one by one

    def __init__(self, host: Host, loaded: storage.Loaded, state: Resumed) -> None:
        super().__init__(host, loaded, state)
        self.loop = asyncio.get_running_loop()
        self.real_time = bool(self.ticks_per_second)
        self.over = self.sim.over or self.log_end is not None
        self.keys: list[Keys[Connection]] = [Keys() for _ in self.seats]
        self.moved: dict[int, int] = {}  # turn by turn: what people chose for this tick, by seat
        self.past: deque[tuple[int, np.ndarray]] = deque(maxlen=self.watch_delay + 1)
        self.past.append((self.sim.tick, self.sim.state.copy()))
        self.late: list[int] = []
        self.thinker = Thinker(self)
        spoken = [event for event in self.dialogue if event["type"] == "reason"]
        self.begun = reasons.Begun(self.ticks_per_second, spoken)
        # Why seats don't do now what they were told, by seat and instruction, once that has lasted.
        self.kept_from: dict[tuple[int, str], str] = {}
        self.attendance = Attendance(self)
        self.resting: dict[int, dict[str, Any]] = {}  # the agents whom co-pilots have replaced, by seat
        self.failed: set[str | None] = set()  # agents that couldn't play, by ref
        self.helpless: set[int] = set()  # seats whose agents can't play and have no stand-in
        self._handed_back = state.handed_back
        self._goal_ticks: dict[str, int] = {}  # when each goal's progress changed
        self._noted: Entry | None = None  # by the message that is being handled
        self._timer: asyncio.Handle | None = None
        self._due = 0.0
        self._late_ms = 0.0
        self._turn_at = 0.0

    # --- Life ----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        try:
            if self.over:  # the last host died before all of the end was written
                self.keep(self.finish("finished"))
            else:
                for seat in sorted(self._handed_back):
                    await self.give_back(seat)
                await self.settle()  # what was said before the game, or in the last host's last moment
                self.thinker.ask()
            while not self.closed:
                self.attendance.look()
                await asyncio.sleep(self.attendance.pause())
        except Exception:
            logger.exception("match %s: its task failed", self.id)
            await self.close(1011)
        finally:
            self.closed = True
            self.halt()

    async def submit(self, work: Work) -> bool:
        """Each browser's messages are done in their order; nothing that they do waits for the database."""
        if self.closed:
            return False
        await work()
        return True

    def lost(self) -> None:
        self.halt()
        super().lost()

    async def stop(self) -> None:
        self.halt()
        if not self.ended:
            await self.host.writer.flush()
        await super().stop()

    # --- The log -------------------------------------------------------------------------------------------

    def note(self, records: list[dict[str, Any]]) -> None:
        self.host.writer.put(self.ledger, records)

    def unsaved_for(self) -> float:
        """Seconds that the oldest record has waited for the database."""
        return self.ledger.unsaved_for()

    async def write(
        self,
        records: list[dict[str, Any]],
        operation: Callable[[], None] | None = None,
        before: list[dict[str, Any]] | None = None,
    ) -> None:
        self._noted = self.host.writer.put(self.ledger, records, operation, before)

    def refused(self, entry: Entry, why: Refusal) -> None:
        """What everybody has seen already isn't kept: they are told. Without a step nothing can go on."""
        if entry.ticks():
            self.ledger.close()
            self.lost()
        else:
            self.keep(self._take_back(entry))

    async def _take_back(self, entry: Entry) -> None:
        await self.note_instructions(entry.before)
        for seat in {record["seat"] for record in entry.records if record.get("seat") is not None}:
            text = f"What {frames.seat_name(self, seat)} did last could not be kept and doesn't count."
            await self.tell(frames.notice(self.sim.tick, seat, text))

    async def acknowledge(self, connection: Connection, seq: int) -> None:
        tick = self.sim.tick
        noted, self._noted = self._noted, None
        waits = self.ledger.entries[-1] if noted is None and self.ledger.entries else noted

        async def when_saved() -> None:
            problem = await waits.done if waits else None
            if noted and isinstance(problem, Refusal):
                await connection.refuse("not_kept", str(problem), seq)
            elif not isinstance(problem, storage.Fenced):
                connection.post(encode({"type": "ack", "seq": seq, "tick": tick}))

        self.keep(when_saved())

    # --- Keys, moves, co-pilots ----------------------------------------------------------------------------

    async def move(self, connection: Connection, seat: int, action: int, seq: int) -> None:
        """Turn by turn: kept until all people in control have moved; a second move replaces the first."""
        if self.real_time:
            raise Refused("real_time", "This game runs by the clock; press and release keys.")
        self.moved[seat] = action
        connection.key = seq
        await self.acknowledge(connection, seq)
        self.tell_state()
        self.try_turn()

    async def take_over(self, connection: Connection) -> None:
        """A co-pilot plays the chef of the agent through whose eyes they watch."""
        seat = connection.seat
        name = frames.seat_name(self, seat)
        self.keys[seat].clear()
        self.resting[seat] = self.controllers[seat]
        # Whoever sits here is told by the pseudonym, which stays with the log wherever it goes.
        controller = {"kind": COPILOT, "name": connection.pseudonym, "pseudonym": connection.pseudonym}
        await self.set_controller(seat, controller, f"{connection.name} takes over from {name}.")

    async def give_back(self, seat: int) -> None:
        """The agent that a co-pilot had replaced plays on."""
        agent = self.resting.pop(seat, self.controllers[seat])
        self.keys[seat].clear()
        self.moved.pop(seat, None)
        await self.set_controller(seat, agent, f"{frames.seat_name(self, seat)} plays on.")

    async def leave(self, connection: Connection) -> None:
        seat = connection.seat
        await super().leave(connection)
        if seat is None or self.closed:
            return
        self.keys[seat].drop(connection)
        others = any(
            connection.seat == seat and connection.role == COPILOT for connection in self.connections
        )
        in_control = self.controllers[seat]["kind"] == COPILOT
        if connection.role == COPILOT and in_control and not others and not self.over:
            await self.give_back(seat)
        self.attendance.look()

    async def join(self, connection: Connection) -> None:
        await super().join(connection)
        self.attendance.greet(connection)

    async def readiness_changed(self) -> None:
        self.attendance.look()

    async def controllers_changed(self) -> None:
        for seat in self.agent_seats():
            self.keys[seat].clear()
            self.moved.pop(seat, None)
        self.thinker.ask()
        self.try_turn()

    # --- Agents --------------------------------------------------------------------------------------------

    def note_goals(self, goals: dict[str, dict[str, dict[str, Any]]]) -> None:
        """How far seats have got with what they were told, {seat: {instruction: progress}}, as agents see it;
        what is done is noted down.
        """
        ended = []
        for name, of_seat in goals.items():
            seat = int(name)
            for span in self.in_force.of(seat):
                progress = of_seat.get(span.id)
                if progress is None:
                    continue
                if progress["state"] == State.OBEYING and (why := self.kept_from.get((seat, span.id))):
                    progress = {**progress, "state": State.WAITING, "text": why}
                self._progress.setdefault(span.id, {})[seat] = progress
                if progress["state"] in standings.ENDED:
                    ended.append(standings.ended(self.sim.tick, seat, span.id, progress["state"]))
        if ended:
            for record in ended:
                self.in_force.note(record)
                self.heard(record)
            self.note(ended)
            self.keep(self.tell_standings(ended))
        self.tell_goals({name for of_seat in goals.values() for name in of_seat})

    def tell_goals(self, names: set[str]) -> None:
        before = dict(self.goals)
        super().tell_goals(names)
        for name in names:
            if self.goals.get(name) != before.get(name):
                self._goal_ticks[name] = self.sim.tick

    def agent_failed(self, seat: int, why: str) -> None:
        """An agent that can't play is replaced for good, and everybody is told why; of a hidden one nothing
        that would tell who it was or who it wasn't.
        """
        ref = self.controllers[seat].get("ref")
        logger.warning("match %s: agent %s failed: %s", self.id, ref, why)
        self.failed.add(ref)
        other = next((stand_in for stand_in in self.stand_ins if stand_in["ref"] not in self.failed), None)
        hidden = self.seats[seat].hidden
        because = "" if hidden else f" ({why})"
        name = frames.seat_name(self, seat)
        if other is None:
            if seat not in self.helpless:
                self.helpless.add(seat)
                text = f"{name} can't play{because} and stays where it is."
                self.keep(self.tell(frames.notice(self.sim.tick, seat, text)))
            return
        text = f"{name} can't play{because}; {'another agent' if hidden else other['name']} plays on for it."
        self.keep(self.set_controller(seat, {"kind": "agent", **other}, text))

    def agents_thought(self) -> None:
        """The agents' answers for this tick are there."""
        self.try_turn()

    def _why(self) -> list[dict[str, Any]]:
        """The records of why agents made their moves of the last step, of those reasons that begin; told."""
        records, agents = [], self.agent_seats()
        self.kept_from = {}
        for reason in self.thinker.reasons:
            spans = self.in_force.of(reason["seat"])
            index = next((at for at, span in enumerate(spans) if span.id == reason["id"]), None)
            if index is not None and reason["seat"] in agents:
                record = reasons.record({**reason, "program": index}, spans, self.sim.tick, reason["seat"])
                if reason["kind"] in reasons.KEPT_FROM and self.begun.lasts(record, reason["sure"]):
                    self.kept_from[reason["seat"], reason["id"]] = reason["what"] or reasons.OTHERWISE
                if self.begun.begins(record, reason["sure"]):
                    records.append(record)
                    self.keep(self.tell(frames.reason(record)))
        self.thinker.reasons = []
        return records

    # --- The clock -----------------------------------------------------------------------------------------

    def go(self) -> None:
        """Begin to tick; matches that share a host get phases of their own."""
        if self.real_time:
            self._schedule(self.loop.time() + (self.id.int % 997) / 997 / self.ticks_per_second)
        else:
            self.try_turn()

    def halt(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _schedule(self, due: float) -> None:
        self._due = due
        self._timer = self.loop.call_at(due, self._tick)

    def _tick(self) -> None:
        late = self.loop.time() - self._due
        self._late_ms = max(0.0, late * 1000)
        try:
            begun = meter.begin()
            joint, by = self._chosen()
            meter.end("choosing", begun)
            self._step(joint, by)
        except Exception:
            logger.exception("match %s: tick %s failed", self.id, self.sim.tick)
            self.keep(self.close(1011))
            return
        if self.over:
            self.keep(self.finish("finished"))
            return
        missed = int(late * self.ticks_per_second) if late > BEHIND else 0
        self._schedule(self._due + (1 + missed) / self.ticks_per_second)
        # After the frames, which the loop sends before anything that is called soon.
        self.loop.call_soon(self.thinker.ask)
        if self.planner:
            self.loop.call_soon(self.planner.ask)

    def _chosen(self) -> tuple[list[int], list[str]]:
        """This tick's joint action, and a word for each seat: who chose it."""
        joint = [self.sim.no_op] * len(self.seats)
        by = [""] * len(self.seats)
        self.late = []
        for seat in range(len(self.seats)):
            kind = self.controllers[seat]["kind"]
            if kind == "agent":
                action = self.thinker.moves.get(seat)
                by[seat] = kind if action is not None else "late"
                if action is None:
                    self.late.append(seat)
            else:
                by[seat] = kind if kind == COPILOT or self.present(seat) else "none"
                if self.real_time:
                    action, used = self.keys[seat].take()
                    if used:
                        used[0].key = used[1]
                else:
                    action = self.moved.get(seat)
            if action is not None:
                joint[seat] = action
        return joint, by

    def _step(self, joint: list[int], by: list[str]) -> None:
        record = {"type": "step", "tick": self.sim.tick, "actions": joint, "by": by}
        self.sim.step(joint)
        self.over = self.sim.over
        self.note([record, *self._why()])
        self.past.append((self.sim.tick, self.sim.state.copy()))
        self.thinker.next_tick()
        self.tell_state()
        if self.coach:
            self.coach.look()

    # --- Turn by turn --------------------------------------------------------------------------------------

    def awaited_agents(self) -> list[int]:
        """Agents for whom people who have moved wait."""
        people = [seat for seat, controller in self.controllers.items() if controller["kind"] != "agent"]
        if not all(seat in self.moved for seat in people):
            return []
        return [seat for seat in self.agent_seats() if not self.thinker.has(seat)]

    def turn_without(self, seat: int) -> None:
        """An agent has been awaited long enough: it stays."""
        self.thinker.give_up(seat)
        self.try_turn()

    def try_turn(self) -> None:
        """Make the next step if everybody who has to has chosen."""
        if self.real_time or self.over or self.attendance.phase != RUNNING or self._timer:
            return
        people = [seat for seat, controller in self.controllers.items() if controller["kind"] != "agent"]
        if all(seat in self.moved for seat in people) and self.thinker.ready():
            # Between agents alone, each move can be seen.
            pause = 0.0 if people else settings.AGENT_PAUSE_MS / 1000 - (time.monotonic() - self._turn_at)
            self._timer = self.loop.call_later(max(0.0, pause), self._turn)
        else:
            self.thinker.ask()

    def _turn(self) -> None:
        self._timer = None
        self._turn_at = time.monotonic()
        chosen = self._chosen()
        self.moved = {}
        self._step(*chosen)
        if self.over:
            self.keep(self.finish("finished"))
            return
        self.try_turn()
        if self.planner:
            self.planner.ask()

    # --- The end -------------------------------------------------------------------------------------------

    def absence_allowed(self) -> float:
        return settings.ABSENT_SECONDS if self.real_time else super().absence_allowed()

    def is_over(self) -> bool:
        return self.over

    async def finish(self, reason: str) -> None:
        self.over = True
        self.halt()
        await super().finish(reason)

    def idle_for(self) -> float:
        return 0.0 if self.over and not self.ended else super().idle_for()

    # --- What is shown -------------------------------------------------------------------------------------

    def post(self, frame: dict[str, Any]) -> None:
        """To everybody who is here, without waiting."""
        text = encode(frame)
        for connection in self.connections:
            connection.post(text)

    def tell_state(self) -> None:
        """To everybody the state as they may see it, and which of their key presses was the last one used."""
        heads: dict[tuple[int | None, bool], str] = {}
        for connection in self.connections:
            place = (connection.seat, connection.watches)
            if place not in heads:
                heads[place] = encode(self._frame(connection))[:-1]
            key = "null" if connection.key is None else connection.key
            connection.post(f'{heads[place]},"key":{key}}}', state=True)

    def state_for(self, connection: Connection) -> tuple[int, np.ndarray]:
        late = connection.watches and not self.over
        return self.past[0] if late else (self.sim.tick, self.sim.state)

    def _frame(self, connection: Connection) -> dict[str, Any]:
        tick, state = self.state_for(connection)
        # Said for a second, because a slow browser may miss states.
        fresh = self.sim.tick - max(1, self.ticks_per_second)
        goals_now = self.goals_for(connection)
        goals = {name: goals_now[name] for name in goals_now if self._goal_ticks[name] >= fresh}
        moved = None if self.real_time else sorted(self.moved)
        late = connection.watches and not self.over
        view = watched(self.game, state) if late else self.sim.spec.view(state, connection.seat)
        return frames.joint_state(tick, view, frames.controls(self), self.late, goals, moved, self._late_ms)

    def shown_state(self, connection: Connection) -> dict[str, Any]:
        return {**self._frame(connection), "key": connection.key}

    def shown_history(self, connection: Connection) -> list[dict[str, Any]]:
        last = self.past[0][0] if connection.watches and not self.over else self.sim.tick
        return [event for event in self.sim.events if event["tick"] <= last]

"""What every live match has: who is there, who plays which seat, what was said, and how all are told.

Not for: how moves come about (turns.py, where one seat moves at a time; realtime.py, where all move at once),
claiming and leases (manager), the database (storage), what each message means (webapp.host.messages).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import brings
from engine.games import stories
from engine.games.watched import hides
from engine.language import standings
from engine.refusal import Refusal
from engine.simulation.life import State
from engine.simulation.simulation import Simulation
from engine.simulation.spoken import spoken
from webapp.host import frames, storage
from webapp.host.batches import Entry, save_instruction, save_judged, save_left, save_status
from webapp.host.coaching import Coach
from webapp.host.connection import PLAYER, Connection, Refused, encode
from webapp.host.planning import Planner
from webapp.host.resume import Resumed
from webapp.host.writer import Ledger

if TYPE_CHECKING:
    from webapp.host.manager import Host

logger = logging.getLogger(__name__)
CLIENTS = 200
# Of progress: what one seat does counts for all.
STATES = (State.OBEYING, State.WAITING, State.UNABLE, State.DONE, State.OUT, State.REPLACED)
WORDS = ("instruction", "standing", "reason", "judged", "utterance")
ABOUT = ("standing", "reason", "judged")  # an instruction, which their id names
CHIPS = ("subgoals", "far")  # of a progress, in games that bring them
ABSENT_BEFORE_TAKEOVER = 60.0  # seconds, where a game waits for whoever is away

Work = Callable[[], Awaitable[None]]


class LiveMatch:
    """A match that this process hosts. Its kinds say how what arrives is taken, and how it is kept."""

    def __init__(self, host: Host, loaded: storage.Loaded, state: Resumed) -> None:
        self.host = host
        self.id, self.epoch, self.game = loaded.match_id, loaded.epoch, loaded.game
        self.seats = loaded.seats
        self.watch_delay = loaded.watch_delay
        self.ticks_per_second = loaded.ticks_per_second
        self.stand_ins = loaded.stand_ins
        self.stand_in_agent = self.stand_ins[0] if self.stand_ins else None
        self.sim: Simulation = state.sim
        # For which sides people play: what those who watch see and hear depends on it.
        self.people_sides = {self.side(seat.index) for seat in self.seats if seat.kind == "person"}
        self.dialogue = state.dialogue
        self.instructions = state.instructions
        self.in_force = state.in_force
        self.controllers = state.controllers
        self.coach = Coach(self, state.course) if state.course else None
        plans = brings.Planning.brought(self.game) is not None
        self.planner = Planner(self, loaded.log.records) if plans else None
        self.goals: dict[str, dict[str, Any]] = {}
        # How far each seat has got with an instruction, and that of all seats in one: what `goals` tells.
        self._progress: dict[str, dict[int, dict[str, Any]]] = {}
        self.connections: set[Connection] = set()
        self.sequences: dict[tuple[int, str], int] = {}
        self.quiet_since = time.monotonic()
        self.ended: dict[str, Any] | None = None
        self.closed = False
        self.finishing = False
        self.log_end = loaded.log.end
        durable = len(loaded.log.records)
        self.ledger = Ledger(self.id, self.epoch, durable, on_lost=self.lost, on_refused=self.refused)
        self._tasks: set[asyncio.Task] = set()
        now = time.monotonic()
        self.absent_since = {seat.index: now for seat in self.seats if seat.kind == "person"}

    # --- What the kinds of matches do in their own ways ----------------------------------------------------

    async def run(self) -> None:
        """Work until the match is over and everybody has left, or another host has it."""
        raise NotImplementedError

    async def submit(self, work: Work) -> bool:
        """Do what a browser asks for; False when the match has too much to do or has ended."""
        raise NotImplementedError

    async def move(self, connection: Connection, seat: int, action: int, seq: int) -> None:
        """A move that the player made on the present state. Raises Refused."""
        raise NotImplementedError

    async def write(
        self,
        records: list[dict[str, Any]],
        operation: Callable[[], None] | None = None,
        before: list[dict[str, Any]] | None = None,
    ) -> None:
        """Keep what a message leads to (see Entry). Raises Refused where that is waited for and can't be."""
        raise NotImplementedError

    def refused(self, entry: Entry, why: Refusal) -> None:
        """Something that was noted will never be written."""
        raise NotImplementedError

    async def acknowledge(self, connection: Connection, seq: int) -> None:
        """Answer a message once what it changed is durable."""
        raise NotImplementedError

    async def controllers_changed(self) -> None:
        """Somebody else plays a seat now."""
        raise NotImplementedError

    def state_for(self, connection: Connection) -> tuple[int, np.ndarray]:
        """The tick and the state that one browser sees now; spectators see an old one while the game runs."""
        raise NotImplementedError

    def words_for(self, connection: Connection, seat: int) -> dict[str, Any]:
        """{"tick", "sees", "details", "moves"}: what a seat sees and may do, in words, as far as this browser
        may know. Raises Refused.
        """
        open_words = brings.Words.of(self.game).OPEN
        may_watch = connection.watches and (bool(self.ended) or not hides(self.game))
        if not open_words and not may_watch and seat != connection.seat:
            raise Refused("hidden", "What others see is theirs alone in this game.")
        tick, state = self.state_for(connection)
        spec = self.sim.spec
        moves = [spec.action_text(state, seat, move) for move in range(self.sim.num_actions)]
        return {"tick": tick, **spoken(spec, state, state, seat), "moves": list(dict.fromkeys(moves))}

    def shown_state(self, connection: Connection) -> dict[str, Any]:
        """The state frame for one browser."""
        raise NotImplementedError

    def shown_history(self, connection: Connection) -> list[dict[str, Any]]:
        """What has happened so far, as far as this browser may know it."""
        raise NotImplementedError

    def joined_frame(self, connection: Connection) -> dict[str, Any]:
        """The answer to somebody who joins."""
        return frames.joined(self, connection)

    async def show(self, connection: Connection) -> None:
        """Send the present state to one browser."""
        await connection.send(self.shown_state(connection))

    def is_over(self) -> bool:
        """Whether nothing can be done here any more."""
        return self.ended is not None

    # --- Who is there --------------------------------------------------------------------------------------

    def keep(self, work: Awaitable[None]) -> asyncio.Task:
        """Run something beside what arrives; it ends with the match."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self, code: int) -> None:
        """Close every socket; browsers that get 4009 or 1011 ask for another host and come back."""
        self.closed = True
        await asyncio.gather(*(connection.drop(code) for connection in list(self.connections)))
        self.connections.clear()

    async def join(self, connection: Connection) -> None:
        self.connections.add(connection)
        connection.joined, connection.joined_at = True, time.monotonic()
        if connection.seat is not None and connection.role == PLAYER:
            self.absent_since.pop(connection.seat, None)
            await self.return_to_seat(connection.seat)
        await connection.send(self.joined_frame(connection))
        await self.show(connection)
        if self.ended:
            await connection.send(self.ended)
        await self.tell_presence()

    async def leave(self, connection: Connection) -> None:
        """A socket has closed; the seat stays its person's."""
        self.connections.discard(connection)
        seat = connection.seat
        if seat is not None and connection.role == PLAYER and not self.present(seat):
            self.absent_since[seat] = time.monotonic()
        if not self.connections:
            self.quiet_since = time.monotonic()
        await self.tell_presence()

    def present(self, seat: int) -> bool:
        """Whether the person of this seat is here."""
        return any(connection.seat == seat and connection.role == PLAYER for connection in self.connections)

    def absence_allowed(self) -> float:
        """Seconds for which a seat is kept for a person who is away."""
        return ABSENT_BEFORE_TAKEOVER

    def stand_in_after(self, seat: int) -> float | None:
        """Seconds until an agent may play for a person who is away; None while they are here."""
        since = self.absent_since.get(seat)
        return None if since is None else max(0.0, since + self.absence_allowed() - time.monotonic())

    def ready(self, seat: int) -> bool:
        """Whether the person of this seat is here and ready to begin."""
        return any(link.ready for link in self.connections if link.seat == seat and link.role == PLAYER)

    async def readiness_changed(self) -> None:
        """A page is ready to begin, or no longer; what is turn by turn waits for nobody's pointer."""

    async def tell_presence(self) -> None:
        await self.broadcast(frames.presence(self))

    async def broadcast(self, frame: dict[str, Any]) -> None:
        text = encode(frame)
        for connection in self.connections:
            connection.post(text)

    async def tell(self, event: dict[str, Any]) -> None:
        """Something for the dialogue: kept for those who join later, sent to those who may hear it."""
        self.dialogue.append(event)
        text = encode(event)
        for connection in self.connections:
            if self.hears(connection, event):
                connection.post(text)

    def hears(self, connection: Connection, event: dict[str, Any]) -> bool:
        """Whether an event of the dialogue is for this socket: words are for the speaker's own side, and for
        those who watch where all people are on it. What becomes of an instruction is for those who heard it.
        """
        if event["type"] not in WORDS:
            return True
        instruction = self.instructions[event["id"]] if event["type"] in ABOUT else event
        return self._overhears(connection.seat, instruction["seat"])

    def _overhears(self, seat: int | None, speaker: int) -> bool:
        """Whether a seat, or None: who watches, hears what is said at another."""
        if seat is not None:
            return self.same_side(seat, speaker)
        return self.ended is not None or self.people_sides <= {self.side(speaker)}

    def hears_side(self, connection: Connection, side: int) -> bool:
        """Whether a socket may know what a side plans: by the same rule."""
        if connection.seat is not None:
            return self.side(connection.seat) == side
        return self.ended is not None or self.people_sides <= {side}

    def same_side(self, seat: int, other: int) -> bool:
        return self.side(seat) == self.side(other)

    def side(self, seat: int) -> int:
        return self.sim.spec.side_of(self.sim.options, seat)

    def goals_for(self, connection: Connection) -> dict[str, Any]:
        """{instruction: how far its agents are with it}, of the instructions that this socket has heard."""
        seat, instructions = connection.seat, self.instructions
        return {
            name: progress
            for name, progress in self.goals.items()
            if self._overhears(seat, instructions[name]["seat"])
        }

    # --- The log -------------------------------------------------------------------------------------------

    def actions_since(self, tick: int, most: int | None = None) -> list[Any]:
        """The joint actions from a tick on, as they are logged; at `most` so many."""
        return self.sim.actions[tick : None if most is None else tick + most]

    async def record(self, record: dict[str, Any]) -> None:
        """Note something down in the log."""
        await self.write([record])

    async def record_instruction(self, values: dict[str, Any], replaces: str | None) -> list[dict[str, Any]]:
        """Keep a new instruction, which may replace another; the log's records of it."""
        tick = self.sim.tick
        new = {"type": "instruction", **{key: value for key, value in values.items() if key != "user_id"}}
        records, before = [new], [{**new, "status": State.WITHDRAWN}]
        if replaces:
            old = self.instructions[replaces]
            records.insert(0, {**old, "status": State.REWRITTEN, "tick": tick})
            before.append(old)
        await self.write(records, partial(save_instruction, self.id, values, replaces), before)
        return records

    async def record_status(self, instruction_id: str, status: str) -> list[dict[str, Any]]:
        """Keep an instruction's new status; the log's records of it."""
        old = self.instructions[instruction_id]
        record = {**old, "status": status, "tick": self.sim.tick}
        await self.write([record], partial(save_status, self.id, record), [old])
        return [record]

    def lost(self) -> None:
        """Another host has the match, or what is in the log is no longer what is played here."""
        logger.warning("match %s: lost at epoch %s", self.id, self.epoch)
        self.keep(self.close(4009))

    # --- Words ---------------------------------------------------------------------------------------------

    def programs(self, seat: int) -> list[dict[str, Any]]:
        """[{"id", "program"}] of the instructions in force for a seat now, oldest first."""
        return [{"id": span.id, "program": span.program} for span in self.in_force.of(seat)]

    async def note_instructions(self, records: list[dict[str, Any]]) -> None:
        """Take over what storage has written about instructions, and tell everybody."""
        for record in records:
            self.instructions[record["id"]] = {**self.instructions.get(record["id"], {}), **record}
            self.in_force.note(record)
            self.heard(record)
            await self.tell(frames.instruction(record, self.in_force.goes_to_plan(record)))
            if self.coach:
                self.coach.note(record)
        await self.settle()
        if self.planner:
            self.planner.ask()

    def heard(self, record: dict[str, Any]) -> None:
        """Something was said, or somebody else plays a seat: plans depend on it."""
        if self.planner:
            self.planner.note(record)

    async def settle(self) -> None:
        """Note down which instructions later ones have replaced, in part or whole."""
        ended = standings.settled(self.in_force, self.sim)
        for record in ended:
            if record["state"] == State.REPLACED:
                replaced = {"state": State.REPLACED, "text": "replaced by a later instruction"}
                self._progress.setdefault(record["id"], {})[record["seat"]] = replaced
            await self.record(record)
            self.heard(record)
        self.tell_goals({record["id"] for record in ended})
        await self.tell_standings(ended)

    async def tell_standings(self, records: list[dict[str, Any]]) -> None:
        """Tell everybody what has become of instructions."""
        for frame in frames.standings(records):
            await self.tell(frame)

    def tell_goals(self, names: set[str]) -> None:
        """Work out anew how far these instructions have got: where some seats are done and others aren't,
        what the others do counts. Told with the next state.
        """
        for name in names & self._progress.keys():
            seats = self._progress[name]
            whole = min(seats.values(), key=lambda progress: STATES.index(progress["state"]))
            if len(seats) > 1:
                whole = {key: value for key, value in whole.items() if key not in CHIPS}
                whole["seats"] = {str(seat): by for seat, by in seats.items()}
            self.goals[name] = whole

    def post_goals(self, before: dict[str, Any]) -> None:
        """Tell everybody who heard of it how far instructions are that weren't so far `before`."""
        changed = {name for name in self.goals if self.goals[name] != before.get(name)}
        for connection in self.connections if changed else ():
            goals = {
                name: frames.progress(goal, before.get(name))
                for name, goal in self.goals_for(connection).items()
                if name in changed
            }
            if goals:
                connection.post(encode(frames.goals(self.sim.tick, goals)))

    async def say(self, seat: int, text: str) -> None:
        record = {"type": "utterance", "tick": self.sim.tick, "seat": seat, "text": text}
        await self.record(record)
        await self.tell(frames.utterance(record))

    async def judge(self, instruction: dict[str, Any], sign: int) -> None:
        """Keep what the player of an instruction says of what was done: 1 yes, that; -1 no; 0 neither."""
        record = {"type": "judged", "tick": self.sim.tick, "seat": instruction["seat"]}
        record |= {"id": instruction["id"], "sign": sign}
        await self.write([record], partial(save_judged, self.id, record))
        instruction["judged"] = sign
        await self.tell(frames.judged(record))

    # --- Leaving, taking over ------------------------------------------------------------------------------

    def agent_seats(self) -> list[int]:
        return [seat for seat, controller in self.controllers.items() if controller["kind"] == "agent"]

    async def set_controller(self, seat: int, controller: dict[str, Any], text: str) -> None:
        record = {"type": "control", "tick": self.sim.tick, "seat": seat, "controller": controller}
        await self.write([record], partial(save_left, self.id, seat) if controller.get("left") else None)
        self.controllers[seat] = controller
        self.heard(record)
        await self.tell(frames.control(self, record, text))
        if self.coach:
            self.coach.note(record)
        await self.tell_presence()
        await self.controllers_changed()

    async def return_to_seat(self, seat: int) -> None:
        """A person who comes back plays on where an agent had stood in, unless they had left for good."""
        controller = self.controllers[seat]
        if controller["kind"] != "agent" or controller.get("left") or self.is_over():
            return
        name = self.seats[seat].name
        await self.set_controller(seat, {"kind": "person"}, f"{name} is back and plays on.")

    async def stand_in(self, seat: int, left: bool) -> None:
        """Let an agent play a person's seat, until they are back or (`left`) to the end. Raises Refused."""
        if self.stand_in_agent is None:
            raise Refused("no_agent", "No agent that could play here is known.")
        agent, name = self.stand_in_agent["name"], self.seats[seat].name
        text = (
            f"{name} has left. {agent} plays on for them."
            if left
            else f"{name} is away. {agent} plays until they are back."
        )
        await self.set_controller(seat, {"kind": "agent", **self.stand_in_agent, "left": left}, text)

    def others_playing(self, seat: int) -> bool:
        """Whether a person other than the one in this seat still plays."""
        return any(
            other.kind == "person"
            and other.index != seat
            and self.controllers[other.index]["kind"] == "person"
            for other in self.seats
        )

    def end_record(self, reason: str) -> dict[str, Any]:
        return {
            "type": "end",
            "tick": self.sim.tick,
            "score": self.sim.score,
            "digest": self.sim.digest(),
            "outcomes": stories.outcomes(self.game, self.sim.view(None)),
            "reason": reason,
        }

    async def finish(self, reason: str) -> None:
        """Close the log and the match once everything is written, and tell everybody. What a host that then
        died had brought to its end is finished as it was; a database that is away is waited for.
        """
        if self.finishing:
            return
        self.finishing = True
        end = self.log_end or self.end_record("finished" if self.sim.over else reason)
        closing = partial(storage.close, self.id, end)
        entry = self.host.writer.put(self.ledger, [] if self.log_end else [end], closing, now=True)
        problem = await entry.done
        if problem is None:
            await self.tell_end(end)
        elif isinstance(problem, Refusal):
            await self.close(1011)

    async def tell_end(self, end: dict[str, Any]) -> None:
        self.ended = frames.ended(self, end)
        await self.broadcast(self.ended)
        if not self.connections:
            self.quiet_since = time.monotonic()

    def idle_for(self) -> float:
        """Seconds since the last socket closed; 0 while there is one."""
        return 0.0 if self.connections else time.monotonic() - self.quiet_since

    async def stop(self) -> None:
        """End the task without ending the match."""
        await self.close(1012)
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

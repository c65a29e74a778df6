"""One match while it is played: a task that takes what arrives one after the other, and tells everybody.

A move counts when its record is durable: only then the game is stepped, the mover acknowledged and the others
told. Not for: claiming and leases (manager), the database (storage), what each message means
(webapp.play.messages).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from channels.db import database_sync_to_async
from django.conf import settings

from engine.simulation.simulation import Simulation
from webapp.play.host import frames, storage
from webapp.play.host.connection import Connection, Refused
from webapp.play.host.resume import Resumed, resume

if TYPE_CHECKING:
    from webapp.play.host.manager import Host

logger = logging.getLogger(__name__)
INBOX = 256
CLIENTS = 200
ABSENT_BEFORE_TAKEOVER = 60.0  # seconds

Work = Callable[[], Awaitable[None]]


class LiveMatch:
    """A match that this process hosts. Everything runs in the task of `run`, so nothing here needs a lock."""

    def __init__(self, host: Host, loaded: storage.Loaded) -> None:
        state: Resumed = resume(loaded)
        self.host = host
        self.id, self.epoch, self.game = loaded.match_id, loaded.epoch, loaded.game
        self.seats = loaded.seats
        self.watch_delay = loaded.watch_delay
        self.sim: Simulation = state.sim
        self.history = state.history
        self.past: deque[Simulation] = deque(state.past, maxlen=loaded.watch_delay + 1)
        self.dialogue = state.dialogue
        self.instructions = state.instructions
        self.controllers = state.controllers
        self.connections: set[Connection] = set()
        self.sequences: dict[tuple[int, str], int] = {}
        self.absent_since: dict[int, float] = {}
        self.quiet_since = time.monotonic()
        self.changed_at = time.monotonic()
        self.ended: dict[str, Any] | None = None
        self.closed = False
        self._inbox: asyncio.Queue[Work] = asyncio.Queue(INBOX)
        self._thinking: asyncio.Task | None = None
        self._tasks: set[asyncio.Task] = set()
        now = time.monotonic()
        for seat in self.seats:
            if seat.kind == "person":
                self.absent_since[seat.index] = now

    # --- Life of the task ----------------------------------------------------------------------------------

    async def run(self) -> None:
        """Work until the match is over and everybody has left, or another host has it."""
        self.prompt_agent()
        try:
            while not self.closed:
                work = await self._inbox.get()
                await work()
        except storage.Fenced:
            logger.warning("match %s: lost to another host at epoch %s", self.id, self.epoch)
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

    async def close(self, code: int) -> None:
        """Close every socket; browsers that get 4009 or 1011 ask for another host and come back."""
        self.closed = True
        for connection in list(self.connections):
            await connection.drop(code)
        self.connections.clear()
        self.put(_nothing)

    async def in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await database_sync_to_async(function)(*arguments)

    # --- Who is there --------------------------------------------------------------------------------------

    async def join(self, connection: Connection) -> None:
        self.connections.add(connection)
        connection.joined = True
        if connection.seat is not None:
            self.absent_since.pop(connection.seat, None)
            await self.return_to_seat(connection.seat)
        await connection.send(frames.joined(self, connection))
        await connection.send(frames.state(self, connection))
        if self.ended:
            await connection.send(self.ended)
        await self.tell_presence()

    async def leave(self, connection: Connection) -> None:
        """A socket has closed; the seat stays its person's."""
        self.connections.discard(connection)
        seat = connection.seat
        if seat is not None and not any(other.seat == seat for other in self.connections):
            self.absent_since[seat] = time.monotonic()
        if not self.connections:
            self.quiet_since = time.monotonic()
        await self.tell_presence()

    def present(self, seat: int) -> bool:
        return any(connection.seat == seat for connection in self.connections)

    async def tell_presence(self) -> None:
        await self.broadcast(frames.presence(self))

    async def broadcast(self, frame: dict[str, Any]) -> None:
        await asyncio.gather(*(connection.send(frame) for connection in list(self.connections)))

    async def tell_state(self) -> None:
        """Send everybody the state as they may see it."""
        await asyncio.gather(
            *(connection.send(frames.state(self, connection)) for connection in list(self.connections))
        )

    async def tell(self, event: dict[str, Any]) -> None:
        """Something for the dialogue: kept for those who join later, sent to those who are here."""
        self.dialogue.append(event)
        await self.broadcast(event)

    # --- The game ------------------------------------------------------------------------------------------

    def agent_seats(self) -> list[int]:
        return [seat for seat, controller in self.controllers.items() if controller["kind"] == "agent"]

    async def take(self, seat: int, action: int) -> None:
        """One move: durable first, then made, then told. Raises Refused when it isn't legal."""
        if why := self.sim.why_illegal(seat, action):
            raise Refused("illegal", why)
        joint = [self.sim.no_op] * self.sim.seats
        joint[seat] = action
        record = {"type": "step", "tick": self.sim.tick, "actions": joint}
        await self.in_thread(storage.append, self.id, self.epoch, [record], self.sim.tick + 1)
        self.sim.act(seat, action)
        self.past.append(self.sim.copy())
        self.history.append(self.sim.view(None)["last"])
        self.changed_at = time.monotonic()

    async def after_move(self) -> None:
        """Tell the new state; end the game or let the next agent think."""
        await self.tell_state()
        if self.sim.over:
            await self.finish("finished")
        else:
            self.prompt_agent()

    def prompt_agent(self) -> None:
        """If an agent is to move, let it think beside this task."""
        seat = self.sim.current
        if seat is None or self.ended or self.controllers[seat]["kind"] != "agent":
            return
        if self._thinking and not self._thinking.done():
            self._thinking.cancel()
        self._thinking = self.keep(self._think(seat, self.sim.tick))

    def keep(self, work: Awaitable[None]) -> asyncio.Task:
        """Run something beside the match's task; it ends with the match."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

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
            await self.take(seat, choice.action)
            await self.after_move()

        while not self.put(work) and not self.closed:
            await asyncio.sleep(0.05)

    def programs(self, seat: int) -> list[dict[str, Any]]:
        """The confirmed instructions that the agent in this seat obeys now, oldest first."""
        return [
            {**one["reading"]["program"], "since_tick": one["tick"]}
            for one in self.instructions.values()
            if one["status"] == "confirmed"
            and one["seat"] != seat
            and one["target_seat"] in (None, seat)
            and one["reading"]
            and one["reading"].get("program")
        ]

    # --- Words ---------------------------------------------------------------------------------------------

    async def note_instructions(self, records: list[dict[str, Any]]) -> None:
        """Take over what storage has written about instructions, and tell everybody."""
        for record in records:
            self.instructions[record["id"]] = {**self.instructions.get(record["id"], {}), **record}
            await self.tell(frames.instruction(record))

    async def say(self, seat: int, text: str) -> None:
        record = {"type": "utterance", "tick": self.sim.tick, "seat": seat, "text": text}
        await self.in_thread(storage.append, self.id, self.epoch, [record], self.sim.tick)
        await self.tell(frames.utterance(record))

    # --- Leaving, taking over, the end
    # -----------------------------------------------------------------------

    async def set_controller(self, seat: int, controller: dict[str, Any], text: str) -> None:
        record = {"type": "control", "tick": self.sim.tick, "seat": seat, "controller": controller}
        await self.in_thread(storage.append, self.id, self.epoch, [record], self.sim.tick)
        self.controllers[seat] = controller
        await self.tell(frames.control(record, text))
        await self.tell_presence()
        self.prompt_agent()

    async def return_to_seat(self, seat: int) -> None:
        """A person who comes back plays on where an agent had stood in, unless they had left for good."""
        controller = self.controllers[seat]
        if controller["kind"] != "agent" or controller.get("left") or self.ended:
            return
        name = self.seats[seat].name
        await self.set_controller(seat, {"kind": "person"}, f"{name} is back and plays on.")

    async def stand_in(self, seat: int, left: bool) -> None:
        """Let an agent play a person's seat, until they are back or (`left`) to the end."""
        stand_in = await self.in_thread(self.host.agents.stand_in, self.game, self.sim.seats)
        name = self.seats[seat].name
        text = (
            f"{name} has left. {stand_in['name']} plays on for them."
            if left
            else (f"{name} is away. {stand_in['name']} plays until they are back.")
        )
        await self.set_controller(seat, {"kind": "agent", **stand_in, "left": left}, text)

    def others_playing(self, seat: int) -> bool:
        """Whether a person other than the one in this seat still plays."""
        return any(
            one.kind == "person" and one.index != seat and self.controllers[one.index]["kind"] == "person"
            for one in self.seats
        )

    async def finish(self, reason: str) -> None:
        end = {
            "type": "end",
            "tick": self.sim.tick,
            "score": self.sim.score,
            "digest": self.sim.digest(),
            "reason": reason,
        }
        await self.in_thread(storage.finish, self.id, self.epoch, end)
        self.ended = frames.ended(self, end)
        await self.broadcast(self.ended)
        if not self.connections:
            self.quiet_since = time.monotonic()

    def idle_for(self) -> float:
        """Seconds since the last socket closed; 0 while there is one or an agent is thinking."""
        thinking = self._thinking is not None and not self._thinking.done()
        return 0.0 if self.connections or thinking else time.monotonic() - self.quiet_since

    async def stop(self) -> None:
        """End the task without ending the match."""
        await self.close(1012)
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def _nothing() -> None:
    """Wakes the task, which then sees that it is closed."""

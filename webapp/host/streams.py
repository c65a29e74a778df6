"""Matches by the clock that take an input and send a snapshot every tick, in the binary frames of their game.

A game has them when its actions have heads; engine/games/<game>/protocol.py says what the bytes mean. A tick
takes the next input of every person, resolves what agents decided last, steps the game, and hands each socket
what its eyes may see. JSON frames beside them say what doesn't change every tick. Not for: the clock, the
log, who is here (realtime.py, attendance.py).
"""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from django.urls import reverse

from engine import brings
from engine.simulation.spoken import spoken, window
from webapp.host import frames, storage
from webapp.host.connection import Connection, Refused, encode
from webapp.host.deciding import Decider
from webapp.host.inputs import Inputs, TooFast
from webapp.host.meter import meter
from webapp.host.realtime import JointMatch
from webapp.host.resume import Resumed, protocol_of

if TYPE_CHECKING:
    from webapp.host.manager import Host


class StreamMatch(JointMatch):
    takes_keys = False

    def __init__(self, host: Host, loaded: storage.Loaded, state: Resumed) -> None:
        super().__init__(host, loaded, state)
        self.protocol = protocol_of(self.game)
        rate = self.ticks_per_second or 1
        self.keys = [Inputs(rate) for _ in self.seats]
        self.thinker = Decider(self)
        self.seen = self.protocol.new_seen()
        self.told: list[dict[str, Any]] = []  # what everybody was told, for those who join later
        talk = brings.Talking.brought(self.game)
        self.talk = talk.Talk() if talk else None
        self._buffer = self.protocol.new_buffer()
        self._out_since: dict[int, int] = {}  # when a seat was found to be the last out of its squad
        self._window = window(rate)
        # Who watches could tell a player what the others do. Where all people are on one side, they look
        # through that side's eyes; where people are opponents, they see everything, and nothing before it
        # is old; agents among themselves may be watched by anybody.
        self.opponents = len(self.people_sides) > 1
        theirs = [seat.index for seat in self.seats if self.side(seat.index) in self.people_sides]
        self.watchable = [] if self.opponents else theirs
        self._early: list[Connection] = []
        self.past.clear()
        # The time before what spectators see.
        self.older: deque[Any] = deque(maxlen=self._window)
        self._remember()

    # --- What arrives --------------------------------------------------------------------------------------

    def take_frame(self, connection: Connection, seat: int, data: bytes) -> None:
        """The inputs of a page for the seat that it drives. Raises Refused."""
        queue = self.keys[seat]
        if queue.owner is not connection:
            if queue.owner is not None and queue.owner.joined_at > connection.joined_at:
                raise Refused("another_page", "You play on another page now; close it to play here.")
            queue.give(connection)
        try:
            queue.put(self.protocol.unpack_inputs(data), time.monotonic())
        except TooFast:
            raise Refused(
                "too_fast", "Your inputs come faster than time; what was too much has been left out."
            ) from None

    def watch(self, connection: Connection, wish: int | None) -> None:
        """Whose eyes a spectator asks for; None: from above. Raises Refused."""
        if connection.seat is not None and not self.over:
            eyes, _ = self.protocol.eyes_of(self.sim.state, connection.seat, wish)
            if eyes != (self.protocol.FROM_ABOVE if wish is None else wish):
                raise Refused("not_yours", "You may watch a squad mate who is still in, once you are out.")
        connection.watching = wish
        self.send_snapshot(connection)

    # --- A tick --------------------------------------------------------------------------------------------

    def _chosen(self) -> tuple[list[list[int]], list[str]]:
        """This tick's records, and a word for each seat: who chose it ("late": nobody did in time)."""
        sim, state, protocol = self.sim, self.sim.state, self.protocol
        joint, by = [], []
        self.late = []
        for seat in range(len(self.seats)):
            kind = self.controllers[seat]["kind"]
            if kind == "agent":
                heads = self.thinker.moves.get(seat)
                if heads is None:
                    kind = "late"
                    self.late.append(seat)
                    joint.append(sim.idle(seat))
                else:
                    joint.append(sim.resolve(seat, heads))
            else:
                given, fresh = self.keys[seat].take()
                if given is None:
                    kind = "none"
                    joint.append(sim.idle(seat))
                elif fresh:
                    joint.append(protocol.to_record(state, seat, given))
                else:
                    kind = "late"
                    joint.append(protocol.to_record(state, seat, protocol.again(state, seat, given)))
            by.append(kind)
        return joint, by

    def _step(self, joint: list[list[int]], by: list[str]) -> None:
        record = {"type": "step", "tick": self.sim.tick, "actions": joint, "by": by}
        begun = meter.begin()
        self.sim.step(joint)
        meter.end("simulation", begun)
        # Small and without garbage to collect: there are thousands of ticks of up to twenty records.
        self.sim.actions[-1] = np.array(joint, np.int32)
        self.sim.events.clear()
        self.over = self.sim.over
        self.note([record, *self._why()])
        self.told += self.protocol.announced(self.sim.state)
        self._remember()
        self._let_talk()
        self.thinker.next_tick()
        self.tell_state()
        if self.coach:
            self.coach.look()

    def _remember(self) -> None:
        """Keep what is shown now and, to spectators, later."""
        if len(self.past) == self.past.maxlen:
            self.older.append(self.past[0])
        state = self.sim.state.copy()
        self.protocol.note_sight(state, self.seen)
        self.past.append((self.sim.tick, state, self.seen.copy()))

    # --- What agents say -----------------------------------------------------------------------------------

    def _let_talk(self) -> None:
        """What agents say of their own accord, in games whose agents talk (engine/games/<game>/talk.py)."""
        if self.talk is not None:
            for utterance in self.talk.look(
                self.sim.state, self.agent_seats(), partial(frames.seat_name, self)
            ):
                self._say(*utterance)

    def _say(self, seat: int, text: str) -> None:
        record = {"type": "utterance", "tick": self.sim.tick, "seat": seat, "text": text}
        self.note([record])
        self.keep(self.tell(frames.utterance(record)))

    def note_goals(self, goals: dict[str, dict[str, dict[str, Any]]]) -> None:
        agents = self.agent_seats() if self.talk else []
        for seat in agents:
            for name, progress in goals.get(str(seat), {}).items():
                text = self.instructions[name]["text"]
                if utterance := self.talk.answer(self.sim.state, seat, name, text, progress):
                    self._say(seat, utterance)
        super().note_goals(goals)

    def actions_since(self, tick: int, most: int | None = None) -> list[Any]:
        return [np.asarray(joint).tolist() for joint in super().actions_since(tick, most)]

    async def controllers_changed(self) -> None:
        for seat, controller in self.controllers.items():
            if controller["kind"] != "agent":
                self.thinker.forget(seat)
        await super().controllers_changed()

    def tell_goals(self, names: set[str]) -> None:
        before = dict(self.goals)
        super().tell_goals(names)
        self.post_goals(before)

    # --- What is shown -------------------------------------------------------------------------------------

    def eyes(self, connection: Connection) -> tuple[int, bool]:
        """(seat or FROM_ABOVE, whether they see it late) of a socket."""
        wish = connection.watching
        if connection.seat is None or self.over:
            seat = connection.seat
            if seat is None and self.watchable and not self.over:
                return wish if wish in self.watchable else self.watchable[0], True
            eyes = (self.protocol.FROM_ABOVE if seat is None else seat) if wish is None else wish
            return eyes, not self.over
        eyes, late = self.protocol.eyes_of(self.sim.state, connection.seat, wish)
        if late and wish is None:
            # For a moment the last of a squad sees, as the others did, the place and who did it.
            since = self._out_since.setdefault(connection.seat, self.sim.tick)
            if self.sim.tick - since < self.protocol.GRIEF_TICKS:
                return connection.seat, False
        return eyes, late

    def tell_state(self) -> None:
        packed: dict[tuple[int, bool], bytearray] = {}
        for connection in self.connections:
            if self._too_early(connection):
                continue
            place = self.eyes(connection)
            if place not in packed:
                packed[place] = self._pack(*place)
            self._send(connection, place[0], packed[place])

    def send_snapshot(self, connection: Connection) -> None:
        """The present snapshot to one socket; to those who watch too early, that they have to wait."""
        if self._too_early(connection):
            if connection not in self._early:
                self._early.append(connection)
                connection.post(encode(frames.paused(self._wait_to_watch())))
            return
        place = self.eyes(connection)
        self._send(connection, place[0], self._pack(*place))

    def _too_early(self, connection: Connection) -> bool:
        """Whether even the oldest state is too new for who watches."""
        watches = connection.seat is None and self.opponents and not self.over
        if watches and len(self.past) < (self.past.maxlen or 0):
            return True
        if connection in self._early:
            self._early.remove(connection)
            connection.post(encode(frames.resumed()))
        return False

    def _wait_to_watch(self) -> str:
        seconds = round(self.watch_delay / (self.ticks_per_second or 1))
        return f"People are opponents here, so you see it {seconds} seconds late. It begins for you soon."

    def _pack(self, eyes: int, late: bool) -> bytearray:
        begun = meter.begin()
        state, seen = (self.past[0] if late else self.past[-1])[1:]
        frame = self.protocol.pack_snapshot(state, self.sim.world, eyes, seen, self._buffer)
        meter.end("packing", begun)
        return frame

    def _send(self, connection: Connection, eyes: int, frame: bytearray) -> None:
        queue = None if connection.seat is None else self.keys[connection.seat]
        mine = queue is not None and queue.owner is connection
        stamped = self.protocol.stamp(
            frame,
            ack=queue.used if mine else 0,
            other_seat=connection.seat != eyes,
            clock=int(time.monotonic() * 10_000),
            late=int(self._late_ms * 100),
            waiting=len(queue) if mine else 0,
            idle_agents=len(self.late),
        )
        connection.post(stamped, state=True)

    async def show(self, connection: Connection) -> None:
        self.send_snapshot(connection)

    def joined_frame(self, connection: Connection) -> dict[str, Any]:
        seed = self.protocol.map_seed(self.sim.state)
        return {
            **super().joined_frame(connection),
            "protocol": self.protocol.VERSION,
            "tick": self.sim.tick,
            "map": {"seed": seed, "url": reverse("play:map", args=[self.game, seed])},
        }

    def words_for(self, connection: Connection, seat: int) -> dict[str, Any]:
        own_seat = connection.seat
        if self._too_early(connection):
            raise Refused("not_yours", self._wait_to_watch())
        reader, late = (
            (None, not self.over) if own_seat is None or self.over else self._reader(own_seat, seat)
        )
        if own_seat is None and self.watchable and late:
            reader = self.eyes(connection)[0]
            if seat not in self.watchable:
                raise Refused(
                    "not_yours", "Who watches may ask what the side of the players sees, until the end."
                )
        if late:
            now, start = self.past[0], self.older[0] if self.older else self.past[0]
        else:
            now, start = self.past[-1], self.past[-1 - min(self._window, len(self.past) - 1)]
        if reader is None:
            words = spoken(self.sim.spec, start[1], now[1], seat)
        else:
            words = self.protocol.spoken_to(start[1:], now[1:], reader, seat)
        return {"tick": now[0], **words, "moves": []}

    def _reader(self, own_seat: int, seat: int) -> tuple[int | None, bool]:
        """(whose snapshots say what a player may be told of a seat, whether late); None: everything, once
        their squad is out. Raises Refused.
        """
        eyes, late = self.protocol.eyes_of(self.sim.state, own_seat, seat)
        if late:
            return None, True
        if not self.same_side(own_seat, seat):
            raise Refused("not_yours", "You may ask what you and your squad see, not what others do.")
        return eyes, False

    def shown_history(self, connection: Connection) -> list[dict[str, Any]]:
        last = self.past[0][0] if self.eyes(connection)[1] else self.sim.tick
        return [event for event in self.told if event["tick"] <= last]

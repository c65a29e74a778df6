"""How a match host bears up where people send an input and get a snapshot every tick: Arena's matches, each
with three squads of four: four people and eight agents.

The server, or each of several match hosts, is on one core with its inference child (bench_site.py). The
people are sockets in this process, on another core: they walk, run, turn, jump and shoot at 20 inputs a
second and predict their own player with the game's rules, as the browser does. A delay is added to every
frame in both directions, here; jitter is the percentage of frames that are held for one tick more, with all
behind them, as TCP does it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import struct
import sys
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from engine.games.arena import protocol
from engine.games.arena import state as s
from engine.games.arena.angles import wrap
from engine.games.arena.move import move
from engine.games.arena.protocol import Input
from engine.games.arena.world import world_of
from engine.refusal import Refusal
from tools.bench.live import READY_WITHIN, instruction, percentiles, problem_of
from tools.bench.site import Server, cpu_seconds, served, thread_seconds

TEAMS, TEAM_SIZE = 3, 4
PEOPLE_SEATS = (0, 1, 4, 8)
SPEAKERS = (0, 2, 3)  # of these people, one a squad
NETWORK = "network"  # the agent that is made here, of the shipped one's size, with weights by chance
HIDDEN = (256, 256)
WARM_UP = 4.0  # seconds of play that don't count
LONGEST = 60
TICK = 1 / s.TICKS_PER_SECOND


STILL = Input(1, 0, s.B_STOP, protocol.NO_BASIC, s.KEEP, 0, 0, 0)


@dataclass
class Measured:
    """Milliseconds, one entry a snapshot; the rest counts."""

    counting: bool = False
    one_way: list[float] = field(default_factory=list)
    tick_late: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    input_to_use: list[float] = field(default_factory=list)
    idle_agents: int = 0  # agents that stood for a decision later than one decision, summed over ticks
    corrections: int = 0
    compared: int = 0
    furthest: float = 0.0  # metres of the largest correction
    people: float = 0.0  # share of a core that this process used: near 1, it measures itself
    reasons: int = 0  # that agents gave for what they did with an instruction
    meters: dict[str, dict[str, Any]] = field(default_factory=dict)  # of each host, by its address


def bench_stream(
    game: str,
    agent: str,
    matches: int,
    seconds: float,
    delay_ms: float = 0.0,
    jitter: float = 0.0,
    hosts: int = 0,
    text: str = "",
) -> dict[str, Any]:
    """The load of so many matches, at so many match hosts (0: the web server), whose people tell their agents
    something or, with "", nothing. Raises Refusal with a sentence.
    """
    if not 1 <= matches <= 200:
        raise Refusal(f"--matches is {matches}; it can be 1 to 200.")
    if not 1 <= seconds <= LONGEST:
        raise Refusal(f"--seconds is {seconds:g}; it can be 1 to {LONGEST}, while nobody has lost.")
    if not 0 <= delay_ms <= 1000:
        raise Refusal(f"--delay-ms is {delay_ms:g}; it can be 0 to 1000.")
    if not 0 <= jitter <= 100:
        raise Refusal(f"--jitter is {jitter:g}; it is a percentage, 0 to 100.")
    load_before = os.getloadavg()[0]
    Prediction(world_of((0,))).act(STILL)  # compiled before anybody waits for it
    with served(hosts) as server:
        code = f"from tools.bench.stream import seat; seat({game!r}, {agent!r}, {matches})"
        tables = json.loads(server.manage("shell", "-c", code).splitlines()[-1])
        if "error" in tables:
            raise Refusal(tables["error"])
        line = delay_ms / 1000, jitter / 100
        measured, cpu = asyncio.run(play(server, tables["tables"], seconds, *line, text))
    clients = matches * len(PEOPLE_SEATS)
    return {
        "game": game,
        "agent": tables["agent"],
        "matches": matches,
        "hosts": hosts,
        "told": text,
        "clients": clients,
        "agents": matches * (TEAMS * TEAM_SIZE - len(PEOPLE_SEATS)),
        "seconds": seconds,
        "delay_ms": delay_ms,
        "jitter_percent": jitter,
        "snapshots_per_second": round(len(measured.one_way) / clients / seconds, 2),
        "snapshot_bytes": round(float(np.mean(measured.sizes or [0]))),
        "one_way_ms": percentiles(measured.one_way),
        "tick_late_ms": percentiles(measured.tick_late),
        "input_to_use_ms": percentiles(measured.input_to_use),
        "decisions_too_late": measured.idle_agents,
        "corrections_per_second": round(measured.corrections / clients / seconds, 3),
        "largest_correction_m": round(measured.furthest, 2),
        "compared": measured.compared,
        "cpu_share": round(sum(cpu.values()), 3),
        "cpu_shares": {name: round(share, 3) for name, share in cpu.items()},
        "loop_ms_per_second": loop_ms(measured.meters.values(), seconds),
        "reasons": measured.reasons,
        "people_cpu_share": round(measured.people, 3),
        "load_before": round(load_before, 2),
        "python": sys.version.split()[0],
    }


def loop_ms(meters: Iterable[dict[str, Any]], seconds: float) -> dict[str, float]:
    """Milliseconds a second of the event loops, by kind of work."""
    total: Counter[str] = Counter()
    for meter in meters:
        total.update(meter["seconds"])
    return {name: round(1000 * used / seconds, 1) for name, used in total.items()}


# --- In the server's data --------------------------------------------------------------------------------


def seat(game: str, agent: str, matches: int) -> None:
    """Make people and running matches, and print the paths of their sockets, the people of a match one after
    the other. For `manage.py shell`.
    """
    from django.urls import reverse

    from engine import games
    from webapp.accounts.models import User
    from webapp.host import tickets
    from webapp.lobby.setup import Setup, create_match
    from webapp.matches.models import Seat
    from webapp.matches.start import start_match

    people = []
    for number in range(len(PEOPLE_SEATS)):
        user = User.objects.create(username=f"bench-{number}")
        user.set_roles({"player"})
        people.append(user)
    name = random_network(game) if agent == NETWORK else agent
    wishes = [f"agent:{name}"] * (TEAMS * TEAM_SIZE)
    for number in PEOPLE_SEATS:
        wishes[number] = "friend"
    wishes[PEOPLE_SEATS[0]] = "me"
    tables = []
    try:
        for _ in range(matches):
            options = games.spec(game).validate({"teams": TEAMS, "team_size": TEAM_SIZE, "pace": "long"})
            match = create_match(Setup(game=game, options=options, wishes=wishes), people[0])
            for number, user in zip(PEOPLE_SEATS[1:], people[1:], strict=True):
                Seat.objects.filter(match=match, index=number).update(kind=Seat.PERSON, user=user)
            start_match(match)
            for user in people:
                path = reverse("play:table", args=[match.pk]) + "socket/"
                tables.append(f"{path}?ticket={tickets.issue(match, user, None)}")
    except Refusal as error:
        print(json.dumps({"error": str(error)}))
        return
    print(json.dumps({"tables": tables, "agent": name}))


def random_network(game: str) -> str:
    """The ref of a new agent whose network has the shipped one's size and weights by chance."""
    from django.conf import settings

    from engine import games
    from engine.agents.catalogue import write_agent
    from engine.agents.features import inputs_for
    from webapp.agents.models import Agent

    inputs, spec = inputs_for(game), games.spec(game)
    sizes = [inputs.size, *HIDDEN]
    rng = np.random.default_rng(1)
    tensors = {}
    actions = spec.num_actions(spec.validate({}))
    layers = [(f"hidden.{index}", a, b) for index, (a, b) in enumerate(zip(sizes, HIDDEN, strict=False))]
    for name, a, b in [*layers, ("policy", HIDDEN[-1], actions), ("value", HIDDEN[-1], 1)]:
        tensors[f"{name}.weight"] = rng.normal(0, 2 / np.sqrt(a), (b, a)).astype(np.float32)
        tensors[f"{name}.bias"] = np.zeros(b, np.float32)
    folder = Path(settings.AGENTS_DIR) / "bench"
    card = {
        "name": "bench",
        "game": game,
        "kind": "network",
        "algorithm": "none",
        "acts": "sampled",
        "players": list(range(2, 21)),
        "rules_version": spec.rules_version,
        "features_version": inputs.version,
        "hidden": list(HIDDEN),
    }
    complete = write_agent(folder, tensors, card)
    Agent.objects.create(
        ref=f"{game}/bench",
        name="bench",
        game=game,
        kind="network",
        folder="bench",
        sha256=complete["sha256"],
        card=complete,
    )
    return "bench"


# --- The people ------------------------------------------------------------------------------------------


class Line:
    """One direction of a slow line: what goes in comes out in order, `delay` seconds later or more."""

    def __init__(self, delay: float, jitter: float, out: Callable[[Any], None]) -> None:
        self.delay, self.jitter, self.out = delay, jitter, out
        self._rng = random.Random()
        self._last = 0.0

    def put(self, thing: Any) -> None:
        if not self.delay and not self.jitter:
            self.out(thing)
            return
        loop = asyncio.get_running_loop()
        due = loop.time() + self.delay + (TICK if self._rng.random() < self.jitter else 0.0)
        self._last = max(self._last, due)
        loop.call_at(self._last, self.out, thing)


class Prediction:
    """One's own player, moved by the inputs that the server hasn't used yet."""

    def __init__(self, world: np.ndarray) -> None:
        self.world = world
        self.state = np.zeros(s.STATE_SIZE, np.int16)
        self.pending: deque[tuple[Input, tuple[int, ...]]] = deque()
        self.seat = 0

    def place(self) -> tuple[int, ...]:
        at = s.PLAYERS + s.PLAYER * self.seat
        return tuple(self.state[at + s.X : at + s.Z + 1].tolist())

    def apply(self, sent: Input) -> None:
        """Move by an input, as rules.py does it for a player whose hands rest."""
        at = s.PLAYERS + s.PLAYER * self.seat
        record = np.array(protocol.to_record(self.state, self.seat, sent), np.int32)
        self.state[at + s.YAW] = wrap(sent.yaw)
        self.state[at + s.PITCH] = max(-16000, min(16000, sent.pitch))
        move(self.state, self.world, self.seat, record)

    def act(self, sent: Input) -> None:
        self.apply(sent)
        self.pending.append((sent, self.place()))

    def correct(self, seen: protocol.Snapshot) -> float | None:
        """Begin again from what the server says; units by which the prediction was off, None if not known."""
        self.seat = seen.seat
        at = s.PLAYERS + s.PLAYER * self.seat
        off = None
        while self.pending and self.pending[0][0].seq <= seen.ack:
            sent, place = self.pending.popleft()
            if sent.seq == seen.ack:
                off = max(abs(a - int(b)) for a, b in zip(place, seen.own[s.X : s.Z + 1], strict=True))
        self.state[s.TICK] = seen.tick
        self.state[at : at + protocol.OWN_FIELDS] = seen.own
        for door in range(s.DOORS):
            self.state[s.DOOR + door] = (seen.doors >> door) & 1
        kept, self.pending = self.pending, deque()
        for sent, _ in kept:
            self.act(sent)
        return off


class Player:
    """One person's socket, at `host`; `text` is the instruction that this person gives, "" for none."""

    def __init__(self, measured: Measured, host: str, delay: float, jitter: float, text: str) -> None:
        self.measured, self.host, self.text = measured, host, text
        self.begun = asyncio.Event()
        self.obeyed = asyncio.Event()
        self.seq = 0
        self.sent: dict[int, float] = {}
        self.recent: deque[Input] = deque(maxlen=protocol.MOST_INPUTS)
        self.rng = random.Random()
        self.yaw = self.rng.randrange(65536)
        self.turn = 0
        self.body, self.way = s.B_NONE, 0
        self.snapshot: protocol.Snapshot | None = None
        self.prediction: Prediction | None = None
        self.inward = Line(delay, jitter, self.read)
        self.outward = Line(delay, jitter, self.write)
        self.socket: Any = None
        self._writing: set[asyncio.Task] = set()

    async def run(self, site: str, path: str, end: asyncio.Event) -> None:
        address = self.host + path
        async with connect(address, origin=site, compression=None, max_queue=None) as self.socket:
            await self.socket.send(json.dumps({"type": "join", "client": str(uuid.uuid4())}))
            if self.text:
                await self.socket.send(json.dumps(instruction(self.text)))
            else:
                self.obeyed.set()
            acting = asyncio.ensure_future(self.act_on(end))
            try:
                while not end.is_set():
                    data = await self.socket.recv()
                    if isinstance(data, str):
                        self.note_json(json.loads(data))
                    else:
                        self.note(data)
                        self.inward.put(data)
            finally:
                acting.cancel()

    def note_json(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "joined":
            seed = frame["map"]["seed"]
            self.prediction = Prediction(world_of((seed,)))
        elif problem := problem_of(frame):
            raise Refusal(problem)
        elif frame["type"] == "pong" and "meter" in frame:
            self.measured.meters[self.host] = frame["meter"]
        elif frame["type"] == "instruction":
            self.obeyed.set()
        elif frame["type"] == "reason":
            self.measured.reasons += self.measured.counting and bool(self.text)

    def note(self, data: bytes) -> None:
        """Take a snapshot's times as soon as it is here; clocks agree because both are on one machine."""
        clock, late, _, idle = struct.unpack_from("<IHBB", data, 12)
        if data[2:4] != b"\0\0":
            self.begun.set()
        if not self.measured.counting:
            return
        now = int(time.monotonic() * 10_000) & 0xFFFFFFFF
        self.measured.one_way.append(((now - clock) & 0xFFFFFFFF) / 10)
        self.measured.tick_late.append(late / 100)
        self.measured.sizes.append(len(data))
        self.measured.idle_agents += idle
        used = struct.unpack_from("<I", data, 4)[0]
        sent = self.sent.pop(used, None)
        if sent is not None:
            self.measured.input_to_use.append(1000 * (time.monotonic() - sent))

    def read(self, data: bytes) -> None:
        """A snapshot has come over the slow line."""
        seen = protocol.unpack_snapshot(data)
        self.snapshot = seen
        if self.prediction is None:
            return
        if int(seen.own[s.LIFE]) != s.UP or seen.flags:
            self.prediction.pending.clear()
            return
        off = self.prediction.correct(seen)
        if off is None or not self.measured.counting:
            return
        self.measured.compared += 1
        if off > 0:
            self.measured.corrections += 1
            self.measured.furthest = max(self.measured.furthest, off / s.UNIT)

    def write(self, data: bytes) -> None:
        writing = asyncio.ensure_future(self._send(data))
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)

    async def _send(self, data: bytes) -> None:
        with contextlib.suppress(ConnectionClosed):  # at the end something is still under way
            await self.socket.send(data)

    async def act_on(self, end: asyncio.Event) -> None:
        """Twenty inputs a second, by a clock of one's own."""
        loop = asyncio.get_running_loop()
        await self.begun.wait()
        due = loop.time() + self.rng.random() * TICK
        while not end.is_set():
            await asyncio.sleep(max(0.0, due - loop.time()))
            due += TICK
            self.act()

    def act(self) -> None:
        """Another input: a way and a turn for a while, now and then a jump, a crouch or some shots."""
        rng = self.rng
        if self.seq % 15 == 0:
            self.turn = rng.randint(-900, 900)
            self.way = rng.choice((0, 0, 0, 2, 14, 4, 12))
            self.body = rng.choice((s.B_NONE, s.B_RUN, s.B_RUN, s.B_STOP))
        self.yaw = (self.yaw + self.turn) & 0xFFFF
        once = rng.random()
        body = s.B_JUMP if once < 0.01 else s.B_CROUCH if once < 0.02 else self.body
        basic = s.FIRE if self.seq % 100 > 90 else s.RELOADING if self.seq % 100 == 90 else protocol.NO_BASIC
        self.seq += 1
        tick = self.snapshot.tick if self.snapshot else 0
        sent = Input(self.seq, self.way, body, basic, s.KEEP, self.yaw, 0, tick)
        self.recent.append(sent)
        if self.prediction is not None and self.snapshot is not None:
            self.prediction.act(sent)
        self.sent[self.seq] = time.monotonic()
        self.sent.pop(self.seq - 100, None)
        self.outward.put(protocol.pack_inputs(list(self.recent)))


async def play(
    server: Server, tables: list[str], seconds: float, delay: float, jitter: float, text: str
) -> tuple[Measured, dict[str, float]]:
    """What was measured, and the shares of one core that the parts of the servers used."""
    measured = Measured()
    end = asyncio.Event()
    players = []
    for number in range(len(tables)):
        match, person = divmod(number, len(PEOPLE_SEATS))
        host = server.addresses[match % len(server.addresses)]
        says = text if person in SPEAKERS else ""
        players.append(Player(measured, host, delay, jitter, says))
    running = [
        asyncio.ensure_future(player.run(server.site, path, end))
        for player, path in zip(players, tables, strict=True)
    ]
    ready = [event.wait() for player in players for event in (player.begun, player.obeyed)]
    begun = asyncio.gather(*ready)
    await asyncio.wait([begun, *running], timeout=READY_WITHIN, return_when=asyncio.FIRST_COMPLETED)
    if not begun.done():
        for task in running:
            if task.done():
                task.result()
        raise Refusal(f"Not all games had begun after {READY_WITHIN:g} s.")
    await asyncio.sleep(WARM_UP)
    firsts = [next(player for player in players if player.host == host) for host in server.addresses]
    ask = json.dumps({"type": "ping", "at": 0, "meter": True})
    for first in firsts:
        await first.socket.send(ask)
    before, measured.counting, cpu = shares(server.playing), True, time.process_time()
    await asyncio.sleep(seconds)
    measured.people = (time.process_time() - cpu) / seconds
    after, measured.counting = shares(server.playing), False
    for first in firsts:
        await first.socket.send(ask)
    await asyncio.sleep(0.5)
    end.set()
    await asyncio.gather(*running)
    return measured, {name: (after[name] - before[name]) / seconds for name in after}


def shares(pids: list[int]) -> dict[str, float]:
    """Processor seconds so far of the servers' event loops, their other threads, and their inference
    children.
    """
    loops = sum(thread_seconds(f"/proc/{pid}/task/{pid}/stat") for pid in pids)
    whole = sum(thread_seconds(f"/proc/{pid}/stat") for pid in pids)
    return {
        "event loop": loops,
        "log and database": whole - loops,
        "inference": sum(map(cpu_seconds, pids)) - whole,
    }

"""How a match host bears up: many real-time matches at once, each with one person and one network agent.

The server is the real one, with its inference child, on one core (bench_site.py); the people are sockets in
this process, on another core, which press keys at random moments. Not for browsers: what is painted follows a
state by at most one frame of the screen; nor for games that take an input every tick (bench_stream.py).
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
import time
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from http.cookiejar import CookieJar

import numpy as np
from websockets.asyncio.client import connect

from engine.refusal import Refusal
from tools.bench.site import cpu_seconds, served

WARM_UP = 3.0  # seconds of play that don't count
LONGEST = 55  # seconds that a game of 400 ticks at six a second lasts, less the warm-up
READY_WITHIN = 120.0
PRESS_EVERY = 0.7  # seconds, on average
TAP = 0.15


@dataclass
class Measured:
    """Milliseconds, one entry a state (`one_way`, `tick_late`) or a key press (`key_to_move`)."""

    one_way: list[float] = field(default_factory=list)
    tick_late: list[float] = field(default_factory=list)
    key_to_move: list[float] = field(default_factory=list)
    late_decisions: int = 0
    reasons: int = 0  # that agents gave for what they did with an instruction
    counting: bool = False


def bench_live(
    game: str, agent: str, matches: int = 50, seconds: float = 30, hosts: int = 0, text: str = ""
) -> dict:
    """The load of so many matches, at so many match hosts (0: the web server), whose people tell their agents
    something or, with "", nothing. Raises Refusal with a sentence.
    """
    if not 1 <= matches <= 500:
        raise Refusal(f"--matches is {matches}; it can be 1 to 500.")
    if not 1 <= seconds <= LONGEST:
        raise Refusal(f"--seconds is {seconds:g}; it can be 1 to {LONGEST}, as long as a game lasts.")
    with served(hosts) as server:
        link = server.manage("signin", "player").split()[-1]
        person = Person(server.site, link)
        tables = ["?ticket=".join(person.ticket(person.begin(game, agent))) for _ in range(matches)]
        measured, cpu = asyncio.run(play(server.site, tables, server.playing, seconds, text))
    settings = {"game": game, "agent": agent, "matches": matches, "hosts": hosts, "told": text}
    return report(measured, cpu, settings, seconds)


class Person:
    """Signed in, over HTTP as a browser does it."""

    def __init__(self, site: str, link: str) -> None:
        self.site, self.jar = site, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.open(link)
        self.open(link, {})
        if self.cookie("sessionid") == "":
            raise Refusal("The sign-in link didn't sign in.")

    def open(self, url: str, form: dict[str, object] | None = None) -> tuple[str, str]:
        """(address, text) of the page that a request ends at."""
        data = None
        if form is not None:
            data = urllib.parse.urlencode(
                form | {"csrfmiddlewaretoken": self.cookie("csrftoken")}, True
            ).encode()
        request = urllib.request.Request(url, data, {"Referer": self.site, "Origin": self.site})
        with self.opener.open(request, timeout=60) as answer:
            return answer.url, answer.read().decode()

    def cookie(self, name: str) -> str:
        return next((cookie.value or "" for cookie in self.jar if cookie.name == name), "")

    def begin(self, game: str, agent: str) -> str:
        """Start a game with an agent in the lobby; the address of its page."""
        if not self.cookie("csrftoken"):
            self.open(f"{self.site}/play/")
        form = {"game": game, "seat": ["me", f"agent:{agent}"], "pace": "real_time", "open_to_watch": "yes"}
        try:
            return self.open(f"{self.site}/play/new/", form)[0]
        except urllib.error.HTTPError as error:
            alert = re.search(r'role="alert"[^>]*>\s*([^<]+)', error.read().decode())
            raise Refusal(alert[1].strip() if alert else f"The lobby answered {error.code}.") from None

    def ticket(self, table: str, failed: str = "") -> tuple[str, str]:
        """(address of a game's socket, ticket); `failed`: the address at which nobody was a moment ago."""
        query = f"?{urllib.parse.urlencode({'failed': failed})}" if failed else ""
        answer = json.loads(self.open(f"{table}ticket/{query}")[1])
        return urllib.parse.urljoin(self.site.replace("http", "ws", 1), answer["url"]), answer["ticket"]


async def play(
    site: str, tables: list[str], servers: list[int], seconds: float, text: str
) -> tuple[Measured, float]:
    """What was measured, and the cores that the servers and their children used."""
    measured = Measured()
    started = [asyncio.Event() for _ in tables]
    end = asyncio.Event()
    people = [
        asyncio.ensure_future(sit(site, address, measured, begun, end, text))
        for address, begun in zip(tables, started, strict=True)
    ]
    try:
        async with asyncio.timeout(READY_WITHIN):
            await asyncio.gather(*(begun.wait() for begun in started))
    except TimeoutError:
        raise Refusal(f"Not all games had begun after {READY_WITHIN:g} s.") from None
    await asyncio.sleep(WARM_UP)
    before, measured.counting = sum(map(cpu_seconds, servers)), True
    await asyncio.sleep(seconds)
    used, measured.counting = sum(map(cpu_seconds, servers)) - before, False
    end.set()
    await asyncio.gather(*people)
    return measured, used / seconds


async def sit(
    site: str, address: str, measured: Measured, begun: asyncio.Event, end: asyncio.Event, text: str
) -> None:
    """One person's socket: tells the agent something, reads states, presses keys."""
    sent: dict[int, float] = {}
    obeys = not text
    async with connect(address, origin=site, compression=None) as socket:
        await socket.send(json.dumps({"type": "join", "client": str(uuid.uuid4())}))
        if text:
            await socket.send(json.dumps(instruction(text)))
        pressing = asyncio.ensure_future(press(socket, sent, measured))
        try:
            while not end.is_set():
                frame = json.loads(await socket.recv())
                measured.reasons += measured.counting and frame["type"] == "reason"
                if problem := problem_of(frame):
                    raise Refusal(problem)
                obeys = obeys or frame["type"] == "instruction"
                if frame["type"] != "state" or frame["tick"] == 0:
                    continue
                if obeys:
                    begun.set()
                note(frame, sent, measured, time.monotonic() * 1000)
        finally:
            pressing.cancel()


def instruction(text: str) -> dict[str, object]:
    """The first message of a socket after it has joined, which tells all agents something as it is read."""
    return {"type": "instruct", "seq": 1, "id": str(uuid.uuid4()), "text": text, "target": None, "choice": 0}


def problem_of(frame: dict) -> str:
    """What keeps a measurement from going on, in a sentence; "" for all other frames."""
    if frame["type"] == "end":
        return "A game was over before the measurement was."
    return f"The server refused something: {frame['text']}" if frame["type"] == "error" else ""


def note(frame: dict, sent: dict[int, float], measured: Measured, now: float) -> None:
    """Take one state's numbers; clocks agree because both processes are on one machine."""
    pressed = sent.pop(frame["key"], None) if frame["key"] is not None else None
    if not measured.counting:
        return
    measured.one_way.append(now - frame["at"])
    measured.tick_late.append(frame["late_ms"])
    measured.late_decisions += len(frame["late"])
    if pressed is not None:
        measured.key_to_move.append(now - pressed)


async def press(socket, sent: dict[int, float], measured: Measured) -> None:
    """Tap keys at random moments, so that they fall anywhere within a tick."""
    rng = random.Random()
    seq = 1  # the instruction's
    while True:
        await asyncio.sleep(rng.uniform(0.5, 1.5) * PRESS_EVERY)
        action = rng.randrange(6)
        seq += 1
        sent.clear()  # whatever was overtaken by another key
        sent[seq] = time.monotonic() * 1000
        await socket.send(json.dumps({"type": "press", "seq": seq, "action": action}))
        await asyncio.sleep(TAP)
        seq += 1
        await socket.send(json.dumps({"type": "release", "seq": seq, "action": action}))


def report(measured: Measured, cpu: float, settings: dict, seconds: float) -> dict[str, object]:
    matches = settings["matches"]
    return {
        **settings,
        "clients": matches,
        "seconds": seconds,
        "ticks": len(measured.tick_late),
        "ticks_per_second": round(len(measured.tick_late) / matches / seconds, 2),
        "one_way_ms": percentiles(measured.one_way),
        "tick_late_ms": percentiles(measured.tick_late),
        "key_to_move_ms": percentiles(measured.key_to_move),
        "keys": len(measured.key_to_move),
        "late_decisions": measured.late_decisions,
        "reasons": measured.reasons,
        "cpu_share": round(cpu, 3),
        "python": sys.version.split()[0],
    }


def percentiles(values: list[float]) -> dict[str, float]:
    p50, p95, p99 = np.percentile(values or [0.0], [50, 95, 99])
    return {"p50": round(float(p50), 2), "p95": round(float(p95), 2), "p99": round(float(p99), 2)}

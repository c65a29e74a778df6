"""How a match host bears up: many real-time matches at once, each with one person and one network agent.

The server is the real one (the web server's own command, its inference child, a database and logs in a
temporary folder), pinned to one core; the people are sockets in this process, on another core, which press
keys at random moments. Not for browsers: what is painted follows a state by at most one frame of the screen;
nor for games that take an input every tick (bench_stream.py, which uses the server here).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path

import numpy as np
from websockets.asyncio.client import connect

from engine.simulation.jit import CACHE_FOLDER
from webapp.config.management.commands.up import children
from webapp.replays.bench import ROOT, BenchError, free_port, manage, wait_for

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
    counting: bool = False


def bench_live(game: str, agent: str, matches: int = 50, seconds: float = 30) -> dict:
    """The load of so many matches; raises BenchError with a sentence."""
    if not 1 <= matches <= 500:
        raise BenchError(f"--matches is {matches}; it can be 1 to 500.")
    if not 1 <= seconds <= LONGEST:
        raise BenchError(f"--seconds is {seconds:g}; it can be 1 to {LONGEST}, as long as a game lasts.")
    with served() as server:
        link = server.manage("signin", "player").split()[-1]
        person = Person(server.site, link)
        tables = [person.table(game, agent) for _ in range(matches)]
        measured, cpu = asyncio.run(play(server.site, tables, server.pid, seconds))
    return report(measured, cpu, game, agent, matches, seconds)


@dataclass(frozen=True)
class Server:
    """The web server under test."""

    site: str
    pid: int
    env: dict[str, str]

    def manage(self, *arguments: str) -> str:
        """The output of a manage.py command on its data."""
        return manage(self.env, *arguments)


@contextmanager
def served() -> Iterator[Server]:
    """A server with data of its own on the first core, this process on the second. Raises BenchError."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise BenchError("This needs two cores: one for the server, one for the people.")
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        site = f"http://127.0.0.1:{port}"
        env = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
        env |= {
            "COPLAY_VAR": folder,
            "COPLAY_PORT": str(port),
            "COPLAY_SITE_URL": site,
            "COPLAY_LOG_LEVEL": "ERROR",
            "COPLAY_COUNTDOWN_SECONDS": "1",
            "COPLAY_LIMIT_MATCH": "off",
            "COPLAY_LIMIT_WORDS": "off",
            "COPLAY_SOCKETS_PER_PERSON": "0",
            "COPLAY_SOCKETS_PER_ADDRESS": "0",
            "OMP_NUM_THREADS": "1",
            "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
        }
        manage(env, "migrate", "--verbosity", "0")
        manage(env, "agents", "sync")
        command = children("127.0.0.1", port, Path(folder))[0].command
        pinned = ["taskset", "--cpu-list", str(cores[0]), *command]
        with (Path(folder) / "web.log").open("wb") as log:
            server = subprocess.Popen(pinned, cwd=ROOT, env=env, stdout=log, stderr=log)
        try:
            wait_for(site)
            os.sched_setaffinity(0, set(cores[1:2]))
            yield Server(site, server.pid, env)
        finally:
            os.sched_setaffinity(0, set(cores))
            server.terminate()
            server.wait()


class Person:
    """Signed in, over HTTP as a browser does it."""

    def __init__(self, site: str, link: str) -> None:
        self.site, self.jar = site, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.open(link)
        self.open(link, {})
        if self.cookie("sessionid") == "":
            raise BenchError("The sign-in link didn't sign in.")

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

    def table(self, game: str, agent: str) -> str:
        """Start a game with an agent in the lobby; the address of its socket, with a ticket."""
        if not self.cookie("csrftoken"):
            self.open(f"{self.site}/play/")
        form = {"game": game, "seat": ["me", f"agent:{agent}"], "pace": "real_time", "open_to_watch": "yes"}
        try:
            url, page = self.open(f"{self.site}/play/new/", form)
        except urllib.error.HTTPError as error:
            said = re.search(r'role="alert"[^>]*>\s*([^<]+)', error.read().decode())
            raise BenchError(said[1].strip() if said else f"The lobby answered {error.code}.") from None
        ticket = json.loads(self.open(f"{url}ticket/")[1])
        return f"{ticket['url']}?ticket={ticket['ticket']}"


async def play(site: str, tables: list[str], server: int, seconds: float) -> tuple[Measured, float]:
    """What was measured, and the share of one core that the server and its child used."""
    measured = Measured()
    started = [asyncio.Event() for _ in tables]
    end = asyncio.Event()
    people = [
        asyncio.ensure_future(sit(site, path, measured, begun, end))
        for path, begun in zip(tables, started, strict=True)
    ]
    try:
        async with asyncio.timeout(READY_WITHIN):
            await asyncio.gather(*(begun.wait() for begun in started))
    except TimeoutError:
        raise BenchError(f"Not all games had begun after {READY_WITHIN:g} s.") from None
    await asyncio.sleep(WARM_UP)
    before, measured.counting = cpu_seconds(server), True
    await asyncio.sleep(seconds)
    used, measured.counting = cpu_seconds(server) - before, False
    end.set()
    await asyncio.gather(*people)
    return measured, used / seconds


async def sit(site: str, path: str, measured: Measured, begun: asyncio.Event, end: asyncio.Event) -> None:
    """One person's socket: reads states, presses keys."""
    url = site.replace("http", "ws", 1) + path
    sent: dict[int, float] = {}
    async with connect(url, origin=site, compression=None) as socket:
        await socket.send(json.dumps({"type": "join", "client": str(uuid.uuid4())}))
        pressing = asyncio.ensure_future(press(socket, sent, measured))
        try:
            while not end.is_set():
                frame = json.loads(await socket.recv())
                if frame["type"] == "end":
                    raise BenchError("A game was over before the measurement was.")
                if frame["type"] != "state" or frame["tick"] == 0:
                    continue
                begun.set()
                note(frame, sent, measured, time.monotonic() * 1000)
        finally:
            pressing.cancel()


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
    seq = 0
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


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and its children so far."""
    total = 0.0
    for one in [pid, *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]:
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def report(
    measured: Measured, cpu: float, game: str, agent: str, matches: int, seconds: float
) -> dict[str, object]:
    return {
        "game": game,
        "agent": agent,
        "matches": matches,
        "clients": matches,
        "seconds": seconds,
        "ticks": len(measured.tick_late),
        "ticks_per_second": round(len(measured.tick_late) / matches / seconds, 2),
        "one_way_ms": percentiles(measured.one_way),
        "tick_late_ms": percentiles(measured.tick_late),
        "key_to_move_ms": percentiles(measured.key_to_move),
        "keys": len(measured.key_to_move),
        "late_decisions": measured.late_decisions,
        "cpu_share": round(cpu, 3),
        "python": sys.version.split()[0],
    }


def percentiles(values: list[float]) -> dict[str, float]:
    p50, p95, p99 = np.percentile(values or [0.0], [50, 95, 99])
    return {"p50": round(float(p50), 2), "p95": round(float(p95), 2), "p99": round(float(p99), 2)}

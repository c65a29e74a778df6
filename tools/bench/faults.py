"""What the people at a table notice when its match host dies: how long until their sockets play on at another
host, and whether new games are still sent to the dead one.

The sockets here come back as a page's do, with the waits of static/js/lib/match-socket.js. A host is `killed`
beside others of its machine, which see that its process is gone; or it is `gone` as if on another machine,
where only its silence tells; or it is `hung`, so that its sockets stay open and say nothing. Not for load
(bench_live).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from engine.refusal import Refusal
from tools.bench.live import READY_WITHIN, Person
from tools.bench.replay import ROOT
from tools.bench.site import Server

WAYS = ("killed", "gone", "hung")
HOSTS = 2
BACK_WITHIN = 60.0  # seconds
ASK_FOR = 6.0  # seconds after a host has died, in which new games begin
ASK_EVERY = 0.25
PLAYS_FOR = 3.0  # seconds between two faults


def waits() -> dict[str, Any]:
    """The waits of a page's socket, in seconds but for what it counts, by their names there."""
    source = (ROOT / "static/js/lib/match-socket.js").read_text()
    values = re.findall(r"^const ([A-Z_]+) = (\[[\d, ]+\]|\d+);$", source, re.M)
    parsed = {name: json.loads(value) for name, value in values}
    return {name: value if name == "SILENT_PINGS" else in_seconds(value) for name, value in parsed.items()}


def in_seconds(milliseconds: Any) -> Any:
    return [wait / 1000 for wait in milliseconds] if isinstance(milliseconds, list) else milliseconds / 1000


def bench_faults(game: str, agent: str, way: str, kills: int, matches: int) -> dict[str, Any]:
    """Seconds until the sockets of a dead host play on; raises Refusal with a sentence."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), hosts_matches=False)
        try:
            server.start()
            for _ in range(HOSTS):
                server.start_host(elsewhere=way == "gone")
            person = Person(server.site, server.manage("signin", "player").split()[-1])
            faults = Faults(server, person, lambda: person.begin(game, agent), way)
            asyncio.run(faults.run(kills, matches))
        finally:
            server.stop()
    return faults.report() | {"game": game, "agent": agent, "matches": matches, "kills": kills}


class Faults:
    def __init__(self, server: Server, person: Person, begin: Callable[[], str], way: str) -> None:
        self.server, self.person, self.begin, self.way = server, person, begin, way
        self.back: list[float] = []  # seconds, a socket each
        self.asked = 0  # new games that began after a host had died
        self.misled: list[float] = []  # seconds after it, at which one was still sent to it

    async def run(self, kills: int, matches: int) -> None:
        end = asyncio.Event()
        players = [Player(self.person, self.begin) for _ in range(matches)]
        playing = [asyncio.ensure_future(player.run(end)) for player in players]
        try:
            await self._until(lambda: all(player.plays_at for player in players), READY_WITHIN, playing)
            for _ in range(kills):
                await asyncio.sleep(PLAYS_FOR)
                await self._fault(players, playing)
            end.set()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def _fault(self, players: list[Player], playing: list[asyncio.Task]) -> None:
        """End the host that most play at, and wait until all of them play elsewhere."""
        places = [player.plays_at for player in players]
        dead = max(self.server.hosts, key=places.count)
        hit = [player for player in players if player.plays_at == dead]
        process = self.server.hosts.pop(dead)
        began = time.monotonic()
        process.send_signal(signal.SIGSTOP if self.way == "hung" else signal.SIGKILL)
        if self.way != "hung":
            process.wait()
        asking = asyncio.ensure_future(asyncio.to_thread(self._begin_others, dead, began))
        try:
            elsewhere = lambda: all(player.plays_at not in ("", dead) for player in hit)  # noqa: E731
            await self._until(elsewhere, BACK_WITHIN, playing)
            self.back += [player.since - began for player in hit]
            await asking
        finally:
            bury(process)
        await asyncio.to_thread(self.server.start_host, elsewhere=self.way == "gone")

    def _begin_others(self, dead: str, began: float) -> None:
        while time.monotonic() - began < ASK_FOR:
            address = self.person.ticket(self.begin())[0]
            self.asked += 1
            if address.startswith(dead):
                self.misled.append(time.monotonic() - began)
            time.sleep(ASK_EVERY)

    @staticmethod
    async def _until(done: Callable[[], bool], seconds: float, playing: list[asyncio.Task]) -> None:
        until = time.monotonic() + seconds
        while not done():
            for task in playing:
                if task.done():
                    task.result()
            if time.monotonic() > until:
                raise Refusal(f"Not all games were played within {seconds:g} s.")
            await asyncio.sleep(0.02)

    def report(self) -> dict[str, Any]:
        p50, p95 = np.percentile(self.back, [50, 95])
        back = {"p50": p50, "p95": p95, "most": max(self.back)}
        return {
            "way": self.way,
            "sockets": len(self.back),
            "back_s": {name: round(float(value), 2) for name, value in back.items()},
            "new_games": self.asked,
            "sent_to_the_dead": len(self.misled),
            "last_sent_s": round(max(self.misled, default=0.0), 2),
            "load": round(os.getloadavg()[0], 2),
        }


def bury(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()


class Player:
    """One person's page: asks where the game is, opens the socket, comes back when it breaks; begins another
    game when one is over. `plays_at`: the host whose state came last, "" while the line is broken.
    """

    def __init__(self, person: Person, begin: Callable[[], str]) -> None:
        self.person, self.begin = person, begin
        self.waits = waits()
        self.client = str(uuid.uuid4())
        self.plays_at, self.since = "", 0.0
        self._failed, self._joined_at = "", 0.0

    async def run(self, end: asyncio.Event) -> None:
        table, attempt = await asyncio.to_thread(self.begin), 0
        while not end.is_set():
            over = await self._play(table)
            self.plays_at = ""
            if over:
                table, attempt = await asyncio.to_thread(self.begin), 0
                continue
            if self._joined_at and time.monotonic() - self._joined_at > self.waits["STEADY"]:
                attempt = 0
            self._joined_at = 0.0
            delays = self.waits["DELAYS"]
            await asyncio.sleep(delays[min(attempt, len(delays) - 1)])
            attempt += 1

    async def _play(self, table: str) -> bool:
        """Until the line breaks (False) or the game is over (True)."""
        try:
            address, ticket = await asyncio.to_thread(self.person.ticket, table, self._failed)
        except urllib.error.HTTPError as error:
            return error.code == 409
        except OSError:
            return False
        self._failed, host = address, address.split("/play/")[0]
        # After how many pings the page gives up; it begins to count somewhere between two.
        silence = (self.waits["SILENT_PINGS"] + random.random()) * self.waits["PING_EVERY"]
        try:
            line = f"{address}?ticket={ticket}"
            opening = {"origin": self.person.site, "compression": None, "ping_interval": None}
            async with connect(
                line, **opening, open_timeout=self.waits["OPENS_WITHIN"], close_timeout=0
            ) as socket:
                self._failed = ""
                await socket.send(json.dumps({"type": "join", "client": self.client}))
                while True:
                    async with asyncio.timeout(silence):
                        data = await socket.recv()
                    frame = json.loads(data) if isinstance(data, str) else {"type": "state"}
                    if frame["type"] == "joined":
                        self._joined_at = time.monotonic()
                    elif frame["type"] == "state" and self._joined_at and self.plays_at != host:
                        self.plays_at, self.since = host, time.monotonic()
                    elif frame["type"] == "end":
                        return True
        except TimeoutError:
            self._failed = address
            return False
        except (OSError, WebSocketException):
            return False

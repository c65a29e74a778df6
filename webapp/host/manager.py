"""The matches of this process: claiming them, keeping their leases, letting them go.

One `Host` a process and event loop (`current_host`). Not for: playing a match (match.py).
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid

from channels.db import database_sync_to_async
from django.db import DatabaseError

from engine import games
from webapp.host import storage
from webapp.host.agents import Agents
from webapp.host.database import DatabaseThread
from webapp.host.doors import Doors
from webapp.host.inference import PLANNING, InferenceChild
from webapp.host.match import LiveMatch
from webapp.host.realtime import JointMatch
from webapp.host.resume import resume
from webapp.host.smooth import Smooth
from webapp.host.streams import StreamMatch
from webapp.host.turns import TurnMatch
from webapp.host.writer import Writer

logger = logging.getLogger(__name__)
ROUND = 1.0  # seconds between two looks at leases, rights and idle matches
SWEEP = 600.0  # seconds between two looks for abandoned matches; the first is soon after the start
UNLOAD_AFTER = 60.0  # seconds without a socket

_host: Host | None = None


def current_host() -> Host:
    """This process's host; a new one when the event loop is a new one (tests)."""
    global _host
    if _host is None or _host.loop is not asyncio.get_running_loop():
        _host = Host()
    return _host


def open_host(url: str) -> Host:
    """Make this process a match host that web processes send browsers to, at `url`."""
    global _host
    _host = Host(url)
    return _host


def kind_of(loaded: storage.Loaded) -> type[LiveMatch]:
    """How a match is run: by the game, and by the pace that was chosen."""
    if loaded.ticks_per_second is None:
        return TurnMatch
    return StreamMatch if games.spec(loaded.game).heads else JointMatch


class Host:
    """All live matches of this process, by id."""

    def __init__(self, url: str = "") -> None:
        self.loop = asyncio.get_running_loop()
        self.name = storage.host_name()
        self.url = url
        self.matches: dict[uuid.UUID, LiveMatch] = {}
        self.agents = Agents()
        self.planning = InferenceChild(PLANNING)
        self.writer = Writer()
        self.smooth = Smooth()
        self.doors = Doors()
        self._loading: dict[uuid.UUID, asyncio.Lock] = {}
        self._running: dict[uuid.UUID, asyncio.Task] = {}
        self._care = DatabaseThread("caretaker")
        self._caretaker = asyncio.ensure_future(self._take_care())
        self._swept_at = -SWEEP

    async def open(self, match_id: uuid.UUID) -> LiveMatch:
        """The live match, claimed and re-simulated if need be. Raises NotPlaying, Elsewhere."""
        lock = self._loading.setdefault(match_id, asyncio.Lock())
        async with lock:
            match = self.matches.get(match_id)
            if match is not None and not match.closed:
                return match
            loaded = await database_sync_to_async(storage.load)(match_id, self.name)
            state = await database_sync_to_async(resume)(loaded)
            match = kind_of(loaded)(self, loaded, state)
            self.matches[match_id] = match
            self._running[match_id] = asyncio.ensure_future(self._run(match))
            logger.info("match %s: hosted from tick %s, epoch %s", match_id, match.sim.tick, match.epoch)
            return match

    async def _run(self, match: LiveMatch) -> None:
        try:
            await match.run()
        finally:
            if self.matches.get(match.id) is match:
                self.matches.pop(match.id, None)
                self._running.pop(match.id, None)
                self._loading.pop(match.id, None)

    async def _take_care(self) -> None:
        while True:
            try:
                await self._look()
            except DatabaseError:
                logger.exception("match host %s: the database didn't answer; trying again", self.name)
            except Exception:
                logger.exception("match host %s: a round of care failed", self.name)
            await asyncio.sleep(ROUND)

    async def _look(self) -> None:
        if self.url:
            await self._care.run(storage.beat, self.name, self.url)
        playing = [match for match in self.matches.values() if not match.ended]
        if playing:
            ours = await self._care.run(storage.renew, self.name, [match.id for match in playing])
            for match in playing:
                if match.id not in ours and not match.ended and not match.closed:
                    logger.warning("match %s: the lease is lost", match.id)
                    await match.close(4009)
        await self._check_rights()
        self.smooth.look(any(isinstance(match, JointMatch) for match in playing))
        for match in list(self.matches.values()):
            if match.idle_for() > UNLOAD_AFTER:
                await self._unload(match)
        if time.monotonic() - self._swept_at > SWEEP:
            self._swept_at = time.monotonic()
            await self._sweep()

    async def _unload(self, match: LiveMatch) -> None:
        await match.stop()
        if not match.ended:
            await database_sync_to_async(storage.release)(self.name, match.id)

    async def _check_rights(self) -> None:
        """Close the sockets of people who signed out or lost their role."""
        connections = [connection for match in self.matches.values() for connection in match.connections]
        if not connections:
            return
        people = {connection.user_id for connection in connections}
        sessions = {connection.session for connection in connections if connection.session}
        barred, ended = await self._care.run(storage.lost_rights, people, sessions)
        for connection in connections:
            if connection.user_id in barred:
                await connection.refuse("no_role", "Your account may no longer play.")
                await connection.drop(4003)
            elif connection.session in ended:
                await connection.refuse("signed_out", "You have signed out.")
                await connection.drop(4001)

    async def _sweep(self) -> None:
        """Close tables and abandon matches that nobody has touched for a day."""
        await database_sync_to_async(storage.close_waiting)()
        for match_id in await database_sync_to_async(storage.stale_matches)():
            try:
                await self._abandon(match_id)
            except (storage.NotPlaying, storage.Elsewhere):
                continue
            except DatabaseError:
                raise
            except Exception:
                logger.exception("match %s: can't be opened any more, so it is written off", match_id)
                await database_sync_to_async(storage.write_off)(match_id)

    async def _abandon(self, match_id: uuid.UUID) -> None:
        match = await self.open(match_id)

        async def work() -> None:
            await match.finish("abandoned")

        await match.submit(work)

    async def stop(self) -> None:
        """Let every match go, so that another host has it at once."""
        self._caretaker.cancel()
        for match in list(self.matches.values()):
            await self._unload(match)
        await self.writer.stop()
        await self.agents.stop()
        await self.planning.stop()
        self.smooth.stop()
        self._care.stop()
        await database_sync_to_async(storage.sign_off)(self.name)

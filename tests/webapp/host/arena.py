"""Sockets to matches of Arena: JSON frames and snapshots, each kept until it is asked for."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np

from engine import games
from engine.games.arena import protocol
from engine.games.arena import state as s
from engine.games.arena.protocol import Input, Snapshot
from tests.waiting import PATIENCE
from tests.webapp.host.matches import Browser
from webapp.host import manager
from webapp.host.streams import StreamMatch
from webapp.lobby.setup import Setup, create_match
from webapp.matches.models import Match
from webapp.matches.start import start_match

STAND = Input(seq=0, move=0, body=s.B_STOP, basic=protocol.NO_BASIC, switch=s.KEEP, yaw=0, pitch=0, seen=0)


def new_arena(user, wishes=("me", "friend"), team_size: int = 1, **fields: Any) -> Match:
    """A match as the lobby makes it, started if no seat waits for a friend."""
    options = {
        "teams": len(wishes) // team_size,
        "team_size": team_size,
        "map_seed": 7,
        "monsters": 0,
        **fields.pop("options", {}),
    }
    complete = games.spec("arena").validate(options)
    match = create_match(Setup(game="arena", options=complete, wishes=list(wishes), **fields), user)
    if "friend" not in wishes:
        start_match(match)
    return match


def live(match: Match) -> StreamMatch:
    """The match as this process hosts it."""
    found = manager.current_host().matches[match.pk]
    assert isinstance(found, StreamMatch)
    return found


class Fighter(Browser):
    """A page of Arena: it sends inputs and reads snapshots."""

    snapshot: Snapshot
    number = 0

    async def open(self) -> Fighter:
        assert await self.line.connect()
        await self.send_raw({"type": "join", "client": self.client})
        self.joined = await self.until("joined")
        await self.until("snapshot")
        return self

    async def receive(self, timeout: float = 150) -> dict[str, Any]:
        event = await self.line.receive_output(timeout)
        assert event["type"] == "websocket.send", event
        if event.get("bytes") is None:
            return json.loads(event["text"])
        self.snapshot = protocol.unpack_snapshot(event["bytes"])
        return {"type": "snapshot"}

    async def send_bytes(self, data: bytes) -> None:
        await self.line.send_input({"type": "websocket.receive", "bytes": data})

    async def act(self, **fields: Any) -> int:
        """Send one input: stand, but for these fields. Returns its number."""
        self.number += 1
        await self.send_bytes(protocol.pack_inputs([STAND._replace(seq=self.number, **fields)]))
        return self.number

    async def tick(self, tick: int) -> Snapshot:
        """The first snapshot of this tick or later."""
        while self.snapshot.tick < tick:
            await self.until("snapshot")
        return self.snapshot

    async def ticks(self, count: int = 1) -> Snapshot:
        """The snapshot so many ticks after the host's present one."""
        return await self.tick(manager.current_host().matches[self.match_id].sim.tick + count)

    async def used(self, number: int) -> Snapshot:
        """The first snapshot in which this input has been used."""
        while self.snapshot.ack < number:
            await self.until("snapshot")
        return self.snapshot

    def own(self, name: str) -> int:
        return int(self.snapshot.own[getattr(s, name)])

    def seats(self) -> list[int]:
        """Whose players the last snapshot shows besides the own one."""
        return self.snapshot.players["seat"].tolist()


def change(match: Match, seat: int, **fields: int) -> None:
    """Change a player behind the rules' back; the log can't tell it any more."""
    state: np.ndarray = live(match).sim._state
    for name, value in fields.items():
        state[s.player(seat) + getattr(s, name)] = value


async def until_true(true, seconds: float = PATIENCE) -> None:
    """Wait until something holds."""
    for _ in range(int(seconds / 0.02)):
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came true")

"""Matches to play in, and sockets to play them through."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from engine import games
from webapp.config.asgi import application
from webapp.host import manager
from webapp.host.realtime import JointMatch
from webapp.lobby.setup import Setup, create_match
from webapp.matches.models import Match
from webapp.matches.start import start_match

ORIGIN = (b"origin", settings.SITE_URL.encode())
HOST = (b"host", settings.SITE_URL.split("//")[1].encode())


def new_match(user, wishes=("me", "agent:grounded-bot"), **fields: Any) -> Match:
    """A match as the lobby makes it, started if no seat waits for a friend."""
    options = {"players": len(wishes), **fields.pop("options", {})}
    match = create_match(Setup(game="hanabi", options=options, wishes=list(wishes), **fields), user)
    if "friend" not in wishes:
        start_match(match)
    return match


COOK = "agent:self_play-cramped_room"


def new_kitchen(user, wishes=("me", COOK), horizon: int = 40, **fields: Any) -> Match:
    """A game of Overcooked as the lobby makes it, started if no seat waits for a friend."""
    options = {"horizon": horizon, "players": len(wishes), **fields.pop("options", {})}
    complete = games.spec("overcooked").validate(options)
    setup = Setup(game="overcooked", options=complete, wishes=list(wishes), **fields)
    match = create_match(setup, user)
    if "friend" not in wishes:
        start_match(match)
    return match


async def stands_still(live: JointMatch) -> int:
    """Wait until a game by the clock has stopped ticking; returns the tick at which it stands."""
    for _ in range(20):
        tick = live.sim.tick
        await asyncio.sleep(0.6)
        if live.sim.tick == tick:
            return tick
    raise AssertionError("the game goes on")


class Line(ApplicationCommunicator):
    """A socket at the ASGI application, as a server would hand it over."""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        path, _, query = path.partition("?")
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": query.encode(),
            "headers": headers,
            "subprotocols": [],
            "client": ["127.0.0.1", 1],
        }
        super().__init__(application, scope)

    async def connect(self) -> bool:
        """Whether the application accepts."""
        await self.send_input({"type": "websocket.connect"})
        return (await self.receive_output(150))["type"] == "websocket.accept"

    async def send(self, text: str) -> None:
        await self.send_input({"type": "websocket.receive", "text": text})

    async def receive(self, timeout: float = 150) -> dict[str, Any]:
        event = await self.receive_output(timeout)
        assert event["type"] == "websocket.send", event
        return json.loads(event["text"])

    async def close(self) -> None:
        """As when the browser goes away."""
        if not self.future.done():
            await self.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wait(60)


class Browser:
    """A socket to a match, with the numbering that the page does."""

    def __init__(
        self, match_id: uuid.UUID, ticket: str, headers: tuple = (ORIGIN, HOST), client: str = ""
    ) -> None:
        self.line = Line(f"/play/{match_id}/socket/?ticket={ticket}", list(headers))
        self.match_id = match_id
        self.client = client or str(uuid.uuid4())
        self.seq = 0
        self.kept: list[dict[str, Any]] = []  # passed over, but not states
        self.joined: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.state: dict[str, Any] = {}

    async def open(self) -> Browser:
        assert await self.line.connect()
        await self.send_raw({"type": "join", "client": self.client})
        self.joined = await self.until("joined")
        await self.until("state")
        return self

    async def send_raw(self, message: Any) -> None:
        await self.line.send(message if isinstance(message, str) else json.dumps(message))

    async def send(self, kind: str, **fields: Any) -> int:
        self.seq += 1
        await self.send_raw({"type": kind, "seq": self.seq, **fields})
        return self.seq

    async def receive(self, timeout: float = 150) -> dict[str, Any]:
        frame = await self.line.receive(timeout)
        if frame["type"] == "state":
            self.view, self.state = frame["view"], frame
        return frame

    async def tick(self, tick: int) -> dict[str, Any]:
        """The first state at this tick or later."""
        while self.state.get("tick", -1) < tick:
            await self.until("state")
        return self.state

    async def ticks(self, count: int = 1) -> dict[str, Any]:
        """The state so many ticks from now: on a busy machine states that were sent before come first."""
        live = manager.current_host().matches.get(self.match_id)
        spectator = self.joined["seat"] is None  # sees everything later
        now = self.state["tick"] if spectator or live is None else live.sim.tick
        return await self.tick(max(now, self.state["tick"]) + count)

    def cook(self, seat: int = 0) -> tuple[int, int]:
        return self.view["cooks"][seat]["x"], self.view["cooks"][seat]["y"]

    async def until(self, kind: str) -> dict[str, Any]:
        """The next frame of this type. States that come before it are passed over; the others are kept for
        who asks for them later, because what is told may come a little before the next state or after it.
        """
        for frame in self.kept:
            if frame["type"] == kind:
                self.kept.remove(frame)
                return frame
        while True:
            frame = await self.receive()
            if frame["type"] == kind:
                return frame
            assert (frame["type"], kind) != ("end", "state"), "the game ended first"
            if frame["type"] != "state":
                self.kept.append(frame)

    async def refusal(self) -> str:
        """The code of the next error."""
        return (await self.until("error"))["code"]

    async def closed_with(self) -> int:
        """The code with which the host closes the socket."""
        while True:
            event = await self.line.receive_output(150)
            if event["type"] == "websocket.close":
                return event["code"]

    def legal(self, *kinds: str) -> int:
        """A legal action, of one of these kinds if given."""
        return next(
            move["action"]
            for move in self.view["moves"]
            if move["legal"] and (not kinds or move["kind"] in kinds)
        )

    async def move(self, *kinds: str) -> None:
        """Make a legal move of these kinds and wait until it shows."""
        tick = self.view["tick"]
        await self.send("move", tick=tick, action=self.legal(*kinds))
        while self.view["tick"] == tick:
            await self.until("state")

    async def my_turn(self) -> None:
        while self.view["current"] != self.view["seat"]:
            await self.until("state")

    async def close(self) -> None:
        await self.line.close()

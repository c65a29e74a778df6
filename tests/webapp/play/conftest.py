"""Matches to play in, and sockets to play them through."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from webapp.agents import shipped
from webapp.config.asgi import application
from webapp.play import tickets
from webapp.play.host import manager
from webapp.play.models import Match
from webapp.play.setup import Setup, create_match
from webapp.play.start import start_match

ORIGIN = (b"origin", settings.SITE_URL.encode())
HOST = (b"host", settings.SITE_URL.split("//")[1].encode())


@pytest.fixture
def agents(db) -> None:
    """The shipped agents as rows."""
    shipped.sync()


@pytest.fixture(autouse=True)
def quick_agents(settings) -> None:
    settings.AGENT_PAUSE_MS = 0
    settings.AGENT_TIMEOUT_MS = 60_000


def new_match(user, wishes=("me", "agent:grounded-bot"), **fields: Any) -> Match:
    """A match as the lobby makes it, started if no seat waits for a friend."""
    options = {"players": len(wishes), **fields.pop("options", {})}
    match = create_match(Setup(game="hanabi", options=options, wishes=list(wishes), **fields), user)
    if "friend" not in wishes:
        start_match(match)
    return match


@pytest.fixture
def make_match(agents) -> Callable[..., Match]:
    return new_match


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
        await self.wait(10)


class Browser:
    """A socket to a match, with the numbering that the page does."""

    def __init__(
        self, match_id: uuid.UUID, ticket: str, headers: tuple = (ORIGIN, HOST), client: str = ""
    ) -> None:
        self.line = Line(f"/play/{match_id}/socket/?ticket={ticket}", list(headers))
        self.client = client or str(uuid.uuid4())
        self.seq = 0
        self.joined: dict[str, Any] = {}
        self.view: dict[str, Any] = {}

    async def open(self) -> Browser:
        assert await self.line.connect()
        await self.send_raw({"type": "join", "client": self.client})
        self.joined = await self.until("joined")
        self.view = (await self.until("state"))["view"]
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
            self.view = frame["view"]
        return frame

    async def until(self, kind: str) -> dict[str, Any]:
        """The next frame of this type; what comes before it is passed over."""
        while True:
            frame = await self.receive()
            if frame["type"] == kind:
                return frame

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


@pytest_asyncio.fixture
async def browse() -> AsyncIterator[Callable[..., Any]]:
    """A function: the socket of `user` at `match`, joined; closed at the end."""
    opened: list[Browser] = []

    async def make(match: Match, user, join: bool = True, **kwargs: Any) -> Browser:
        ticket = await sync_to_async(tickets.issue)(match, user, kwargs.pop("session", None))
        browser = Browser(match.pk, ticket, **kwargs)
        opened.append(browser)
        return await browser.open() if join else browser

    yield make
    for browser in opened:
        await browser.close()
    await manager.current_host().stop()
    await asyncio.sleep(0)

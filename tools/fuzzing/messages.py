"""Odd frames to matches of every game, through real sockets, as everybody who may hold one.

Message types come from the handlers, a good message of each from its own example. A fault is a frame that
isn't JSON, an error that the host logs, a socket that the host closes by itself, or a match that doesn't go
on afterwards: a good message is acknowledged and stands in the log.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test.utils import override_settings

from engine import checked_json, games
from engine.refusal import Refusal
from tools.fuzzing import Report
from tools.fuzzing.values import Odd, dumped, shown
from tools.fuzzing.world import World, mend, new_match, wishes_of
from webapp.accounts.models import User
from webapp.episodes.stores import log_store
from webapp.host import manager, tickets
from webapp.host.messages import HANDLERS, example
from webapp.lobby.setup import REAL_TIME, TURNS
from webapp.lobby.views.table import take_seat
from webapp.matches.access import copilot_seats
from webapp.matches.models import Match, Seat

PATIENCE = 30.0  # seconds for what a good host does at once
PAUSE = 0.025  # between two frames of a socket: more often is a flood
LEAVE = 0.004  # the share of messages that end one's part in the game
FLOODED = 4008
OURS = ("webapp", "engine", "asyncio", "django.request")
# People of the world at a match, and as what they are there.
PLACES = {"player": "player", "second": "second player", "annotator": "spectator", "other": "co-pilot"}
SHARES = (5, 3, 1, 2)  # of the frames


def examples() -> dict[str, dict[str, Any]]:
    """A good message of each type."""
    return {kind: example(kind) for kind in HANDLERS}


class Line(ApplicationCommunicator):
    """One socket, as a server hands it over."""

    def __init__(self, application: Any, match: Match, ticket: str) -> None:
        site = settings.SITE_URL
        scope = {
            "type": "websocket",
            "path": f"/play/{match.pk}/socket/",
            "query_string": f"ticket={ticket}".encode(),
            "headers": [(b"origin", site.encode()), (b"host", site.partition("//")[2].encode())],
            "subprotocols": [],
            "client": ["127.0.0.1", 1],
        }
        super().__init__(application, scope)


@dataclass
class Page:
    """Somebody at a match: their socket, numbers, and what the host said."""

    who: str
    user: User
    line: Line | None = None
    client: str = ""
    seq: int = 0
    heard: list[dict[str, Any]] = field(default_factory=list)
    closed: int | None = None

    @property
    def has_left(self) -> bool:
        """Whether the host turned them away since they left the game for good."""
        return any(frame.get("code") == "left" for frame in self.heard)


class Errors(logging.Handler):
    """What is logged as an error while a match runs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.partition(".")[0] in OURS or record.name in OURS:
            error = record.exc_info[1] if record.exc_info else None
            cause = f" ({type(error).__name__}: {shown(str(error)[:100])})" if error else ""
            self.found.append(f"the host logged {record.getMessage()[:160]!r}{cause}")


class Table:
    """One match and everybody at it."""

    def __init__(
        self, world: World, odd: Odd, report: Report, game: str, pace: str, strangers: list[str]
    ) -> None:
        self.world, self.odd, self.report = world, odd, report
        self.game, self.pace = game, pace
        self.known = strangers  # ids of instructions, of other matches too
        self.errors = Errors()
        self.sent = ""
        from webapp.config.asgi import application  # begins threads, and says anew where logs go

        self.application = application
        self.examples = examples()

    @property
    def title(self) -> str:
        return f"{self.game} ({self.pace})"

    def fault(self, problem: str) -> None:
        self.report.faults.append(f"{self.title}: after {self.sent or 'nothing'}: {problem}.")

    # --- Before -------------------------------------------------------------------------------------------

    def make(self, alone: bool) -> None:
        """The match, in the database. `alone`: with agents only, of whom a co-pilot may replace one."""
        mend(self.world)
        options, wishes = wishes_of(self.game, not alone)
        self.match = new_match(self.world, self.game, wishes, options, pace=self.pace)
        if not alone:
            take_seat(self.match, self.world.people["second"])
        if seat := next(iter(copilot_seats(self.match)), None):
            Seat.objects.filter(pk=seat.pk).update(copilot=self.world.people["other"])
        self.match.refresh_from_db()
        assert self.match.status == Match.PLAYING
        self.pages = [Page(who, self.world.people[who]) for who in PLACES]

    async def open(self, page: Page, join: bool = False) -> None:
        """A new socket; joined, as a page does it, unless oddness may come first."""
        ticket = await sync_to_async(tickets.issue)(self.match, page.user, None)
        page.line = Line(self.application, self.match, ticket)
        page.client, page.closed = str(uuid.uuid4()), None
        page.seq = 0
        await page.line.send_input({"type": "websocket.connect"})
        await self.hear(page, PATIENCE, "websocket.accept")
        if join or not self.odd.chance(0.1):
            await self.say(page, {"type": "join", "client": page.client})

    # --- Frames -------------------------------------------------------------------------------------------

    async def say(self, page: Page, message: Any) -> None:
        assert page.line is not None
        text = message if isinstance(message, str) else dumped(message).decode()
        await page.line.send_input({"type": "websocket.receive", "text": text})

    async def hear(self, page: Page, seconds: float = 0.0, wanted: str = "") -> None:
        """Take what has come, or wait until a frame or event `wanted` has."""
        until = time.monotonic() + seconds
        line = page.line
        assert line is not None
        while page.closed is None:
            if line.output_queue.empty():
                if line.future.done() or (not wanted) or time.monotonic() > until:
                    break
                await asyncio.sleep(0.01)
                continue
            event = line.output_queue.get_nowait()
            if event["type"] == "websocket.close":
                page.closed = event.get("code", 1000)
            elif event["type"] == "websocket.send" and event.get("text") is not None:
                frame = self.checked(event["text"])
                page.heard.append(frame)
                if frame.get("type") == wanted:
                    return
            if event["type"] == wanted:
                return
        if line.future.done() and not line.future.cancelled() and (error := line.future.exception()):
            self.fault(f"the socket of the {PLACES[page.who]} failed with {type(error).__name__}: {error}")
            page.closed = page.closed or 1011

    def checked(self, text: str) -> dict[str, Any]:
        try:
            return checked_json.parse_object(text, "A frame")
        except Refusal as problem:
            self.fault(f"{problem} It is {shown(text)}")
            return {}

    def message(self, page: Page) -> Any:
        """A message of any type: good, with odd fields, or no message at all."""
        odd = self.odd
        if odd.chance(0.06):
            return odd.pick(
                odd.text(), odd.body({"type": "ping"}).decode("latin-1"), '{"type": "ping", "at": NaN}'
            )
        kinds = [name for name in self.examples if name != "leave" or odd.chance(LEAVE)]
        # What is about an instruction needs one: those come more often.
        kind = odd.pick(*kinds, *(name for name in kinds if "id" in self.examples[name]))
        good = dict(self.examples[kind])
        for name in good:
            if name in ("id", "new_id"):
                good[name] = odd.random.choice(self.known) if self.known and odd.chance(0.6) else odd.id()
            elif name == "tick" and (live := manager.current_host().matches.get(self.match.pk)):
                good[name] = live.sim.tick
            elif name in ("seat", "target", "choice", "action"):
                good[name] = odd.pick(None, None, 0, 1, odd.random.randrange(30))
            elif name == "client":
                good[name] = page.client
        if odd.chance(0.3):
            good["aim"] = odd.pick({"x": 9000, "y": 9000, "seat": None}, odd.value())
        message = good if odd.chance(0.5) else odd.like(good, 0.25)
        message.setdefault("type", kind)
        if "seq" in good and not odd.chance(0.05):
            page.seq += 1
            message["seq"] = page.seq
        if kind in ("instruct", "rewrite") and (new := message.get("new_id" if kind == "rewrite" else "id")):
            self.known.append(str(new))
            del self.known[:-60]
        return message

    async def trouble(self, page: Page) -> None:
        """One odd frame of somebody, and what comes of it."""
        if page.line is None or page.closed is not None:
            await self.open(page)
        self.report.tried += 1
        assert page.line is not None
        if self.odd.chance(0.08):
            data = self.odd.pick(b"", b"\x01\x01", b"\x01\x01\x01", b"\x01\x01\x03") + self.odd.bytes(60)
            self.sent = f"the bytes {shown(data)} of the {PLACES[page.who]}"
            await page.line.send_input({"type": "websocket.receive", "bytes": data})
        elif self.odd.chance(0.02):
            await self.leave(page)
            return
        else:
            message = self.message(page)
            self.sent = f"{shown(message)} of the {PLACES[page.who]}"
            await self.say(page, message)
        await asyncio.sleep(PAUSE)
        await self.hear(page)
        expected = page.closed in (None, FLOODED, 1000) or page.has_left
        if not expected and not await self.is_over():
            self.fault(f"the host closed the socket of the {PLACES[page.who]} with {page.closed}")
        if self.errors.found:
            self.fault(self.errors.found[0])
            self.errors.found.clear()

    async def leave(self, page: Page) -> None:
        """As when the browser goes away."""
        if page.line is not None and page.closed is None and not page.line.future.done():
            await page.line.send_input({"type": "websocket.disconnect", "code": 1001})
            await page.line.wait(PATIENCE)
        page.line = None

    # --- Afterwards ---------------------------------------------------------------------------------------

    async def goes_on(self) -> None:
        """A good message of the player is acknowledged and stands in the log; or the game is over, and the
        log says so; or the player has left for good, and is told so.
        """
        page, words = self.pages[0], f"still here {uuid.uuid4().hex}"
        await self.leave(page)
        page.heard.clear()
        await self.open(page, join=True)
        page.seq += 1
        await self.say(page, {"type": "say", "seq": page.seq, "text": words})
        await self.hear(page, PATIENCE, "ack")
        if page.has_left:
            return
        if not any(frame.get("type") == "ack" for frame in page.heard) and not await self.is_over():
            heard = shown([frame for frame in page.heard if frame.get("type") == "error"][-3:])
            self.fault(f"a good message isn't acknowledged (errors: {heard}, closed with {page.closed})")
            return
        until = time.monotonic() + PATIENCE
        while not await sync_to_async(self._logged)(words):
            if time.monotonic() > until:
                self.fault(await sync_to_async(self._unwritten)())
                return
            await asyncio.sleep(0.1)

    def _logged(self, words: str) -> bool:
        try:
            log = log_store().read(self.match.pk)
        except (FileNotFoundError, ValueError):
            return False
        return any(record.get("text") == words or record["type"] == "end" for record in log.records)

    def _unwritten(self) -> str:
        try:
            last = shown(log_store().read(self.match.pk).records[-1:])
        except (FileNotFoundError, ValueError) as problem:
            return f"the log can't be read: {problem}"
        return f"what happens is no longer written to the log, which ends with {last}"

    async def is_over(self) -> bool:
        await sync_to_async(self.match.refresh_from_db)()
        return self.match.status != Match.PLAYING


def kinds() -> list[tuple[str, str, bool]]:
    """(game, pace, with one person alone) of the matches: by the clock and turn by turn, with a second person
    and with a co-pilot."""
    names = []
    for game in games.names():
        spec = games.spec(game)
        paces = [REAL_TIME] if spec.turn_based or spec.heads else [REAL_TIME, TURNS]
        names += [(game, pace, alone) for pace in paces for alone in (False, True)]
    return names


async def _play(table: Table, alone: bool, seconds: float) -> None:
    """Trouble for so long in one match, or until its end; then see whether it goes on."""
    until = time.monotonic() + seconds
    await sync_to_async(table.make)(alone)
    logging.getLogger().addHandler(table.errors)
    try:
        while time.monotonic() < until:
            page = table.odd.random.choices(table.pages, SHARES)[0]
            await table.trouble(page)
            if table.report.tried % 40 == 0 and await table.is_over():
                break
        await table.goes_on()
        for page in table.pages:
            await table.leave(page)
        if table.errors.found:
            table.fault(table.errors.found[0])
    finally:
        logging.getLogger().removeHandler(table.errors)


async def _run(seconds: float, seed: int, world: World, report: Report) -> None:
    odd, strangers = Odd(seed), []
    until = time.monotonic() + seconds
    todo = kinds()
    odd.random.shuffle(todo)
    share = seconds / len(todo)
    try:
        while todo or time.monotonic() < until:
            game, pace, alone = todo.pop() if todo else odd.random.choice(kinds())
            await _play(Table(world, odd, report, game, pace, strangers), alone, share)
    finally:
        await manager.current_host().stop()


def run(seconds: float, seed: int, world: World) -> Report:
    """Matches of every kind, one after the other, of equal shares of the time; each is then tried with a good
    message."""
    report = Report()
    with override_settings(COUNTDOWN_SECONDS=0, AGENT_PAUSE_MS=0):
        asyncio.run(_run(seconds, seed, world, report))
    return report

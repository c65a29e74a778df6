"""Odd requests to every address of the site, as everybody who may send them.

Addresses come from Django's resolver, the ids in them from the database, the names of queries and forms from
what a view asks for: a new page is tried without being named here. A fault is an answer of 500, a traceback,
a path of this machine, JSON that isn't, or an answer that took seconds.
"""

from __future__ import annotations

import io
import logging
import re
import signal
import string
import sys
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import resolve_url
from django.test import Client
from django.test.utils import override_settings
from django.urls import URLPattern, URLResolver, get_resolver

from engine import checked_json, games
from engine.refusal import Refusal
from tools.fuzzing import Report
from tools.fuzzing.values import Odd, deep, dumped, shown
from tools.fuzzing.world import World, mend, new_tokens
from webapp.accounts.models import Invitation, User
from webapp.agents.models import Agent
from webapp.annotation.models import Assignment, Mark
from webapp.datasets.models import Snapshot
from webapp.episodes import positions
from webapp.episodes.models import Episode
from webapp.jobs.models import Job
from webapp.language.models import LanguageModel
from webapp.matches.models import Match, Seat
from webapp.rounds.models import Round
from webapp.studies.models import Study

SLOW = 4.0  # seconds of this thread's processor time, twice
LONGEST = 60.0  # seconds after which an answer doesn't come any more
MOST_READ = 300_000  # bytes of an answer
TIDY_EVERY = 40  # requests
METHODS = ("GET", "POST")
WHO = ("anonymous", "player", "annotator", "admin")
ASKED = "coplay.fuzz.asked"
TRACEBACK = re.compile(r'Traceback \(most recent call last\)|File "[^"]+\.py", line \d')

# What an address may name, by the parameter in its pattern.
NAMED: dict[str, Callable[[], list[Any]]] = {
    "match_id": lambda: list(Match.objects.values_list("pk", flat=True)),
    "episode_id": lambda: list(Episode.objects.values_list("pk", flat=True)),
    "clip_id": lambda: list(Job.objects.filter(kind="clip").values_list("pk", flat=True)),
    "curve_id": lambda: list(Job.objects.filter(kind="utility").values_list("pk", flat=True)),
    "job_id": lambda: list(Job.objects.values_list("pk", flat=True)),
    "mark_id": lambda: list(Mark.objects.values_list("pk", flat=True)[:50]),
    "study_id": lambda: list(Study.objects.values_list("pk", flat=True)),
    "assignment_id": lambda: list(Assignment.objects.values_list("pk", flat=True)),
    "snapshot_id": lambda: list(Snapshot.objects.values_list("pk", flat=True)),
    "number": lambda: [0, 1, *Round.objects.values_list("number", flat=True)],
    "pk": lambda: [
        *User.objects.values_list("pk", flat=True)[:20],
        *Invitation.objects.values_list("pk", flat=True)[:20],
    ],
    "token": lambda: [
        *(match.join_token for match in Match.objects.all()),
        *(seat.copilot_token for seat in Seat.objects.filter(kind=Seat.AGENT)),
        *new_tokens(),
    ],
    "game": lambda: games.names(),
    "name": lambda: [ref.partition("/")[2] for ref in Agent.objects.values_list("ref", flat=True)],
    "slug": lambda: list(positions.POSITIONS),
    "seat": lambda: [0, 1],
    "tick": lambda: [0, 1, 5],
    "seed": lambda: [0, 3, 15, 16, 2**31],
    "file": lambda: ["card.json", "weights.safetensors"],
}


# --- What a view asks for --------------------------------------------------------------------------------


class Recorded(QueryDict):
    """A query or form that notes which names are asked for."""

    asked: set[str] | None = None  # None: a copy that the view made for itself

    def _note(self, name: Any) -> None:
        if isinstance(name, str) and self.asked is not None:
            self.asked.add(name)

    def __getitem__(self, name: str) -> Any:
        self._note(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._note(name)
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._note(name)
        return super().get(name, default)

    def getlist(self, name: str, default: Any = None) -> list[Any]:
        self._note(name)
        return super().getlist(name, default)


def record_asked(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware behind all others: what the view asks of query and form goes into META[ASKED]."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_view(request: HttpRequest, view: Callable, args: tuple, kwargs: dict) -> None:
        for part in ("GET", "POST"):
            given = getattr(request, part)
            recorded = Recorded(mutable=True)
            recorded.asked = request.META[ASKED].setdefault(part, set())
            for name, values in given.lists():
                recorded.setlist(name, values)
            recorded._mutable = False
            setattr(request, part, recorded)

    middleware.process_view = process_view  # type: ignore[attr-defined]
    return middleware


# --- Addresses ---------------------------------------------------------------------------------------------


@dataclass
class Route:
    """One pattern: its name, the address with {parameters}, and the converter of each."""

    name: str
    address: str
    parameters: dict[str, str]
    asked: dict[str, set[str]] = field(default_factory=lambda: {"GET": set(), "POST": set()})


def routes() -> list[Route]:
    """Every pattern of the site."""
    return list(_walk(get_resolver(), "/", "", {}))


def _walk(resolver: URLResolver, before: str, space: str, parameters: dict[str, str]) -> Iterator[Route]:
    for route in resolver.url_patterns:
        pattern = route.pattern
        known = parameters | {
            name: type(converter).__name__ for name, converter in pattern.converters.items()
        }
        named = dict.fromkeys(re.findall(r"\?P<(\w+)>", str(pattern)), "StringConverter")
        text = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern)) if not named else _of_regex(str(pattern))
        if isinstance(route, URLResolver):
            inside = f"{space}{route.namespace}:" if route.namespace else space
            yield from _walk(route, before + text, inside, known | named)
        elif isinstance(route, URLPattern):
            yield Route(f"{space}{route.name or text}", before + text, known | named)


def _of_regex(pattern: str) -> str:
    """The address of a pattern written as a regular expression (allauth has some)."""
    return re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"{\1}", pattern).strip("^$").replace("\\Z", "")


def address_of(route: Route, odd: Odd) -> str:
    """An address of the route: mostly of something that is there."""
    values = {}
    for name, converter in route.parameters.items():
        known = NAMED[name]() if name in NAMED and not odd.chance(0.12) else []
        if known:
            value = str(odd.random.choice(known))
        elif "UUID" in converter:
            value = odd.id()
        else:
            value = odd.number() if "Int" in converter or odd.chance(0.2) else odd.text()
        values[name] = quote(sendable(value), safe="")[:3000]
    return string.Formatter().vformat(route.address, (), values)


# --- Bodies ------------------------------------------------------------------------------------------------

# Fields of the bodies of JSON, which say nothing of themselves as forms do.
FIELDS = (
    "game", "text", "names", "seat", "question", "value", "tick", "sign", "action", "moves", "first",
    "last", "view", "format", "person", "marks", "replay.play", "mark.progress",
)  # fmt: skip


def good_bodies(world: World, who: str, odd: Odd) -> list[dict[str, Any]]:
    """Objects that one of the addresses for JSON takes."""
    game = odd.pick(*games.names())
    user = world.people.get(who)
    mark = {
        "id": odd.id(), "episode": str(odd.random.choice(NAMED["episode_id"]())), "seat": odd.pick(0, 1),
        "tick": odd.pick(1, 2, 3), "sign": odd.pick(1, -1), "revision": 1, "deleted": False, "note": "odd",
        "context": {"input": "key", "playing": False, "speed": 1}, "made_at": "2026-01-01T10:00:00Z",
    }  # fmt: skip
    layout = "XXPXX\nO1 2O\nX   X\nXDXSX\n"
    return [
        {"person": str(user.pk) if user else "1", "marks": [mark, odd.like(mark), odd.like(mark)]},
        {"game": game, "text": layout},
        {"game": game, "text": odd.text(), "names": ["Pia", "Bo"]},
        {"seat": 1, "question": odd.pick("partner", "followed", "comment"), "value": odd.pick(1, 7, "fine")},
        {"first": 0, "last": 2, "view": odd.pick("open", "0", "1"), "format": odd.pick("gif", "mp4")},
        {"tick": 3, "sign": 1},
        {"action": odd.random.randrange(25)},
        {"text": "play your newest card"},
        {"moves": [odd.random.randrange(22) for _ in range(odd.random.randrange(6))], "action": 3},
        {"replay.play": ["Space"], "mark.progress": ["ArrowUp", "p"]},
        {name: odd.value() for name in odd.random.sample(FIELDS, 4)},
    ]  # fmt: skip


def upload(odd: Odd) -> SimpleUploadedFile:
    """A file: bytes, or a zip with odd names and an odd manifest."""
    packed = io.BytesIO(odd.bytes())
    if odd.chance(0.8):
        packed = io.BytesIO()
        manifest = {
            "format": 1,
            "game": "hanabi",
            "files": {"episodes.parquet": "0" * 64},
            "counts": {},
            "filters": {},
        }
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("manifest.json", odd.body(manifest))
            for name in odd.random.sample(
                ("episodes.parquet", "marks.parquet", "a", "a/b", "../x", "x" * 300), 3
            ):
                archive.writestr(name, odd.bytes())
    return SimpleUploadedFile(odd.pick("a.zip", "x" * 200, "²", "a.exe"), packed.getvalue())


# What one field or another takes.
PLAIN = (
    "on", "yes", "me", "friend", "agent:champion", "champion", "player", "open", "with", "any", "real_time",
    "turns", "0", "1", "2", "4", "2026-01-01", "a@example.org", "correct horse battery", "embedded",
)  # fmt: skip


def form_of(route: Route, odd: Odd, part: str) -> list[tuple[str, str]]:
    """Odd values of names that the view has asked for, and of some that it hasn't."""
    names = [name for name in sorted(route.asked[part]) if odd.chance(0.7)]
    if odd.chance(0.1):
        names.append(odd.text())
    share = odd.pick(0.1, 0.5, 1.0)
    return [
        (sendable(name), sendable(odd.text() if odd.chance(share) else odd.pick(*games.names(), *PLAIN)))
        for name in names
        for _ in range(odd.pick(1, 1, 1, 2))
    ]


def sendable(text: str) -> str:
    """As it arrives from a form: there is no way to send half a character in one."""
    return text.encode("utf-8", "replace").decode()


# --- Requests ----------------------------------------------------------------------------------------------


class Hung(BaseException):
    """An answer that doesn't come; the message says where the view was."""


@contextmanager
def patience() -> Iterator[None]:
    """Raises Hung after LONGEST seconds. In the main thread alone, as signals are."""

    def hang(signal_number: int, frame: FrameType | None) -> None:
        at = [f"{call.filename.rpartition('/')[2]}:{call.lineno}" for call in traceback.extract_stack(frame)]
        raise Hung(" < ".join(reversed(at[-4:])))

    before = signal.signal(signal.SIGALRM, hang)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Sender:
    """Sends odd requests as everybody and looks at the answers."""

    def __init__(self, world: World, odd: Odd, report: Report) -> None:
        self.world, self.odd, self.report = world, odd, report
        self.clients = {who: Client(raise_request_exception=False) for who in WHO}
        self.paths = _paths()
        self.login = resolve_url(settings.LOGIN_URL)
        # (route, method) and (route, who) that were turned away at the door: knocked at rarely.
        self.shut: set[tuple[str, str]] = set()

    def tidy(self) -> None:
        """Nobody is signed out, barred or over a limit by what was sent before."""
        cache.clear()
        mend(self.world)
        LanguageModel.objects.all().delete()  # else a later request would ask whatever server was named
        for who, client in self.clients.items():
            client.cookies.clear()
            if who in self.world.people:
                client.force_login(self.world.people[who])

    def send(self, route: Route, who: str, method: str) -> None:
        if {(route.name, method), (route.name, who)} & self.shut and not self.odd.chance(0.12):
            return
        if not route.asked[method] and self.odd.chance(0.5):
            # A form is asked for its fields once there is anything in it.
            self._ask(route, who, (method.lower(), address_of(route, self.odd), {"data": {"x": "1"}}))
        request = self._request(route, who, method)
        self.report.tried += 1
        try:
            with patience():
                answer, seconds = self._ask(route, who, request)
        except Hung as hung:
            connection.close()
            self._fault(request, who, f"no answer in {LONGEST:g} s (it stood at {hung})")
            return
        if answer.status_code == 405 and request[0].upper() == method:
            self.shut.add((route.name, method))
        elif answer.status_code in (401, 403) or answer.headers.get("Location", "").startswith(self.login):
            self.shut.add((route.name, who))
        if route.name.startswith("language:"):
            LanguageModel.objects.all().delete()
        if seconds > SLOW:
            _, seconds = self._ask(route, who, request)
        problem = self._problem(answer, who)
        if not problem and seconds > SLOW:
            problem = f"it took {seconds:.1f} s"
        if problem:
            self._fault(request, who, problem)

    def _fault(self, request: tuple[str, str, dict[str, Any]], who: str, problem: str) -> None:
        kind, address, given = request
        sent = f" with {shown(given['data'])}" if given else ""
        self.report.faults.append(f"{kind.upper()} {shown(address)} as {who}{sent}: {problem}.")

    def _request(self, route: Route, who: str, method: str) -> tuple[str, str, dict[str, Any]]:
        odd, address = self.odd, address_of(route, self.odd)
        if query := form_of(route, odd, "GET"):
            address += "?" + urlencode(query)
        if odd.chance(0.03):
            address += odd.pick("%00", "?%00=%00", "?a=%ff%fe", "?page=²", "?" + "a&" * 1500)
        if method == "GET":
            return odd.pick("get", "get", "get", "get", "head", "options"), address, {}
        if odd.chance(0.5):
            form: dict[str, Any] = {}
            for name, text in form_of(route, odd, "POST"):
                form.setdefault(name, []).append(text)
            if odd.chance(0.3):
                form["file"] = upload(odd)
            if odd.chance(0.3):
                plain = {name: text for name, text in form.items() if name != "file"}
                body = urlencode(plain, doseq=True).encode()
                return "post", address, {"data": body, "content_type": "application/x-www-form-urlencoded"}
            return "post", address, {"data": form}
        good = odd.random.choice(good_bodies(self.world, who, odd))
        body = dumped(good) if odd.chance(0.25) else odd.body(good)
        if odd.chance(0.05):
            body = dumped(good | {"text": deep(600)})
        if odd.chance(0.02):
            body += b" " * (3 << 20)
        kind = (
            "application/json"
            if odd.chance(0.9)
            else odd.pick("text/plain", "multipart/form-data", "a/b", "", "²".encode().decode("latin-1"))
        )
        return odd.pick(*["post"] * 9, "put", "delete"), address, {"data": body, "content_type": kind}

    def _ask(self, route: Route, who: str, request: tuple[str, str, dict[str, Any]]) -> tuple[Any, float]:
        kind, address, given = request
        begun = time.thread_time()
        environ = (
            {ASKED: route.asked, "HTTP_HX_REQUEST": "true"} if self.odd.chance(0.2) else {ASKED: route.asked}
        )
        environ["HTTP_ACCEPT"] = self.odd.pick("text/html", "application/json", "*/*")
        answer = getattr(self.clients[who], kind)(address, **given, **environ)
        answer.body = b""
        if not getattr(answer, "streaming", False):
            answer.body = answer.content[:MOST_READ]
        answer.close()
        return answer, time.thread_time() - begun

    def _problem(self, answer: Any, who: str) -> str:
        """What is wrong with an answer, or ""."""
        if getattr(answer, "exc_info", None):
            error = answer.exc_info[1]
            at = traceback.extract_tb(answer.exc_info[2])[-1]
            place = f"{at.filename.rpartition('/')[2]}:{at.lineno}"
            return f"{type(error).__name__} {shown(str(error)[:100])} at {place}"
        if answer.status_code in (500, 501):
            return f"the answer is {answer.status_code}"
        kind = answer.headers.get("Content-Type", "")
        if not kind.startswith(("text/", "application/json")) or answer.headers.get("Content-Encoding"):
            return ""
        text = answer.body.decode("utf-8", "replace")
        if TRACEBACK.search(text):
            return "the answer holds a traceback"
        # An admin is told where jobs and snapshots lie, which is never beside the program.
        for path in self.paths if who != "admin" else self.paths[1:]:
            if path in text:
                return f"the answer ({answer.status_code}) holds the path {path}"
        if kind.startswith("application/json") and len(answer.body) < MOST_READ and answer.body:
            try:
                checked_json.parse(answer.body, depth=500)
            except Refusal as problem:
                return f"the answer is no JSON that a browser takes: {problem}"
        return ""


def _paths() -> list[str]:
    """What no answer may name: the folder of the data, the program's own, Python's."""
    return [str(settings.VAR_DIR), str(settings.BASE_DIR / "webapp"), "site-packages", sys.prefix]


@contextmanager
def watched() -> Iterator[None]:
    """The site as requests are sent to it here: views are watched for what they ask, and nothing is logged,
    for there would be a line for every refusal.
    """
    recorder = f"{__name__}.record_asked"
    logging.disable(logging.CRITICAL)
    try:
        with override_settings(MIDDLEWARE=[*settings.MIDDLEWARE, recorder], ALLOWED_HOSTS=["testserver"]):
            yield
    finally:
        logging.disable(logging.NOTSET)


def run(seconds: float, seed: int, world: World) -> Report:
    """Every route once as everybody, by GET and POST in an order of the seed's, then again and again, until
    the time is over. The database is full of nonsense afterwards.
    """
    report, odd = Report(), Odd(seed)
    until = time.monotonic() + seconds
    with watched():
        sender, known = Sender(world, odd, report), routes()
        waiting: list[tuple[Route, str, str]] = []
        while time.monotonic() < until:
            if not waiting:
                waiting = [(route, who, method) for route in known for who in WHO for method in METHODS]
                odd.random.shuffle(waiting)
            if len(waiting) % TIDY_EVERY == 0:
                sender.tidy()
            sender.send(*waiting.pop())
    return report

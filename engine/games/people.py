"""Recorded games of real people, read and played again: a game's `people.py` has `FORMATS`, found by name.

A format says where its games come from and under which licence, and has two functions:

    games_of(path, skip)   the rows of a file, one dictionary a game
    played(row)            the row's game, played again and held against everything that the row records

`played` raises Refusal for a row that isn't what its format says, or whose game doesn't come out as recorded.
Nothing here knows a game, stores anything or knows who has an account.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from engine import brings, games
from engine.refusal import Refusal
from engine.simulation.log import ODD
from engine.simulation.simulation import Simulation

LONGEST_LINE = 4 << 20  # characters of one game
LARGEST_FILE = 256 << 20  # bytes of a file that is one JSON value
LONGEST_ID = 100  # characters
MOST_WRONG = 100  # lines of a file that begins with nothing else
LARGEST = 2**53  # of a number in a row
SHIPPED = "people.jsonl.gz"  # in a game's folder: games that a fresh site has
NAMESPACE = UUID("b0c5b7b0-5f0e-5a5e-9d0c-6f1d3a3f2c11")  # of the ids of episodes that were people's games


@dataclass(frozen=True)
class Source:
    """Where games come from: what has to be told wherever they go."""

    title: str
    url: str
    licence: str
    licence_url: str
    attribution: str
    changed: str  # what the import changes
    year: int | None = None  # when they were played, where single games don't say


@dataclass(frozen=True)
class Played:
    """A game of people at its end: `simulation` has played all of it."""

    id: str  # the source's
    kind: str  # what games of this format are told apart by: whom or where they were played
    simulation: Simulation
    seats: list[dict[str, Any]]  # as in a log's header
    when: datetime | None = None
    url: str = ""  # of this very game
    survey: dict[str, str] = field(default_factory=dict)  # as the source has it
    ratings: list[dict[str, Any]] = field(default_factory=list)  # {"seat", "partner_seat", "partner": 1 to 7}
    ended: str = ""  # why it ended there before it was over by these rules, in a few words


def refuse(why: str) -> None:
    """The default for damaged lines: refuse the file."""
    raise Refusal(why)


@dataclass(frozen=True)
class Format:
    """A way in which games of people are written down."""

    name: str
    source: Source
    games_of: Callable[..., Iterator[dict[str, Any]]]  # (path, skip=refuse)
    played: Callable[[dict[str, Any]], Played]
    label: Callable[[str], str] = str  # a kind in words: "with the agent Outer"

    def episode(self, identity: str) -> UUID:
        """The id of the episode that a game of this format becomes: always the same."""
        return uuid5(NAMESPACE, f"{self.name}:{identity}")

    def origin(self, game: Played) -> dict[str, Any]:
        """The origin that is kept with an episode: plain JSON."""
        known = {"format": self.name, "id": game.id, "kind": game.kind, "game_url": game.url}
        known |= {"ended": game.ended} if game.ended else {}
        return known | asdict(self.source) | ({"survey": game.survey} if game.survey else {})


def formats() -> dict[str, tuple[str, Format]]:
    """{name: (game, format)} of every game that brings some."""
    return {form.name: (game, form) for game in games.names() for form in brings.Recorded.of(game).FORMATS}


def identity_of(row: dict[str, Any]) -> str:
    """What a row's game is called: its `id`, or by its content where that is missing, empty or 0."""
    name = row.get("id")
    named = isinstance(name, int | str) and not isinstance(name, bool) and name not in (0, "", "0")
    return str(name)[:LONGEST_ID] if named else f"content-{content_of(row)}"


def content_of(row: dict[str, Any]) -> str:
    """16 hex digits of all that a row says of its game, whatever the game is called."""
    rest = {key: value for key, value in row.items() if key != "id"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:16]


def whole_of(path: Path | str) -> Any:
    """What a file is that holds one JSON value in all, gzipped or not; None for any other. Raises OSError."""
    try:
        with opened(path) as file:
            text = file.read(LARGEST_FILE + 1)
        return json.loads(text) if len(text) <= LARGEST_FILE else None
    except (ValueError, RecursionError, EOFError, zlib.error, gzip.BadGzipFile):
        return None


def lines_of(path: Path | str, skip: Callable[[str], None] = refuse) -> Iterator[dict[str, Any]]:
    """The JSON objects in a file of one a line, gzipped or not. How many lines are none is told to `skip`
    once, and so is where a torn file ends. Raises OSError for a file that can't be read.
    """
    number = 0
    wrong: list[int] = []
    try:
        with opened(path) as file:
            while line := file.readline(LONGEST_LINE):
                number += 1
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    row = None
                if isinstance(row, dict):
                    yield row
                elif line.strip():
                    wrong.append(number)
                    if len(wrong) > MOST_WRONG and len(wrong) == number:
                        break  # a file of something else
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        skip(f"The file is damaged after line {number}: {str(error).rstrip('.')}.")
    if len(wrong) == number > 1:
        skip(f"This is no file of one JSON object a line: none of its first {number} lines is one.")
    elif wrong:
        more = f", and {len(wrong) - 1} more lines aren't" if len(wrong) > 1 else ""
        skip(f"Line {wrong[0]} isn't a JSON object{more}.")


def chosen(form: Format, path: Path | str, count: int) -> list[dict[str, Any]]:
    """Rows to ship: up to `count` games of each kind that come out as recorded, no person twice in a kind, in
    the order of the SHA-256 of their ids, which favours nobody.
    """
    taken: dict[str, int] = {}
    known: set[tuple[str, str]] = set()
    chosen_rows = []
    rows = form.games_of(path, lambda why: None)
    for row in sorted(rows, key=lambda row: hashlib.sha256(str(row.get("id")).encode()).hexdigest()):
        try:
            game = replayed(form, row)
        except Refusal:
            continue
        who = {(game.kind, seat["name"]) for seat in game.seats if seat["kind"] == "person"}
        if taken.get(game.kind, 0) < count and not who & known:
            known |= who
            taken[game.kind] = taken.get(game.kind, 0) + 1
            chosen_rows.append(row)
    return sorted(chosen_rows, key=lambda row: str(row["id"]))


def write(rows: list[dict[str, Any]], path: Path | str) -> None:
    """Rows as a file that `lines_of` reads; equal rows make equal bytes."""
    lines = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    Path(path).write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


def opened(path: Path | str) -> Any:
    """A file for reading bytes, unpacked if it is gzipped."""
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if packed else open(path, "rb")


def pseudonym(group: str, person: str) -> str:
    """A person's pseudonym, always the same for a source: "H-1a2b3c4d" for the group "H"."""
    return f"{group}-{hashlib.sha256(person.encode()).hexdigest()[:8]}"


def person(name: str) -> dict[str, Any]:
    """A seat with a person in it, who is known by pseudonym alone."""
    return {"kind": "person", "name": name, "agent": None, "pseudonym": name}


def field_of(row: dict[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    """A field of a row; raises Refusal unless it is there and of its kind (true and false are no numbers)."""
    value = row.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Refusal(f"Its {name!r} is missing or isn't what the format says.")
    return value


def dealt(game: str, options: dict[str, Any], deck: list[Any] | None = None) -> Simulation:
    """A game as it was dealt; raises Refusal if there is none with these options and this deck."""
    for number, card in enumerate(deck or (), 1):
        whole(card, 0, 99, f"Card {number} of its deck")
    try:
        return Simulation(game, options, deck=deck)
    except (Refusal, *ODD) as error:
        raise Refusal(f"Its game can't be dealt: {error}") from None


def replayed(form: Format, row: dict[str, Any]) -> Played:
    """A row's game, played again; raises Refusal, also for a row with something odd where nobody looked."""
    try:
        _check_numbers(row)
        return form.played(row)
    except Refusal:
        raise
    except (*ODD, RecursionError) as error:
        raise Refusal(f"It isn't what the format says ({type(error).__name__}: {error}).") from None


def _check_numbers(value: Any) -> None:
    """Raise Refusal for a number that no game has, wherever in a row, before anybody computes with it."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _check_numbers(part)
    elif isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:  # nor is NaN
        raise Refusal(f"It has a number that no game has: {str(value)[:20]}.")


def whole(value: Any, low: int, high: int, what: str) -> int:
    """A whole number from `low` to `high`; true and 2.0 are none. Raises Refusal."""
    if type(value) is not int or not low <= value <= high:
        raise Refusal(f"{what} is {str(value)[:20]}, not a whole number from {low} to {high}.")
    return value


def step(simulation: Simulation, joint: list[int]) -> float:
    """Take a recorded joint action; raises Refusal if the rules refuse it."""
    for action in joint:
        whole(action, 0, 99, f"An action of step {simulation.tick + 1}")
    try:
        return simulation.step(joint)
    except Refusal as error:
        raise Refusal(f"Step {simulation.tick + 1} can't be played: {error}") from None


def same(what: str, played: Any, recorded: Any) -> None:
    """Raise Refusal unless what was played is what was recorded."""
    if played != recorded or isinstance(recorded, bool):
        raise Refusal(f"{what} is {played}, where {str(recorded)[:200]} was recorded.")

"""Checks of the rows of a snapshot from elsewhere, before any of them is written: each must fit its log, the
other tables and the columns of this site. Not for unpacking or writing them (importing.py).
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from engine import checked_json, games
from engine.agents.catalogue import check_card
from engine.games.people import Source
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, read_lines, verify
from webapp.datasets.snapshot_reading import each_row

MOST_LOG = 256 << 20  # bytes of one log
MOST_REVISION = 2**31 - 1
REVIEWS = "reviews.jsonl"
PSEUDONYM = 20  # characters; as its column
REF = re.compile(r"[a-z0-9_]{1,39}/[\w.-]{1,80}")
Row = dict[str, Any]
Places = dict[str, tuple[int, int]]


@dataclass
class Arrival:
    """A snapshot's rows, gone through some at a time, each checked, with JSON columns as values; each of them
    raises Refusal. In memory is what there is of an episode, of a person, of an agent, not of a mark.
    """

    folder: Path
    manifest: Row
    places: Places = field(default_factory=dict)  # of episodes by id: seats, ticks
    people: dict[str, bool] = field(default_factory=dict)  # pseudonym: whether simulated
    # (episode, annotator) of people who looked at all seats of what was handed to them
    handed: set[tuple[str, str]] = field(default_factory=set)

    def episodes(self, replayed: bool = False) -> Iterator[tuple[Row, EpisodeLog]]:
        """Rows with their logs; if they are to be `replayed`, each to its recorded end."""
        for row in each_row(self.folder, "episodes"):
            if not _is_id(row["id"]):
                raise Refusal(f"An episode has the id {row['id'][:80]!r}, which is none.")
            log = _log(self.folder, self.manifest, row)
            if replayed and (problems := verify(log)):
                raise Refusal(f"{row['log']} does not replay: {problems[0]}")
            yield _episode(self.manifest, row, log), log

    def marks(self) -> Iterator[Row]:
        return (_mark(row, self.places, self.people) for row in each_row(self.folder, "marks"))

    def ratings(self) -> Iterator[Row]:
        found = each_row(self.folder, "ratings") if self.manifest["format"] >= 3 else ()
        return (_rating(row, self.places, self.people) for row in found)

    def reviews(self) -> Iterator[Row]:
        return (_review(row, self.places) for row in _review_rows(self.folder, self.manifest))

    def agents(self) -> Iterator[Row]:
        return (_agent(row) for row in each_row(self.folder, "agents"))


def checked(folder: Path, manifest: Row, tell: Callable[[int, int], None]) -> Arrival:
    """The rows of a folder whose files are those of its manifest, once all of them were gone through and
    every log was replayed. `tell(done, total)` hears of each episode and may raise to stop. Raises
    Refusal.
    """
    found = Arrival(folder, manifest)
    for name in ("players", "raters"):
        for row in each_row(folder, name):
            found.people[_fits(row, "pseudonym", _is_pseudonym)] = row["simulated"]
    for row, _ in found.episodes(replayed=True):
        if row["id"] in found.places:
            raise Refusal(f"The episode {row['id']} is in the snapshot twice.")
        found.places[row["id"]] = len(row["seats"]), row["ticks"]
        tell(len(found.places), manifest["counts"].get("episodes", 0))
    names = {name: name for name in (*found.places, *found.people)}  # one text for all that say it
    free, marks = set(), array("q")  # hashes of ids: millions of texts would fill the memory
    for row in found.marks():
        marks.append(hash(row["id"]))
        if len(marks) % 1000 == 0:
            tell(len(found.places), len(found.places))
        if row["free"]:
            free.add((names[row["episode"]], names[row["rater"]]))
    if np.unique(np.frombuffer(marks, np.int64)).size < len(marks):
        raise Refusal("A mark is in the snapshot twice.")
    for row in found.reviews():
        # Who marked nothing is in no table of raters.
        name = names.setdefault(row["annotator"], row["annotator"])
        found.people.setdefault(name, row["simulated"])
        pair = names[row["episode"]], name
        if row["all"] and not row["simulated"] and pair not in free:
            found.handed.add(pair)
    for rows in (found.ratings(), found.agents()):
        deque(rows, maxlen=0)
    return found


def _fits(row: Row, name: str, fits: Callable[[Any], bool]) -> Any:
    """The value of a column; raises Refusal if it isn't what the column holds."""
    if not fits(row[name]):
        of = f" of {row['id']}" if "id" in row else ""
        raise Refusal(f"The {name.replace('_', ' ')}{of} is {str(row[name])[:80]!r}, which can't be.")
    return row[name]


def _json(row: Row, name: str) -> Any:
    return checked_json.parse(row[name], f"The {name} of {str(row.get('id') or row.get('ref'))[:80]}")


def _is_id(value: str) -> bool:
    try:
        return str(UUID(value)) == value
    except ValueError:
        return False


def _is_pseudonym(value: str) -> bool:
    return 0 < len(value) <= PSEUDONYM and value.isprintable()


# --- Episodes ----------------------------------------------------------------------------------------------


def _episode(manifest: Row, row: Row, log: EpisodeLog) -> Row:
    end = log.end
    if end is None or end.get("reason") not in ("finished", log.header.get("origin", {}).get("ended")):
        raise Refusal(f"The episode {row['id']} wasn't finished, so it can't be in a snapshot.")
    said = {**row, "options": _json(row, "options"), "seats": _json(row, "seats")}
    said["origin"] = {} if row["origin"] is None else _json(row, "origin")
    truth = {**log.header, "ticks": end["tick"], "score": end["score"], "digest": end["digest"]}
    truth["rules_version"], truth["origin"] = str(truth["rules_version"]), truth.get("origin", {})
    for name in ("game", "rules_version", "options", "seed", "seats", "ticks", "score", "digest", "origin"):
        if said[name] != truth[name]:
            raise Refusal(f"The table says another {name} of the episode {row['id']} than its log.")
    if row["game"] != manifest["game"]:
        raise Refusal(f"The episode {row['id']} is of {row['game']}, not of {manifest['game']}.")
    if problem := _seats_problem(said["seats"], games.spec(row["game"]).seats(said["options"])):
        raise Refusal(f"The seats of the episode {row['id']} {problem}.")
    if problem := _origin_problem(said["origin"]):
        raise Refusal(f"The origin of the episode {row['id']} {problem}.")
    for name in ("started_at", "finished_at"):
        _fits(row, name, lambda value: value is not None)
    outcomes = end.get("outcomes", [])
    if not isinstance(outcomes, list) or len(outcomes) not in (0, len(said["seats"])):
        raise Refusal(f"The outcomes of the episode {row['id']} are not one a seat.")
    return {**said, "outcomes": outcomes}


def _log(folder: Path, manifest: Row, row: Row) -> EpisodeLog:
    """The log of an episode. Raises Refusal."""
    name = row["log"]
    if not name.startswith("episodes/") or name not in manifest["files"]:
        raise Refusal(f"The episode {row['id']} names the log {name[:100]!r}, which isn't there.")
    if manifest["files"][name]["bytes"] > MOST_LOG:
        raise Refusal(f"{name} has more than {MOST_LOG >> 20} MiB.")
    try:
        log = read_lines((folder / name).read_bytes())
    except Refusal as error:
        raise Refusal(f"{name} can't be read: {error}") from None
    if log.header.get("episode") != row["id"]:
        raise Refusal(f"{name} is the log of another episode.")
    return log


def _origin_problem(origin: Any) -> str:
    """What is wrong with where people's games come from; "" if nothing is."""
    if not isinstance(origin, dict):
        return "is no object"
    if not origin:
        return ""
    texts = [
        origin.get(name) for name in ("format", "id", "kind", *Source.__dataclass_fields__) if name != "year"
    ]
    if not all(isinstance(text, str) and len(text) <= 1000 for text in texts):
        return "doesn't say where it comes from and under which licence"
    for name in ("url", "licence_url", "game_url"):
        if not re.match(r"(https?://|$)", str(origin.get(name, ""))):
            return f"has a {name} that is no address of a page"
    return "" if isinstance(origin.get("year"), int | None) else "has a year that is none"


def _seats_problem(seats: Any, count: int) -> str:
    """What is wrong with who sat where; "" if nothing is."""
    if not isinstance(seats, list) or len(seats) != count:
        return f"are not {count}, as in its log"
    for seat in seats:
        texts = (
            [seat.get(name) for name in ("kind", "name", "agent", "pseudonym")]
            if isinstance(seat, dict)
            else []
        )
        if not texts or not all(isinstance(text, str) for text in texts[:2]):
            return "are not each an object with a kind and a name"
        if any(text is not None and not (isinstance(text, str) and len(text) <= 300) for text in texts):
            return "hold something else than short texts"
    return ""


# --- Marks and agents --------------------------------------------------------------------------------------


def _mark(row: Row, places: Places, people: dict[str, bool]) -> Row:
    if not _is_id(row["id"]):
        raise Refusal(f"A mark has the id {row['id'][:80]!r}, which is none.")
    seats, ticks = places[_fits(row, "episode", places.__contains__)]
    _fits(row, "rater", people.__contains__)
    _fits(row, "seat", range(seats).__contains__)
    _fits(row, "tick", range(ticks + 1).__contains__)
    _fits(row, "sign", (1, -1).__contains__)
    _fits(row, "revision", range(1, MOST_REVISION).__contains__)
    _fits(row, "created_at", lambda value: value is not None)
    context = _json(row, "context")
    if not isinstance(context, dict):
        raise Refusal(f"The context of the mark {row['id']} is no JSON object.")
    return {**row, "context": context}


def _rating(row: Row, places: Places, people: dict[str, bool]) -> Row:
    seats = range(places[_fits(row, "episode", places.__contains__)][0])
    _fits(row, "player", people.__contains__)
    _fits(row, "seat", seats.__contains__)
    _fits(row, "partner_seat", lambda seat: seat in seats and seat != row["seat"])
    for name in ("partner", "followed"):
        _fits(row, name, (None, *range(1, 8)).__contains__)
    _fits(row, "created_at", lambda value: value is not None)
    told = _json(row, "instructions")
    if not isinstance(told, list) or not all(isinstance(one, str) and _is_id(one) for one in told):
        raise Refusal(f"The instructions of a rating of the episode {row['episode']} are no list of ids.")
    return {**row, "instructions": told}


def _review_rows(folder: Path, manifest: Row) -> Iterator[Row]:
    """The lines of reviews.jsonl, which older snapshots have not."""
    if REVIEWS not in manifest["files"]:
        return
    with (folder / REVIEWS).open("rb") as file:
        for number, line in enumerate(file, start=1):
            yield checked_json.parse_object(line, f"Line {number} of {REVIEWS}")


def _review(row: Row, places: Places) -> Row:
    """Its row, with whether it is of `all` seats."""
    if set(row) != {"episode", "annotator", "simulated", "seats"}:
        raise Refusal(f"A line of {REVIEWS} doesn't say episode, annotator, simulated and seats alone.")
    texts = [row["episode"], row["annotator"]]
    if not all(isinstance(text, str) for text in texts) or not isinstance(row["simulated"], bool):
        raise Refusal(f"A line of {REVIEWS} names an episode or an annotator that can't be.")
    count = places[_fits(row, "episode", places.__contains__)][0]
    _fits(row, "annotator", _is_pseudonym)
    seats = range(count)
    _fits(row, "seats", lambda own: isinstance(own, list) and own and all(one in seats for one in own))
    return {**row, "all": len(set(row["seats"])) == count}


def _agent(row: Row) -> Row:
    game = _fits(row, "ref", REF.fullmatch).split("/")[0]
    _fits(row, "name", lambda value: 0 < len(value) <= 80 and value.isprintable())
    _fits(row, "kind", ("scripted", "network").__contains__)
    _fits(row, "sha256", re.compile(r"([0-9a-f]{64})?").fullmatch)
    card = _json(row, "card")
    check_card({**card, "game": game} if isinstance(card, dict) else card, f"of {row['ref']}")
    return {**row, "game": game, "card": card}

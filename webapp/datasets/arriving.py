"""Checks of the rows of a snapshot from elsewhere, before any of them is written: each must fit its log, the
other tables and the columns of this site. Not for unpacking or writing them (importing.py).
"""

from __future__ import annotations

import json
import random
import re
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from engine import checked_json, games
from engine.agents.catalogue import check_card
from engine.games.people import Source
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, decode_line, read_lines, verify, whole_lines
from webapp.datasets.snapshot_reading import REVIEWS, batches, each_row

MOST_LOG = 256 << 20  # bytes of one log
MOST_REVISION = 2**31 - 1
REPLAYED = 1000  # logs that are replayed before their snapshot is taken in
PSEUDONYM = 20  # characters; as its column
REF = re.compile(r"[a-z0-9_]{1,39}/[\w.-]{1,80}")
Row = dict[str, Any]
Places = dict[str, tuple[int, int]]


@dataclass
class Arrival:
    """A snapshot's rows, gone through some at a time. In memory are the ids of episodes, with what many of
    them have in common, people and agents, not marks.
    """

    folder: Path
    manifest: Row
    places: Places = field(default_factory=dict)  # of episodes by id: seats, ticks
    outcomes: dict[str, str] = field(default_factory=dict)  # of the episodes that have some, as JSON
    people: dict[str, bool] = field(default_factory=dict)  # pseudonym: whether simulated
    # Before format 6: (episode, annotator) of people who looked at all seats of what was handed to them
    handed: set[tuple[str, str]] = field(default_factory=set)

    @property
    def is_old(self) -> bool:
        """Whether reviews are lines, and don't say whether what was reviewed had been handed out."""
        return self.manifest["format"] < 6

    def episodes(self) -> Iterator[tuple[Row, bytes]]:
        """Rows with the lines of their logs. Raises Refusal."""
        name, file = "", None
        try:
            for row in each_row(self.folder, "episodes"):
                offset, size = self._place(row)
                if file is None or row["log"] != name:
                    if file is not None:
                        file.close()
                    name = row["log"]
                    file = (self.folder / name).open("rb")
                file.seek(offset)
                yield row, file.read(size)
        finally:
            if file is not None:
                file.close()

    def _place(self, row: Row) -> tuple[int, int]:
        """Where an episode's log lies in its file, and its length. Raises Refusal."""
        name, files = row["log"], self.manifest["files"]
        if not name.startswith("episodes/") or name not in files:
            raise Refusal(f"The episode {row['id'][:80]} names the log {name[:100]!r}, which isn't there.")
        length = files[name]["bytes"]
        offset, size = row["offset"], row["bytes"]
        if offset is None or size is None:  # a file of its own
            offset, size = 0, length
        if offset < 0 or size < 0 or offset + size > length:
            raise Refusal(f"The episode {row['id'][:80]} names a part of {name} that isn't there.")
        if size > MOST_LOG:
            raise Refusal(f"The log of the episode {row['id'][:80]} has more than {MOST_LOG >> 20} MiB.")
        return offset, size

    def marks(self) -> Iterator[pa.RecordBatch]:
        """Marks, not checked."""
        return batches(self.folder, "marks")

    def were_handed(self, marks: pa.RecordBatch) -> np.ndarray:
        """Whether each mark is part of what a person submitted who was handed the episode."""
        if self.is_old:
            return np.array([pair in self.handed for pair in _pairs(marks)], bool)
        return ~(np.asarray(marks["free"]) | np.asarray(marks["simulated"]))

    def ratings(self) -> Iterator[Row]:
        """Rows of ratings. Raises Refusal."""
        found = each_row(self.folder, "ratings") if self.manifest["format"] >= 3 else ()
        return (_rating(row, self.places, self.people) for row in found)

    def reviews(self) -> Iterator[Row]:
        """Rows of reviews. Raises Refusal."""
        found = _old_reviews(self.folder, self.manifest) if self.is_old else each_row(self.folder, "reviews")
        for row in found:
            _check_review(row, self.places)
            if self.is_old:
                row["handed"] = (row["episode"], row["annotator"]) in self.handed
            yield row

    def agents(self) -> Iterator[Row]:
        """Rows of agents. Raises Refusal."""
        return (_agent(row) for row in each_row(self.folder, "agents"))


def checked(folder: Path, manifest: Row, tell: Callable[[int, int], None]) -> Arrival:
    """The rows of a folder whose files are those of its manifest, once all of them were gone through. Each
    line of a log has its checksum, and its header and end say what the table says; REPLAYED logs, drawn by
    chance (all where there are no more), are replayed to that end. `tell(done, total)` hears of each episode
    and may raise to stop. Raises Refusal.
    """
    found = Arrival(folder, manifest)
    total = sum(map(len, batches(folder, "episodes", ["id"])))
    for name in ("players", "annotators"):
        for row in each_row(folder, name):
            found.people[_fits(row, "pseudonym", _is_pseudonym)] = row["simulated"]
    shared: dict[Any, Any] = {}  # few different ones, each of which is held once
    drawn = set(random.SystemRandom().sample(range(total), min(REPLAYED, total)))
    for number, (row, data) in enumerate(found.episodes()):
        row = episode_of(manifest, row, data, is_replayed=number in drawn)
        if row["id"] in found.places:
            raise Refusal(f"The episode {row['id']} is in the snapshot twice.")
        place = len(row["seats"]), row["ticks"]
        found.places[row["id"]] = shared.setdefault(place, place)
        if row["outcomes"]:
            said = json.dumps(row["outcomes"])
            found.outcomes[row["id"]] = shared.setdefault(said, said)
        tell(len(found.places), total)
    free = _check_marks(found, lambda: tell(total, total))
    for row in found.reviews():
        # Who marked nothing is in no older table of annotators.
        found.people.setdefault(row["annotator"], row["simulated"])
        pair = row["episode"], row["annotator"]
        if found.is_old and _is_whole(row, found.places) and not row["simulated"] and pair not in free:
            found.handed.add(pair)
    for rows in (found.ratings(), found.agents()):
        deque(rows, maxlen=0)
    return found


def _check_marks(arrival: Arrival, tell: Callable[[], None]) -> set[tuple[str, str]]:
    """Raises Refusal for a mark that can't be; (episode, annotator) of free marks in older snapshots."""
    free, ids = set(), array("q")  # hashes: millions of texts would fill the memory
    for marks in arrival.marks():
        _check_some(marks, arrival)
        ids.extend(map(hash, marks["id"].to_pylist()))
        if arrival.is_old:
            free.update(_pairs(marks.filter(marks["free"])))
        tell()
    hashes = np.frombuffer(ids, np.int64)
    hashes.sort()  # in place: NumPy would find the different ones by a set that takes many times as much
    if (hashes[1:] == hashes[:-1]).any():
        raise Refusal("A mark is in the snapshot twice.")
    return free


def _pairs(marks: pa.RecordBatch) -> Iterator[tuple[str, str]]:
    """The episode and the annotator of each mark."""
    return zip(marks["episode"].to_pylist(), marks["annotator"].to_pylist(), strict=True)


def _fits(row: Row, name: str, fits: Callable[[Any], bool]) -> Any:
    """The value of a column; raises Refusal if it isn't what the column holds."""
    if not fits(row[name]):
        of = f" of {row['id']}" if "id" in row else ""
        raise Refusal(f"The {name.replace('_', ' ')}{of} is {str(row[name])[:80]!r}, which can't be.")
    return row[name]


@lru_cache(maxsize=4096)
def _value(text: str) -> Any:
    """What a JSON text says; most of them are the same again and again."""
    return checked_json.parse(text, "")


def _json(row: Row, name: str) -> Any:
    try:
        return _value(row[name])
    except Refusal as error:
        raise Refusal(f"The {name} of {str(row.get('id') or row.get('ref'))[:80]}{error}") from None


ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _is_pseudonym(value: str) -> bool:
    return 0 < len(value) <= PSEUDONYM and value.isprintable()


# --- Episodes ----------------------------------------------------------------------------------------------


def episode_of(manifest: Row, row: Row, data: bytes, is_replayed: bool) -> Row:
    """The row of an episode with these lines as its log. Raises Refusal."""
    if not ID.fullmatch(row["id"]):
        raise Refusal(f"An episode has the id {row['id'][:80]!r}, which is none.")
    try:
        if is_replayed:
            log = read_lines(data)
        else:
            header, last = map(decode_line, _first_and_last(data))
            log = EpisodeLog(header, [last])
    except Refusal as error:
        raise Refusal(f"The log of the episode {row['id']} can't be read: {error}") from None
    if log.header.get("episode") != row["id"]:
        raise Refusal(f"The log of the episode {row['id']} is the log of another episode.")
    if is_replayed and (problems := verify(log)):
        raise Refusal(f"The log of the episode {row['id']} does not replay: {problems[0]}")
    end = log.end
    if end is None or end.get("reason") not in ("finished", log.header.get("origin", {}).get("ended")):
        raise Refusal(f"The episode {row['id']} wasn't finished, so it can't be in a snapshot.")
    said = parsed(row)
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


def parsed(row: Row) -> Row:
    """The row of an episode with what its JSON texts say. Raises Refusal."""
    origin = {} if row["origin"] is None else _json(row, "origin")
    return {**row, "options": _json(row, "options"), "seats": _json(row, "seats"), "origin": origin}


def _first_and_last(data: bytes) -> tuple[str, str]:
    """The first and the last line of a log, once all are found whole. Raises Refusal."""
    lines = whole_lines(data)
    try:
        return lines[0].decode(), lines[-1].decode()
    except UnicodeDecodeError:
        raise Refusal("A line of the log isn't text in UTF-8.") from None


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


def by_value(column: pa.Array, of: Callable[[str], Any]) -> np.ndarray:
    """What a function says of each value of a column; it is asked once for equal ones."""
    encoded = column.dictionary_encode()
    return np.array([of(value) for value in encoded.dictionary.to_pylist()])[np.asarray(encoded.indices)]


def _check_some(marks: pa.RecordBatch, arrival: Arrival) -> None:
    """Raises Refusal for the first mark that can't be."""
    seats, ticks = by_value(marks["episode"], lambda name: arrival.places.get(name, (0, -1))).T
    none = -2  # fits in no column
    seat, tick, sign, revision = (
        np.asarray(marks[name].fill_null(none)) for name in ("seat", "tick", "sign", "revision")
    )
    fits = {
        "id": np.asarray(pc.match_substring_regex(marks["id"], f"^{ID.pattern}$")),
        "episode": ticks >= 0,
        "annotator": by_value(marks["annotator"], arrival.people.__contains__),
        "seat": (seat >= 0) & (seat < seats),
        "tick": (tick >= 0) & (tick <= ticks),
        "sign": abs(sign) == 1,
        "revision": (revision >= 1) & (revision < MOST_REVISION),
        "context": by_value(marks["context"], _is_object),
        "created_at": np.asarray(marks["created_at"].is_valid()),
    }
    wrong = ~np.logical_and.reduce([*fits.values()])
    if not wrong.any():
        return
    first = int(wrong.argmax())
    [row] = marks.slice(first, 1).to_pylist()
    name = next(name for name, fit in fits.items() if not fit[first])
    if name == "id":
        raise Refusal(f"A mark has the id {row['id'][:80]!r}, which is none.")
    if name == "context":
        _json(row, "context")
        raise Refusal(f"The context of the mark {row['id']} is no JSON object.")
    if name == "created_at":
        raise Refusal("A mark doesn't say when it was made (created_at).")
    _fits(row, name, lambda value: False)


def _is_object(text: str) -> bool:
    try:
        return isinstance(_value(text), dict)
    except Refusal:
        return False


def _rating(row: Row, places: Places, people: dict[str, bool]) -> Row:
    seats = range(places[_fits(row, "episode", places.__contains__)][0])
    _fits(row, "player", people.__contains__)
    _fits(row, "seat", seats.__contains__)
    _fits(row, "partner_seat", lambda seat: seat in seats and seat != row["seat"])
    for name in ("partner", "followed"):
        _fits(row, name, (None, *range(1, 8)).__contains__)
    _fits(row, "created_at", lambda value: value is not None)
    told = _json(row, "instructions")
    if not isinstance(told, list) or not all(isinstance(one, str) and ID.fullmatch(one) for one in told):
        raise Refusal(f"The instructions of a rating of the episode {row['episode']} are no list of ids.")
    return {**row, "instructions": told}


def _old_reviews(folder: Path, manifest: Row) -> Iterator[Row]:
    """The lines of reviews.jsonl, which the oldest snapshots have not."""
    if REVIEWS not in manifest["files"]:
        return
    with (folder / REVIEWS).open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = checked_json.parse_object(line, f"Line {number} of {REVIEWS}")
            except Refusal as error:
                raise Refusal(str(error)) from None
            texts = (row.get("episode"), row.get("annotator"))
            if not all(isinstance(one, str) for one in texts) or not isinstance(row.get("simulated"), bool):
                raise Refusal(f"Line {number} of {REVIEWS} names no episode or annotator that can be.")
            yield {**row, "seats": row.get("seats")}


def _check_review(row: Row, places: Places) -> None:
    seats = range(places[_fits(row, "episode", places.__contains__)][0])
    _fits(row, "annotator", _is_pseudonym)
    _fits(row, "seats", lambda own: isinstance(own, list) and own and all(one in seats for one in own))


def _is_whole(review: Row, places: Places) -> bool:
    """Whether it is of all seats."""
    return len(set(review["seats"])) == places[review["episode"]][0]


def _agent(row: Row) -> Row:
    game = _fits(row, "ref", REF.fullmatch).split("/")[0]
    _fits(row, "name", lambda value: 0 < len(value) <= 80 and value.isprintable())
    _fits(row, "kind", ("scripted", "network").__contains__)
    _fits(row, "sha256", re.compile(r"([0-9a-f]{64})?").fullmatch)
    card = _json(row, "card")
    check_card({**card, "game": game} if isinstance(card, dict) else card, f"of {row['ref']}")
    return {**row, "game": game, "card": card}

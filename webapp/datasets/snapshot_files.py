"""The folder of a snapshot while it is written: tables, segments of logs, schema, datasheet, checksums. Not
for reading one (snapshot_reading.py, engine.snapshots), nor for rows (snapshots.py).

    manifest.json              format, game, counts, and {path: {"sha256", "bytes"}} of every other file
    README.md                  datasheet
    schema.json                JSON schema of the tables
    tables/<name>.parquet      see tables.py
    episodes/<number>.jsonl    segments of episode logs, with pseudonyms for people (engine.snapshots)

The snapshot's sha256 is that of manifest.json. A folder appears whole (written beside, then renamed) or not
at all.
"""

from __future__ import annotations

import gc
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.db import connection, transaction
from django.db.models import Case, F, TextField, When
from django.db.models.functions import Cast

from engine.agents.files import sha256_of
from engine.refusal import Refusal
from engine.simulation.log import (
    ODD,
    EpisodeLog,
    LogStore,
    decode_line,
    encode_line,
    read_lines,
    whole_lines,
)
from engine.snapshots import Segments
from webapp.agents.models import Agent
from webapp.annotation.counting import as_counted, is_free, with_version
from webapp.common import bulk
from webapp.datasets import selection, tables
from webapp.datasets.datasheet import datasheet
from webapp.datasets.selection import Filters
from webapp.datasets.snapshot_reading import MANIFEST
from webapp.episodes.models import Episode
from webapp.episodes.origins import SOURCE, sources
from webapp.episodes.stores import log_store
from webapp.matches.models import Rating

AT_ONCE = 400  # episodes that are read together with their marks
ROW_GROUP = 20_000  # rows of a table that wait in memory


def write(filters: Filters, folder: Path, tell: Callable[[int, int], None]) -> dict[str, Any]:
    """Freeze what `filters` find now into `folder`; returns its manifest with its "sha256".

    Equal data and equal filters make equal files, whenever and wherever: nothing in them names the snapshot
    or the moment, and every table has its order, by episode. Memory doesn't grow with the marks: episodes are
    read some at a time, with what belongs to them. `tell(done, total)` is called before each episode and may
    raise to stop. Episodes whose logs are damaged are left out and named: "left_out" {id: sentence}. Raises
    Refusal if nothing is found.
    """
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "tables").mkdir(parents=True)
    gc.freeze()  # what is here stays: it need not be looked through again and again
    try:
        with Writing(filters, part) as writing, one_moment():
            writing.all(tell)
        manifest = writing.manifest()
        (part / "schema.json").write_text(json.dumps(tables.json_schema(), indent=2) + "\n")
        (part / "README.md").write_text(datasheet(manifest))
        files = sorted(path for path in part.rglob("*") if path.is_file())
        manifest["files"] = {path.relative_to(part).as_posix(): _listed(path) for path in files}
        (part / MANIFEST).write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    finally:
        gc.unfreeze()
    return {**manifest, "sha256": sha256_of(folder / MANIFEST)}


@contextmanager
def one_moment() -> Iterator[None]:
    """All that is read inside is of one moment, and nobody who writes waits for it; within a transaction that
    is already there, as far as that goes."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # Django's own would keep all writers waiting
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")


def _listed(path: Path) -> dict[str, Any]:
    return {"sha256": sha256_of(path), "bytes": path.stat().st_size}


# What is read of an episode. JSON as text: most of it is put into text again as it is.
OF_EPISODE = {
    "options_text": Cast("options", TextField()),
    "origin_text": Cast("origin", TextField()),
}
COPIED = ("game", "rules_version", "source", "ticks", "score", "digest", "instruction")
COPIED += ("started_at", "finished_at")


class Writing:
    """The files of a snapshot while they are written, and what is counted on the way."""

    def __init__(self, filters: Filters, part: Path) -> None:
        self.filters, self.part = filters, part
        self.left_out: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self.origins: set[str] = set()
        self.annotators: dict[str, dict[str, Any]] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.agents: set[Any] = set()
        self.waiting = {name: tables.arrow_schema(name).empty_table() for name in tables.TABLES}

    def __enter__(self) -> Writing:
        self.store, self.segments, self.open = log_store(), Segments(self.part), ExitStack()
        self.open.callback(self.segments.close)
        self.writers = {
            name: self.open.enter_context(
                pq.ParquetWriter(
                    self.part / "tables" / f"{name}.parquet", tables.arrow_schema(name), compression="zstd"
                )
            )
            for name in tables.TABLES
        }
        return self

    def __exit__(self, *error: Any) -> None:
        self.open.close()

    def add(self, name: str, more: list[dict[str, Any]] | pa.Table) -> None:
        """Rows of a table."""
        if isinstance(more, list):
            more = tables.table(name, tables.columns(name, more))
        self.waiting[name] = pa.concat_tables([self.waiting[name], more])
        if len(self.waiting[name]) >= ROW_GROUP:
            self._put(name)

    def _put(self, name: str) -> None:
        self.writers[name].write_table(self.waiting[name].combine_chunks())
        self.waiting[name] = tables.arrow_schema(name).empty_table()

    def all(self, tell: Callable[[int, int], None]) -> None:
        """Everything but the manifest and what it lists beside tables and segments."""
        found = selection.episodes(self.filters)
        total = found.count()
        each = found.annotate(**OF_EPISODE).values("pk", "seats", *OF_EPISODE, *COPIED)
        rows = each.iterator(chunk_size=AT_ONCE)
        while batch := list(islice(rows, AT_ONCE)):
            seats: dict[UUID, int] = {}
            written = []
            for done, episode in enumerate(batch, self.counts["seen"] + 1):
                tell(done, total)
                try:
                    written.append(self._episode(episode))
                    seats[episode["pk"]] = len(episode["seats"])
                except Refusal as error:
                    self.left_out[str(episode["pk"])] = str(error)
            self.counts["seen"] += len(batch)
            self.add("episodes", written)
            self._of_episodes(seats)
        if not total:
            raise Refusal("No finished episode passes the filters, so there is nothing to learn from.")
        if not self.counts["episodes"]:
            raise Refusal(f"No episode can be read: {next(iter(self.left_out.values()))}")
        agents = {agent.ref: _agent(agent) for agent in Agent.objects.filter(pk__in=self.agents)}
        for name, rows in (("annotators", self.annotators), ("players", self.players), ("agents", agents)):
            self.add(name, [rows[one] for one in sorted(rows)])
        for name in self.waiting:
            self._put(name)

    def _episode(self, episode: dict[str, Any]) -> dict[str, Any]:
        """The row of an episode, once its log and instructions are added. Raises Refusal for a damaged log,
        and has then added nothing.
        """
        pk, simulated = str(episode["pk"]), episode["source"] == "simulated"
        header, log, said, judged = leaving(self.store, pk, episode["seats"], episode["ticks"])
        row = {
            "id": pk,
            **{name: episode[name] for name in COPIED},
            "options": _ordered(episode["options_text"]),
            "origin": _ordered(episode["origin_text"]),
            "seed": header["seed"],
            "seats": _sorted_json(header["seats"]),
            "ticks_per_second": header.get("ticks_per_second"),
            "simulated": simulated,
            **self.segments.add(log),
        }
        if said:
            self.add("instructions", [_instruction(pk, record, simulated, judged) for record in said])
        self.counts["episodes"] += 1
        self.counts["steps"] += episode["ticks"]
        self.counts["simulated_episodes"] += simulated
        self.counts["people_episodes"] += episode["source"] == SOURCE
        self.origins.add(row["origin"])
        return row

    def _of_episodes(self, seats: dict[UUID, int]) -> None:
        """Who played, ratings, marks and reviews of some episodes with so many seats."""
        ids = list(seats)
        played = Episode.players.through.objects.filter(episode__among=ids).distinct()
        for name, simulated in played.values_list("user__pseudonym", "user__is_simulated"):
            self.players[name] = {"pseudonym": name, "simulated": simulated}
        self.agents.update(
            Episode.agents.through.objects.filter(episode__among=ids).values_list("agent", flat=True)
        )
        ratings = _ratings(ids)
        self.add("ratings", ratings)
        for row in ratings:  # of one who isn't known as a player any more, too
            said = {"pseudonym": row["player"], "simulated": row["simulated"]}
            self.players.setdefault(row["player"], said)
        marks = marks_of(self.filters, ids)
        self.add("marks", marks)
        up = _count(pc.equal(marks["sign"], 1))
        self.counts["marks"] += len(marks)
        self.counts["progress"] += up
        self.counts["regression"] += len(marks) - up
        for name in ("simulated", "free"):
            self.counts[f"{name}_marks"] += _count(marks[name])
        for who in _groups(marks, "episode", *WHO):
            annotator = self._annotator(who["annotator"], who["simulated"])
            annotator["marks"] += who["count_all"]
            annotator["episodes"] += 1
        looked = map(itemgetter("episode", *WHO, "seat"), _groups(marks, "episode", *WHO, "seat"))
        reviews = selection.reviews(self.filters, {str(pk): count for pk, count in seats.items()}, looked)
        self.add("reviews", reviews)
        for row in reviews:
            self._annotator(row["annotator"], row["simulated"])

    def _annotator(self, name: str, simulated: bool) -> dict[str, Any]:
        row = {"pseudonym": name, "marks": 0, "episodes": 0, "simulated": simulated}
        return self.annotators.setdefault(name, row)

    def manifest(self) -> dict[str, Any]:
        """The manifest without its files."""
        names = ("episodes", "steps", "marks", "progress", "regression")
        more = ("simulated_episodes", "simulated_marks", "free_marks", "people_episodes")
        counts = {name: self.counts[name] for name in names} | {
            "raters": sum(bool(row["marks"]) for row in self.annotators.values())
        }
        counts |= {name: self.counts[name] for name in more}
        named = {"left_out": self.left_out} if self.left_out else {}
        return {
            "format": tables.FORMAT,
            "game": self.filters.game,
            "filters": self.filters.to_json(),
            "counts": counts | {name: len(value) for name, value in named.items()},
            "has_simulated": bool(counts["simulated_episodes"] or counts["simulated_marks"]),
            # What has to be told of people's games wherever they go.
            "sources": [asdict(one) for one in sources(map(json.loads, self.origins))],
            **named,
        }


WHO = ("annotator", "simulated")
# What is read of marks that count. Ids, times and contexts as text: objects that Django
# made of them would be put into text again at once.
MADE = Case(
    When(version__id=None, then=Cast("made_at", TextField())), default=Cast("version__made_at", TextField())
)
TEXTS = {name: Cast(name, TextField()) for name in ("pk", "episode", "created_at")}
TEXTS |= {"made_at": MADE, "context": Cast(as_counted("context"), TextField())}
NUMBERS = {name: as_counted(name) for name in ("seat", "tick", "sign", "revision")}
_sorted_json = json.JSONEncoder(sort_keys=True).encode


@lru_cache(maxsize=4096)
def _ordered(text: str) -> str:
    """JSON as every database would give it; most of it is the same again and again."""
    return _sorted_json(json.loads(text))


def marks_of(filters: Filters, episodes: list[UUID]) -> pa.Table:
    """The chosen marks on some episodes as they count (see webapp.annotation.counting), in their order."""
    # Databases write ids with dashes or without.
    written = {name: str(pk) for pk in episodes for name in (str(pk), pk.hex)}
    place = {name: number for number, name in enumerate(written)}
    chosen = with_version(selection.marks(filters, episodes).order_by())
    who = ("submitted", "annotator__pseudonym", "annotator__is_simulated")
    found = bulk.fetched(chosen.values_list(*TEXTS.values(), *NUMBERS.values(), *who))
    if not found:
        return tables.arrow_schema("marks").empty_table()
    pks, of, created_at, made_at, contexts, *numbers, submitted, annotators, simulated = zip(
        *found, strict=True
    )
    ids = pa.array(pks)
    if "-" not in pks[0]:
        ids = pc.replace_substring_regex(ids, *DASHED)
    at = pa.array([place[name] for name in of], pa.int32())
    order = pc.sort_indices(pa.table({"at": at, "id": ids}), [("at", "ascending"), ("id", "ascending")])
    marks = dict(zip(NUMBERS, numbers, strict=True)) | {
        "id": ids,
        "episode": [written[name] for name in of],
        "annotator": annotators,
        "context": [_ordered(text) for text in contexts],
        "made_at": _times(made_at),
        "created_at": _times(created_at),
        "simulated": simulated,
        "free": [is_free(*both) for both in zip(submitted, simulated, strict=True)],
    }
    return tables.table("marks", marks).take(order)


DASHED = "^(.{8})(.{4})(.{4})(.{4})(.{12})$", r"\1-\2-\3-\4-\5"  # an id that was written without dashes


def _times(texts: Sequence[str | None]) -> pa.Array:
    """Times in UTC, whether the database says so or not."""
    return (
        pc.replace_substring(pa.array(texts, pa.string()), "+00", "")
        .cast(pa.timestamp("us"))
        .cast(tables.TIME)
    )


def _count(chosen: pa.ChunkedArray) -> int:
    return pc.sum(chosen).as_py() or 0


def _groups(marks: pa.Table, *names: str) -> list[dict[str, Any]]:
    """The different values of some columns, with "count_all": of how many marks."""
    return marks.group_by(names, use_threads=False).aggregate([([], "count_all")]).to_pylist()


STEP, CONTROL, INSTRUCTION, JUDGED = (
    f'"type":"{kind}"'.encode() for kind in ("step", "control", "instruction", "judged")
)


def leaving(
    store: LogStore, episode: str, seats: list[dict], ticks: int
) -> tuple[dict[str, Any], bytes, list[dict[str, Any]], dict[str, int]]:
    """An episode's log as it leaves, with pseudonyms in the place of people's names: its header, its lines,
    its instructions, and what their players said of what was done, {id: 1, -1 or 0}. Lines are copied as they
    are, without being parsed, where none but the header names people. Raises Refusal, with a sentence, for a
    log that is damaged or has not so many ticks.
    """
    try:
        data = store.lines(episode)
        lines = whole_lines(data)
        log = EpisodeLog(decode_line(lines[0].decode()))
        steps = data.count(STEP)
        if steps != ticks or CONTROL in data:
            log = read_lines(data)
            steps = len(log.steps)
        if steps != ticks:
            raise Refusal(f"The log has {steps} ticks, the row says {ticks}.")
        header, said, judged = pseudonymous(log, seats), [], {}
        header["seed"] = int(header["seed"])
        first = lines[0] + b"\n" if header == log.header else encode_line(header).encode()
        if INSTRUCTION in data:
            said = [decode_line(line.decode()) for line in lines if INSTRUCTION in line]
        if JUDGED in data:
            answers = (decode_line(line.decode()) for line in lines if JUDGED in line)
            judged = {answer["id"]: answer["sign"] for answer in answers}
        if log.records:
            written = "".join(encode_line(nameless(record)) for record in log.records).encode()
        else:
            ends = sum(map(len, lines)) + len(lines)  # what is torn lies beyond
            written = data[len(lines[0]) + 1 : ends]
        return header, first + written, said, judged
    except FileNotFoundError:
        raise Refusal("There is no log.") from None
    except OSError as error:
        raise Refusal(f"The log can't be read: {error.strerror or error}.") from None
    except Refusal:
        raise
    except ODD as error:
        raise Refusal(f"The log can't be read ({type(error).__name__}: {error}).") from None


def pseudonymous(log: EpisodeLog, seats: list[dict]) -> dict[str, Any]:
    """The log's header with pseudonyms in the place of people's names."""
    told = []
    for index, seat in enumerate(log.header["seats"]):
        known = seats[index] if index < len(seats) else {}
        if seat.get("kind") == "person":
            name = known.get("pseudonym") or seat.get("pseudonym") or f"Person {index + 1}"
            told.append({**{k: v for k, v in seat.items() if k != "user"}, "name": name, "pseudonym": name})
        else:
            told.append(seat)
    return {**log.header, "seats": told}


def nameless(record: dict[str, Any]) -> dict[str, Any]:
    """A record without the names of people: of those who take control, only agents keep theirs."""
    controller = record.get("controller")
    if record["type"] != "control" or not controller or controller.get("kind") == "agent":
        return record
    kept = {key: value for key, value in controller.items() if key not in ("name", "user")}
    return {**record, "controller": kept}


def _instruction(episode: str, record: dict, simulated: bool, judged: dict[str, int]) -> dict[str, Any]:
    return {
        "episode": episode,
        "id": str(record.get("id") or ""),
        "tick": record["tick"],
        "seat": record["seat"],
        "target_seat": record.get("target_seat"),
        "status": record.get("status", ""),
        "text": record.get("text", ""),
        "reading": json.dumps(record.get("reading"), sort_keys=True),
        "judged": judged.get(record.get("id", "")) or None,
        "simulated": simulated,
    }


def _ratings(episodes: list[UUID]) -> list[dict[str, Any]]:
    """What their players said of their partners; remarks in words stay here."""
    copied = ("seat", "partner_seat", "partner", "followed", "created_at")
    found = Rating.objects.filter(episode__among=episodes).exclude(partner=None, followed=None)
    who = {"player": F("user__pseudonym"), "simulated": F("user__is_simulated")}
    rows = [
        {**row, "episode": str(row["episode"]), "instructions": json.dumps(row["instructions"])}
        for row in found.values("episode", "instructions", *copied, **who)
    ]
    return sorted(rows, key=lambda row: (row["episode"], row["seat"], row["partner_seat"]))


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "ref": agent.ref,
        "name": agent.name,
        "kind": agent.kind,
        "sha256": agent.sha256,
        "card": json.dumps(agent.card, sort_keys=True),
        "simulated": bool(agent.card.get("simulated_marks")),
    }

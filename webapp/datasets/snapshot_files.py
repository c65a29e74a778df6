"""The folder of a snapshot: tables, logs, marks for training, schema, datasheet, checksums. Not for reading
one (snapshot_reading.py), nor for rows (snapshots.py).

    manifest.json           format, game, counts, and {path: {"sha256", "bytes"}} of every other file
    README.md               datasheet
    schema.json             JSON schema of the tables
    tables/<name>.parquet   see tables.py
    episodes/<id>.jsonl     episode logs, with pseudonyms for people
    marks.jsonl             {"id", "episode", "seat", "tick", "sign", "annotator", "simulated", "free",
    "context"}, what trainings read
    reviews.jsonl           {"episode", "annotator", "simulated", "seats"}: who looked at which seats to the
    end, so that what they didn't mark says something, too

The snapshot's sha256 is that of manifest.json. A folder appears whole (written beside, then renamed) or not
at all.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from datetime import datetime
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
from django.db import connection, transaction

from engine.agents.files import sha256_of
from engine.games.people import Source
from engine.simulation.log import EpisodeLog, LogError, encode_line, words_by_step
from engine.simulation.told import Span
from webapp.agents.models import Agent
from webapp.datasets import selection, tables
from webapp.datasets.datasheet import datasheet
from webapp.datasets.selection import Filters
from webapp.datasets.snapshot_reading import MANIFEST, BadSnapshot
from webapp.play.models import Rating
from webapp.replays.counting import is_free
from webapp.replays.models import Episode
from webapp.replays.origins import SOURCE, sources
from webapp.replays.verify import whole_log

AT_ONCE = 100  # episodes that are read together with their marks
ROW_GROUP = 20_000  # rows of a table that wait in memory


def write(filters: Filters, folder: Path, tell: Callable[[int, int], None]) -> dict[str, Any]:
    """Freeze what `filters` find now into `folder`; returns its manifest with its "sha256".

    Equal data and equal filters make equal files, whenever and wherever: nothing in them names the snapshot
    or the moment, and every table has its order, by episode. Memory doesn't grow with the marks: episodes are
    read some at a time, with what belongs to them. `tell(done, total)` is called before each episode and may
    raise to stop. Episodes whose logs are damaged are left out and named: "left_out" {id: sentence}. Raises
    BadSnapshot if nothing is found.
    """
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "episodes").mkdir(parents=True)
    (part / "tables").mkdir()
    try:
        with Writing(filters, part) as writing, one_moment():
            writing.all(tell)
        manifest = writing.manifest()
        (part / "schema.json").write_text(json.dumps(tables.json_schema(), indent=2) + "\n")
        (part / "README.md").write_text(datasheet(manifest))
        for path in (*part.glob("*"), *(part / "tables").glob("*")):
            if path.is_file():
                writing.files[path.relative_to(part).as_posix()] = _listed(path)
        with (part / MANIFEST).open("w") as file:
            text = json.JSONEncoder(indent=2, sort_keys=True).iterencode({**manifest, "files": writing.files})
            file.writelines(text)
            file.write("\n")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return {**manifest, "files": writing.files, "sha256": sha256_of(folder / MANIFEST)}


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


class Writing:
    """The files of a snapshot while they are written, and what is counted on the way."""

    def __init__(self, filters: Filters, part: Path) -> None:
        self.filters, self.part = filters, part
        self.files: dict[str, dict[str, Any]] = {}
        self.left_out: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self.sources: set[Source] = set()
        self.raters: dict[str, dict[str, Any]] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.agents: dict[str, Agent] = {}
        self.waiting: dict[str, list[dict[str, Any]]] = {name: [] for name in tables.TABLES}

    def __enter__(self) -> Writing:
        self.open = ExitStack()
        self.marks, self.reviews = (
            self.open.enter_context((self.part / name).open("w")) for name in ("marks.jsonl", "reviews.jsonl")
        )
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

    def add(self, name: str, rows: list[dict[str, Any]]) -> None:
        self.waiting[name] += rows
        if len(self.waiting[name]) >= ROW_GROUP:
            self._put(name)

    def _put(self, name: str) -> None:
        self.writers[name].write_table(tables.table(name, self.waiting[name]))
        self.waiting[name] = []

    def all(self, tell: Callable[[int, int], None]) -> None:
        """Everything but the manifest and what it lists beside tables."""
        found = selection.episodes(self.filters)
        total = found.count()
        each = found.prefetch_related("agents", "players").iterator(chunk_size=AT_ONCE)
        while batch := list(islice(each, AT_ONCE)):
            spans: dict[uuid.UUID, list[Span]] = {}
            for done, episode in enumerate(batch, self.counts["seen"] + 1):
                tell(done, total)
                try:
                    log, spans[episode.pk] = whole_log(episode)
                except LogError as error:
                    self.left_out[str(episode.pk)] = str(error)
                else:
                    self._episode(episode, log, spans[episode.pk])
            self.counts["seen"] += len(batch)
            self._of_episodes([episode for episode in batch if episode.pk in spans], spans)
        if not total:
            raise BadSnapshot("No finished episode passes the filters, so there is nothing to learn from.")
        if not self.counts["episodes"]:
            raise BadSnapshot(f"No episode can be read: {next(iter(self.left_out.values()))}")
        self.add("raters", [self.raters[name] for name in sorted(self.raters)])
        self.add("players", [self.players[name] for name in sorted(self.players)])
        self.add("agents", [_agent(self.agents[ref]) for ref in sorted(self.agents)])
        for name in self.waiting:
            self._put(name)

    def _episode(self, episode: Episode, log: EpisodeLog, spans: list[Span]) -> None:
        simulated = episode.source == "simulated"
        header = pseudonymous(log, episode.seats)
        lines = [encode_line(header), *(encode_line(nameless(record)) for record in log.records)]
        name, data = f"episodes/{episode.pk}.jsonl", "".join(lines).encode()
        (self.part / name).write_bytes(data)
        self.files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        self.add("episodes", [_episode(episode, header, name, simulated)])
        moved_by = {tick: words for tick, words, _ in words_by_step(log)}
        for record in log.records:
            if record["type"] == "step":
                self.add("steps", _steps(episode, record, moved_by[record["tick"]], simulated))
            elif record["type"] == "instruction":
                self.add("instructions", [_instruction(episode, record, simulated)])
        self.add("in_force", [_span(episode, span, simulated) for span in spans])
        self.counts["episodes"] += 1
        self.counts["steps"] += episode.ticks
        self.counts["simulated_episodes"] += simulated
        self.counts["people_episodes"] += episode.source == SOURCE
        self.sources.update(sources([episode.origin]))
        for user in episode.players.all():
            self.players[user.pseudonym] = {"pseudonym": user.pseudonym, "simulated": user.is_simulated}
        self.agents |= {agent.ref: agent for agent in episode.agents.all()}

    def _of_episodes(self, episodes: list[Episode], spans: dict[uuid.UUID, list[Span]]) -> None:
        """Ratings, marks and reviews of some episodes."""
        self.add("ratings", _ratings(episodes))
        marks = marks_of(self.filters, episodes)
        self.add("marks", [_mark(mark, spans[mark.episode]) for mark in marks])
        self.marks.writelines(map(_line, marks))
        for mark in marks:
            self.counts["marks"] += 1
            self.counts["progress" if mark.said["sign"] > 0 else "regression"] += 1
            self.counts["simulated_marks"] += mark.simulated
            self.counts["free_marks"] += mark.free
        for name, group in groupby(sorted(marks, key=attrgetter("rater")), key=attrgetter("rater")):
            own = list(group)
            row = {"pseudonym": name, "marks": 0, "episodes": 0, "simulated": own[0].simulated}
            rater = self.raters.setdefault(name, row)
            rater["marks"] += len(own)
            rater["episodes"] += len({mark.episode for mark in own})
        marked = [(mark.episode, mark.rater, mark.simulated, mark.said["seat"]) for mark in marks]
        for review in selection.reviews(self.filters, episodes, marked):
            self.reviews.write(json.dumps(asdict(review), sort_keys=True) + "\n")

    def manifest(self) -> dict[str, Any]:
        """The manifest without its files."""
        names = ("episodes", "steps", "marks", "progress", "regression")
        more = ("simulated_episodes", "simulated_marks", "free_marks", "people_episodes")
        counts = {name: self.counts[name] for name in names} | {"raters": len(self.raters)}
        counts |= {name: self.counts[name] for name in more}
        named = {"left_out": self.left_out} if self.left_out else {}
        return {
            "format": tables.FORMAT,
            "game": self.filters.game,
            "filters": self.filters.to_json(),
            "counts": counts | {name: len(value) for name, value in named.items()},
            "has_simulated": bool(counts["simulated_episodes"] or counts["simulated_marks"]),
            # What has to be told of people's games wherever they go.
            "sources": [asdict(one) for one in sorted(self.sources, key=attrgetter("title"))],
            **named,
        }


class FrozenMark(NamedTuple):
    """A mark as it counts (see webapp.replays.counting); one is made in a fraction of a model's time."""

    id: uuid.UUID
    episode: uuid.UUID
    rater: str
    simulated: bool
    created_at: datetime
    free: bool  # a person made it, on an episode that nobody handed to them
    said: dict[str, Any]


def marks_of(filters: Filters, episodes: list[Episode]) -> list[FrozenMark]:
    """The chosen marks on some episodes, in their order."""
    place = {episode.pk: number for number, episode in enumerate(episodes)}
    rows = selection.marks(filters).filter(episode__in=list(place)).order_by()
    found = [
        FrozenMark(*row[:5], is_free(row[5], row[3]), row[5] or dict(zip(SAID, row[6:], strict=True)))
        for row in rows.values_list(*WHO, "submitted", *SAID)
    ]
    return sorted(found, key=lambda mark: (place[mark.episode], mark.id))


WHO = ("pk", "episode_id", "annotator__pseudonym", "annotator__is_simulated", "created_at")
SAID = ("seat", "tick", "sign", "revision", "context", "made_at")


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


def _episode(episode: Episode, header: dict, log: str, simulated: bool) -> dict[str, Any]:
    return {
        "id": str(episode.pk),
        "game": episode.game,
        "rules_version": str(episode.rules_version),
        "options": json.dumps(episode.options, sort_keys=True),
        "seed": int(header["seed"]),
        "seats": json.dumps(header["seats"], sort_keys=True),
        "source": episode.source,
        "origin": json.dumps(episode.origin, sort_keys=True),
        "simulated": simulated,
        "ticks": episode.ticks,
        "ticks_per_second": header.get("ticks_per_second"),
        "score": episode.score,
        "digest": episode.digest,
        "instruction": episode.instruction,
        "started_at": episode.started_at,
        "finished_at": episode.finished_at,
        "log": log,
    }


def _steps(episode: Episode, record: dict, by: list[str], simulated: bool) -> list[dict[str, Any]]:
    return [
        {
            "episode": str(episode.pk),
            "tick": record["tick"],
            "seat": seat,
            "action": action if isinstance(action, list) else [action],
            "by": by[seat],
            "simulated": simulated,
        }
        for seat, action in enumerate(record["actions"])
    ]


def _instruction(episode: Episode, record: dict, simulated: bool) -> dict[str, Any]:
    return {
        "episode": str(episode.pk),
        "id": str(record.get("id") or ""),
        "tick": record["tick"],
        "seat": record["seat"],
        "target_seat": record.get("target_seat"),
        "status": record.get("status", ""),
        "text": record.get("text", ""),
        "reading": json.dumps(record.get("reading"), sort_keys=True),
        "simulated": simulated,
    }


def _span(episode: Episode, span: Span, simulated: bool) -> dict[str, Any]:
    return {
        "episode": str(episode.pk),
        "instruction": span.id,
        **{name: getattr(span, name) for name in ("seat", "speaker", "start", "end", "why", "by")},
        "simulated": simulated,
    }


def _ratings(episodes: list[Episode]) -> list[dict[str, Any]]:
    """What their players said of their partners; remarks in words stay here."""
    copied = ("seat", "partner_seat", "partner", "followed", "created_at")
    found = Rating.objects.filter(episode__in=[episode.pk for episode in episodes]).select_related("user")
    rows = [
        {
            "episode": str(one.episode_id),
            "player": one.user.pseudonym,
            **{name: getattr(one, name) for name in copied},
            "instructions": json.dumps(one.instructions),
            "simulated": one.user.is_simulated,
        }
        for one in found.exclude(partner=None, followed=None)
    ]
    return sorted(rows, key=lambda row: (row["episode"], row["seat"], row["partner_seat"]))


def _mark(mark: FrozenMark, spans: list[Span]) -> dict[str, Any]:
    said, made_at = mark.said, mark.said["made_at"]
    asked = [one.id for one in spans if one.seat == said["seat"] and one.holds(said["tick"] - 1)]
    return {
        "id": str(mark.id),
        "episode": str(mark.episode),
        "rater": mark.rater,
        **{name: said[name] for name in ("seat", "tick", "sign", "revision")},
        "instruction": asked[-1] if asked else "",
        "context": json.dumps(said["context"], sort_keys=True),
        "made_at": datetime.fromisoformat(made_at) if isinstance(made_at, str) else made_at,
        "created_at": mark.created_at,
        "simulated": mark.simulated,
        "free": mark.free,
    }


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "ref": agent.ref,
        "name": agent.name,
        "kind": agent.kind,
        "sha256": agent.sha256,
        "card": json.dumps(agent.card, sort_keys=True),
        "simulated": bool(agent.card.get("simulated_marks")),
    }


def _line(mark: FrozenMark) -> str:
    """The mark's line for trainings."""
    row = {
        "id": str(mark.id),
        "episode": str(mark.episode),
        **{name: mark.said[name] for name in ("seat", "tick", "sign")},
        "annotator": mark.rater,
        "simulated": mark.simulated,
        "free": mark.free,
        "context": mark.said["context"],
    }
    return json.dumps(row, sort_keys=True) + "\n"

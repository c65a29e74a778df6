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

import gc
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from django.db import connection, transaction
from django.db.models import TextField
from django.db.models.functions import Cast

from engine.agents.files import sha256_of
from engine.games.people import Source
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, encode_line, words_by_step
from engine.simulation.told import Span
from webapp.agents.models import Agent
from webapp.annotation.counting import is_free
from webapp.datasets import selection, tables
from webapp.datasets.datasheet import datasheet
from webapp.datasets.selection import Filters
from webapp.datasets.snapshot_reading import MANIFEST
from webapp.datasets.tables import Columns
from webapp.episodes.models import Episode
from webapp.episodes.origins import SOURCE, sources
from webapp.episodes.verify import whole_log
from webapp.matches.models import Rating

AT_ONCE = 100  # episodes that are read together with their marks
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
    (part / "episodes").mkdir(parents=True)
    (part / "tables").mkdir()
    gc.freeze()  # what is here stays: it need not be looked through again and again
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
    finally:
        gc.unfreeze()
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
        self.agents: dict[str, dict[str, Any]] = {}
        self.waiting: dict[str, Columns] = {name: tables.columns(name) for name in tables.TABLES}

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

    def add(self, name: str, more: Columns) -> None:
        """Rows of a table, as its columns."""
        waiting = self.waiting[name]
        for column, values in waiting.items():
            values += more[column]
        if len(next(iter(waiting.values()))) >= ROW_GROUP:
            self._put(name)

    def _put(self, name: str) -> None:
        self.writers[name].write_table(tables.table(name, self.waiting[name]))
        self.waiting[name] = tables.columns(name)

    def all(self, tell: Callable[[int, int], None]) -> None:
        """Everything but the manifest and what it lists beside tables."""
        found = selection.episodes(self.filters)
        total = found.count()
        each = found.prefetch_related("agents", "players").iterator(chunk_size=AT_ONCE)
        while batch := list(islice(each, AT_ONCE)):
            spans: dict[str, list[Span]] = {}
            for done, episode in enumerate(batch, self.counts["seen"] + 1):
                tell(done, total)
                try:
                    spans[str(episode.pk)] = self._episode(episode)
                except Refusal as error:
                    self.left_out[str(episode.pk)] = str(error)
            self.counts["seen"] += len(batch)
            self._of_episodes([episode for episode in batch if str(episode.pk) in spans], spans)
        if not total:
            raise Refusal("No finished episode passes the filters, so there is nothing to learn from.")
        if not self.counts["episodes"]:
            raise Refusal(f"No episode can be read: {next(iter(self.left_out.values()))}")
        for name, rows in (("raters", self.raters), ("players", self.players), ("agents", self.agents)):
            self.add(name, tables.columns(name, [rows[one] for one in sorted(rows)]))
        for name in self.waiting:
            self._put(name)

    def _episode(self, episode: Episode) -> list[Span]:
        """What there is of an episode but for opinions of it; when which instruction was in force in it.
        Raises Refusal for a damaged log, and has then added nothing.
        """
        log, spans = whole_log(episode)
        pk, simulated = str(episode.pk), episode.source == "simulated"
        steps = _steps(pk, log, simulated)
        header = pseudonymous(log, episode.seats)
        name, data = f"episodes/{pk}.jsonl", lines_of(log, header)
        (self.part / name).write_bytes(data)
        self.files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        self.add("episodes", tables.columns("episodes", [_episode(episode, header, name, simulated)]))
        self.add("steps", steps)
        if said := log.instructions:
            rows = [_instruction(pk, record, simulated) for record in said]
            self.add("instructions", tables.columns("instructions", rows))
        if spans:
            self.add("in_force", tables.columns("in_force", [_span(pk, one, simulated) for one in spans]))
        self.counts["episodes"] += 1
        self.counts["steps"] += episode.ticks
        self.counts["simulated_episodes"] += simulated
        self.counts["people_episodes"] += episode.source == SOURCE
        if episode.origin:
            self.sources.update(sources([episode.origin]))
        for user in episode.players.all():
            self.players[user.pseudonym] = {"pseudonym": user.pseudonym, "simulated": user.is_simulated}
        for agent in episode.agents.all():
            if agent.ref not in self.agents:
                self.agents[agent.ref] = _agent(agent)
        return spans

    def _of_episodes(self, episodes: list[Episode], spans: dict[str, list[Span]]) -> None:
        """Ratings, marks and reviews of some episodes."""
        self.add("ratings", tables.columns("ratings", _ratings(episodes)))
        marks = marks_of(self.filters, episodes, spans)
        self.add("marks", marks)
        self.marks.writelines(_lines(marks))
        up = marks["sign"].count(1)
        self.counts["marks"] += len(marks["sign"])
        self.counts["progress"] += up
        self.counts["regression"] += len(marks["sign"]) - up
        for name in ("simulated", "free"):
            self.counts[f"{name}_marks"] += sum(marks[name])
        made = Counter(zip(marks["rater"], marks["simulated"], marks["episode"], strict=True))
        for (name, simulated, _), count in made.items():
            row = {"pseudonym": name, "marks": 0, "episodes": 0, "simulated": simulated}
            rater = self.raters.setdefault(name, row)
            rater["marks"] += count
            rater["episodes"] += 1
        marked = set(zip(*(marks[name] for name in ("episode", "rater", "simulated", "seat")), strict=True))
        known = {str(episode.pk): episode.pk for episode in episodes}
        looked = ((known[episode], *rest) for episode, *rest in marked)
        for review in selection.reviews(self.filters, episodes, looked):
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


# What is read of marks as text: objects that Django made of it would be put into text again at once.
TEXTS = {
    f"{name}_text": Cast(name, TextField())
    for name in ("pk", "episode", "submitted", "context", "made_at", "created_at")
}
PLAIN = ("seat", "tick", "sign", "revision", "annotator__pseudonym", "annotator__is_simulated")
_sorted_json = json.JSONEncoder(sort_keys=True).encode


def marks_of(filters: Filters, episodes: list[Episode], spans: dict[str, list[Span]]) -> Columns:
    """The chosen marks on some episodes as they count (see webapp.annotation.counting), in their order."""
    # Databases write ids with dashes or without.
    ids = {name: str(episode.pk) for episode in episodes for name in (str(episode.pk), episode.pk.hex)}
    place = {name: number for number, name in enumerate(ids)}
    chosen = selection.marks(filters).filter(episode__in=[episode.pk for episode in episodes]).order_by()
    found = list(chosen.annotate(**TEXTS).values_list(*TEXTS, *PLAIN))
    found.sort(key=lambda row: (place[row[1]], row[0]))
    stood = json.loads(f"[{','.join(row[2] or 'null' for row in found)}]")
    rows = []
    for row, submitted in zip(found, stood, strict=True):
        pk, episode, _, context, made_at, created_at, *now, rater, simulated = row
        if submitted is None:
            seat, tick, sign, revision = now
            context = json.loads(context)
        else:
            seat, tick, sign, revision, context, made_at = _said(submitted)
        episode = ids[episode]
        asked = [one.id for one in spans[episode] if one.seat == seat and one.holds(tick - 1)]
        rows.append(
            (
                *(pk if "-" in pk else f"{pk[:8]}-{pk[8:12]}-{pk[12:16]}-{pk[16:20]}-{pk[20:]}", episode),
                *(rater, seat, tick, sign, revision, asked[-1] if asked else "", _sorted_json(context)),
                *(made_at and datetime.fromisoformat(made_at), datetime.fromisoformat(created_at)),
                *(simulated, is_free(submitted, simulated)),
            )
        )
    marks = tables.columns("marks")
    return dict(zip(marks, map(list, zip(*rows, strict=True)), strict=True)) if rows else marks


_said = itemgetter("seat", "tick", "sign", "revision", "context", "made_at")


def _lines(marks: Columns) -> Iterator[str]:
    """Marks for trainings, each with what stands in their table, by name."""
    names = ("rater", "context", "episode", "free", "id", "seat", "sign", "simulated", "tick")
    said = {True: "true", False: "false"}
    for rater, context, episode, free, pk, seat, sign, simulated, tick in zip(
        *(marks[name] for name in names), strict=True
    ):
        yield (
            f'{{"annotator": {json.dumps(rater)}, "context": {context}, "episode": "{episode}", '
            f'"free": {said[free]}, "id": "{pk}", "seat": {seat}, "sign": {sign}, '
            f'"simulated": {said[simulated]}, "tick": {tick}}}\n'
        )


def lines_of(log: EpisodeLog, header: dict[str, Any]) -> bytes:
    """The log as it leaves, with this header; lines in which nothing changes are copied as they are."""
    first = encode_line(header).encode()
    if log.written is not None and not any(record["type"] == "control" for record in log.records):
        return first + log.written.partition(b"\n")[2]
    return first + "".join(encode_line(nameless(record)) for record in log.records).encode()


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


def _steps(episode: str, log: EpisodeLog, simulated: bool) -> Columns:
    """Each seat's action at each tick. Raises Refusal."""
    found = tables.columns("steps")
    for (tick, by, _), actions in zip(words_by_step(log), log.steps, strict=True):
        if not isinstance(actions, list) or len(by) != len(actions):
            raise Refusal(f"The step of tick {tick} isn't one action a seat.")
        found["tick"] += [tick] * len(actions)
        found["seat"] += range(len(actions))
        found["action"] += [one if isinstance(one, list) else [one] for one in actions]
        found["by"] += by
    rows = len(found["tick"])
    return found | {"episode": [episode] * rows, "simulated": [simulated] * rows}


def _instruction(episode: str, record: dict, simulated: bool) -> dict[str, Any]:
    return {
        "episode": episode,
        "id": str(record.get("id") or ""),
        "tick": record["tick"],
        "seat": record["seat"],
        "target_seat": record.get("target_seat"),
        "status": record.get("status", ""),
        "text": record.get("text", ""),
        "reading": json.dumps(record.get("reading"), sort_keys=True),
        "simulated": simulated,
    }


def _span(episode: str, span: Span, simulated: bool) -> dict[str, Any]:
    return {
        "episode": episode,
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


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "ref": agent.ref,
        "name": agent.name,
        "kind": agent.kind,
        "sha256": agent.sha256,
        "card": json.dumps(agent.card, sort_keys=True),
        "simulated": bool(agent.card.get("simulated_marks")),
    }

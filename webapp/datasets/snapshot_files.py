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

import json
import shutil
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from engine.agents.files import sha256_of
from engine.simulation.log import EpisodeLog, LogError, encode_line, words_by_step
from engine.simulation.told import Span
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.datasets import selection, tables
from webapp.datasets.datasheet import datasheet
from webapp.datasets.selection import Filters, Review
from webapp.datasets.snapshot_reading import MANIFEST, BadSnapshot
from webapp.play.models import Rating
from webapp.replays.counting import is_free, stood
from webapp.replays.models import Episode, Mark
from webapp.replays.origins import SOURCE, sources
from webapp.replays.verify import whole_log


def write(filters: Filters, folder: Path, tell: Callable[[int, int], None]) -> dict[str, Any]:
    """Freeze what `filters` find now into `folder`; returns its manifest with its "sha256".

    Equal data and equal filters make equal files, whenever and wherever: nothing in them names the snapshot
    or the moment, and every table has its order. `tell(done, total)` is called after each episode and may
    raise to stop. Episodes whose logs are damaged are left out and named: "left_out" {id: sentence}. Raises
    BadSnapshot if nothing is found.
    """
    episodes = list(selection.episodes(filters).prefetch_related("agents", "players"))
    ids = {episode.pk for episode in episodes}
    # One query: the marks are those of one moment.
    marks = [
        m for m in selection.marks(filters).select_related("annotator").order_by("pk") if m.episode_id in ids
    ]
    if not episodes:
        raise BadSnapshot("No finished episode passes the filters, so there is nothing to learn from.")
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "episodes").mkdir(parents=True)
    (part / "tables").mkdir()
    try:
        left_out: dict[str, str] = {}
        rows = _rows(episodes, marks, part, tell, left_out)
        episodes = [one for one in episodes if str(one.pk) not in left_out]
        marks = [one for one in marks if str(one.episode_id) not in left_out]
        if not episodes:
            raise BadSnapshot(f"No episode can be read: {next(iter(left_out.values()))}")
        for name, found in rows.items():
            pq.write_table(tables.table(name, found), part / "tables" / f"{name}.parquet", compression="zstd")
        _write_marks(marks, part / "marks.jsonl")
        _write_reviews(selection.reviews(filters, episodes, marks), part / "reviews.jsonl")
        manifest = _manifest(filters, rows)
        if left_out:
            manifest["left_out"] = left_out
            manifest["counts"]["left_out"] = len(left_out)
        (part / "schema.json").write_text(json.dumps(tables.json_schema(), indent=2) + "\n")
        (part / "README.md").write_text(datasheet(manifest))
        manifest["files"] = {
            path.relative_to(part).as_posix(): {"sha256": sha256_of(path), "bytes": path.stat().st_size}
            for path in sorted(part.rglob("*"))
            if path.is_file()
        }
        (part / MANIFEST).write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return {**manifest, "sha256": sha256_of(folder / MANIFEST)}


def _rows(
    episodes: list[Episode],
    marks: list[Mark],
    part: Path,
    tell: Callable[[int, int], None],
    left_out: dict[str, str],
) -> dict[str, list[dict[str, Any]]]:
    """Rows of every table; writes the logs on the way, and says in `left_out` which can't be read."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in tables.TABLES}
    spans: dict[uuid.UUID, list[Span]] = {}
    for done, episode in enumerate(episodes, 1):
        tell(done, len(episodes))
        simulated = episode.source == "simulated"
        try:
            log, spans[episode.pk] = whole_log(episode)
        except LogError as error:
            left_out[str(episode.pk)] = str(error)
            continue
        header = pseudonymous(log, episode.seats)
        lines = [encode_line(header), *(encode_line(nameless(record)) for record in log.records)]
        name = f"episodes/{episode.pk}.jsonl"
        (part / name).write_text("".join(lines))
        rows["episodes"].append(_episode(episode, header, name, simulated))
        moved_by = {tick: words for tick, words, _ in words_by_step(log)}
        for record in log.records:
            if record["type"] == "step":
                rows["steps"] += _steps(episode, record, moved_by[record["tick"]], simulated)
            elif record["type"] == "instruction":
                rows["instructions"].append(_instruction(episode, record, simulated))
        rows["in_force"] += [_span(episode, span, simulated) for span in spans[episode.pk]]
    episodes = [one for one in episodes if one.pk in spans]
    marks = [one for one in marks if one.episode_id in spans]
    rows["ratings"] = _ratings(episodes)
    rows["marks"] = [_mark(mark, spans[mark.episode_id]) for mark in marks]
    rows["raters"] = _raters(marks)
    people = {user.pk: user for episode in episodes for user in episode.players.all()}
    rows["players"] = [{"pseudonym": u.pseudonym, "simulated": u.is_simulated} for u in people.values()]
    rows["agents"] = _agents({agent.pk: agent for episode in episodes for agent in episode.agents.all()})
    # Databases give sets in any order.
    for name, key in (("raters", "pseudonym"), ("players", "pseudonym"), ("agents", "ref")):
        rows[name].sort(key=lambda row: row[key])
    return rows


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


def _mark(mark: Mark, spans: list[Span]) -> dict[str, Any]:
    said = stood(mark)
    asked = [one.id for one in spans if one.seat == said["seat"] and one.holds(said["tick"] - 1)]
    return {
        "id": str(mark.pk),
        "episode": str(mark.episode_id),
        "rater": mark.annotator.pseudonym,
        **{name: said[name] for name in ("seat", "tick", "sign", "revision")},
        "instruction": asked[-1] if asked else "",
        "context": json.dumps(said["context"], sort_keys=True),
        "made_at": datetime.fromisoformat(said["made_at"]) if said["made_at"] else None,
        "created_at": mark.created_at,
        "simulated": mark.annotator.is_simulated,
        "free": is_free(mark),
    }


def _raters(marks: list[Mark]) -> list[dict[str, Any]]:
    count = Counter(mark.annotator_id for mark in marks)
    seen = Counter(annotator for annotator, _ in {(mark.annotator_id, mark.episode_id) for mark in marks})
    people: dict[int, User] = {mark.annotator_id: mark.annotator for mark in marks}
    return [
        {"pseudonym": u.pseudonym, "marks": count[pk], "episodes": seen[pk], "simulated": u.is_simulated}
        for pk, u in people.items()
    ]


def _agents(agents: dict[Any, Agent]) -> list[dict[str, Any]]:
    return [
        {
            "ref": agent.ref,
            "name": agent.name,
            "kind": agent.kind,
            "sha256": agent.sha256,
            "card": json.dumps(agent.card, sort_keys=True),
            "simulated": bool(agent.card.get("simulated_marks")),
        }
        for agent in agents.values()
    ]


def _write_marks(marks: list[Mark], path: Path) -> None:
    with path.open("w") as file:
        for mark in marks:
            said = stood(mark)
            row = {
                "id": str(mark.pk),
                "episode": str(mark.episode_id),
                **{name: said[name] for name in ("seat", "tick", "sign")},
                "annotator": mark.annotator.pseudonym,
                "simulated": mark.annotator.is_simulated,
                "free": is_free(mark),
                "context": said["context"],
            }
            file.write(json.dumps(row, sort_keys=True) + "\n")


def _write_reviews(reviews: Iterable[Review], path: Path) -> None:
    with path.open("w") as file:
        for review in reviews:
            file.write(json.dumps(asdict(review), sort_keys=True) + "\n")


def _manifest(filters: Filters, rows: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    marks, episodes = rows["marks"], rows["episodes"]
    return {
        "format": tables.FORMAT,
        "game": filters.game,
        "filters": filters.to_json(),
        "counts": {
            "episodes": len(episodes),
            "steps": sum(row["ticks"] for row in episodes),
            "marks": len(marks),
            "progress": sum(row["sign"] > 0 for row in marks),
            "regression": sum(row["sign"] < 0 for row in marks),
            "raters": len(rows["raters"]),
            "simulated_episodes": sum(row["simulated"] for row in episodes),
            "simulated_marks": sum(row["simulated"] for row in marks),
            "free_marks": sum(row["free"] for row in marks),
            "people_episodes": sum(row["source"] == SOURCE for row in episodes),
        },
        "has_simulated": any(row["simulated"] for row in (*episodes, *marks)),
        # What has to be told of people's games wherever they go.
        "sources": [asdict(one) for one in sources(json.loads(row["origin"]) for row in episodes)],
    }

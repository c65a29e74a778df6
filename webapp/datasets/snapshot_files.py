"""The folder of a snapshot: tables, logs, marks for training, schema, datasheet, checksums. Not for rows
(snapshots.py).

    manifest.json           format, game, counts, and {path: {"sha256", "bytes"}} of every other file
    README.md               datasheet
    schema.json             JSON schema of the tables
    tables/<name>.parquet   see tables.py
    episodes/<id>.jsonl     episode logs, with pseudonyms for people
    marks.jsonl             {"id", "episode", "seat", "tick", "sign", "annotator", "simulated"}, what
    trainings read

The snapshot's sha256 is that of manifest.json. A folder appears whole (written beside, then renamed) or not
at all.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from engine.agents.files import sha256_of
from engine.simulation.log import EpisodeLog, encode_line
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.datasets import selection, tables
from webapp.datasets.datasheet import datasheet
from webapp.datasets.selection import Filters
from webapp.replays.controls import words_by_step
from webapp.replays.models import Episode, Mark
from webapp.replays.stores import log_store


class BadSnapshot(ValueError):
    """The folder can't be made or is not what its manifest says; the message is one sentence."""


def write(
    snapshot_id: str, filters: Filters, folder: Path, tell: Callable[[int, int], None]
) -> dict[str, Any]:
    """Freeze what `filters` find now into `folder`; returns its manifest with its "sha256".

    `tell(done, total)` is called after each episode and may raise to stop. Raises BadSnapshot if nothing is
    found.
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
        rows = _rows(episodes, marks, part, tell)
        for name, found in rows.items():
            pq.write_table(tables.table(name, found), part / "tables" / f"{name}.parquet", compression="zstd")
        _write_marks(marks, part / "marks.jsonl")
        manifest = _manifest(snapshot_id, filters, rows)
        (part / "schema.json").write_text(json.dumps(tables.json_schema(), indent=2) + "\n")
        (part / "README.md").write_text(datasheet(manifest))
        manifest["files"] = {
            path.relative_to(part).as_posix(): {"sha256": sha256_of(path), "bytes": path.stat().st_size}
            for path in sorted(part.rglob("*"))
            if path.is_file()
        }
        (part / "manifest.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return {**manifest, "sha256": sha256_of(folder / "manifest.json")}


def verify(folder: Path) -> dict[str, Any]:
    """The manifest with its "sha256", once every file in it is there with its checksum. Raises
    BadSnapshot."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise BadSnapshot("There is no manifest.json, so this is not a snapshot.")
    manifest = json.loads(path.read_text())
    if manifest.get("format") not in tables.READABLE:
        readable = " and ".join(str(number) for number in tables.READABLE)
        raise BadSnapshot(
            f"The snapshot has format {manifest.get('format')!r}; this version reads {readable}."
        )
    for name, said in manifest["files"].items():
        file = folder / name
        if not file.is_file() or file.stat().st_size != said["bytes"] or sha256_of(file) != said["sha256"]:
            raise BadSnapshot(f"{name} is missing or is not what the manifest says (its sha256 differs).")
    return {**manifest, "sha256": sha256_of(path)}


def read_table(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of one table; raises BadSnapshot when its columns are not those of this format."""
    found = pq.read_table(folder / "tables" / f"{name}.parquet")
    for index, column in enumerate(tables.arrow_schema(name)):
        if (name, column.name) in tables.ADDED and column.name not in found.column_names:
            found = found.add_column(index, column, pa.nulls(len(found), column.type))
    if not found.schema.equals(tables.arrow_schema(name)):
        raise BadSnapshot(f"The table {name} has other columns than format {tables.FORMAT} says.")
    return found.to_pylist()


def _rows(
    episodes: list[Episode], marks: list[Mark], part: Path, tell: Callable[[int, int], None]
) -> dict[str, list[dict[str, Any]]]:
    """Rows of every table; writes the logs on the way."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in tables.TABLES}
    store = log_store()
    for done, episode in enumerate(episodes, 1):
        simulated = episode.source == "simulated"
        log = store.read(episode.pk)
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
        tell(done, len(episodes))
    rows["marks"] = [_mark(mark) for mark in marks]
    rows["raters"] = _raters(marks)
    people = {user.pk: user for episode in episodes for user in episode.players.all()}
    rows["players"] = [{"pseudonym": u.pseudonym, "simulated": u.is_simulated} for u in people.values()]
    rows["agents"] = _agents({agent.pk: agent for episode in episodes for agent in episode.agents.all()})
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


def _mark(mark: Mark) -> dict[str, Any]:
    return {
        "id": str(mark.pk),
        "episode": str(mark.episode_id),
        "rater": mark.annotator.pseudonym,
        "seat": mark.seat,
        "tick": mark.tick,
        "sign": mark.sign,
        "revision": mark.revision,
        "instruction": str(mark.instruction_id or ""),
        "context": json.dumps(mark.context, sort_keys=True),
        "made_at": mark.made_at,
        "created_at": mark.created_at,
        "simulated": mark.annotator.is_simulated,
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
            row = {
                "id": str(mark.pk),
                "episode": str(mark.episode_id),
                "seat": mark.seat,
                "tick": mark.tick,
                "sign": mark.sign,
                "annotator": mark.annotator.pseudonym,
                "simulated": mark.annotator.is_simulated,
            }
            file.write(json.dumps(row) + "\n")


def _manifest(snapshot_id: str, filters: Filters, rows: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    marks, episodes = rows["marks"], rows["episodes"]
    return {
        "format": tables.FORMAT,
        "snapshot": snapshot_id,
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
        },
        "has_simulated": any(row["simulated"] for row in (*episodes, *marks)),
    }

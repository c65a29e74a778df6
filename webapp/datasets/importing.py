"""Taking a snapshot's zip into this instance: checked whole before anything is written.

People become inactive users that can't sign in, known by pseudonym alone. What is here already (the same
ids) is left as it is, so importing twice is importing once. Not for uploads by the public: an admin or a
shell does this.
"""

from __future__ import annotations

import json
import shutil
import stat
import uuid
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.db import transaction

from engine.simulation.log import EpisodeLog, read_lines, verify
from webapp.accounts.models import AuditEvent, User
from webapp.agents.models import Agent
from webapp.datasets import snapshot_files, snapshots
from webapp.datasets.snapshot_files import BadSnapshot
from webapp.replays.models import Episode, Mark
from webapp.replays.stores import log_store

CHUNK = 1 << 20
# A zip may name at most this many bytes; a snapshot of a million marks is far below.
MOST_BYTES = 50 << 30


def import_zip(path: Path, user: User | None = None) -> dict[str, Any]:
    """Import the zip at `path`; returns counts of what was new. Raises BadSnapshot and then has changed
    nothing."""
    part = Path(settings.SNAPSHOTS_DIR) / f".import-{uuid.uuid4()}"
    try:
        extract(path, part)
        manifest = snapshot_files.verify(part)
        logs = read_logs(part)
        folder = Path(settings.SNAPSHOTS_DIR) / str(uuid.UUID(manifest["snapshot"]))
        with transaction.atomic():
            counts = _rows(part, logs)
            if not folder.exists():
                part.rename(folder)
            snapshot = snapshots.register(folder.name, user)
            AuditEvent.objects.create(
                user=user, verb="dataset.import", detail={"sha256": snapshot.sha256, **counts}
            )
    except (zipfile.BadZipFile, json.JSONDecodeError, KeyError, ValueError) as error:
        if isinstance(error, BadSnapshot):
            raise
        raise BadSnapshot(f"{path.name} is not a readable snapshot: {error}.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return {"snapshot": str(snapshot.pk), **counts}


def extract(path: Path, folder: Path) -> None:
    """Unpack into a new `folder` what the manifest lists, and nothing else. Raises BadSnapshot."""
    with zipfile.ZipFile(path) as archive:
        infos = {info.filename: info for info in archive.infolist() if not info.is_dir()}
        for name, info in infos.items():
            if unsafe(name) or stat.S_ISLNK(info.external_attr >> 16):
                raise BadSnapshot(f"The zip holds {name!r}, which would be written outside of the snapshot.")
        if sum(info.file_size for info in infos.values()) > MOST_BYTES:
            raise BadSnapshot("The zip unpacks to more than 50 GiB; import it in parts.")
        if "manifest.json" not in infos:
            raise BadSnapshot("There is no manifest.json, so this is not a snapshot.")
        manifest = json.loads(archive.read("manifest.json"))
        files = manifest["files"]
        if strange := sorted(set(infos) - set(files) - {"manifest.json"}):
            raise BadSnapshot(f"The zip holds {strange[0]!r}, which the manifest doesn't list.")
        for name, said in files.items():
            if name not in infos or infos[name].file_size != said["bytes"]:
                raise BadSnapshot(f"{name} is missing or is not as long as the manifest says.")
        for name, info in infos.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(info) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, CHUNK)


def unsafe(name: str) -> bool:
    """Whether a path in a zip could leave the folder that it is unpacked into."""
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or "\0" in name


def read_logs(folder: Path) -> dict[str, EpisodeLog]:
    """The logs by episode id, each re-simulated to its recorded end. Raises BadSnapshot."""
    logs: dict[str, EpisodeLog] = {}
    for row in snapshot_files.read_table(folder, "episodes"):
        if unsafe(row["log"]):
            raise BadSnapshot(f"The episode {row['id']} names the log {row['log']!r}.")
        log = read_lines((folder / row["log"]).read_bytes())
        if log.header["episode"] != row["id"]:
            raise BadSnapshot(f"{row['log']} is the log of another episode.")
        if problems := verify(log):
            raise BadSnapshot(f"{row['log']} does not replay: {problems[0]}")
        logs[row["id"]] = log
    return logs


def _rows(folder: Path, logs: dict[str, EpisodeLog]) -> dict[str, int]:
    people = _people(folder)
    agents = _agents(folder)
    episodes = _episodes(folder, logs, people, agents)
    marks = _marks(folder, people)
    return {"episodes": episodes, "marks": marks, "people": len(people), "agents": len(agents)}


def _people(folder: Path) -> dict[str, User]:
    """Raters and players by pseudonym; those unknown here are made, inactive and without a password."""
    wanted = {
        r["pseudonym"]: r["simulated"]
        for t in ("players", "raters")
        for r in snapshot_files.read_table(folder, t)
    }
    known = {user.pseudonym: user for user in User.objects.filter(pseudonym__in=wanted)}
    for pseudonym, simulated in wanted.items():
        if pseudonym not in known:
            user = User(
                username=f"imported-{pseudonym}", pseudonym=pseudonym, is_simulated=simulated, is_active=False
            )
            user.set_unusable_password()
            user.save()
            known[pseudonym] = user
    return known


def _agents(folder: Path) -> dict[str, Agent]:
    """Agents by ref; one unknown here becomes a retired row, for its weights are not in a snapshot."""
    found: dict[str, Agent] = {}
    for row in snapshot_files.read_table(folder, "agents"):
        defaults = {
            "name": row["name"],
            "game": row["ref"].split("/")[0],
            "kind": row["kind"],
            "sha256": row["sha256"],
            "card": json.loads(row["card"]),
            "retired": True,
        }
        found[row["ref"]], _ = Agent.objects.get_or_create(ref=row["ref"], defaults=defaults)
    return found


def _episodes(
    folder: Path, logs: dict[str, EpisodeLog], people: dict[str, User], agents: dict[str, Agent]
) -> int:
    store = log_store()
    new = 0
    for row in snapshot_files.read_table(folder, "episodes"):
        if Episode.objects.filter(pk=row["id"]).exists():
            continue
        seats = json.loads(row["seats"])
        episode = Episode.objects.create(
            pk=row["id"],
            game=row["game"],
            rules_version=row["rules_version"],
            options=json.loads(row["options"]),
            seats=seats,
            status=Episode.FINISHED,
            ticks=row["ticks"],
            score=row["score"],
            digest=row["digest"],
            instruction=row["instruction"],
            source="simulated" if row["simulated"] else "import",
            started_at=row["started_at"],
            finished_at=row["finished_at"],
        )
        episode.players.set(
            [people[s["name"]] for s in seats if s.get("kind") == "person" and s["name"] in people]
        )
        episode.agents.set([agents[s["agent"]] for s in seats if s.get("agent") in agents])
        log = logs[row["id"]]
        if not store.exists(episode.pk):
            store.append(episode.pk, [log.header, *log.records])
        new += 1
    return new


def _marks(folder: Path, people: dict[str, User]) -> int:
    rows = snapshot_files.read_table(folder, "marks")
    here = {
        str(pk) for pk in Mark.objects.filter(pk__in=[row["id"] for row in rows]).values_list("pk", flat=True)
    }
    new = [
        Mark(
            pk=row["id"],
            episode_id=row["episode"],
            annotator=people[row["rater"]],
            seat=row["seat"],
            tick=row["tick"],
            sign=row["sign"],
            revision=row["revision"],
            context=json.loads(row["context"]),
            made_at=row["made_at"],
            created_at=row["created_at"],
        )
        for row in rows
        if row["id"] not in here
    ]
    Mark.objects.bulk_create(new, batch_size=500)
    return len(new)

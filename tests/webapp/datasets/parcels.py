"""Snapshots to send about: made, packed, forgotten, and packed otherwise than they should be."""

from __future__ import annotations

import json
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.annotation.models import Mark
from webapp.datasets import snapshot_files, snapshots
from webapp.datasets.models import Snapshot
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store

ID = "0b2f7c3e-0000-4000-8000-000000000001"
FILTERS = Filters(game="hanabi", simulated_episodes=True, simulated_marks=True)


def freeze(filters: Filters = FILTERS) -> Snapshot:
    folder = Path(settings.SNAPSHOTS_DIR) / ID
    shutil.rmtree(folder, ignore_errors=True)
    folder.with_name(f"{ID}.zip").unlink(missing_ok=True)
    snapshot_files.write(filters, folder, lambda done, total: None)
    return snapshots.register(ID, None)


def everything() -> dict:
    """What an instance knows about episodes and marks, people by pseudonym, in a form that can be
    compared."""
    store = log_store()
    return {
        "episodes": {
            str(e.pk): (e.game, e.options, e.ticks, e.score, e.digest, e.source, e.started_at)
            for e in Episode.objects.all()
        },
        "logs": {str(e.pk): store.read(e.pk).steps for e in Episode.objects.all()},
        "marks": {
            str(m.pk): (
                str(m.episode_id),
                m.annotator.pseudonym,
                m.seat,
                m.tick,
                m.sign,
                m.revision,
                m.context,
            )
            for m in Mark.objects.select_related("annotator")
        },
        "people": {
            (u.pseudonym, u.is_simulated)
            for u in User.objects.filter(marks__isnull=False) | User.objects.filter(episodes__isnull=False)
        },
    }


def forget_everything() -> None:
    """As if this were another, empty instance."""
    Snapshot.objects.all().delete()
    Mark.objects.all().delete()
    for episode in Episode.objects.all():
        log_store().delete(episode.pk)
    Episode.objects.all().delete()
    Agent.objects.all().delete()
    User.objects.all().delete()
    for folder in Path(settings.SNAPSHOTS_DIR).iterdir():
        shutil.rmtree(folder) if folder.is_dir() else folder.unlink()


def rewritten(archive: Path, change) -> Path:
    """A copy of the zip with `change(names to bytes)` applied."""
    with zipfile.ZipFile(archive) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    change(files)
    target = archive.with_name("changed.zip")
    with zipfile.ZipFile(target, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return target


def relisted(files: dict[str, bytes]) -> None:
    """Make the manifest say of every file what it is, as whoever forges one would."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {
        name: {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
        for name, data in files.items()
        if name != "manifest.json"
    }
    files["manifest.json"] = json.dumps(manifest).encode()

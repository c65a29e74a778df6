"""Snapshots as rows: registering what was written, exporting a folder as a zip. (The files:
snapshot_files.py.)"""

from __future__ import annotations

import os
import tempfile
import uuid
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import OuterRef, Subquery, UUIDField

from webapp.accounts.models import User
from webapp.datasets import snapshot_reading
from webapp.datasets.models import Snapshot, SnapshotMark
from webapp.replays.models import Episode, Mark

AT_ONCE = 500  # rows


def folder_of(snapshot: Snapshot) -> Path:
    return settings.SNAPSHOTS_DIR / snapshot.folder


def sample_of(snapshot: str) -> Subquery:
    """The id of an episode that shows what is in a snapshot, for rows of which `snapshot` names it."""
    inside = Snapshot.episodes.through.objects.filter(snapshot=OuterRef(snapshot))
    return Subquery(inside.order_by("pk").values("episode")[:1], output_field=UUIDField())


def registered(folder_name: str) -> dict[str, Any] | None:
    """The manifest of a snapshot that is here already, its row as its folder; None where it isn't."""
    known = Snapshot.objects.filter(pk=uuid.UUID(folder_name)).first()
    if known is None:
        return None
    try:
        manifest = snapshot_reading.verify(folder_of(known))
    except snapshot_reading.BadSnapshot:
        return None
    return manifest if manifest["sha256"] == known.sha256 else None


def register(folder_name: str, created_by: User | None) -> Snapshot:
    """Make the rows of a snapshot folder in SNAPSHOTS_DIR, whose name is the id; doing it twice is doing it
    once, and rows of another content are replaced. Raises BadSnapshot."""
    folder = settings.SNAPSHOTS_DIR / folder_name
    manifest = snapshot_reading.verify(folder)  # nobody who writes waits for that
    with transaction.atomic():
        return _register(folder, manifest, created_by)


def _register(folder: Path, manifest: dict[str, Any], created_by: User | None) -> Snapshot:
    said = {name: manifest[name] for name in ("game", "filters", "sha256", "counts", "has_simulated")}
    said["folder"] = folder.name
    snapshot, made = Snapshot.objects.get_or_create(
        pk=uuid.UUID(folder.name), defaults={**said, "created_by": created_by}
    )
    if not made:
        is_same = snapshot.sha256 == manifest["sha256"]
        if created_by and not snapshot.created_by:  # the program that froze it made the row
            said["created_by"] = created_by
        Snapshot.objects.filter(pk=snapshot.pk).update(**said)
        snapshot.refresh_from_db()
        if is_same:
            return snapshot
        snapshot.episodes.clear()
        snapshot.marks.all().delete()
    through = Snapshot.episodes.through
    for rows in _some(snapshot_reading.each_row(folder, "episodes")):
        here = Episode.objects.filter(pk__in=[row["id"] for row in rows]).values_list("pk", flat=True)
        through.objects.bulk_create([through(snapshot_id=snapshot.pk, episode_id=pk) for pk in here])
    for rows in _some(snapshot_reading.each_row(folder, "marks")):
        ids = {
            str(pk)
            for pk in Mark.objects.filter(pk__in=[row["id"] for row in rows]).values_list("pk", flat=True)
        }
        SnapshotMark.objects.bulk_create(
            [
                SnapshotMark(
                    snapshot=snapshot,
                    mark_id=row["id"],
                    **{name: row[name] for name in ("tick", "sign", "revision")},
                )
                for row in rows
                if row["id"] in ids
            ]
        )
    return snapshot


def _some(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """As many at a time as one query names."""
    while some := list(islice(rows, AT_ONCE)):
        yield some


def export(snapshot: Snapshot) -> Path:
    """The snapshot as one zip file beside its folder, made at the first export and kept."""
    folder = folder_of(snapshot)
    manifest = snapshot_reading.verify(folder)
    target = folder.with_name(f"{folder.name}.zip")
    if target.exists():
        return target
    handle, part = tempfile.mkstemp(dir=target.parent, suffix=".part")
    try:
        # Parquet is compressed already; logs and the rest are worth it.
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in (snapshot_reading.MANIFEST, *manifest["files"]):
                archive.write(folder / name, name)
        os.replace(part, target)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    return target


def summary(snapshot: Snapshot) -> dict[str, Any]:
    return {"snapshot": str(snapshot.pk), "sha256": snapshot.sha256, **snapshot.counts}

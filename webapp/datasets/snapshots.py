"""Snapshots as rows: registering what was written, exporting a folder as a zip. (The files:
snapshot_files.py.)"""

from __future__ import annotations

import json
import os
import tempfile
import time
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Case, Count, OuterRef, QuerySet, Subquery, Sum, UUIDField, When

from engine.games.people import Source
from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.annotation.access import told_of
from webapp.datasets import snapshot_reading
from webapp.datasets.models import Marked, Snapshot
from webapp.episodes.models import Episode
from webapp.episodes.origins import sources

AT_ONCE = 1000  # rows of a transaction
ABANDONED = 3600  # seconds without a byte
NO_ORIGIN = ("{}", None)  # of all but published games of people
T = TypeVar("T")


def folder_of(snapshot: Snapshot) -> Path:
    return settings.SNAPSHOTS_DIR / snapshot.folder


def sample_of(snapshot: str) -> Case:
    """The id of an episode that shows what is in a snapshot, for rows of which `snapshot` names it. In
    the order of rows all those of other snapshots may come first; ids are mixed.
    """
    inside = Snapshot.episodes.through.objects.filter(snapshot=OuterRef(snapshot)).order_by("episode")
    first = Subquery(inside.values("episode")[:1], output_field=UUIDField())
    return Case(When(**{f"{snapshot}__isnull": False}, then=first))


def frozen(folder_name: str) -> dict[str, Any] | None:
    """The manifest of a snapshot that lies here already, registered or not yet; None where it doesn't, or
    isn't what its row says.
    """
    try:
        manifest = snapshot_reading.verify(settings.SNAPSHOTS_DIR / folder_name)
    except Refusal:
        return None
    known = Snapshot.objects.filter(pk=uuid.UUID(folder_name)).first()
    return None if known and known.sha256 != manifest["sha256"] else manifest


def adopted(folder_name: str, created_by: User | None) -> Snapshot:
    """The snapshot that a program has registered, from now on of whoever asked for it. Raises Refusal."""
    snapshot = Snapshot.objects.filter(pk=uuid.UUID(folder_name)).first()
    if snapshot is None:
        raise Refusal("The snapshot isn't registered whole.")
    if created_by and not snapshot.created_by:
        Snapshot.objects.filter(pk=snapshot.pk).update(created_by=created_by)
        snapshot.created_by = created_by
    return snapshot


def register(
    folder_name: str,
    created_by: User | None,
    tell: Callable[[int, int], None] = lambda done, total: None,
    manifest: dict[str, Any] | None = None,
) -> Snapshot:
    """Make the rows of a snapshot folder in SNAPSHOTS_DIR, whose name is the id; doing it twice is doing it
    once, and rows of another content are replaced. Nobody who writes waits for it, so its rows come some at a
    time; until all are there, nothing offers it, and a second call goes on. `tell(done, total)` hears how
    many rows are there and may raise to stop. `manifest` is that of a folder which was verified a moment ago.
    Raises Refusal.
    """
    folder = settings.SNAPSHOTS_DIR / folder_name
    manifest = manifest or snapshot_reading.verify(folder)
    said = {name: manifest[name] for name in ("game", "filters", "sha256", "counts", "has_simulated")}
    snapshot, made = Snapshot.every.get_or_create(
        pk=uuid.UUID(folder_name),
        defaults={**said, "folder": folder.name, "created_by": created_by, "whole": False},
    )
    if not made and snapshot.sha256 != manifest["sha256"]:
        Snapshot.every.filter(pk=snapshot.pk).update(**said, folder=folder.name, whole=False)
        for rows in (Snapshot.episodes.through.objects, Marked.objects):
            _forget(rows.filter(snapshot=snapshot))
        _zip_of(snapshot).unlink(missing_ok=True)
        snapshot.refresh_from_db()
    if not snapshot.whole:
        told = _rows(snapshot, folder, tell)
        by_rater = _by_rater(Marked.objects.filter(snapshot=snapshot))
        Snapshot.every.filter(pk=snapshot.pk).update(whole=True, by_rater=by_rater, sources=told)
    return adopted(folder_name, created_by)


def _forget(rows: QuerySet) -> None:
    while some := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        rows.filter(pk__in=some).delete()


def _rows(snapshot: Snapshot, folder: Path, tell: Callable[[int, int], None]) -> list[dict[str, Any]]:
    """The rows that aren't there yet of episodes that are here, each some in a transaction; returns where the
    episodes come from.
    """
    counts = snapshot.counts
    done, total = 0, counts.get("episodes", 0) + counts.get("marks", 0)
    through = Snapshot.episodes.through
    found: set[Source] = set()
    for rows in batched(snapshot_reading.each_row(folder, "episodes", ["id", "origin"]), AT_ONCE):
        ids = Episode.objects.filter(pk__in=[row["id"] for row in rows]).order_by()
        known = set(ids.values_list("pk", flat=True))
        # Their order is that of the snapshot, in which its page shows them.
        there = [pk for row in rows if (pk := uuid.UUID(row["id"])) in known]
        through.objects.bulk_create(
            [through(snapshot_id=snapshot.pk, episode_id=pk) for pk in there], ignore_conflicts=True
        )
        found.update(sources(json.loads(row["origin"]) for row in rows if row["origin"] not in NO_ORIGIN))
        done += len(rows)
        tell(done, total)
    people: dict[str, int | None] = {}
    for some in _counted(folder):
        names = {name for _, name in some} - people.keys()
        found_people = dict(User.objects.filter(pseudonym__in=names).values_list("pseudonym", "pk"))
        people |= {name: found_people.get(name) for name in names}
        ids = {episode for episode, _ in some}
        here = {str(pk): pk for pk in Episode.objects.filter(pk__in=ids).values_list("pk", flat=True)}
        Marked.objects.bulk_create(
            (
                Marked(
                    snapshot_id=snapshot.pk, episode_id=here[episode], annotator_id=people[name], marks=marks
                )
                for (episode, name), marks in some.items()
                if episode in here and people[name]
            ),
            ignore_conflicts=True,
        )
        done += sum(some.values())
        tell(done, total)
    return said(found)


def _counted(folder: Path) -> Iterator[Counter[tuple[str, str]]]:
    """How many marks there are by episode and annotator, those of some episodes at a time: they stand
    together in their table.
    """
    waiting: Counter[tuple[str, str]] = Counter()
    for batch in snapshot_reading.batches(folder, "marks", ["episode", "annotator"]):
        each = list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        waiting.update(each)
        if len(waiting) >= AT_ONCE:
            last = each[-1][0]
            more = Counter({pair: waiting.pop(pair) for pair in list(waiting) if pair[0] == last})
            yield waiting
            waiting = more
    yield waiting


def said(found: Iterable[Source]) -> list[dict[str, Any]]:
    """Sources as they stand in rows."""
    return [asdict(one) for one in sorted(found, key=attrgetter("title"))]


def sources_of(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Where its episodes of people come from."""
    if snapshot.sources is None:
        origins = snapshot.episodes.exclude(origin={}).order_by().values_list("origin", flat=True)
        snapshot.sources = said(sources(origins))
        snapshot.save(update_fields=["sources"])
    return snapshot.sources


def episodes_of(snapshot: Snapshot) -> QuerySet:
    """Rows that each name one of its episodes, in the order of an index."""
    through = Snapshot.episodes.through
    return through.objects.filter(snapshot=snapshot).order_by("pk")


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Rows so many at a time."""
    rows = iter(rows)
    while some := list(islice(rows, size)):
        yield some


def raters(snapshot: Snapshot, viewer: User, unseen: set[uuid.UUID]) -> list[dict[str, Any]]:
    """Whose marks are in it, who has most first: {"pseudonym", "is_simulated", "count", "in_episodes"};
    without the episodes of whose marks the viewer may know nothing yet, which are `unseen` (of an annotator
    these are most: they need not be given).
    """
    rows = Marked.objects.filter(snapshot=snapshot)
    if viewer.is_annotator:  # who may know of few
        found = _by_rater(rows.filter(told_of(viewer, "episode")))
    else:
        if snapshot.by_rater is None:
            snapshot.by_rater = _by_rater(rows)
            snapshot.save(update_fields=["by_rater"])
        hidden = _by_rater(rows.filter(episode__in=unseen)) if unseen else {}
        found = {
            who: [n - less for n, less in zip(numbers, hidden.get(who, (0, 0)), strict=True)]
            for who, numbers in snapshot.by_rater.items()
        }
    people = User.objects.filter(pk__in=found).values("pk", "pseudonym", "is_simulated")
    told = [
        {**one, "count": found[str(one["pk"])][0], "in_episodes": found[str(one["pk"])][1]} for one in people
    ]
    return sorted((one for one in told if one["count"]), key=lambda one: (-one["count"], one["pseudonym"]))


def _by_rater(rows: QuerySet[Marked]) -> dict[str, list[int]]:
    counted = rows.order_by().values_list("annotator").annotate(Sum("marks"), Count("pk"))
    return {str(who): [marks, episodes] for who, marks, episodes in counted}


def marks_in(snapshot: Snapshot, episodes: Iterable[Episode]) -> dict[uuid.UUID, int]:
    """How many of its marks are on each of some episodes, where there are any."""
    rows = Marked.objects.filter(snapshot=snapshot, episode__in=[one.pk for one in episodes])
    return dict(rows.order_by().values_list("episode").annotate(Sum("marks")))


def packed(snapshot: Snapshot) -> Path | None:
    """The zip of a snapshot, if it was exported before."""
    target = _zip_of(snapshot)
    return target if target.is_file() else None


def _zip_of(snapshot: Snapshot) -> Path:
    folder = folder_of(snapshot)
    return folder.with_name(f"{folder.name}.zip")


def export(snapshot: Snapshot, tell: Callable[[int, int], None] = lambda done, total: None) -> Path:
    """The snapshot as one zip file beside its folder, made at the first export and kept. `tell(done, total)`
    hears how many files are packed and may raise to stop. Raises Refusal.
    """
    if known := packed(snapshot):
        return known
    folder, target = folder_of(snapshot), _zip_of(snapshot)
    sweep(target.parent)
    manifest = snapshot_reading.verify(folder)
    names = (snapshot_reading.MANIFEST, *manifest["files"])
    handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        # Parquet is compressed already; logs and the rest are worth it.
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for done, name in enumerate(names, 1):
                archive.write(folder / name, name)
                tell(done, len(names))
        os.replace(part, target)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    return target


def sweep(folder: Path) -> None:
    """Remove what packings that were killed have left: files that nobody has written to for a while."""
    for left in folder.glob(".*.zip.*.part"):
        with suppress(FileNotFoundError):  # done, or swept by somebody else
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()


def summary(snapshot: Snapshot) -> dict[str, Any]:
    return {"snapshot": str(snapshot.pk), "sha256": snapshot.sha256, **snapshot.counts}

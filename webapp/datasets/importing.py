"""Taking a snapshot's zip into this instance: checked whole before anything is written.

People become inactive users that can't sign in, known by pseudonym alone. What is here already (the same
ids) is left as it is, so importing twice is importing once. Not for uploads by the public: an admin or a
shell does this. What the files must look like is in snapshot_reading.py, what their rows must say in
arriving.py.
"""

from __future__ import annotations

import shutil
import uuid
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from engine.simulation.log import LogStore, read_lines
from webapp.accounts.absent import absent
from webapp.accounts.models import AuditEvent, User
from webapp.agents.models import Agent
from webapp.datasets import snapshot_reading, snapshots
from webapp.datasets.arriving import Arrival, checked
from webapp.datasets.models import Snapshot
from webapp.datasets.snapshot_reading import MANIFEST, BadSnapshot
from webapp.play.models import Rating
from webapp.replays import counting
from webapp.replays.models import Assignment, Episode, Mark
from webapp.replays.stores import log_store
from webapp.studies import first as studies
from webapp.studies.models import Study

CHUNK = 1 << 20
AT_ONCE = 1000  # ids that a query names; SQLite takes a quarter of a million at most
# A zip may name at most this many bytes; a snapshot of a million marks is far below.
MOST_BYTES = 50 << 30
MOST_MANIFEST = 256 << 20
PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
ENCRYPTED = 1  # in the flags of an entry


def import_zip(path: Path, user: User | None = None) -> dict[str, Any]:
    """Import the zip at `path`; returns counts of what was new. Raises BadSnapshot and then has changed
    nothing."""
    part = Path(settings.SNAPSHOTS_DIR) / f".import-{uuid.uuid4()}"
    try:
        extract(path, part)
        arrival = checked(part, snapshot_reading.verify(part))
        return _take(part, arrival, user)
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, NotImplementedError) as error:
        raise BadSnapshot(f"The file is not a readable zip: {str(error).rstrip('.')}.") from None
    except OSError as error:
        raise BadSnapshot(f"The zip can't be unpacked here: {error.strerror or error}.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _take(part: Path, arrival: Arrival, user: User | None) -> dict[str, Any]:
    """The rows, logs and folder of what was checked: all of it or nothing."""
    sha256, store = arrival.manifest["sha256"], log_store()
    known = Snapshot.objects.filter(sha256=sha256).first()
    # The id follows from the content, so that the same snapshot never stands here twice.
    folder = Path(settings.SNAPSHOTS_DIR) / (
        known.folder if known else str(uuid.uuid5(uuid.NAMESPACE_OID, sha256))
    )
    new_folder, logs = not folder.exists(), []
    try:
        with transaction.atomic():
            counts = _rows(part, arrival, store, logs)
            if new_folder:
                part.rename(folder)
            snapshot = known or snapshots.register(folder.name, user)
            AuditEvent.objects.create(user=user, verb="dataset.import", detail={"sha256": sha256, **counts})
    except BaseException as error:
        for episode in logs:
            store.delete(episode)
        if new_folder:
            shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, DataError | IntegrityError):
            raise BadSnapshot(f"The rows don't fit in with those that are here: {error}") from None
        raise
    return {"snapshot": str(snapshot.pk), **counts}


# --- Unpacking ---------------------------------------------------------------------------------------------


def extract(path: Path, folder: Path) -> None:
    """Unpack into a new `folder` what the manifest lists, and nothing else. Raises BadSnapshot."""
    with zipfile.ZipFile(path) as archive:
        infos: dict[str, zipfile.ZipInfo] = {}
        for info in archive.infolist():
            if info.filename in infos:
                raise BadSnapshot(f"The zip holds {info.filename[:100]!r} twice.")
            if not info.is_dir():
                infos[info.filename] = info
        for name, info in infos.items():
            if name != MANIFEST and not snapshot_reading.NAME.fullmatch(name):
                raise BadSnapshot(f"The zip holds {name[:100]!r}, which is no file of a snapshot.")
            if info.flag_bits & ENCRYPTED:
                raise BadSnapshot("The zip is encrypted; pack it without a password.")
            if info.compress_type not in PACKED:
                raise BadSnapshot(f"{name} is packed in a way that isn't read here; use deflate.")
        if MANIFEST not in infos:
            raise BadSnapshot("There is no manifest.json, so this is not a snapshot.")
        if infos[MANIFEST].file_size > MOST_MANIFEST:
            raise BadSnapshot(f"The manifest has more than {MOST_MANIFEST >> 20} MiB.")
        files = snapshot_reading.manifest_of(archive.read(MANIFEST))["files"]
        if strange := sorted(set(infos) - set(files) - {MANIFEST}):
            raise BadSnapshot(f"The zip holds {strange[0]!r}, which the manifest doesn't list.")
        for name, said in files.items():
            if name not in infos or infos[name].file_size != said["bytes"]:
                raise BadSnapshot(f"{name} is missing or is not as long as the manifest says.")
        folder.mkdir()
        size, free = sum(info.file_size for info in infos.values()), shutil.disk_usage(folder).free
        if size > min(MOST_BYTES, free):
            most = (
                f"{MOST_BYTES >> 30} GiB, which is more than is taken"
                if size > MOST_BYTES
                else "more than is free"
            )
            raise BadSnapshot(f"The zip unpacks to {most}; import it in parts.")
        for name, info in infos.items():
            target = folder / name
            target.parent.mkdir(exist_ok=True)
            with archive.open(info) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, CHUNK)


# --- Rows --------------------------------------------------------------------------------------------------


def _rows(part: Path, arrival: Arrival, store: LogStore, logs: list[str]) -> dict[str, int]:
    """The new rows; the logs that are written are noted in `logs`."""
    people = _people(arrival)
    agents = _agents(arrival)
    episodes = _episodes(part, arrival, people, agents, store, logs)
    marks = _marks(arrival, people)
    _ratings(arrival, people)
    _reviews(arrival, people)
    return {"episodes": episodes, "marks": marks, "people": len(people), "agents": len(agents)}


def _people(arrival: Arrival) -> dict[str, User]:
    """Raters and players by pseudonym."""
    return {name: absent(name, simulated) for name, simulated in arrival.people.items()}


def _agents(arrival: Arrival) -> dict[str, Agent]:
    """Agents by ref; one unknown here becomes a retired row, for its weights are not in a snapshot."""
    found: dict[str, Agent] = {}
    for row in arrival.agents:
        defaults = {name: row[name] for name in ("name", "game", "kind", "sha256", "card")}
        found[row["ref"]], _ = Agent.objects.get_or_create(
            ref=row["ref"], defaults={**defaults, "retired": True}
        )
    return found


def _episodes(
    part: Path,
    arrival: Arrival,
    people: dict[str, User],
    agents: dict[str, Agent],
    store: LogStore,
    logs: list[str],
) -> int:
    here = {
        str(pk) for pk in Episode.objects.filter(pk__in=list(arrival.episodes)).values_list("pk", flat=True)
    }
    new = [row for key, row in arrival.episodes.items() if key not in here]
    for row in new:
        seats = row["seats"]
        episode = Episode.objects.create(
            pk=row["id"],
            status=Episode.FINISHED,
            source="simulated" if row["simulated"] else "people" if row["origin"] else "import",
            **{name: row[name] for name in ("game", "rules_version", "options", "seats", "ticks", "score")},
            origin=row["origin"],
            **{name: row[name] for name in ("digest", "instruction", "started_at", "finished_at")},
        )
        played = [people[s["name"]] for s in seats if s.get("kind") == "person" and s["name"] in people]
        episode.players.set(played)
        episode.agents.set([agents[s["agent"]] for s in seats if s.get("agent") in agents])
        if not store.exists(row["id"]):
            log = read_lines((part / row["log"]).read_bytes())
            logs.append(row["id"])
            store.append(row["id"], [log.header, *log.records])
    return len(new)


def _some(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many at a time as one query may name."""
    return (ids[first : first + AT_ONCE] for first in range(0, len(ids), AT_ONCE))


PLACE = ("episode_id", "annotator_id", "seat", "tick")


def _marks(arrival: Arrival, people: dict[str, User]) -> int:
    """The marks that aren't here yet. One mark a person has each place: what is here stays, then the newest
    revision does; older snapshots may have several, of which the others come as removed ones.
    """
    ids = [row["id"] for row in arrival.marks]
    here = {
        str(pk) for some in _some(ids) for pk in Mark.objects.filter(pk__in=some).values_list("pk", flat=True)
    }
    copied = ("seat", "tick", "sign", "revision", "context", "made_at", "created_at")
    new = [
        Mark(
            pk=row["id"],
            episode_id=row["episode"],
            annotator=people[row["rater"]],
            **{name: row[name] for name in copied},
        )
        for row in arrival.marks
        if row["id"] not in here
    ]
    there = Mark.objects.filter(annotator__in=people.values(), deleted=False)
    taken = {
        tuple(map(str, place))
        for some in _some(sorted({row["episode"] for row in arrival.marks}))
        for place in there.filter(episode__in=some).values_list(*PLACE)
    }
    for mark in sorted(new, key=lambda mark: -mark.revision):
        place = tuple(str(getattr(mark, name)) for name in PLACE)
        mark.deleted = place in taken
        taken.add(place)
    Mark.objects.bulk_create(new, batch_size=500)
    return len(new)


def _ratings(arrival: Arrival, people: dict[str, User]) -> None:
    copied = ("seat", "partner_seat", "partner", "followed", "instructions", "created_at")
    Rating.objects.bulk_create(
        [
            Rating(
                episode_id=row["episode"], user=people[row["player"]], **{name: row[name] for name in copied}
            )
            for row in arrival.ratings
        ],
        batch_size=500,
        ignore_conflicts=True,  # what is here already stays
    )


def _reviews(arrival: Arrival, people: dict[str, User]) -> None:
    """Whoever looked at all seats of an episode has submitted it here, too: in the game's first study, for
    good. Those who looked at some, or whom nobody handed it, are known by their marks, and simulated ones
    look at everything.
    """
    studies.ensure()
    study = Study.objects.filter(game=arrival.manifest["game"]).order_by("pk").first()
    now = timezone.now()
    times = dict.fromkeys(("handed_at", "expires_at", "closed_at", "final_at"), now)
    free = {(row["episode"], row["rater"]) for row in arrival.marks if row["free"]}
    for row in arrival.reviews:
        if row["all"] and not row["simulated"] and (row["episode"], row["annotator"]) not in free:
            who = {"episode_id": row["episode"], "annotator": people[row["annotator"]]}
            one, is_new = Assignment.objects.get_or_create(
                study=study, **who, defaults={"status": Assignment.SUBMITTED, **times}
            )
            if is_new:
                counting.freeze(one.annotator, one.episode)

"""Taking a snapshot's zip into this instance: checked whole before anything is written.

Nobody who writes waits for it: rows come some at a time, each some in a transaction. Until all are there, the
episodes that they belong to are games that still run, as far as anybody but admins sees, in no list and no
queue; one last transaction ends them all. Whatever goes wrong before takes them away again; after a kill, the
next import of the same zip goes on with them.

People become inactive users that can't sign in, known by pseudonym alone. What is here already (the same
ids) is left as it is, so importing twice is importing once. Not for uploads by the public: an admin or a
shell does this. What the files must look like is in snapshot_reading.py, what their rows must say in
arriving.py.
"""

from __future__ import annotations

import json
import shutil
import uuid
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from django.conf import settings
from django.db import DataError, IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from engine.refusal import Refusal
from webapp.accounts.absent import absent
from webapp.accounts.models import AuditEvent, User
from webapp.agents.models import Agent
from webapp.annotation import counting, kept
from webapp.annotation.models import Assignment, Mark
from webapp.common import bulk
from webapp.datasets import arriving, snapshot_reading, snapshots
from webapp.datasets.arriving import Arrival
from webapp.datasets.models import Snapshot
from webapp.datasets.snapshot_reading import MANIFEST
from webapp.datasets.snapshots import batched
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import Rating
from webapp.studies import first as studies
from webapp.studies.models import Study

CHUNK = 1 << 20
AT_ONCE = 5000  # rows of a transaction
LOGS_AT_ONCE = 500  # episodes of a transaction
# A zip may name at most this many bytes; a snapshot of a million marks is far below.
MOST_BYTES = 50 << 30
MOST_MANIFEST = 256 << 20
PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
ENCRYPTED = 1  # in the flags of an entry
Tell = Callable[[int, int], None]


def silent(first: int, last: int) -> Tell:
    """For whoever doesn't want to hear how far it is."""
    return lambda done, total: None


def import_zip(
    path: Path, user: User | None = None, phase: Callable[[int, int], Tell] = silent
) -> dict[str, Any]:
    """Import the zip at `path`; returns counts of what was new. `phase(first, last)` gives what hears how far
    a part is that goes from `first` to `last` percent, which may raise to stop. Raises Refusal and then
    has changed nothing.
    """
    # One folder for one file, so that an import which was killed leaves none behind that isn't used again.
    part = Path(settings.SNAPSHOTS_DIR) / f".import-{uuid.uuid5(uuid.NAMESPACE_URL, str(path.absolute()))}"
    shutil.rmtree(part, ignore_errors=True)
    try:
        extract(path, part, phase(0, 10))
        arrival = arriving.checked(part, snapshot_reading.verify(part), phase(10, 60))
        return Taking(part, arrival, user).all(phase(60, 85), phase(85, 100))
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, NotImplementedError) as error:
        why = f"The file is not a readable zip: {str(error).rstrip('.')}."
        raise Refusal(f"{why} Games from elsewhere come in by ./manage.py episodes import.") from None
    except OSError as error:
        raise Refusal(f"The zip can't be unpacked here: {error.strerror or error}.") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


# --- Unpacking ---------------------------------------------------------------------------------------------


def extract(path: Path, folder: Path, tell: Tell) -> None:
    """Unpack into a new `folder` what the manifest lists, and nothing else. Raises Refusal."""
    with zipfile.ZipFile(path) as archive:
        infos: dict[str, zipfile.ZipInfo] = {}
        for info in archive.infolist():
            if info.filename in infos:
                raise Refusal(f"The zip holds {info.filename[:100]!r} twice.")
            if not info.is_dir():
                infos[info.filename] = info
        for name, info in infos.items():
            if name != MANIFEST and not snapshot_reading.NAME.fullmatch(name):
                raise Refusal(f"The zip holds {name[:100]!r}, which is no file of a snapshot.")
            if info.flag_bits & ENCRYPTED:
                raise Refusal("The zip is encrypted; pack it without a password.")
            if info.compress_type not in PACKED:
                raise Refusal(f"{name} is packed in a way that isn't read here; use deflate.")
        if MANIFEST not in infos:
            raise Refusal("There is no manifest.json, so this is not a snapshot.")
        if infos[MANIFEST].file_size > MOST_MANIFEST:
            raise Refusal(f"The manifest has more than {MOST_MANIFEST >> 20} MiB.")
        files = snapshot_reading.manifest_of(archive.read(MANIFEST))["files"]
        if strange := sorted(set(infos) - set(files) - {MANIFEST}):
            raise Refusal(f"The zip holds {strange[0]!r}, which the manifest doesn't list.")
        for name, said in files.items():
            if name not in infos or infos[name].file_size != said["bytes"]:
                raise Refusal(f"{name} is missing or is not as long as the manifest says.")
        folder.mkdir()
        size, free = sum(info.file_size for info in infos.values()), shutil.disk_usage(folder).free
        if size > min(MOST_BYTES, free):
            most = (
                f"{MOST_BYTES >> 30} GiB, which is more than is taken"
                if size > MOST_BYTES
                else "more than is free"
            )
            raise Refusal(f"The zip unpacks to {most}; import it in parts.")
        for done, (name, info) in enumerate(infos.items(), 1):
            target = folder / name
            target.parent.mkdir(exist_ok=True)
            with archive.open(info) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, CHUNK)
            tell(done, len(infos))


# --- Rows --------------------------------------------------------------------------------------------------


class Taking:
    """The rows, logs and folder of what was checked, on their way in."""

    def __init__(self, part: Path, arrival: Arrival, user: User | None) -> None:
        self.part, self.arrival, self.user = part, arrival, user
        self.store = log_store()
        self.new: set[str] = set()  # episodes that arrive; the others are here already
        self.made: list[User | Agent] = []  # rows of people and agents that weren't here
        self.people: dict[str, User] = {}
        self.agents: dict[str, Agent] = {}
        self.marks = 0
        studies.ensure()
        self.study = Study.objects.filter(game=arrival.manifest["game"]).order_by("pk").first()

    def all(self, tell: Tell, tell_registering: Tell) -> dict[str, Any]:
        sha256 = self.arrival.manifest["sha256"]
        known = Snapshot.objects.filter(sha256=sha256).first()
        # The id follows from the content, so that the same snapshot never stands here twice.
        name = known.folder if known else str(uuid.uuid5(uuid.NAMESPACE_OID, sha256))
        folder = Path(settings.SNAPSHOTS_DIR) / name
        is_new = not folder.exists()
        try:
            self._arrive(tell)
            counts = self._settle(folder if is_new else None)
        except BaseException as error:
            if is_new:
                shutil.rmtree(folder, ignore_errors=True)
            self._undo()
            if isinstance(error, DataError | IntegrityError):
                raise Refusal(f"The rows don't fit in with those that are here: {error}") from None
            raise
        snapshot = known or snapshots.register(name, self.user, tell_registering)
        return {"snapshot": str(snapshot.pk), **counts}

    def _arrive(self, tell: Tell) -> None:
        """All rows of episodes that aren't here, some at a time; none of it is offered yet."""
        arrival = self.arrival
        for names in batched(arrival.people, AT_ONCE):
            self.people |= {one.pseudonym: one for one in User.objects.filter(pseudonym__in=names)}
        for name, simulated in arrival.people.items():
            if name not in self.people:
                self.people[name] = absent(name, simulated)
                self.made.append(self.people[name])
        for row in arrival.agents():
            # Of one that is unknown here the weights are not in a snapshot.
            said = {name: row[name] for name in ("name", "game", "kind", "sha256", "card")}
            agent, is_new = Agent.objects.get_or_create(ref=row["ref"], defaults={**said, "retired": True})
            self.agents[agent.ref] = agent
            self.made += [agent] if is_new else []
        total = len(arrival.places)
        for some in batched(arrival.episodes(), LOGS_AT_ONCE):
            self._episodes(some)
            tell(len(self.new), 2 * total)
        for marks in self._whole_episodes(are_new=True) if self.new else ():
            with transaction.atomic(), kept.once(Mark._meta.db_table, marks["episode"].unique().to_pylist()):
                self._marks(marks)
            self.marks += len(marks)
            tell(total + self.marks * total // max(1, arrival.manifest["counts"].get("marks", 0)), 2 * total)
        for write, rows in ((self._ratings, arrival.ratings()), (self._submitted, arrival.reviews())):
            for some in batched((row for row in rows if row["episode"] in self.new), AT_ONCE):
                episodes = list({row["episode"] for row in some})
                with transaction.atomic(), kept.once(Assignment._meta.db_table, episodes):
                    write(some)
                tell(2 * total, 2 * total)

    def _settle(self, folder: Path | None) -> dict[str, int]:
        """What arrived is offered, and what there is on episodes that were here already is added; the files
        come to lie in `folder`, if one is given. All of it or nothing.
        """
        arrival, here = self.arrival, len(self.new) < len(self.arrival.places)
        with transaction.atomic():
            if here:
                for marks in self._whole_episodes(are_new=False):
                    self.marks += self._marks(marks)
                for some in batched(arrival.ratings(), AT_ONCE):
                    self._ratings([row for row in some if row["episode"] not in self.new])
                for some in batched(arrival.reviews(), AT_ONCE):
                    # They may have been handed it here as well.
                    for row in self._submitted([row for row in some if row["episode"] not in self.new]):
                        counting.freeze(self.people[row["annotator"]], Episode(pk=row["episode"]))
            for names in batched(self.new, AT_ONCE):
                Episode.objects.filter(pk__in=names).update(**OFFERED)
            if folder:
                self.part.rename(folder)
            counts = {"episodes": len(self.new), "marks": self.marks}
            counts |= {"people": len(self.people), "agents": len(self.agents)}
            said = {"sha256": arrival.manifest["sha256"], **counts}
            AuditEvent.objects.create(user=self.user, verb="dataset.import", detail=said)
        return counts

    def _undo(self) -> None:
        """Take away again what has arrived: nobody has seen it."""
        for some in batched(self.new, AT_ONCE):
            episodes = Episode.objects.filter(pk__in=some, match=None, **ARRIVING)
            with transaction.atomic():
                Mark.objects.filter(episode__in=episodes).delete()
                episodes.delete()
            for name in some:
                self.store.delete(name)
        for row in self.made:
            with suppress(ProtectedError):  # named by what came in the meantime
                row.delete()

    def _episodes(self, some: Sequence[tuple[Row, bytes]]) -> None:
        found = Episode.objects.filter(pk__in=[row["id"] for row, _ in some])
        here = {str(pk): state for pk, *state in found.values_list("pk", "match", *ARRIVING)}
        # Those of an import that was cut off are on their way still.
        cut_off = {name for name, state in here.items() if state == [None, *ARRIVING.values()]}
        fresh = {row["id"]: data for row, data in some if row["id"] not in here}
        self.new |= cut_off | fresh.keys()
        if not fresh:
            return
        for name in fresh:
            if self.store.exists(name):  # of an import that was cut off after its append
                self.store.delete(name)
        self.store.append_lines(fresh)
        rows = [arriving.parsed(row) for row, _ in some if row["id"] in fresh]
        through = {
            Episode.players.through: [
                {"episode_id": row["id"], "user_id": self.people[name].pk}
                for row in rows
                for name in {seat["name"] for seat in row["seats"] if seat.get("kind") == "person"}
                if name in self.people
            ],
            Episode.agents.through: [
                {"episode_id": row["id"], "agent_id": str(self.agents[ref].pk)}
                for row in rows
                for ref in {seat.get("agent") for seat in row["seats"]}
                if ref in self.agents
            ],
        }
        with transaction.atomic():
            for kind, made in {Episode: [self._episode(row) for row in rows], **through}.items():
                bulk.put_columns(kind, pa.Table.from_pylist(made))

    def _episode(self, row: Row) -> Row:
        """What the database takes of an episode."""
        copied = ("id", "game", "rules_version", "ticks", "score", "digest", "instruction")
        said = {name: row[name] for name in ("options", "seats", "origin")}
        return {
            **{name: row[name] for name in (*copied, "started_at", "finished_at")},
            **{name: json.dumps(value) for name, value in said.items()},
            "outcomes": self.arrival.outcomes.get(row["id"], "[]"),
            "source": "simulated" if row["simulated"] else "people" if row["origin"] else "import",
            **ARRIVING,
        }

    def _whole_episodes(self, are_new: bool) -> Iterator[pa.RecordBatch]:
        """The marks on episodes that arrive, or on the others, some at a time: those of an episode together,
        as they stand in their table.
        """
        waiting = []
        for marks in self.arrival.marks():
            is_new = arriving.by_value(marks["episode"], self.new.__contains__)
            waiting.append(marks.filter(pa.array(is_new == are_new)))
            if sum(map(len, waiting)) >= AT_ONCE:
                some = pa.concat_batches(waiting)
                others = np.flatnonzero(pc.not_equal(some["episode"], some["episode"][-1]))
                end = int(others[-1]) + 1 if len(others) else 0  # of the last one there may be more
                if end:
                    yield some.slice(0, end)
                waiting = [some.slice(end)]
        if any(map(len, waiting)):
            yield pa.concat_batches(waiting)

    def _marks(self, marks: pa.RecordBatch) -> int:
        """The marks that aren't here yet; how many. One mark a person has each place: what is here stays,
        then the newest revision does; older snapshots may have several, of which the others come as removed
        ones. Whoever was handed an arriving episode has submitted what stands.
        """
        marks = marks.filter(pc.invert(pa.array(bulk.known(Mark, marks["id"]))))
        if not len(marks):
            return 0
        marks = marks.sort_by([("revision", "descending")])
        episodes = marks["episode"].unique().to_pylist()
        there = Mark.objects.filter(episode__in=episodes, deleted=False).values_list(*PLACE)
        taken = {(str(episode), *place) for episode, *place in there}
        annotators = arriving.by_value(marks["annotator"], lambda name: self.people[name].pk)
        where = (marks["episode"].to_pylist(), annotators.tolist())
        removed = []
        for place in zip(*where, *(marks[name].to_pylist() for name in PLACE[2:]), strict=True):
            removed.append(place in taken)
            taken.add(place)
        is_new = arriving.by_value(marks["episode"], self.new.__contains__)
        stands = is_new & self.arrival.were_handed(marks) & ~np.array(removed)
        written = {name: marks[name] for name in ("id", "seat", "tick", "sign", "revision", "context")}
        written |= {
            "episode_id": marks["episode"],
            "annotator_id": annotators,
            "deleted": removed,
            "note": [""] * len(marks),
            "submitted": pc.if_else(stands, marks["revision"], None),
            "made_at": marks["made_at"],
            "created_at": marks["created_at"],
            "updated_at": [timezone.now()] * len(marks),
        }
        bulk.put_columns(Mark, pa.table(written))
        return len(marks)

    def _ratings(self, rows: Sequence[Row]) -> None:
        copied = ("episode_id", "seat", "partner_seat", "partner", "followed", "instructions", "created_at")
        Rating.objects.bulk_create(
            (
                Rating(
                    user=self.people[row["player"]],
                    **{name: row[name.removesuffix("_id")] for name in copied},
                )
                for row in rows
            ),
            ignore_conflicts=True,  # what is here already stays
        )

    def _submitted(self, rows: Sequence[Row]) -> list[Row]:
        """Who reviewed all seats of an episode counts here as having submitted it, in the game's first study,
        finally; the rows of those who are new. Not those who reviewed only some seats, or whom no queue had
        handed it: they are known by their marks; nor simulated annotators, who review everything.
        """
        handed = {(row["episode"], self.people[row["annotator"]].pk): row for row in rows if row["handed"]}
        there = Assignment.objects.filter(study=self.study, episode__in={episode for episode, _ in handed})
        for episode, annotator in there.values_list("episode", "annotator"):
            handed.pop((str(episode), annotator), None)
        times = dict.fromkeys(("handed_at", "expires_at", "closed_at", "final_at"), timezone.now())
        said = {"study_id": self.study.pk, "status": Assignment.SUBMITTED, "is_gold": False, **times}
        said |= {"why": "", "reason": ""}
        new = [
            {"id": str(uuid.uuid4()), "episode_id": episode, "annotator_id": annotator, **said}
            for episode, annotator in handed
        ]
        bulk.put_columns(Assignment, pa.Table.from_pylist(new))
        return list(handed.values())


PLACE = ("episode_id", "annotator_id", "seat", "tick")
# What an episode is while the rest of its snapshot is on its way, and afterwards.
ARRIVING = {"status": Episode.RUNNING, "public": False, "for_annotators": False}
OFFERED = {"status": Episode.FINISHED, "public": True, "for_annotators": True}
Row = dict[str, Any]

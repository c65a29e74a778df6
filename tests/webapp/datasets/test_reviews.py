"""What annotators looked at and did not mark is in a snapshot too, and how each mark was made."""

from __future__ import annotations

import json
import shutil
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from engine.learning.parts import marked
from tests.webapp.cast import simulated_episodes, small_network
from tests.webapp.datasets.parcels import forget_everything, freeze
from webapp.annotation import pace
from webapp.annotation.counting import freeze as freeze_for
from webapp.annotation.models import Assignment, Mark
from webapp.datasets import importing, selection, snapshot_files, snapshot_reading, snapshots
from webapp.datasets.selection import Filters
from webapp.studies.models import Study

PEOPLE = Filters(
    game="hanabi", sources=["simulated"], simulated_episodes=True, simulated_marks=True, annotators=["Anna"]
)


@pytest.fixture
def episodes(db):
    return simulated_episodes(small_network(), count=3)


@pytest.fixture
def submit(anna):
    """A function: anna submits an episode of a study."""
    anna.pseudonym = "Anna"
    anna.save()
    study = Study.objects.create(name="Marks", game="hanabi")

    def make(episode, status: str = Assignment.SUBMITTED) -> None:
        until = timezone.now() + timedelta(hours=1)
        fields = {"study": study, "episode": episode, "annotator": anna, "expires_at": until}
        Assignment.objects.create(status=status, **fields)

    return make


def reviews(snapshot) -> list[dict]:
    return snapshot_reading.read_table(snapshots.folder_of(snapshot), "reviews")


def test_an_episode_that_was_submitted_without_a_mark_is_learned_from(episodes, submit, anna):
    first, second, third = episodes
    fields = {"seat": 1, "tick": 4, "sign": -1, "context": {"paused": True}}
    Mark.objects.create(id=uuid.uuid4(), episode=first, annotator=anna, **fields)
    submit(second)
    submit(third, Assignment.SKIPPED)
    snapshot = freeze(PEOPLE)
    assert set(selection.episodes(PEOPLE)) == {first, second}
    found = {row["episode"]: row for row in reviews(snapshot)}
    assert found[str(first.pk)]["seats"] == [1], "she marked one seat of her own accord"
    assert found[str(second.pk)] == {
        "episode": str(second.pk),
        "annotator": "Anna",
        "simulated": False,
        "seats": [0, 1],
        "handed": True,
    }
    tracks = marked.load(snapshots.folder_of(snapshot), "hanabi")
    assert sorted((track.episode, track.seat, track.marks) for track in tracks) == sorted(
        [(str(first.pk), 1, 1), (str(second.pk), 0, 0), (str(second.pk), 1, 0)]
    )
    (mark,) = snapshot_reading.read_table(snapshots.folder_of(snapshot), "marks")
    assert json.loads(mark["context"]) == {"paused": True}


def test_simulated_annotators_look_at_every_seat(episodes):
    snapshot = freeze()
    found = reviews(snapshot)
    assert {tuple(row["seats"]) for row in found} == {(0, 1)}
    assert all(row["simulated"] for row in found)
    every = {(row["episode"], row["annotator"], seat) for row in found for seat in row["seats"]}
    tracks = marked.load(snapshots.folder_of(snapshot), "hanabi")
    assert {(track.episode, track.annotator, track.seat) for track in tracks} == every


def test_two_marks_are_asked_for_of_what_was_reviewed_as_well(episodes, submit):
    submit(episodes[0])
    wanted = Filters(**{**PEOPLE.to_json(), "min_marks": 2})
    assert list(selection.episodes(wanted)) == []


def test_nobody_is_accused_of_a_flood_for_having_been_imported(episodes, submit, anna, adam, tmp_path):
    """When it was marked isn't in an archive; neither the speed nor the times of the pace are known."""
    submit(episodes[1])
    ticks = range(1, pace.MANY + 1)
    common = {"episode": episodes[1], "annotator": anna, "sign": 1, "seat": 0}
    Mark.objects.bulk_create(Mark(id=uuid.uuid4(), tick=tick, **common) for tick in ticks)
    freeze_for(anna, episodes[1])
    archive = shutil.copy(snapshots.export(freeze(PEOPLE)), tmp_path / "export.zip")
    forget_everything()
    importing.import_zip(Path(archive))
    study = Assignment.objects.get().study
    found = pace.works(study, adam)
    assert [(work.marks, work.minutes) for work in found] == [(pace.MANY, None)]
    assert [(one.minutes, one.per_minute) for one in pace.paces(found)] == [(None, None)]
    assert [flood.sentence for flood in pace.floods(study, found, adam)] == []


def test_reviews_come_along_into_another_instance(episodes, submit, tmp_path):
    submit(episodes[1])
    snapshot = freeze(PEOPLE)
    before = reviews(snapshot)
    assert [row["seats"] for row in before] == [[0, 1]]
    archive = shutil.copy(snapshots.export(snapshot), tmp_path / "export.zip")
    forget_everything()
    importing.import_zip(Path(archive))
    assert Assignment.objects.get().final_at <= timezone.now()
    importing.import_zip(Path(archive))
    folder = tmp_path / "again"
    snapshot_files.write(PEOPLE, folder, lambda done, total: None)
    assert snapshot_reading.read_table(folder, "reviews") == before

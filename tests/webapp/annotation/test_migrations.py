"""What was submitted before marks were frozen counts as it stood at the migration."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from webapp.annotation import kept

BEFORE = ("replays", "0001_initial")


@pytest.fixture
def latest():
    """Whatever happens, the tables are the newest again afterwards. Triggers stand aside, as in `migrate`."""
    kept.remove()
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    kept.install()


@pytest.mark.django_db(transaction=True)
def test_of_several_marks_at_one_place_the_newest_stays_and_the_others_are_removed(latest):
    executor = MigrationExecutor(connection)
    before = [("replays", "0007_why_it_was_handed_out")]
    executor.migrate(before)
    people = [node for node in executor.loader.graph.leaf_nodes() if node[0] == "accounts"]
    apps = executor.loader.project_state([*before, *people]).apps
    user = apps.get_model("accounts", "User").objects.create(username="anna", pseudonym="P-anna")
    episode = apps.get_model("replays", "Episode").objects.create(game="hanabi", rules_version="1")

    def mark(revision: int, submitted_tick: int | None = None, **fields) -> uuid.UUID:
        values = {"seat": 1, "tick": 3, "sign": 1, "revision": revision, "episode": episode} | fields
        if submitted_tick:
            values["submitted"] = {"seat": 1, "tick": submitted_tick, "sign": 1, "revision": 1}
        return apps.get_model("replays", "Mark").objects.create(id=uuid.uuid4(), annotator=user, **values).pk

    old, new, gone, elsewhere = mark(1, 3), mark(4, 3), mark(9, deleted=True), mark(1, tick=4)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    from webapp.annotation.models import Mark

    assert set(Mark.objects.filter(deleted=False).values_list("pk", flat=True)) == {new, elsewhere}
    assert [mark.pk for mark in Mark.objects.filter(submitted__isnull=False)] == [new]
    assert Mark.objects.get(pk=old).context["counted_before"]["tick"] == 3
    assert (Mark.objects.count(), Mark.objects.get(pk=gone).revision) == (4, 9)


@pytest.mark.django_db(transaction=True)
def test_submitted_assignments_are_frozen_and_become_final(latest):
    executor = MigrationExecutor(connection)
    apps = executor.migrate([BEFORE]).apps
    user = apps.get_model("accounts", "User").objects.create(username="anna", pseudonym="P-anna")
    study = apps.get_model("studies", "Study").objects.create(name="S", game="hanabi", editable_minutes=60)
    now = timezone.now()

    def assigned(status: str, closed=None) -> uuid.UUID:
        episode = apps.get_model("replays", "Episode").objects.create(game="hanabi", rules_version="1")
        apps.get_model("replays", "Assignment").objects.create(
            study=study, episode=episode, annotator=user, status=status, expires_at=now, closed_at=closed
        )
        for tick, deleted in ((3, False), (4, True)):
            values = {"seat": 1, "tick": tick, "sign": -1, "deleted": deleted, "revision": 2}
            apps.get_model("replays", "Mark").objects.create(
                id=uuid.uuid4(), episode=episode, annotator=user, **values
            )
        return episode.pk

    submitted, held = assigned("submitted", closed=now), assigned("open")
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    from webapp.annotation.counting import counted, place
    from webapp.annotation.models import Assignment

    assert [(mark.episode_id, place(mark)) for mark in counted([submitted, held])] == [
        (submitted, (1, 3, -1))
    ]
    assert Assignment.objects.get(episode=submitted).final_at == now + timedelta(minutes=60)
    assert Assignment.objects.get(episode=held).final_at is None

"""Pages of snapshots: page by page, whatever is in them, in a fixed number of queries."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from tests.webapp.datasets.parcels import FILTERS, ID
from webapp.annotation.models import Assignment
from webapp.common.templatetags.times import moment
from webapp.datasets import snapshot_reading, snapshots, views
from webapp.datasets.models import Marked, Snapshot
from webapp.matches.models import Rating
from webapp.studies.models import Study

pytestmark = pytest.mark.django_db


def holding(*episodes) -> Snapshot:
    made = Snapshot.objects.create(
        game="hanabi", sha256="a" * 64, folder="nowhere", filters={"sources": ["play"], "replayable": True}
    )
    made.episodes.set(episodes)
    return made


def test_the_episodes_of_a_large_snapshot_come_page_by_page(make_episode, adam_client, monkeypatch):
    monkeypatch.setattr(views, "EPISODES_PER_PAGE", 2)
    episodes = [make_episode() for _ in range(3)]
    address = reverse("datasets:snapshot", args=[holding(*episodes).pk])
    second = Snapshot.episodes.through.objects.order_by("pk")[1]
    pages = [adam_client.get(address, where).content.decode() for where in ({}, {"after": second.pk})]
    found = [{one.pk for one in episodes if f'/{one.pk}/">' in page} for page in pages]
    assert (len(found[0]), len(found[1])) == (2, 1) and found[0] | found[1] == {one.pk for one in episodes}
    assert "Later" in pages[0] and "Earlier" not in pages[0]
    assert "Earlier" in pages[1] and "Later" not in pages[1]


def test_a_snapshot_is_called_as_in_its_list_and_says_its_filters_in_words(make_episode, adam_client):
    made = holding(make_episode())
    page = adam_client.get(reverse("datasets:snapshot", args=[made.pk])).content.decode()
    name = f"Hanabi, {moment(made.created_at)}"
    assert f"<h1>{name}" in page and name in adam_client.get(reverse("datasets:list")).content.decode()
    assert "<dd>play</dd>" in page and "<dd>yes</dd>" in page and "<th>Told</th>" not in page


def test_raters_are_counted_without_what_the_viewer_may_not_know_yet(
    make_episode, anna, otto, adam, adam_client
):
    one, two = make_episode(ticks=9), make_episode(ticks=9)
    made = holding(one, two)
    for episode, who, count in ((one, anna, 2), (two, anna, 1), (two, otto, 1)):
        Marked.objects.create(snapshot=made, episode=episode, annotator=who, marks=count)

    def told(unseen=()) -> dict:
        return {
            row["pseudonym"]: (row["count"], row["in_episodes"])
            for row in snapshots.raters(made, adam, set(unseen))
        }

    assert told() == {anna.pseudonym: (3, 2), otto.pseudonym: (1, 1)}
    study = Study.objects.filter(game="hanabi").first()
    Assignment.objects.create(study=study, episode=two, annotator=adam, expires_at=timezone.now())
    assert told([two.pk]) == {anna.pseudonym: (2, 1)}, "adam's own marks on it aren't closed"
    page = adam_client.get(reverse("datasets:snapshot", args=[made.pk])).content.decode()
    assert anna.pseudonym in page and otto.pseudonym not in page


def test_both_pages_make_a_fixed_number_of_queries(make_episode, adam_client, django_assert_max_num_queries):
    addresses = [reverse("datasets:snapshot", args=[holding(make_episode()).pk]), reverse("datasets:list")]
    for address in addresses:
        with django_assert_max_num_queries(18):
            adam_client.get(address)
    made = Snapshot.objects.get()
    made.episodes.add(*(make_episode() for _ in range(4)))
    holding(*made.episodes.all())
    for address in addresses:
        with django_assert_max_num_queries(18):
            adam_client.get(address)


def test_snapshots_that_are_many_come_page_by_page(make_episode, adam_client, monkeypatch):
    monkeypatch.setattr(views, "PER_PAGE", 1)
    first, second = holding(make_episode()), holding(make_episode())
    page = adam_client.get(reverse("datasets:list")).content.decode()
    assert str(second.pk) in page and str(first.pk) not in page and "Page 1 of 2" in page


def test_a_snapshot_that_can_t_be_registered_whole_isn_t_at_all(archive, monkeypatch):
    Snapshot.objects.all().delete()

    def fails(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(Marked.objects, "bulk_create", fails)
    with pytest.raises(OSError, match="disk full"):
        snapshots.register(ID, None)
    assert not Snapshot.objects.exists()


def test_a_snapshot_that_a_command_made_is_listed(archive, tmp_path, adam_client, capsys):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"filters": FILTERS.to_json()}))
    Snapshot.objects.all().delete()
    call_command("datasets", "snapshot", "--config", str(config), "--out", str(tmp_path / "out"))
    made = Snapshot.objects.get()
    assert str(made.pk) == json.loads(capsys.readouterr().out.splitlines()[-1])["folder"]
    page = adam_client.get(reverse("datasets:list")).content.decode()
    assert reverse("datasets:snapshot", args=[made.pk]) in page
    assert snapshots.register(str(made.pk), made.created_by) == made  # a round's worker knows it, too


def in_rows() -> int:
    return sum(row.marks for row in Marked.objects.all())


def test_a_snapshot_that_is_taken_a_second_time_stays_as_it_was(archive, tmp_path, capsys, monkeypatch):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"snapshot": ID, "filters": FILTERS.to_json()}))

    def take(out: str) -> dict:
        call_command("datasets", "snapshot", "--config", str(config), "--out", str(tmp_path / out))
        return json.loads(capsys.readouterr().out.splitlines()[-1])

    row, marks = Snapshot.objects.get(pk=ID), in_rows()
    more = FILTERS.to_json() | {"simulated_marks": False}  # what is found has changed since
    config.write_text(json.dumps({"snapshot": ID, "filters": more}))
    assert (
        take("second")["sha256"] == row.sha256 == snapshot_reading.verify(snapshots.folder_of(row))["sha256"]
    )
    (snapshots.folder_of(row) / "README.md").unlink()  # damaged: it is taken anew, and the row says so
    third = take("third")["sha256"]
    row.refresh_from_db()
    assert third == row.sha256 and row.filters["simulated_marks"] is False
    assert row.counts["marks"] == in_rows() < marks


def test_nobody_who_writes_waits_for_a_snapshot_to_be_verified(archive, monkeypatch):
    verify, seen = snapshot_reading.verify, []

    def watched(folder):
        seen.append(len(connection.savepoint_ids))
        return verify(folder)

    monkeypatch.setattr(snapshot_reading, "verify", watched)
    before = len(connection.savepoint_ids)
    snapshots.register(ID, None)
    assert seen == [before]


def test_admins_read_what_players_wrote_of_their_partners(make_episode, pia, adam_client, anna_client):
    episode = make_episode(pia)
    values = {"episode": episode, "user": pia, "seat": 0, "partner_seat": 1, "partner": 2}
    Rating.objects.create(comment="It never hints <b>me</b>", **values)
    page = adam_client.get(reverse("datasets:comments")).content.decode()
    assert "It never hints &lt;b&gt;me" in page and "Convention bot" in page and pia.pseudonym in page
    assert "never hints" not in adam_client.get(reverse("datasets:comments") + "?game=arena").content.decode()
    assert reverse("datasets:comments") in adam_client.get(reverse("datasets:list")).content.decode()
    assert anna_client.get(reverse("datasets:comments")).status_code == 403


def test_what_a_page_shows_of_a_snapshot_is_found_by_an_index(make_episode, adam_client):
    """Its episodes in their order, without sorting them; where they come from stands in its row."""
    made = holding(*(make_episode() for _ in range(3)))
    address = reverse("datasets:snapshot", args=[made.pk])
    adam_client.get(address)
    made.refresh_from_db()
    assert made.sources == []
    queries = []

    def watch(execute, sql, params, many, context):
        queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        adam_client.get(address)
    assert not [sql for sql, _ in queries if '"origin" =' in sql]
    [[sql, params]] = [one for one in queries if "datasets_snapshot_episodes" in one[0] and "LIMIT" in one[0]]
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}", params)
        plan = " ".join(str(row[-1]) for row in cursor.fetchall())
    assert connection.vendor != "sqlite" or ("episodes_of_a_snapshot" in plan and "TEMP" not in plan), plan


def test_marks_of_a_page_are_counted_by_its_episodes(make_episode, anna, otto):
    one, two = make_episode(ticks=9), make_episode(ticks=9)
    made, other = holding(one, two), holding(one)
    for snapshot, episode, who, count in (
        (made, one, anna, 2),
        (made, one, otto, 1),
        (made, two, anna, 1),
        (other, one, anna, 1),
    ):
        Marked.objects.create(snapshot=snapshot, episode=episode, annotator=who, marks=count)
    assert snapshots.marks_in(made, [one, two]) == {one.pk: 3, two.pk: 1}
    assert snapshots.marks_in(other, [one, two]) == {one.pk: 1}

"""A grown site, small: no page goes through all marks, and what the database keeps is what the rows say."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from webapp.config.growth import measure, site
from webapp.replays import kept, queue
from webapp.replays.models import Episode, InQueue, Mark, Tally, Worth
from webapp.studies.models import Study

MANY = ("replays_mark", "datasets_snapshotmark")


@pytest.fixture
def grown(transactional_db, tmp_path, monkeypatch):
    for name in ("EPISODES_DIR", "SNAPSHOTS_DIR"):
        monkeypatch.setattr(settings, name, tmp_path)
    return site.build(60, 600)


def whole_scans(sql: str, params) -> set[str]:
    """Of the tables that grow with all marks, those that a query's plan goes through from end to end."""
    if not sql.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE")):
        return set()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET enable_seqscan = off")  # of a table this small it would be the fastest
            cursor.execute(f"EXPLAIN {sql}", params)
            plan = "\n".join(row[0] for row in cursor.fetchall())
            return {table for table in MANY if f"Seq Scan on {table}" in plan}
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        lines = [row[3] for row in cursor.fetchall()]
    named = {(table, table) for table in MANY} | {*re.findall(r'"(\w+)" (?:AS )?"?([A-Z]\d+)"?', sql)}
    scanned = {match[1] for line in lines if (match := re.match(r"SCAN (\w+)", line))}
    return {table for table, alias in named if alias in scanned and table in MANY}


def test_no_page_and_no_piece_of_work_goes_through_all_marks(grown):
    assert 400 < Mark.objects.count() < 800
    found: dict[str, set[str]] = {}
    asked = [(name, who, address, None) for name, (who, address) in measure.pages(grown).items()]
    asked += [("next", grown.annotator, reverse("replays:next"), {"study": grown.study.pk})]
    for name, who, address, body in asked:
        client, queries = Client(), []
        client.force_login(who)

        def watch(execute, sql, params, many, context, queries=queries):
            queries.append((sql, params))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(watch):
            answer = client.post(address, body) if body else client.get(address)
        assert answer.status_code in (200, 302), name
        if tables := set().union(*(whole_scans(*query) for query in queries)):
            found[name] = tables
    assert found == {}


@pytest.mark.parametrize("share", [0, 100])
def test_the_next_episode_is_the_first_row_of_an_index(transactional_db, make_episode, anna, share):
    if connection.vendor != "sqlite":
        pytest.skip("how a plan of PostgreSQL looks follows from the size of its tables")
    study = Study.objects.get(game="hanabi")
    study.random_share = share
    study.save()
    Worth.objects.create(episode=make_episode(), value=0.5, round=1, seen=timezone.now())
    queries = []

    def watch(execute, sql, params, many, context):
        queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        assert queue.choose(study, anna)[0]
    with connection.cursor() as cursor:
        for sql, params in queries:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            assert not [row[3] for row in cursor.fetchall() if "SCAN" in row[3] or "TEMP" in row[3]], sql


def test_what_is_kept_of_a_grown_site_is_what_its_rows_say(grown):
    assert Episode.objects.count() == 62  # and the two that all logs are of

    def rows() -> tuple:
        tallies = Tally.objects.values_list("episode", "annotator", "standing", "progress", "regression")
        return set(tallies), set(InQueue.objects.values_list("study", "episode", "taken", "judge", "worth"))

    before = rows()
    kept.refill()
    assert rows() == before

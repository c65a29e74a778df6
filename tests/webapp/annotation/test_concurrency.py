"""Many at once, against a real server and a database in a file: one effect, no overshoot, nobody twice."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import connection
from django.urls import reverse

from tests.conftest import person
from tests.waiting import PATIENCE
from webapp.annotation.counting import counted, place
from webapp.annotation.marks import write_batch
from webapp.annotation.models import Assignment, Mark
from webapp.annotation.queue import close, hand_out
from webapp.episodes.models import Episode, EpisodeChunk
from webapp.episodes.stores import DatabaseLogStore
from webapp.studies.models import Study

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(count, work):
    """Run `work(index)` in `count` threads that start together; the results in order."""
    barrier = threading.Barrier(count)

    def run(index):
        barrier.wait()
        try:
            return work(index)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_fifty_posts_of_one_mark_have_one_effect(
    live_server, make_episode, hand, make_mark, anna, anna_client
):
    episode = make_episode()
    hand(episode, anna)
    mark = make_mark(episode)
    # The test client's cookies are good for the live server: it is the same database.
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in anna_client.cookies.items())
    body = json.dumps(
        {"person": str(anna.pk), "marks": [mark, make_mark(episode, tick=9, id=mark["id"])]}
    ).encode()
    headers = {"Content-Type": "application/json", "Cookie": f"{cookies}; csrftoken={'t' * 32}"}
    headers |= {"X-CSRFToken": "t" * 32, "Referer": live_server.url}

    def post(_):
        request = urllib.request.Request(live_server.url + reverse("replays:marks"), body, headers)
        for _ in range(400):
            # The test server refuses connections beyond its backlog; browsers send again too.
            with suppress(OSError), urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return [result["status"] for result in json.load(response)["results"]]
            time.sleep(0.05)
        raise AssertionError("The server took no connection.")

    answers = at_once(50, post)
    assert answers == [["saved", "stale"]] * 50
    row = Mark.objects.get()
    assert (str(row.pk), row.tick, row.revision) == (mark["id"], 5, 1)


def test_of_many_versions_posted_at_once_the_newest_stays(make_episode, hand, make_mark, anna):
    mark = make_mark(episode := make_episode())
    hand(episode, anna)
    revisions = [*range(1, 25)]
    at_once(
        24,
        lambda i: write_batch(
            anna, [mark | {"revision": revisions[(i * 7) % 24], "tick": 1 + (i * 7) % 24 % 20}]
        ),
    )
    row = Mark.objects.get()
    assert (row.revision, row.tick) == (24, 1 + 23 % 20)


def test_the_overlap_holds_however_many_ask_at_once(make_episode, study):
    episodes = [make_episode() for _ in range(3)]
    people = [person(f"a{i}", "annotator") for i in range(12)]
    out = at_once(12, lambda i: hand_out(study, people[i]))
    taken = Counter(o.assignment.episode_id for o in out if o)
    assert taken == {episode.pk: 2 for episode in episodes}


def test_one_person_in_many_windows_holds_one_episode(make_episode, study, anna):
    for _ in range(4):
        make_episode()
    out = at_once(8, lambda _: hand_out(study, anna).assignment.pk)
    assert len(set(out)) == 1
    assert Assignment.objects.count() == 1


def test_of_many_submits_at_once_one_counts_and_what_stood_is_whole(make_episode, make_mark, study, anna):
    episode = make_episode()
    mine = hand_out(study, anna).assignment
    write_batch(anna, [make_mark(episode, tick=tick) for tick in range(1, 9)])
    done = at_once(8, lambda _: close(Assignment.objects.get(pk=mine.pk), Assignment.SUBMITTED))
    assert sorted(done) == [False] * 7 + [True]
    assert sorted(tick for _, tick, _ in map(place, counted(Episode.objects.all()))) == list(range(1, 9))


def test_marks_and_a_submission_at_once_leave_no_half_batch(make_episode, make_mark, study, anna):
    """Every batch counts whole or not at all, and once final nothing is taken any more."""
    Study.objects.update(editable_minutes=0)
    episode = make_episode()
    mine = hand_out(Study.objects.get(), anna).assignment
    batches = [[make_mark(episode, tick=tick, seat=seat) for seat in (0, 1)] for tick in range(1, 10)]

    def work(index):
        if index == 4:
            return close(mine, Assignment.SUBMITTED)
        return [one["status"] for one in write_batch(anna, batches[index])]

    answers = at_once(9, work)
    assert answers.pop(4) is True
    saved = sum(answer == ["saved", "saved"] for answer in answers)
    assert all(answer in (["saved", "saved"], ["refused", "refused"]) for answer in answers)
    assert Mark.objects.count() == counted(Episode.objects.all()).count() == 2 * saved


def test_the_overlap_holds_when_late_ones_submit_while_others_are_handed_it(make_episode, study):
    Study.objects.update(overlap=2)
    episode = make_episode()
    people = [person(f"late{i}", "annotator") for i in range(2)]
    late = [hand_out(study, one).assignment for one in people]
    Assignment.objects.update(status=Assignment.EXPIRED)
    fresh = [person(f"fresh{i}", "annotator") for i in range(4)]
    at_once(6, lambda i: close(late[i], Assignment.SUBMITTED) if i < 2 else hand_out(study, fresh[i - 2]))
    taken = Assignment.objects.filter(episode=episode, status__in=(Assignment.OPEN, Assignment.SUBMITTED))
    assert taken.count() == 2


def test_concurrent_appends_to_the_database_store_lose_nothing_and_keep_each_writers_order():
    episode = uuid.uuid4()
    store = DatabaseLogStore()
    store.append(episode, [{"type": "header", "format": 1, "game": "hanabi"}])

    def write(index):
        for number in range(5):
            store.append(episode, [{"type": "utterance", "tick": number, "seat": index, "text": "hi"}])

    at_once(6, write)
    assert list(EpisodeChunk.objects.order_by("number").values_list("number", flat=True)) == list(range(31))
    said = store.read(episode).records
    assert len(said) == 30
    for seat in range(6):
        assert [r["tick"] for r in said if r["seat"] == seat] == list(range(5))

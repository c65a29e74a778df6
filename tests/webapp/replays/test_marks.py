"""Posting marks: one effect however often, sentences for what is wrong, nothing of others."""

import uuid
from datetime import timedelta

import pytest
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone

from webapp.agents.models import Agent
from webapp.datasets.models import Snapshot, SnapshotMark
from webapp.replays.models import Assignment, Episode, Mark
from webapp.rounds.models import Round


@pytest.fixture
def post(anna, anna_client):
    """A function: post marks as anna; the results by mark."""

    def send(*marks, person=None, client=None):
        body = {"person": str((person or anna).pk), "marks": list(marks)}
        return (client or anna_client).post(reverse("replays:marks"), body, content_type="application/json")

    return send


def results(response):
    assert response.status_code == 200, response.content
    return response.json()["results"]


def test_a_mark_is_stored_with_who_and_how(post, make_mark, make_episode, anna):
    mark = make_mark(make_episode(), note="good hint", context={"input": "mouse", "playing": True})
    assert results(post(mark)) == [{"id": mark["id"], "status": "saved", "revision": 1}]
    row = Mark.objects.get()
    assert (str(row.pk), row.annotator, row.seat, row.tick, row.sign) == (mark["id"], anna, 1, 5, 1)
    assert (row.note, row.context) == ("good hint", {"input": "mouse", "playing": True})


def test_posting_twice_is_posting_once(post, make_mark, make_episode):
    mark = make_mark(make_episode())
    assert results(post(mark, mark)) == results(post(mark, mark))
    assert Mark.objects.count() == 1


def test_a_higher_revision_replaces_and_a_late_older_one_changes_nothing(post, make_mark, make_episode):
    mark = make_mark(make_episode())
    post(mark)
    results(post(mark | {"revision": 3, "sign": -1, "tick": 6}))
    late = results(post(mark | {"revision": 2, "sign": 1, "tick": 9}))[0]
    assert (late["status"], late["revision"], late["mark"]["tick"]) == ("stale", 3, 6)
    row = Mark.objects.get()
    assert (row.revision, row.sign, row.tick) == (3, -1, 6)


def test_two_versions_of_one_revision_keep_the_first(post, make_mark, make_episode):
    mark = make_mark(make_episode())
    post(mark)
    assert results(post(mark | {"tick": 8}))[0]["status"] == "stale"
    assert Mark.objects.get().tick == 5


def test_removing_keeps_the_row(post, make_mark, make_episode):
    mark = make_mark(make_episode())
    post(mark)
    results(post(mark | {"revision": 2, "deleted": True}))
    assert Mark.objects.get().deleted


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"tick": 0}, "Tick 0 can't be marked: this episode has moves 1 to 20."),
        ({"tick": 21}, "Tick 21 can't be marked: this episode has moves 1 to 20."),
        ({"tick": 2.5}, "The tick of a mark must be a whole number."),
        ({"tick": True}, "The tick of a mark must be a whole number."),
        ({"seat": 2}, "There is no seat 2: this episode has 2 seats."),
        ({"seat": -1}, "There is no seat -1: this episode has 2 seats."),
        ({"sign": 0}, "The sign of a mark is 1 (progress) or -1 (regression), not 0."),
        ({"revision": 0}, "The revision of a mark starts at 1."),
        ({"id": "nonsense"}, "A mark needs an id and an episode, both UUIDs."),
        ({"note": "x" * 3000}, "A note is text of at most 2000 characters."),
        ({"context": [1]}, "The context of a mark must be a small object."),
        ({"context": {"input": "\x00"}}, "The context of a mark may not hold a NUL character."),
    ],
)
def test_what_is_wrong_is_said_and_the_rest_of_the_batch_is_saved(
    post, make_mark, make_episode, change, sentence
):
    episode = make_episode()
    bad, good = results(post(make_mark(episode) | change, make_mark(episode, tick=7)))
    assert (bad["status"], bad["sentence"]) == ("refused", sentence)
    assert good["status"] == "saved"
    assert Mark.objects.get().tick == 7


def test_an_id_of_somebody_else_is_refused(post, make_mark, make_episode, adam, adam_client):
    mark = make_mark(make_episode())
    results(post(mark, person=adam, client=adam_client))
    answer = results(post(mark | {"revision": 9, "sign": -1}))[0]
    assert (answer["status"], "somebody else" in answer["sentence"]) == ("refused", True)
    assert (Mark.objects.get().annotator, Mark.objects.get().sign) == (adam, 1)


def test_a_mark_can_not_move_to_another_episode(post, make_mark, make_episode):
    mark = make_mark(make_episode())
    post(mark)
    answer = results(post(mark | {"episode": str(make_episode().pk), "revision": 2}))[0]
    assert answer["status"] == "refused"


def test_marks_of_another_person_of_this_browser_are_refused_with_403(post, make_mark, make_episode, pia):
    response = post(make_mark(make_episode()), person=pia)
    assert response.status_code == 403
    assert Mark.objects.count() == 0


def test_signed_out_is_401_and_changes_nothing(client, post, make_mark, make_episode):
    response = post(make_mark(make_episode()), client=client)
    assert (response.status_code, "kept in this browser" in response.json()["error"]) == (401, True)
    assert Mark.objects.count() == 0


def test_a_missing_csrf_token_is_403(make_mark, make_episode, anna, signed_in, post):
    response = post(make_mark(make_episode()), client=signed_in(anna, enforce_csrf_checks=True))
    assert response.status_code == 403


@pytest.mark.parametrize("body", ["[]", "{", '{"marks": 3}', '{"person": "1", "marks": [3]}'])
def test_malformed_batches_change_nothing(anna, anna_client, body):
    body = body.replace('"1"', f'"{anna.pk}"')
    response = anna_client.post(reverse("replays:marks"), body, content_type="application/json")
    assert response.status_code == 400 or response.json()["results"][0]["status"] == "refused"
    assert Mark.objects.count() == 0


def test_a_player_marks_the_own_game_and_not_that_of_others(pia, pia_client, post, make_mark, make_episode):
    own, other = make_episode(pia), make_episode()
    answers = results(post(make_mark(own), make_mark(other), person=pia, client=pia_client))
    assert [answer["status"] for answer in answers] == ["saved", "refused"]
    assert answers[1]["sentence"] == "Only annotators mark other people's games."


def test_a_running_game_can_not_be_marked(post, make_mark, make_episode):
    answer = results(post(make_mark(make_episode(status=Episode.RUNNING))))[0]
    assert answer["sentence"] == "This game is still running; marks open when it is over."


def test_an_episode_that_is_not_ones_own_to_see_is_refused(post, make_mark, make_episode):
    answer = results(post(make_mark(make_episode(public=False))))[0]
    assert answer["sentence"] == "There is no such episode, or it isn't yours to see."


def test_submitted_marks_are_final_after_a_while(post, make_mark, make_episode, anna, study):
    episode = make_episode()
    now = timezone.now()
    assignment = Assignment.objects.create(
        study=study, episode=episode, annotator=anna, status="submitted", expires_at=now, closed_at=now
    )
    assert results(post(make_mark(episode)))[0]["status"] == "saved"
    Assignment.objects.filter(pk=assignment.pk).update(closed_at=now - timedelta(minutes=61))
    assert results(post(make_mark(episode, tick=8)))[0]["status"] == "refused"


def test_marking_renews_the_lock(post, make_mark, make_episode, anna, study):
    episode = make_episode()
    soon = timezone.now() + timedelta(minutes=1)
    Assignment.objects.create(study=study, episode=episode, annotator=anna, expires_at=soon)
    results(post(make_mark(episode)))
    assert Assignment.objects.get().expires_at > soon + timedelta(minutes=20)


def test_a_batch_has_a_fixed_number_of_queries(post, make_mark, make_episode, django_assert_max_num_queries):
    episode = make_episode()
    marks = [make_mark(episode, tick=tick) for tick in range(1, 11)]
    with django_assert_max_num_queries(60):  # three a mark, and those of session, access and transaction
        results(post(*marks))
    assert Mark.objects.count() == 10


def test_the_page_of_a_mark_is_for_its_maker_and_admins(
    post, make_mark, make_episode, anna_client, adam_client, pia_client
):
    mark = make_mark(make_episode(), note="secret")
    post(mark)
    address = reverse("replays:mark", args=[mark["id"]])
    assert "secret" in anna_client.get(address).content.decode()
    assert adam_client.get(address).status_code == 200
    assert pia_client.get(address).status_code == 404
    assert anna_client.get(reverse("replays:mark", args=[uuid.uuid4()])).status_code == 404


def test_the_page_of_a_mark_lists_the_agents_trained_from_it(post, make_mark, make_episode, anna_client):
    mark = make_mark(make_episode())
    post(mark)
    snapshot = Snapshot.objects.create(game="hanabi")
    SnapshotMark.objects.create(snapshot=snapshot, mark=Mark.objects.get(), tick=5, sign=1, revision=1)
    base = Agent.objects.create(ref="hanabi/base", name="Base", game="hanabi", kind="scripted")
    number = (Round.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    made = Round.objects.create(number=number, game="hanabi", base_agent=base, snapshot=snapshot)
    Agent.objects.create(ref="hanabi/r1-agent", name="Trained", game="hanabi", kind="network", round=made)
    page = anna_client.get(reverse("replays:mark", args=[mark["id"]])).content.decode()
    assert 'href="/agents/hanabi/r1-agent/"' in page
    assert f"round {number}" in page

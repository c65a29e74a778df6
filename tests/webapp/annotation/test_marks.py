"""Posting marks: one effect however often, sentences for what is wrong, nothing of others."""

import json
import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone

from tests.conftest import person
from webapp.agents.models import Agent
from webapp.annotation import access, marks
from webapp.annotation.models import Assignment, Gold, Mark
from webapp.annotation.queue import close
from webapp.datasets.models import Marked, Snapshot
from webapp.episodes.models import Episode
from webapp.rounds.models import Round
from webapp.studies.models import Study


@pytest.fixture
def post(anna, anna_client):
    """A function: post marks as anna; the results by mark."""

    def send(*marks, person=None, client=None):
        body = {"person": str((person or anna).pk), "marks": list(marks)}
        return (client or anna_client).post(reverse("replays:marks"), body, content_type="application/json")

    return send


@pytest.fixture
def make_episode(make_episode, hand, anna):
    """A function: an episode that anna was handed, as those are that she marks."""

    def make(player=None, **fields):
        episode = make_episode(player, **fields)
        if player is None:
            hand(episode, anna)
        return episode

    return make


def deep(levels):
    value = {"a": 1}
    for _ in range(levels):
        value = {"a": value}
    return value


def results(response):
    assert response.status_code == 200, response.content
    return response.json()["results"]


def test_a_mark_is_stored_with_who_and_how(post, make_mark, make_episode, anna):
    mark = make_mark(make_episode(), note="good hint", context={"input": "mouse", "playing": True})
    assert results(post(mark)) == [{"id": mark["id"], "status": "saved", "revision": 1}]
    row = Mark.objects.get()
    assert (str(row.pk), row.annotator, row.seat, row.tick, row.sign) == (mark["id"], anna, 1, 5, 1)
    assert (row.note, row.context) == ("good hint", {"input": "mouse", "playing": True})


def test_a_mark_may_say_why_in_one_of_few_words_and_a_page_that_is_opened_again_knows_it(
    post, make_mark, make_episode, anna_client
):
    episode = make_episode()
    mark = make_mark(episode, context={"input": "key", "reason": "mixed"})
    assert results(post(mark))[0]["status"] == "saved"
    page = anna_client.get(reverse("replays:replay", args=[episode.pk]))
    assert page.context["page"]["marks"][0]["context"] == {"input": "key", "reason": "mixed"}
    assert all(f'data-reason="{key}"' in page.content.decode() for key, _, _ in marks.REASONS)
    page = anna_client.get(reverse("replays:mark", args=[mark["id"]])).content.decode()
    assert "<dt>Reason</dt><dd>Mixed</dd>" in page
    other = make_mark(episode, tick=6, context={"reason": "whim"})
    refused = "whose reason is asked, score, partner, mixed or none."
    assert results(post(other))[0]["sentence"].endswith(refused)
    late = mark | {"context": {"input": "key", "reason": "score"}}  # another window, of the same revision
    assert results(post(late))[0]["status"] == "stale"


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
    [before] = row.versions.all()
    assert (before.revision, before.sign, before.tick) == (1, 1, 5), "what it was is kept"


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


WHOLE = "it must be a whole number from 0 to 2,147,483,647."
NOTE = "it must be a text of at most 2,000 characters."
SMALL = "a small object, whose reason is asked, score, partner, mixed or none"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"tick": 0}, "Tick 0 can't be marked: this episode has moves 1 to 20."),
        ({"tick": 21}, "Tick 21 can't be marked: this episode has moves 1 to 20."),
        ({"tick": 2.5}, f"The tick of a mark is 2.5; {WHOLE}"),
        ({"tick": True}, f"The tick of a mark is True; {WHOLE}"),
        ({"seat": 2}, "There is no seat 2: this episode has 2 seats."),
        ({"seat": -1}, f"The seat of a mark is -1; {WHOLE}"),
        ({"sign": 0}, "The sign of a mark is 0; it must be 1 (progress) or -1 (regression)."),
        ({"sign": True}, "The sign of a mark is True; it must be 1 (progress) or -1 (regression)."),
        ({"revision": 0}, f"The revision of a mark is 0; {WHOLE.replace('0 to', '1 to')}"),
        ({"id": "nonsense"}, "The id of a mark is 'nonsense'; it must be an id (a UUID)."),
        (
            {"note": "x" * 3000},
            f"The note of a mark is '{'x' * 39}…; {NOTE}",
        ),
        ({"context": [1]}, f"The context of a mark is [1]; it must be {SMALL}."),
        ({"context": {"input": "\x00"}}, "The context of a mark may not hold a character of number 0."),
        (
            {"context": {"input": "\ud83c"}},
            "The context of a mark may not hold half a character (a lone surrogate).",
        ),
        ({"context": {"speed": float("nan")}}, "The context of a mark may not hold NaN, which is no number."),
        (
            {"context": {"speed": float("inf")}},
            "The context of a mark may not hold a number that is too large.",
        ),
        (
            {"context": deep(40)},
            "The context of a mark may not hold more than 16 lists or objects in one another.",
        ),
        ({"note": "good \ud83c"}, "The note of a mark may not hold half a character (a lone surrogate)."),
        ({"note": "a\x00b"}, "The note of a mark may not hold a character of number 0."),
        ({"tick": 2**70}, "The tick of a mark may not hold a whole number that is too large."),
        ({"revision": 2**40}, f"The revision of a mark is {2**40}; {WHOLE.replace('0 to', '1 to')}"),
        ({"id": ["nonsense"]}, "The id of a mark is ['nonsense']; it must be an id (a UUID)."),
        ({"id": float("nan")}, "The id of a mark may not hold NaN, which is no number."),
        ({"id": deep(40)}, "The id of a mark may not hold more than 16 lists or objects in one another."),
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


@pytest.mark.parametrize(
    "made_at",
    ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1816-05-01T00:00:00Z", "²", 7, [1], None],
)
def test_a_time_that_can_not_be_is_left_out(post, make_mark, make_episode, made_at):
    assert results(post(make_mark(make_episode(), made_at=made_at)))[0]["status"] == "saved"
    assert Mark.objects.get().made_at is None


def test_half_an_emoji_as_a_browser_writes_it_takes_no_other_mark_with_it(
    anna, anna_client, make_episode, make_mark
):
    episode = make_episode()
    made = [make_mark(episode, tick=tick) for tick in (3, 4, 5)]
    body = json.dumps({"person": str(anna.pk), "marks": made}).replace('"note": ""', '"note": "\\ud83c"', 1)
    answer = anna_client.post(reverse("replays:marks"), body, content_type="application/json")
    assert [one["status"] for one in results(answer)] == ["refused", "saved", "saved"]
    assert [one["id"] for one in results(answer)] == [mark["id"] for mark in made]
    assert set(Mark.objects.values_list("tick", flat=True)) == {4, 5}


@pytest.mark.parametrize("depth", [100, 900, 5000])
def test_a_context_of_any_depth_gets_a_true_sentence(post, make_mark, make_episode, anna, anna_client, depth):
    body = json.dumps({"person": str(anna.pk), "marks": [make_mark(make_episode())]})
    body = body.replace('{"input": "key"}', '{"a":' * depth + "1" + "}" * depth)
    answer = anna_client.post(reverse("replays:marks"), body, content_type="application/json")
    # So deep that it can't be read at all, the batch is refused, and the browser sends its marks one by one.
    said = answer.json()["results"][0]["sentence"] if answer.status_code == 200 else answer.json()["error"]
    assert answer.status_code in (200, 400)
    assert "more than 16 lists or objects in one another" in said


@pytest.mark.parametrize("field", ["note", "context", "revision"])
def test_what_the_database_alone_refuses_takes_no_other_mark_with_it(
    post, make_mark, make_episode, monkeypatch, field
):
    """With no check before the database: what it can't keep of a mark is that mark's fault alone."""
    episode = make_episode()
    unkept = {"note": "\ud83c", "context": {"a": float("nan")}, "revision": 2**70}
    bad, good = make_mark(episode, tick=6), make_mark(episode, tick=7)
    clean = marks.clean

    def unchecked(data):
        values = clean(data)
        return values | {field: unkept[field]} if str(values["id"]) == bad["id"] else values

    monkeypatch.setattr(marks, "clean", unchecked)
    found = results(post(bad, good, bad | {"id": str(uuid.uuid4()), "tick": 8}))
    assert [one["status"] for one in found] == ["refused", "saved", "saved"]
    assert found[0]["sentence"] == marks.UNKEPT
    assert set(Mark.objects.values_list("tick", flat=True)) == {7, 8}


def test_a_database_that_fails_is_no_marks_fault(post, make_mark, make_episode, monkeypatch, anna_client):
    def fails(*args):
        raise OperationalError("database is locked")

    monkeypatch.setattr(marks.Batch, "keep", fails)
    answer = post(make_mark(make_episode()))  # the browser keeps it and tries again
    assert answer.status_code == 503 and "try again in a moment" in answer.json()["error"]
    monkeypatch.undo()
    assert results(post(make_mark(make_episode())))[0]["status"] == "saved"


@pytest.mark.django_db(transaction=True)
def test_on_a_full_disk_marks_and_pages_get_a_sentence_and_later_they_are_saved(
    post, make_mark, make_episode, anna_client
):
    mark = make_mark(make_episode(), note="n" * 1900, context={})
    more = [mark | {"id": str(uuid.uuid4()), "tick": 1 + index % 9} for index in range(60)]
    with connection.cursor() as cursor:
        # What earlier tests have freed would still take marks.
        filler = "SELECT zeroblob(4096 * freelist_count) FROM pragma_freelist_count"
        cursor.execute(f"CREATE TABLE filler AS {filler}")
        cursor.execute("PRAGMA page_count")
        [pages] = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        try:
            answer = post(mark, *more)
            name = anna_client.post(reverse("accounts:account"), {"name": "n"}).status_code
        finally:
            cursor.execute("PRAGMA max_page_count = 1000000000")
    assert answer.status_code == 503 and "disk is full" in answer.json()["error"]
    assert name != 500 and Mark.objects.count() == 0
    assert results(post(mark))[0]["status"] == "saved"


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
    episode = make_episode(status=Episode.RUNNING, game="overcooked")
    answer = results(post(make_mark(episode)))[0]
    assert answer["sentence"] == "This game is still running; marks open when it is over."


def test_an_episode_that_is_not_ones_own_to_see_is_refused(post, make_mark, make_episode, pia):
    answer = results(post(make_mark(make_episode(pia, public=False))))[0]
    assert answer["sentence"] == "There is no such episode, or it isn't yours to see."


def test_submitted_marks_are_final_after_a_while(post, make_mark, make_episode):
    episode = make_episode()
    close(Assignment.objects.get(), Assignment.SUBMITTED)
    assert results(post(make_mark(episode)))[0]["status"] == "saved"
    Assignment.objects.update(final_at=timezone.now())
    answer = results(post(make_mark(episode, tick=8)))[0]
    assert (answer["status"], "its marks are final since" in answer["sentence"]) == ("refused", True)


def test_a_mark_that_meets_a_submission_is_taken_while_that_may_change(anna, make_mark, make_episode):
    episode = make_episode()
    held = Assignment.objects.get(episode=episode, annotator=anna)
    submitted = []

    def meanwhile(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if not submitted and sql.startswith("SELECT") and "replays_assignment" in sql:
            submitted.append(True)
            assert close(held, Assignment.SUBMITTED)
        return result

    with connection.execute_wrapper(meanwhile):
        (answer,) = marks.write_batch(anna, [make_mark(episode)])
    assert submitted and answer["status"] == "saved", answer


def test_marking_renews_the_lock(post, make_mark, make_episode):
    episode = make_episode()
    soon = timezone.now() + timedelta(minutes=1)
    Assignment.objects.update(expires_at=soon)
    results(post(make_mark(episode)))
    assert Assignment.objects.get().expires_at > soon + timedelta(minutes=20)


def test_of_two_hundred_equal_marks_and_of_both_signs_at_one_tick_the_last_one_stays(
    post, make_mark, make_episode
):
    episode = make_episode()
    flood = [make_mark(episode) for _ in range(199)] + [make_mark(episode, sign=-1)]
    answers = results(post(*flood))
    assert Mark.objects.get(deleted=False).sign == -1
    assert {answer["status"] for answer in answers[:-1]} == {"stale"}
    assert all(answer["mark"]["deleted"] for answer in answers[:-1])
    assert answers[-1]["status"] == "saved"
    assert results(post(*flood))[-1]["status"] == "saved"  # the answer was lost: nothing changes
    assert Mark.objects.filter(deleted=False).count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        Mark.objects.filter(pk=flood[0]["id"]).update(deleted=False)


def test_a_mark_that_moved_away_meets_the_one_that_took_its_place_in_any_order(post, make_mark, make_episode):
    episode = make_episode()
    first, second = make_mark(episode), make_mark(episode, sign=-1)
    results(post(first))
    answer = results(post(second))[0]  # from another window, which knows nothing of it
    assert answer["status"] == "saved"
    lost = [(one["id"], one["revision"], one["deleted"]) for one in answer["displaced"]]
    assert lost == [(first["id"], 1, True)], "so that the page takes it away"
    moved = first | {"revision": 2, "tick": 9}
    assert results(post(moved))[0]["status"] == "saved"
    assert set(Mark.objects.filter(deleted=False).values_list("tick", "sign")) == {(9, 1), (5, -1)}
    back = moved | {"revision": 3, "tick": 5}  # onto the other one
    assert results(post(back))[0]["status"] == "saved"
    assert [mark.sign for mark in Mark.objects.filter(deleted=False)] == [1]
    late = results(post(second))[0]
    assert (late["status"], late["mark"]["deleted"]) == ("stale", True)
    removed = [back | {"revision": 4, "deleted": True}, make_mark(episode, sign=-1)]
    assert [one["status"] for one in results(post(*removed))] == ["saved", "saved"]
    assert [mark.sign for mark in Mark.objects.filter(deleted=False)] == [-1]


@pytest.mark.parametrize("whose", ["mine elsewhere", "somebody else's"])
def test_a_refused_mark_removes_none_that_stands(post, make_mark, make_episode, adam, whose):
    """Its id exists already, in another episode or as somebody else's: what stands at its place stays."""
    episode = make_episode()
    taken = make_mark(make_episode() if whose == "mine elsewhere" else episode)
    standing, other = make_mark(episode, tick=7), make_mark(episode, tick=9)
    assert [one["status"] for one in results(post(taken, standing))] == ["saved", "saved"]
    if whose == "somebody else's":
        Mark.objects.filter(pk=taken["id"]).update(annotator=adam)
    answers = results(post(make_mark(episode, id=taken["id"], tick=7), standing, other))
    assert [one["status"] for one in answers] == ["refused", "saved", "saved"]
    assert "belongs to somebody else or to another episode" in answers[0]["sentence"]
    assert not Mark.objects.get(pk=standing["id"]).deleted


def test_what_nobody_handed_out_takes_only_what_the_study_lets_one_mark_freely(
    post, make_mark, make_episode, anna, adam, adam_client, study
):
    own, other, gold = make_episode(anna), make_episode(adam), make_episode(adam)
    Gold.objects.create(study=study, episode=gold, marks=[{"seat": 1, "tick": 5, "sign": 1}])

    def answers(*episodes):
        found = results(post(*[make_mark(one, id=str(uuid.uuid4())) for one in episodes]))
        return [answer.get("sentence", answer["status"]) for answer in found]

    assert answers(own, other, gold) == ["saved", access.NOT_HANDED, access.NOT_HANDED]
    Study.objects.update(free_marks=Study.NOTHING)
    assert answers(own, other) == [access.NOTHING_FREE] * 2
    Study.objects.update(free_marks=Study.ANY, gold_every=5)
    # The queue has both for her yet: nothing tells gold apart.
    assert answers(own, other, gold) == ["saved", access.NOT_YET_HANDED, access.NOT_YET_HANDED]
    for name in ("bert", "carl"):
        Assignment.objects.create(
            study=study, episode=other, annotator=person(name, "annotator"), expires_at=timezone.now()
        )
    assert answers(other, gold) == ["saved", access.NOT_YET_HANDED]
    Study.objects.update(gold_every=0)
    assert answers(gold) == ["saved"], "a study that hands out no gold will never hand it out"
    Study.objects.update(free_marks=Study.NOTHING)
    free = results(post(make_mark(make_episode(anna)), person=adam, client=adam_client))
    assert free[0]["status"] == "saved", "admins make gold of their own marks"


def test_a_batch_has_a_fixed_number_of_queries(post, make_mark, make_episode, django_assert_max_num_queries):
    episode = make_episode()
    made = [make_mark(episode, tick=tick) for tick in range(1, 11)]
    with django_assert_max_num_queries(60):  # three a mark, and those of session, access and transaction
        results(post(*made))
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


def test_the_page_of_a_mark_lists_the_agents_trained_from_it(
    post, make_mark, make_episode, anna_client, monkeypatch
):
    mark = make_mark(make_episode())
    post(mark)
    snapshot, kept = Snapshot.objects.create(game="hanabi", folder="a"), Mark.objects.get()
    Marked.objects.create(snapshot=snapshot, episode=kept.episode, annotator=kept.annotator, marks=1)
    row = {"id": str(kept.pk), "tick": 5, "sign": 1, "revision": 1}
    monkeypatch.setattr(Snapshot, "mark", lambda self, pk: row if pk == kept.pk else None)
    base = Agent.objects.create(ref="hanabi/base", name="Base", game="hanabi", kind="scripted")
    number = (Round.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    made = Round.objects.create(number=number, game="hanabi", base_agent=base, snapshot=snapshot)
    Agent.objects.create(ref="hanabi/r1-agent", name="Trained", game="hanabi", kind="network", round=made)
    page = anna_client.get(reverse("replays:mark", args=[mark["id"]])).content.decode()
    assert 'href="/agents/hanabi/r1-agent/"' in page
    assert f"round {number}" in page

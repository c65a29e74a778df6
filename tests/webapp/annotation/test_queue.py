"""The queue: overlap, never twice, locks, skips, gold, blindness."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.conftest import person
from tests.webapp.cast import text_of
from webapp.annotation import queue
from webapp.annotation.models import Assignment, Flag, Gold
from webapp.annotation.queue import close, hand_out
from webapp.common.templatetags import counts
from webapp.studies.models import Study

SEEN = {"seen": "20"}  # to the last tick


def handed(study, user):
    out = hand_out(study, user)
    return out.assignment if out else None


def test_an_episode_goes_to_as_many_people_as_the_overlap_says(study, make_episode, anna):
    make_episode()
    bert, carl = person("bert", "annotator"), person("carl", "annotator")
    assert handed(study, anna) and handed(study, bert)
    assert handed(study, carl) is None


def test_nobody_gets_an_episode_twice(study, make_episode, anna):
    make_episode()
    close(handed(study, anna), Assignment.SUBMITTED)
    assert handed(study, anna) is None


def test_a_skipped_episode_is_not_handed_to_the_same_person_again_but_to_others(study, make_episode, anna):
    episode = make_episode()
    close(handed(study, anna), Assignment.SKIPPED, "too short")
    assert handed(study, anna) is None
    assert handed(study, person("bert", "annotator")).episode == episode


def test_asking_again_gives_the_episode_that_one_holds(study, make_episode, anna):
    make_episode()
    make_episode()
    assert handed(study, anna).pk == handed(study, anna).pk


def test_a_lock_that_ran_out_frees_the_episode(study, make_episode, anna):
    study.overlap = 1
    study.save()
    make_episode()
    mine = handed(study, anna)
    bert = person("bert", "annotator")
    assert handed(study, bert) is None
    Assignment.objects.filter(pk=mine.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert handed(study, bert) is not None
    assert handed(study, anna) is None, "somebody else has it now"


def test_who_comes_back_late_goes_on_if_nobody_took_it(study, make_episode, anna):
    make_episode()
    mine = handed(study, anna)
    Assignment.objects.filter(pk=mine.pk).update(expires_at=timezone.now() - timedelta(minutes=5))
    again = handed(study, anna)
    assert (again.pk, again.status, again.expires_at > timezone.now()) == (mine.pk, "open", True)


def test_marks_made_late_still_count_when_submitted_late(study, make_episode, anna):
    make_episode()
    mine = handed(study, anna)
    Assignment.objects.filter(pk=mine.pk).update(status=Assignment.EXPIRED)
    assert close(mine, Assignment.SUBMITTED)
    assert not close(mine, Assignment.SUBMITTED), "a second press of Enter does nothing"


def test_who_submits_after_somebody_else_took_the_place_does_not_overshoot(
    study, make_episode, anna, anna_client
):
    study.overlap = 1
    study.save()
    make_episode()
    mine = handed(study, anna)
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    theirs = handed(study, person("bert", "annotator"))
    assert not close(mine, Assignment.SUBMITTED)
    answer = anna_client.post(reverse("replays:submit", args=[mine.pk]), SEEN, follow=True)
    assert "somebody else has it now" in answer.content.decode()
    assert close(theirs, Assignment.SUBMITTED)
    assert Assignment.objects.filter(status=Assignment.SUBMITTED).count() == 1


def test_marking_takes_up_again_what_ran_out_and_nobody_took(
    study, make_episode, make_mark, anna, anna_client
):
    study.overlap = 1
    study.save()
    episode = make_episode()
    handed(study, anna)
    Assignment.objects.update(status=Assignment.EXPIRED, expires_at=timezone.now() - timedelta(hours=1))
    page = anna_client.get(reverse("replays:replay", args=[episode.pk])).content.decode()
    assert "nobody has taken it since" in page and "Submit and next" in page
    body = {"person": str(anna.pk), "marks": [make_mark(episode)]}
    anna_client.post(reverse("replays:marks"), body, content_type="application/json")
    mine = Assignment.objects.get()
    assert (mine.status, mine.expires_at > timezone.now()) == (Assignment.OPEN, True)
    assert handed(study, person("bert", "annotator")) is None


def test_what_was_submitted_or_skipped_is_not_closed_otherwise(study, make_episode, anna, anna_client):
    make_episode()
    make_episode()
    submitted = handed(study, anna)
    anna_client.post(reverse("replays:submit", args=[submitted.pk]), SEEN)
    skipped = handed(study, anna)
    anna_client.post(reverse("replays:skip", args=[skipped.pk]), {"reason": "broken"})
    skip = anna_client.post(reverse("replays:skip", args=[submitted.pk]), {"reason": "late"}, follow=True)
    assert "submitted before; nothing was changed" in skip.content.decode()
    submit = anna_client.post(reverse("replays:submit", args=[skipped.pk]), follow=True)
    assert "skipped before; nothing was changed" in submit.content.decode()
    found = Assignment.objects.order_by("handed_at").values_list("status", flat=True)
    assert list(found) == ["submitted", "skipped"]


def test_begun_episodes_are_finished_before_new_ones_are_begun(study, make_episode, anna):
    make_episode()
    second = make_episode()
    Assignment.objects.create(
        study=study, episode=second, annotator=person("bert", "annotator"), status="submitted",
        expires_at=timezone.now(),
    )  # fmt: skip
    out = hand_out(study, anna)
    assert (out.assignment.episode, out.why) == (second, "1 of 2 annotators had it already.")


def test_played_games_come_before_simulated_ones(study, make_episode, anna):
    make_episode(source="simulated")
    played = make_episode()
    assert handed(study, anna).episode == played


@pytest.mark.parametrize(
    "fields", [{"status": "running"}, {"for_annotators": False}, {"game": "other"}, {"ticks": 0}]
)
def test_what_can_not_be_marked_is_not_handed_out(study, make_episode, anna, fields):
    make_episode(**fields)
    assert handed(study, anna) is None


def test_what_is_open_to_annotators_alone_is_handed_out_and_no_other_way_to_be_seen(
    study, make_episode, anna, anna_client, pia_client
):
    episode = make_episode(public=False)
    address = reverse("replays:replay", args=[episode.pk])
    assert anna_client.get(address).status_code == 404
    assert handed(study, anna).episode == episode
    assert anna_client.get(address).status_code == 200
    assert pia_client.get(address).status_code == 404


def test_nobody_is_handed_the_own_game(study, make_episode, anna):
    make_episode(player=anna)
    assert handed(study, anna) is None


def test_every_nth_episode_is_gold_and_is_not_told_apart(study, make_episode, anna, anna_client):
    study.gold_every = 2
    study.save()
    gold = make_episode()
    Gold.objects.create(study=study, episode=gold, marks=[{"seat": 1, "tick": 5, "sign": 1}])
    make_episode()
    make_episode()
    order = []
    for _ in range(3):
        assignment = handed(study, anna)
        order.append((assignment.is_gold, assignment.episode == gold))
        close(assignment, Assignment.SUBMITTED)
    assert order == [(False, False), (True, True), (False, False)]
    page = anna_client.get(reverse("replays:replay", args=[gold.pk])).content.decode()
    assert "gold" not in page.lower().replace("gold-panel", "")


def test_next_submit_and_skip_lead_from_episode_to_episode(study, make_episode, anna, anna_client):
    first, second = make_episode(), make_episode()
    answer = anna_client.post(reverse("replays:next"), {"study": study.pk})
    assert answer.url == reverse("replays:replay", args=[first.pk])
    mine = Assignment.objects.get()
    answer = anna_client.post(reverse("replays:submit", args=[mine.pk]), SEEN)
    assert answer.url == reverse("replays:replay", args=[second.pk])
    other = Assignment.objects.get(status="open")
    answer = anna_client.post(reverse("replays:skip", args=[other.pk]), {"reason": ""})
    assert answer.url == reverse("replays:replay", args=[second.pk])
    answer = anna_client.post(reverse("replays:skip", args=[other.pk]), {"reason": "broken"})
    assert answer.url == f"{reverse('replays:queue')}?study={study.pk}"
    assert Assignment.objects.get(status="skipped").reason == "broken"


@pytest.mark.parametrize("seen", [{}, {"seen": "19"}, {"seen": "-1"}, {"seen": "all"}])
def test_what_nobody_looked_through_is_not_submitted_without_a_mark(
    study, make_episode, make_mark, anna, anna_client, seen
):
    episode = make_episode()
    mine = handed(study, anna)
    address = reverse("replays:submit", args=[mine.pk])
    page = anna_client.post(address, seen, follow=True).content.decode()
    assert "You have marked nothing, and seen it to tick" in page
    assert Assignment.objects.get().status == Assignment.OPEN
    body = {"person": str(anna.pk), "marks": [make_mark(episode)]}
    anna_client.post(reverse("replays:marks"), body, content_type="application/json")
    anna_client.post(address, seen)
    assert Assignment.objects.get().status == Assignment.SUBMITTED


def test_assignments_of_others_are_not_found(study, make_episode, anna, signed_in):
    make_episode()
    mine = handed(study, anna)
    bert = signed_in(person("bert", "annotator"))
    assert bert.post(reverse("replays:submit", args=[mine.pk])).status_code == 404


def test_players_have_no_queue(pia_client):
    assert pia_client.get(reverse("replays:queue")).status_code == 403
    assert pia_client.post(reverse("replays:next")).status_code == 403


def test_the_queue_page_has_a_fixed_number_of_queries(
    study, make_episode, anna, anna_client, django_assert_num_queries
):
    for _ in range(5):
        make_episode()
        close(handed(study, anna), Assignment.SUBMITTED)
    anna_client.get(reverse("replays:queue"))
    with django_assert_num_queries(14):
        anna_client.get(reverse("replays:queue"))


def test_without_a_study_the_page_says_what_to_do(study, anna_client):
    study.delete()
    assert "No study is active" in anna_client.get(reverse("replays:queue")).content.decode()


def test_a_flag_needs_a_note_and_keeps_the_tick(make_episode, pia, pia_client):
    episode = make_episode(pia)
    address = reverse("replays:flag", args=[episode.pk])
    pia_client.post(address, {"note": " ", "tick": "3"})
    assert Flag.objects.count() == 0
    sent = {"note": "The cards overlap", "tick": "7", "seat": "1", "view": "open"}
    answer = pia_client.post(address, sent)
    assert (Flag.objects.get().tick, Flag.objects.get().user) == (7, pia)
    assert answer.url == reverse("replays:replay", args=[episode.pk]) + "?tick=7&seat=1&view=open"


def test_who_has_nothing_left_is_told_of_the_other_games(study, make_episode, anna_client):
    other = Study.objects.create(name="Kitchens", game="overcooked")
    page = anna_client.get(reverse("replays:queue") + f"?study={study.pk}").content.decode()
    assert "No other study has an episode for you." in page
    make_episode(game="overcooked")
    page = text_of(anna_client.get(reverse("replays:queue") + f"?study={study.pk}"))
    assert f'href="?study={other.pk}">Overcooked: 1 left in Kitchens</a>' in page
    page = text_of(anna_client.post(reverse("replays:next"), {"study": study.pk}, follow=True))
    assert "Overcooked: 1 left in Kitchens" in page
    Study.objects.filter(pk=other.pk).update(name="Overcooked")
    page = text_of(anna_client.get(reverse("replays:queue") + f"?study={study.pk}"))
    assert f'href="?study={other.pk}">1 left in Overcooked</a>' in page
    make_episode()
    page = anna_client.get(reverse("replays:queue") + f"?study={study.pk}").content.decode()
    assert "left in Overcooked" not in page  # while there is something, nothing else calls


def test_the_address_names_a_study_by_its_game(study, anna_client):
    other = Study.objects.create(name="Kitchens", game="overcooked")
    for query, shown in (({"game": other.game}, other.game), ({"game": "chess"}, None), ({}, None)):
        page = anna_client.get(reverse("replays:queue"), query)
        assert page.context["study"].game == (
            shown or Study.objects.filter(active=True).order_by("pk")[0].game
        )


def test_what_is_left_is_counted_no_further_than_it_is_said(
    study, make_episode, anna, anna_client, monkeypatch
):
    for where in (queue, counts):
        monkeypatch.setattr(where, "COUNTED", 2)
    for _ in range(4):
        make_episode()
    assert queue.left_for(study, anna) == 3
    page = " ".join(anna_client.get(reverse("replays:queue")).content.decode().split())
    assert "more than 2 Hanabi episodes left for you" in page

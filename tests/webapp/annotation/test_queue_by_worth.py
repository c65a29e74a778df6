"""The queue's order by what a reward model is least sure about, and the share that is drawn at random."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.conftest import person
from webapp.annotation import queue
from webapp.annotation.models import Assignment, Gold, InQueue, Worth
from webapp.annotation.queue import close, hand_out
from webapp.studies.models import Study

OLDEST = "It was the oldest of the episodes that were next for you."
NEXT = "the episodes that were next for you"
DRAWN = f"It was drawn at random from {NEXT}, so that the marked ones are a fair sample."
SURE = f"Of {NEXT}, the reward model of round 3 was least sure about this one."


@pytest.fixture
def make_ranked(make_episode):
    """A function: an episode that a round's reward model finds worth so much; None is what none can read."""

    def make(value: float | None, number: int | None = 3, **fields):
        episode = make_episode(**fields)
        number = None if value is None else number
        Worth.objects.create(episode=episode, value=value, round=number, seen=timezone.now())
        return episode

    return make


def said(study, user) -> tuple:
    """What is handed out, and why; submitted at once."""
    out = hand_out(study, user)
    close(out.assignment, Assignment.SUBMITTED)
    return out.assignment.episode, out.why


def firsts(study, user) -> set:
    """The episodes that may come first, each as likely as any other here."""
    places = InQueue.objects.filter(study=study)
    for number, one in enumerate(places):
        InQueue.objects.filter(pk=one.pk).update(draw=number / len(places))
    return {queue.choose(study, user, is_new=True)[0].episode_id for _ in range(100)}


def test_what_is_worth_most_comes_first_and_what_no_model_can_read_last_by_age(
    study, make_ranked, make_episode, anna
):
    unread, new, low, high = make_ranked(None), make_episode(), make_ranked(0.1), make_ranked(0.9)
    assert [said(study, anna) for _ in range(4)] == [
        (high, SURE), (low, SURE), (unread, OLDEST), (new, OLDEST)
    ]  # fmt: skip


def test_source_and_being_begun_go_before_worth(study, make_ranked, anna):
    simulated, begun, high = make_ranked(0.9, source="simulated"), make_ranked(0.1), make_ranked(0.8)
    Assignment.objects.create(
        study=study, episode=begun, annotator=person("bert", "annotator"), status="submitted",
        expires_at=timezone.now(),
    )  # fmt: skip
    order = [said(study, anna) for _ in range(3)]
    assert [episode for episode, _ in order] == [begun, high, simulated]
    assert order[0][1] == "1 of 2 annotators had it already."
    assert order[2][1] == SURE.replace("games played here", "simulated games")  # others are worth less


def test_models_of_different_scales_share_the_first_places(study, make_ranked, anna):
    """Of two layouts each has its own model; the one whose numbers are larger doesn't go first as a whole."""
    small = [make_ranked(value / 1000, number=4) for value in range(3)]
    large = [make_ranked(value, number=5) for value in range(3)]
    order = [said(study, anna)[0] for _ in range(6)]
    assert order == [small[2], large[2], small[1], large[1], small[0], large[0]]


def test_all_may_be_drawn_and_then_any_comes_first(study, make_ranked, make_episode, anna):
    study.random_share = 100
    study.save()
    make_ranked(0.9), make_ranked(0.1), make_ranked(None), make_episode()
    assert len(firsts(study, anna)) == 4
    assert said(study, anna)[1] == DRAWN


def test_a_share_is_drawn(study, make_ranked, anna, monkeypatch):
    study.random_share = 25
    study.save()
    episodes = [make_ranked(n / 10) for n in range(8)]
    thrown = iter(range(0, 80, 10))
    monkeypatch.setattr(queue.random, "randrange", lambda most: next(thrown))
    assert [said(study, anna)[1] == DRAWN for _ in episodes] == [True] * 3 + [False] * 5


def test_without_a_reward_model_the_oldest_comes(study, make_episode, anna):
    episodes = [make_episode() for _ in range(4)]
    assert [said(study, anna) for _ in episodes] == [(one, OLDEST) for one in episodes]


@pytest.mark.django_db
def test_where_nobody_asks_for_something_else_chance_chooses_with_a_model_or_without(
    make_episode, make_ranked, anna
):
    for study in Study.objects.all():
        assert study.random_share == 100, study
    study = Study.objects.get(game="hanabi")
    unread = [make_episode() for _ in range(3)]
    assert firsts(study, anna) == {one.pk for one in unread}
    make_ranked(0.9)
    assert len(firsts(study, anna)) == 4
    assert said(study, anna)[1] == DRAWN


@pytest.mark.parametrize("share", [0, 100])
def test_gold_says_of_itself_what_others_say(study, make_ranked, make_episode, anna, share):
    study.gold_every, study.random_share = 2, share
    study.save()
    gold = make_episode()
    Gold.objects.create(study=study, episode=gold, marks=[{"seat": 1, "tick": 5, "sign": 1}])
    for n in range(3):
        make_ranked(n / 10)
    (_, before), (second, why), (_, after) = [said(study, anna) for _ in range(3)]
    assert second == gold and before == why == after


def test_the_sentence_has_no_number_of_the_model_in_it(study, make_ranked, anna, anna_client):
    make_ranked(0.4321)
    page = anna_client.post(reverse("replays:next"), {"study": study.pk}, follow=True).content.decode()
    assert SURE in page and "0.43" not in page


def test_the_queue_page_says_what_the_order_is_by(study, make_episode, make_ranked, anna_client):
    make_episode()
    study.random_share = 30
    study.save()
    page = anna_client.get(reverse("replays:queue")).content.decode()
    assert "30 % of the new episodes are drawn at random" in page and "the oldest come first" in page
    make_ranked(0.5)
    page = anna_client.get(reverse("replays:queue")).content.decode()
    assert "is least sure" in page and "30 % of the new episodes are drawn at random" in page
    study.random_share = 100
    study.save()
    page = anna_client.get(reverse("replays:queue")).content.decode()
    assert "New episodes are drawn at random" in page and "least sure" not in page


def test_why_an_episode_was_handed_out_is_said_on_its_page_for_as_long_as_it_is_held(
    study, make_ranked, anna, anna_client
):
    episode, other = make_ranked(0.9), make_ranked(0.1)
    anna_client.post(reverse("replays:next"), {"study": study.pk})
    Worth.objects.filter(episode=other).update(value=5)  # by now the model is less sure about another one
    page = anna_client.get(reverse("replays:replay", args=[episode.pk])).content.decode()
    assert f"Why you got it: {SURE}" in page
    assert f"Why this one: {SURE}" in anna_client.get(reverse("replays:queue")).content.decode()
    held = Assignment.objects.get()
    submit = reverse("replays:submit", args=[held.pk])
    page = anna_client.post(submit, {"seen": 99}, follow=True).content.decode()
    assert page.count(SURE) == 2  # also of the next one: in passing, and on the page
    assert page.count("data-passing") == 2 and page.count('class="passing"') == 1, "none lies over another"


def test_of_much_that_a_model_has_read_a_fair_sample_says_where_one_stands(
    study, make_ranked, anna, monkeypatch
):
    monkeypatch.setattr(queue, "COMPARED", 2)
    for draw, value in enumerate((0.1, 0.4, 0.2, 0.3)):
        one = InQueue.objects.filter(study=study, episode=make_ranked(value))
        one.update(draw=draw / 10)
    assert queue.place(study, one.get()) == 0.5, "0.1 and 0.4 were drawn"
    assert queue.judged(study, anna)
    InQueue.objects.update(taken=study.overlap)
    assert not queue.judged(study, anna), "they have all their annotators"

"""What a round's evaluation found, on its page, in its list and on the candidate's card, told and untold."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from engine.learning import evaluate_round
from engine.learning.reporting import Reporter
from tests.webapp.cast import simulated_episodes, small_network
from webapp.agents import cards
from webapp.rounds import candidates, comparison, launch, presets
from webapp.rounds.models import Job, Round

pytestmark = pytest.mark.django_db
AGENTS = {
    "game": "hanabi",
    "candidate": "hanabi/random",
    "base": "hanabi/grounded-bot",
    "champion": "hanabi/convention-bot",
}


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory) -> dict:
    """What the real program reports, with an instruction."""
    found = {}
    reporter = Reporter()
    reporter.result = lambda **fields: found.update(fields)
    settings = evaluate_round.Settings(
        **AGENTS, episodes=12, probes=0, cross_play=False, instruction="never play"
    )
    evaluate_round.train(settings, tmp_path_factory.mktemp("out"), reporter)
    return json.loads(json.dumps(found))


@pytest.fixture
def one(adam) -> Round:
    base = small_network()
    simulated_episodes(base, count=3)
    settings = {"data": {"simulated_episodes": True, "simulated_marks": True}, **presets.values("tiny")}
    return launch.create(base, settings, adam)


def completed(one: Round, kind: str, result: dict) -> None:
    one.jobs.filter(kind=kind).update(state=Job.COMPLETED, result=result)


def test_the_page_shows_both_untold_and_told_and_says_who_was_told(one, evaluation, adam_client):
    completed(one, "evaluation", evaluation)
    answer = adam_client.get(reverse("rounds:round", args=[one.number]))
    found, page = answer.context["comparison"], answer.content.decode()
    assert [bar["label"] for bar in found["plots"][0]["bars"]] == ["candidate", "champion", "base"]
    assert [bar["label"] for bar in found["told"]["plots"][0]["bars"]] == ["candidate", "champion", "base"]
    assert "Told “never play”" in page and "Candidate, champion and base are told the same" in page
    assert "Told nothing: The candidate is worse in self-play" in page
    assert "Intervals are over 12 deals, the same for all." in page
    told = evaluation["told"]["self_play"]["base"]["mean"]
    assert f"base: {told:.2f}, 95% interval" in page


def test_the_verdict_is_on_differences_deal_by_deal(one, evaluation):
    completed(one, "evaluation", evaluation)
    gap = evaluation["difference"]["champion"]
    found = comparison.of(one, list(one.jobs.all()))
    assert f"by {-gap['mean']:.2f} ± {1.96 * gap['stderr']:.2f} points" in found["verdict"]
    assert comparison.is_worse(one)


def test_the_candidates_card_keeps_what_it_did_when_it_was_told(evaluation):
    scores = candidates.scores(evaluation, {})
    assert scores["told"]["instruction"] == "never play"
    assert scores["told"]["self_play"] == evaluation["told"]["self_play"]["candidate"]
    agent = small_network()
    agent.card |= {"evaluation": scores}
    labels = [bar["label"] for bar in cards.plots(agent)]
    assert labels == ["with people (proxy)", "self-play", "self-play, told “never play”"]


def test_metrics_that_are_missing_are_explained_on_the_page(one, adam_client):
    nothing = {"value": None, "low": None, "high": None}
    held_out = {"model": {"pair_accuracy": nothing}, "clock": {"pair_accuracy": nothing}}
    note = "The held-out episodes have 3 marks of progress and 0 of regression, from which …"
    completed(one, "reward_model", {"held_out": held_out, "notes": [note]})
    assert note in adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()

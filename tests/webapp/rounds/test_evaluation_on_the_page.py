"""What a round's evaluation found, on its page, in its list and on the candidate's card, told and untold."""

from __future__ import annotations

import html
import io
import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from engine.agents.catalogue import load
from engine.evaluation.annotators import Annotator
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.learning.algorithms import evaluate_round, ibt
from engine.learning.run.reporting import Reporter
from tests.webapp.cast import simulated_episodes, small_network
from webapp.agents import cards, verdicts
from webapp.jobs.models import Job
from webapp.rounds import candidates, comparison, doubts, launch, presets
from webapp.rounds.models import Round

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
    assert [plot["title"] for plot in found["plots"]] == ["With people (proxy: human)", "Self-play"]
    for plot in found["plots"]:
        assert [bar["label"] for bar in plot["bars"]] == ["candidate", "champion", "base"]
    assert [bar["label"] for bar in found["told"]["plots"][0]["bars"]] == ["candidate", "champion", "base"]
    assert "With “never play”" in page and "with candidate, champion and base alike" in page
    assert page.index("Without an instruction:") < page.index("The candidate is worse in self-play")
    assert "Intervals are over 12 deals, the same for all." in page
    told = evaluation["told"]["self_play"]["base"]["mean"]
    assert f"base: {told:.2f}, 95% interval" in page


def test_the_verdict_is_on_differences_deal_by_deal(one, evaluation):
    completed(one, "evaluation", evaluation)
    found = comparison.of(one, list(one.jobs.all()))
    for verdict, kept in zip(found["verdicts"], ("people_difference", "difference"), strict=True):
        gap = evaluation[kept]["champion"]
        assert f"by {-gap['mean']:.2f} ± {1.96 * gap['stderr']:.2f} points" in verdict.text
    people, alone = (evaluation[kind] for kind in ("people", "self_play"))
    gap = evaluation["people_difference"]["champion"]
    assert gap["mean"] == pytest.approx(people["candidate"]["mean"] - people["champion"]["mean"])
    assert gap["stderr"] is not None and alone["candidate"]["mean"] == 0.0


def scores(mean: float, half: float) -> dict:
    return {"mean": mean, "stderr": half / 1.96, "interval": [mean - half, mean + half], "episodes": 60}


def test_who_is_better_alone_and_worse_with_people_is_said_to_be_worse(one, adam_client):
    """On the page, in the list, for programs and on the card: with people first, and a warning."""
    result = {
        "self_play": {side: scores(21.0, 0.5) for side in comparison.SIDES},
        "difference": {"champion": scores(1.08, 1.05)},
        "people": {"candidate": scores(9.3, 2.6), "champion": scores(12.9, 2.2), "base": scores(12.9, 2.2)},
        "proxy": "hanabi/human",
    }
    completed(one, "evaluation", result)
    Round.objects.filter(pk=one.pk).update(candidate=one.base_agent)
    worse = "The candidate is worse with the human proxy by 3.60 ± 3.41 points."
    better = "The candidate is better in self-play by 1.08 ± 1.05 points."
    warning = "better in self-play but worse with the human proxy"
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    decided = page.index('class="pipeline"')
    assert page.index(worse) < page.index(better) < page.index("Promote</button>") < decided
    assert page.index(warning) < decided
    row = adam_client.get(reverse("rounds:list")).content.decode()
    people = row.index("With the human proxy <strong>9.30")
    assert people < row.index(">worse<") < row.index("In self-play")

    out = io.StringIO()
    call_command("rounds", "list", "--json", stdout=out)
    (said,) = json.loads(out.getvalue())["rounds"]
    assert said["verdict"] == [html.unescape(worse), better]
    assert said["people"]["champion"]["mean"] == 12.9
    assert verdicts.first_clear(comparison.of_round(one)).word == "worse"

    made = small_network("made", seed=3)
    made.card |= {"evaluation": candidates.scores(result, {"champion": one.base_agent.ref})}
    made.save()
    page = adam_client.get(reverse("agents:agent", args=["hanabi", "made"])).content.decode()
    assert page.index(f"Compared with {one.base_agent.name}") < page.index(worse) < page.index(better)
    gallery = adam_client.get(reverse("agents:gallery")).content.decode()
    assert "± 2.60 with the human proxy" in gallery


@pytest.mark.parametrize(
    ("people", "alone", "says"),
    [
        ((0.5, 1.0), (2.0, 1.0), "but not clearly better with the human proxy"),
        ((2.0, 1.0), (-2.0, 1.0), "better with the human proxy but worse in self-play"),
        ((2.0, 1.0), (2.0, 1.0), ""),
        ((-2.0, 1.0), (-2.0, 1.0), ""),
    ],
)
def test_a_warning_stands_where_the_two_disagree(people, alone, says):
    found = verdicts.of("hanabi", {"people": scores(*people), "self_play": scores(*alone)})
    said = doubts.on_disagreement(found)
    assert says in said[0] if says else said == []


def test_the_candidates_card_keeps_what_it_did_when_it_was_told(evaluation):
    scores = candidates.scores(evaluation, {})
    assert scores["told"]["instruction"] == "never play"
    assert scores["told"]["self_play"] == evaluation["told"]["self_play"]["candidate"]
    agent = small_network()
    agent.card |= {"evaluation": scores}
    labels = [bar["label"] for bar in cards.plots(agent)]
    assert labels == ["with people (proxy)", "self-play", "self-play, with “never play”"]


def test_metrics_that_are_missing_are_explained_on_the_page(one, adam_client):
    nothing = {"value": None, "low": None, "high": None}
    held_out = {"model": {"pair_accuracy": nothing}, "clock": {"pair_accuracy": nothing}}
    note = "The held-out episodes have 3 marks of progress and 0 of regression, from which …"
    completed(one, "reward_model", {"held_out": held_out, "notes": [note]})
    assert note in adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()


@pytest.mark.parametrize(
    ("simple_model", "other"), [(True, "trained model, not used"), (False, "simple model")]
)
def test_the_page_compares_a_reward_model_with_a_simple_one_and_says_which_is_used(
    one, adam_client, tmp_path, simple_model, other
):
    logs = list(play_logs(load("hanabi/random"), 24, mistakes=0.0, seed=4))
    write_snapshot(tmp_path / "snapshot", logs, [Annotator("x", measure="sparse")])
    told: dict = {}
    reporter = Reporter()
    reporter.result = lambda **fields: told.update(fields)
    small = {"steps": 1, "hidden": 12, "batch": 12, "held_out": 0.3, "controls": False, "lag": 0}
    config = ibt.Settings(
        dataset=str(tmp_path / "snapshot"), game="hanabi", simple_model=simple_model, **small
    )
    ibt.train(config, tmp_path / "out", reporter)
    completed(one, "reward_model", json.loads(json.dumps(told)))
    answer = adam_client.get(reverse("rounds:round", args=[one.number]))
    rows = answer.context["reward_model"]["rows"]
    assert rows[0]["title"] == "this model" and rows[1]["title"].startswith(other)
    auc = answer.context["reward_model"]["columns"].index("delta auc")
    ours, others = (row["cells"][auc]["value"] for row in rows[:2])
    assert ours > others + 0.1 if simple_model else ours < others - 0.1
    page = html.unescape(answer.content.decode())
    assert "A simple model does better here" in page and other in page
    assert ("is used instead" in page) == simple_model
    assert ("because the setting says so" in page) != simple_model


def test_the_form_lets_one_keep_the_trained_model(one, adam_client):
    form = adam_client.get(reverse("rounds:new")).context["form"]
    offered = {field.name: field for field in form.part("reward_model")["open"]}
    assert offered["reward_model-simple_model"].value() is True
    assert offered["reward_model-simple_model"].label == "Simple model"
    assert one.settings["reward_model"]["simple_model"] is True

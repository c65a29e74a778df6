"""What the weight of U cost in points and bought in U: on a round's page, and below the form's weight."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.webapp.cast import simulated_episodes, small_network
from webapp.jobs.models import Job
from webapp.rounds import doubts, launch, presets, tradeoff
from webapp.rounds.models import Round

pytestmark = pytest.mark.django_db


def score(mean: float, stderr: float = 0.1) -> dict:
    return {"mean": mean, "stderr": stderr, "episodes": 100, "deals": 100}


def evaluated(one: Round, points: float, gain: float) -> Round:
    """A round whose candidate has so many points more than its base and so much more U, which has a spread of
    1 in the base's games.
    """
    result = {
        "self_play": {"candidate": score(10 + points), "base": score(10), "champion": score(10)},
        "difference": {"base": score(points), "champion": score(points)},
        "reward_return": {"candidate": score(5 + gain), "base": score(5), "champion": score(5)},
    }
    Job.objects.filter(round=one, kind="evaluation").update(state=Job.COMPLETED, result=result)
    return one


@pytest.fixture
def base(adam):
    made = small_network()
    simulated_episodes(made, count=3)
    return made


@pytest.fixture
def started(base, adam):
    """Start a round with a weight."""

    def start(weight: float, **more) -> Round:
        settings = {"data": {"simulated_episodes": True, "simulated_marks": True}, **presets.values("tiny")}
        settings["agent"] |= {"utility_weight": weight, **more}
        return launch.create(base, settings, adam)

    return start


def shown(one: Round) -> dict:
    return tradeoff.of(one, list(one.jobs.all()))


def test_a_weight_is_said_in_points_and_u_against_the_base(started, adam_client):
    one = started(0.5)
    assert shown(one) is None
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    assert "What the weight of U cost" not in page
    evaluated(one, -1.2, 0.9)
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    assert (
        "At weight 0.5 the candidate scored 1.20 ± 0.20 points less than its base and gained 0.90 ± 0.28 in "
        "U over its base, 0.9 standard deviations." in page
    )
    assert "The same round with utility weight 0 would separate them" in page
    assert "Rounds with other weights will appear beside it." in page


@pytest.mark.parametrize(
    "weight, found, said",
    [
        (0.5, {"counted": 0.84}, True),
        (0.5, {"counted": 1.0}, False),
        (0.5, {}, False),
        (0, {"counted": 0.84}, False),
    ],
)
def test_what_the_model_knows_is_said_beside_its_weight(started, adam_client, weight, found, said):
    one = evaluated(started(weight), -1.2, 0.9)
    Job.objects.filter(round=one, kind="agent").update(state=Job.COMPLETED, result=found)
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    assert ("U had 0.84 of that weight" in page) == said


def test_the_same_round_without_u_is_what_it_is_compared_with(started):
    other = evaluated(started(0.0, moves=8192), 0.5, 0.0)
    one = evaluated(started(0.5), -0.1, 0.1)
    assert "than its base" not in shown(one)["sentence"] and "as much as its base" in shown(one)["sentence"]
    assert "gained nothing clear in U" in shown(one)["sentence"]
    alone = evaluated(started(0.0), 1.0, 0.0)
    assert f"1.10 ± 0.28 points less than with weight 0 (round {alone.number})" in shown(one)["sentence"]
    assert shown(one)["compared"] == ""
    assert "than its base" in shown(other)["sentence"]


def test_rounds_of_the_same_games_are_points_by_their_weight(started, adam_client):
    first = evaluated(started(2.0, score_weight=0.0), -3.0, 2.0)
    other = evaluated(started(1.0), 9.0, 9.0)
    Round.objects.filter(pk=other.pk).update(base_agent=small_network("three", trained={"players": 3}))
    started(4.0)  # isn't evaluated
    one = evaluated(started(0.5), -1.0, 1.0)
    plot = shown(one)["plot"]
    assert [point["label"] for point in plot["points"]] == ["2", "0.5"]
    assert [point["current"] for point in plot["points"]] == [False, True]
    far, near = plot["points"]
    assert float(far["x"]) > float(near["x"]) > float(plot["x"])  # more U is further right
    assert float(far["y"]) > float(near["y"]) > float(plot["y"])  # fewer points are further down
    assert far["title"].startswith(f"Round {first.number}, weight 2 to 0 of the score: −3.00 ± 0.20 points")
    assert plot["up"] == ["−3", "0"]
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    assert f'<a href="/rounds/{first.number}/" class="trade-round"' in page


def test_the_form_says_what_former_weights_cost(started, base, adam_client):
    def line() -> str:
        form = adam_client.get(reverse("rounds:new"), {"base": base.ref}).content.decode()
        fragment = adam_client.get(reverse("rounds:count"), {"base": base.ref}).content.decode()
        here, there = (text.split('id="weights-so-far"')[1].split("</p>")[0] for text in (form, fragment))
        assert there.removeprefix(' hx-swap-oob="true"') == here
        return here

    assert "No round has measured yet" in line()
    evaluated(started(0.5), -1.2, 0.9)
    evaluated(started(0.0), 0.1, 0.0)
    said = line()
    assert "0.5 cost 1.2 points for +0.9 of U (<a" in said and ">round 1</a>" in said
    assert said.index("0 cost nothing clear for +0.0 of U") < said.index("0.5 cost")


def test_an_algorithm_that_weighs_no_u_says_nothing_of_it(started, base, adam_client):
    asked = {"base": base.ref, "algorithm-agent": "clone_people"}
    page = adam_client.get(reverse("rounds:new"), asked)
    assert page.context["weights"] is None
    one = evaluated(started(0.5), -1.2, 0.9)
    one.settings["agent"].pop("utility_weight")
    assert shown(one) is None


def test_a_policy_that_its_target_held_is_doubted(started, adam_client):
    one = evaluated(started(0.5), -1.2, 0.9)
    kl = {"reached": 0.048, "target": 0.05, "held": True, "cut": 0.0}
    note = "The policy was held at KL 0.048 a move from its base (target_kl is 0.05), so …: raise target_kl …"
    Job.objects.filter(round=one, kind="agent").update(
        state=Job.COMPLETED, result={"kl": kl, "notes": [note]}
    )
    assert note in doubts.doubts(one, list(one.jobs.all()))
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    assert "KL to the base came to 0.048 nats a move; target_kl is 0.05, which held it there." in page

"""Comparing agents: within one game, differences with intervals and n, settings folded to what differs."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest
from django.urls import reverse

from tests.webapp.cast import small_network
from webapp.agents import shipped
from webapp.agents.models import Agent
from webapp.agents.resolve import layout_of
from webapp.gallery import comparing
from webapp.lobby import listing as lobby

pytestmark = pytest.mark.django_db


@pytest.fixture
def synced() -> None:
    shipped.sync()


def carded(name: str, **card) -> Agent:
    agent = small_network(name)
    Agent.objects.filter(pk=agent.pk).update(card=agent.card | card)
    agent.refresh_from_db()
    return agent


def score(mean: float, stderr: float | None = 0.1, episodes: int = 400) -> dict:
    return {"mean": mean, "stderr": stderr, "episodes": episodes}


def page_of(client, *agents: Agent | str):
    refs = [one if isinstance(one, str) else one.ref for one in agents]
    return client.get(reverse("agents:compare"), {"agent": refs})


def said(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_it_starts_from_one_game(synced, pia_client):
    offered = pia_client.get(reverse("agents:compare"))
    games = [one["game"] for one in offered.context["offered"]]
    assert {"hanabi", "overcooked", "arena", "say_select"} <= set(games) and "checkbox" not in said(offered)
    for one in offered.context["offered"]:
        page = pia_client.get(f"{reverse('agents:compare')}?{one['query']}")
        shown = {agent.game for _, agents in page.context["choices"] for agent in agents}
        assert shown == {one["game"]}


def test_agents_of_several_games_are_offered_game_by_game(synced, pia_client):
    answer = page_of(pia_client, "hanabi/random", "hanabi/learner-1", "overcooked/random")
    assert "play different games" in said(answer) and not answer.context["game"]
    (hanabi,) = [one for one in answer.context["offered"] if one["game"] == "hanabi"]
    assert hanabi["chosen"] == 2
    again = pia_client.get(f"{reverse('agents:compare')}?{hanabi['query']}")
    assert [one.ref for one in again.context["chosen"]] == ["hanabi/random", "hanabi/learner-1"]
    assert again.context["enough"]


def test_two_agents_are_compared_and_one_is_not(synced, pia_client):
    refs = ["hanabi/random", "hanabi/convention-bot"]
    answer = page_of(pia_client, *refs)
    assert [agent.ref for agent in answer.context["chosen"]] == refs and answer.context["differing"]
    assert "two to five" in said(page_of(pia_client, refs[0]))
    assert "No such agent: hanabi/x" in said(page_of(pia_client, "hanabi/x"))


def test_partners_that_are_offered_beside_each_other_can_be_compared(synced):
    """What comes with Coplay and isn't odd was measured in something alike, in each place that both play."""
    for game in {agent.game for agent in Agent.objects.all()}:
        rows = [row for row in lobby.partners(game) if row.get("ref") and not row["odd"]]
        agents = Agent.objects.filter(ref__in={row["ref"] for row in rows}).order_by("ref")
        for pair in combinations(agents, 2):
            places = {layout_of(one) for one in pair} - {""}
            assert len(places) > 1 or comparing.measured(pair, {}), [one.ref for one in pair]


def test_a_difference_has_its_interval_its_n_and_words(pia_client):
    first = carded("first", evaluation={"self_play": score(10.0, 0.3, 1000)})
    better = carded("better", evaluation={"self_play": score(12.0, 0.4, 500)})
    like = carded("like", evaluation={"self_play": score(10.1, 0.4, 500)})
    (block, other) = comparing.forest(comparing.measured([first, better, like], {}), ["A", "B", "C"])
    (row,) = block["rows"]
    half = 1.96 * math.hypot(0.3, 0.4)
    assert row["mean"] == pytest.approx(2.0)
    assert (row["low"], row["high"]) == pytest.approx((2.0 - half, 2.0 + half))
    assert (row["n"], row["clear"]) == ([500, 1000], "more")
    assert other["rows"][0]["clear"] == "unclear"
    page = said(page_of(pia_client, first, better, like))
    assert "n = 500 and 1,000" in page and "+1.02 to +2.98" in page
    assert "clearly more" in page and "no clear difference" in page


def test_a_larger_mean_lies_further_to_the_right_and_no_difference_in_the_middle():
    agents = [
        carded(name, evaluation={"self_play": score(mean), "cross_play": {"hanabi/x": score(5.0)}})
        for name, mean in (("first", 10.0), ("other", 6.0))
    ]
    (block,) = comparing.forest(comparing.measured(agents, {"hanabi/x": "Ex"}), ["first", "other"])
    places = {row["title"]: float(row["x"]) for row in block["rows"]}
    assert places["Self-play"] < places["With Ex"] == 50.0
    assert all(0 <= float(row[end]) <= 100 for row in block["rows"] for end in ("from", "x", "to"))
    assert [row["said"][0] for row in block["rows"]] == ["−4.00", "0.00"] and block["end"] == 5


def test_a_spread_that_nobody_measured_makes_no_interval(pia_client):
    lone = carded("lone", evaluation={"self_play": {"mean": 3.0}})
    known = carded("known", evaluation={"self_play": score(5.0)})
    page = said(page_of(pia_client, lone, known))
    assert "no interval known" in page and "n = 400 and ?" in page and "clearly" not in page


def test_what_only_one_was_measured_in_is_no_difference(pia_client):
    agents = [carded("a", evaluation={"self_play": score(1.0)}), carded("b")]
    assert comparing.measured(agents, {}) == []
    assert "There is nothing to compare" in said(page_of(pia_client, *agents))


def test_settings_are_folded_to_those_that_differ_and_zero_is_a_number(pia_client):
    """The seed 0, a setting of 0, a mean of 0 and a spread of 0 are known; what a card doesn't say is not."""
    alike = {"seed": 0, "value_warmup": 0}
    evaluation = {"self_play": score(0.0, 0.0, 10)}
    zero = carded("zero", hyperparameters={**alike, "lr": 0.1, "unlike": 0}, evaluation=evaluation)
    other = carded("other", hyperparameters=alike, evaluation=evaluation)
    page = said(page_of(pia_client, zero, other))
    tables = re.sub(r">\s+<", "><", page[page.index("In what they differ") :])
    open_part, fold = tables.split("<details", 1)
    assert '<th scope="row">unlike</th><td>0</td><td>–</td>' in open_part
    assert '<th scope="row">lr</th><td>0.1</td><td>–</td>' in open_part
    assert '<th scope="row">seed</th><td>0</td><td>0</td>' in fold
    assert '<th scope="row">value warmup</th><td>0</td><td>0</td>' in fold
    own = said(pia_client.get("/agents/hanabi/zero/"))
    for shown in (page, own):
        assert '0.00 <span class="muted small">± 0.00</span>' in shown


def test_runs_are_laid_over_each_other_by_name(pia_client):
    curve = {"curve": [[0, 0], [1000, 5]]}
    page = said(page_of(pia_client, carded("a", training=curve), carded("b", training=curve)))
    assert page.count('"points": [[0, 0], [1000, 5]]') == 2 and "agent-curves.js" in page
    assert "agent-curves.js" not in said(page_of(pia_client, carded("c"), carded("d")))


def test_agents_of_one_name_are_told_apart_by_what_they_were_made_for(synced, pia_client):
    refs = [f"overcooked/companion-{layout}" for layout in ("cramped_room", "coordination_ring")]
    answer = page_of(pia_client, *refs)
    assert answer.context["names"] == ["Companion, Cramped room", "Companion, Coordination ring"]


def test_comparing_makes_a_fixed_number_of_queries(synced, pia_client, django_assert_max_num_queries):
    with django_assert_max_num_queries(4):
        page_of(pia_client, "hanabi/random", "hanabi/learner-1")
    with django_assert_max_num_queries(4):
        page_of(pia_client, "hanabi/random", "hanabi/learner-1", "hanabi/told", "hanabi/companion")


def test_agents_that_share_no_measure_are_said_to_and_no_command_is_offered(pia_client):
    first, other = carded("first", evaluation={}), carded("other", evaluation={})
    page = said(page_of(pia_client, first, other))
    assert "it was never measured with one of the others" in page and "manage.py" not in page

"""Teams that carry out a plan, and the controls: the cook in the ring, half a game."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.plans import _dealt, choices, evaluate_plans, table
from engine.games.plans import Wanted
from engine.planning.steps import Proposal, Proposed
from engine.refusal import Refusal

GAME = "overcooked"
HALF = {"layout": "coordination_ring", "horizon": 200}
LAKE = "frozen_lake_2"


@cache
def played(plans: str, **how) -> dict:
    return evaluate_plans([load("overcooked/cook", GAME)], GAME, plans, HALF, episodes=2, seed=1, **how)


def test_a_plan_brings_more_than_none_and_than_the_opposite_plan() -> None:
    assert played("search")["mean"] > 1.2 * played("none")["mean"]
    assert played("search")["mean"] > 1.5 * played("opposite")["mean"]


def test_seats_that_hear_nothing_of_their_steps_play_as_without_a_plan() -> None:
    deaf = played("search", hears=False)
    assert deaf["scores"] == played("none")["scores"] and deaf["steps"]["doing"] > 0
    assert played("search")["scores"] != played("none")["scores"]


def test_steps_are_counted_by_what_became_of_them() -> None:
    found = played("search")
    steps = found["steps"]
    assert steps["done"] > 20
    left = steps["doing"] - sum(steps.get(name, 0) for name in ("done", "failed", "overtaken"))
    assert 0 <= left <= 2 * 2, "one for each seat of each game is still at it at the end"
    assert {"fill", "serve"} <= set(found["done"]) and all(0 < share <= 1 for share in found["done"].values())
    assert played("none")["steps"] == played("none")["done"] == {}
    assert played("none")["look_ms"]["mean"] == 0 < found["look_ms"]["mean"] <= found["look_ms"]["p99"]


def test_a_persons_share_is_planned_and_they_hear_nothing_of_it() -> None:
    """The untold cook in the first seat plays the same whatever is planned, as long as the other one does."""
    with_person = played("search", people=(0,))
    assert with_person["steps"]["done"] > 10
    assert with_person["scores"] not in (played("search")["scores"], played("none")["scores"])
    alone = played("search", people=(0, 1))
    assert alone["scores"] == played("none")["scores"] and alone["steps"]["doing"] > 0


def test_steps_by_chance_are_the_same_steps_in_their_order_and_what_a_seat_is_at_stays() -> None:
    steps = [Proposed(0, "fill what=onion"), Proposed(1, "serve"), Proposed(1, "fetch what=dish", after=(0,))]
    wanted = Wanted((0, 1), fixed={0: ("fill what=onion",)})
    by_chance = [_dealt(Proposal(tuple(steps)), wanted, np.random.default_rng(seed)) for seed in range(20)]
    assert all(
        [step.program for step in made.steps] == [step.program for step in steps] for made in by_chance
    )
    assert all(made.steps[0] == steps[0] for made in by_chance)
    assert {tuple(step.seat for step in made.steps[1:]) for made in by_chance} == {
        (0, 0), (0, 1), (1, 0), (1, 1)
    }  # fmt: skip
    assert all(step.after == () for made in by_chance for step in made.steps[1:])
    assert _dealt(None, wanted, np.random.default_rng(0)) is None


def test_a_goal_that_is_not_cut_into_steps_goes_to_each_seat_as_it_is() -> None:
    whole = played("whole", goal="let's serve soups")
    assert whole["steps"] == {} and whole["scores"] != played("none")["scores"]
    assert whole["mean"] < played("search")["mean"]


def test_what_the_first_seat_asks_of_all_is_what_the_plan_is_for() -> None:
    asked = played("search", goal="wait by the pot")
    assert asked["done"].keys() != played("search")["done"].keys() or asked["mean"] < played("search")["mean"]


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({"plans": "whole"}, "say one in the option 'goal'"),
        ({"plans": "guess"}, "There is no planner “guess”; there are greedy, language, search"),
        ({"game": "hanabi", "ref": "hanabi/random"}, "Work is planned"),
        ({"seats": 3}, "3 agents were given for 2 seats"),
        ({"goal": "xyzzy qwrt"}, "can't be followed"),
    ],
)
def test_what_cannot_be_planned_is_refused(how: dict, reason: str) -> None:
    game = how.pop("game", LAKE)
    cast = [load(how.pop("ref", "frozen_lake_2/stay"), game)] * how.pop("seats", 1)
    with pytest.raises((Refusal, ValueError), match=reason):
        evaluate_plans(cast, game, episodes=1, **how)


def test_a_lake_is_crossed_with_a_plan_and_the_numbers_are_told() -> None:
    found = evaluate_plans([load("frozen_lake_2/stay", LAKE)], LAKE, "search", {"layout": "drawn"}, 3)
    assert found["scores"] == [2, 2, 2] and found["episodes"] == 3 and found["plans"] == "search"
    lines = table(found)
    assert lines[0] == "2.00 ± 0.00 points in 3 games, search"
    assert f"  steps done: {found['steps']['done']}" in lines
    assert {"search", "greedy", "language", "none", "random", "opposite", "whole"} == set(choices())

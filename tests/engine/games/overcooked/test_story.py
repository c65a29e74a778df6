"""A game of Overcooked told in one line."""

from __future__ import annotations

from engine.games.overcooked.story import summary
from engine.simulation.simulation import Simulation

NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)
NAMES = ["Pia", "Greedy"]


def played(*joint_actions: tuple[int, int], horizon: int = 400) -> list[dict]:
    """The open views of a game in the cramped room."""
    sim = Simulation("overcooked", {"horizon": horizon}, seed=1)
    views = [sim.view(None)]
    for actions in joint_actions:
        sim.step(list(actions))
        views.append(sim.view(None))
    return views


def test_a_game_without_anything_says_so() -> None:
    text = summary(played((STAY, STAY), (STAY, STAY), horizon=2), NAMES, 0)
    assert text == ("In 2 steps: no soup served, no ingredient put into pots and no collision.")


def test_ingredients_are_counted_by_cook_and_the_reader_is_you() -> None:
    """Player 1 takes an onion at (4, 1) from (3, 1) and puts it into the pot at (2, 0) from (2, 1)."""
    steps = [EAST, INTERACT, WEST, NORTH, INTERACT]
    views = played(*((STAY, action) for action in steps))
    assert "1 ingredient put into pots (1 by Greedy)" in summary(views, NAMES, 0)
    assert "1 ingredient put into pots (1 by you)" in summary(views, NAMES, 1)
    assert summary(views, NAMES, 0).startswith("Until then, in 5 steps: no soup served")


def test_soups_are_counted_with_those_that_nobody_ordered() -> None:
    views = played((STAY, STAY), (STAY, STAY), (STAY, STAY), horizon=3)
    soup = {"kind": "soup", "onions": 3, "tomatoes": 0}
    for view, seat, points in ((views[1], 0, 20), (views[2], 1, 0), (views[3], 1, 20)):
        view["last"]["events"] = [{"seat": seat, "kind": "deliver", "item": soup, "points": points}]
    assert "3 soups served (1 by you, 2 by Greedy), 1 that nobody had ordered" in summary(views, NAMES, 0)


def test_cooks_in_each_others_way_are_a_collision_and_walking_into_a_counter_is_none() -> None:
    """From (1, 2) and (3, 1): both go to (2, 1) … and meet; then player 0 walks into the counter."""
    views = played((NORTH, STAY), (EAST, WEST), (WEST, STAY))
    assert summary(views, NAMES, 0).endswith("and 1 collision.")

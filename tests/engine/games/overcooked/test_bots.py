"""Scripted cooks: good enough on every layout, never stuck, the same again, and true to their habits."""

import numpy as np
import pytest

from engine.agents.catalogue import aliases, load, shipped
from engine.evaluation.self_play import play
from engine.games.overcooked import bots, rules
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

ZOO = [name for name in bots.BOTS_MANY if name.startswith("zoo-")]
LONG = """
XXXXXXXXXX
O1       P
X   2    X
XXXXDXSXXX
"""
THREE_ROOMS = """
XXXXXXX
O1X2X3P
D X X S
XXXXXXX
"""
TOMATOES = """
orders: onion onion onion; onion tomato tomato
bonus_orders: onion tomato tomato

XXPXPXX
O  1  T
X 2   X
XXDXSXX
"""
CROWD = """
XXPXPXX
O1   2X
X     O
X3   4X
XDXSXXX
"""
ISLAND = """
XXXXPXXXX
O 1   2 T
X XXXXX X
X       X
XXDXSXXXX
"""


def decide(name, states, seats):
    values, actions = np.zeros((len(states), rules.NUM_ACTIONS)), np.zeros(len(states), np.int32)
    bots.BOTS_MANY[name](np.asarray(states), np.asarray(seats, np.int32), values, actions)
    assert np.array_equal(values.argmax(axis=1), actions)
    return actions


def cook(name, options, ticks=400, seed=0):
    sim = Simulation("overcooked", options, seed=seed)
    for _ in range(ticks):
        sim.step(decide(name, np.stack([sim.state] * sim.seats), range(sim.seats)))
    return sim


@pytest.mark.parametrize(
    ("layout", "score"),
    [
        ("cramped_room", 200),
        ("asymmetric_advantages", 340),
        ("coordination_ring", 200),
        ("forced_coordination", 220),
        ("counter_circuit", 160),
    ],
)
def test_greedy_cooks_with_itself(layout, score):
    assert play([load("overcooked/greedy", "overcooked")], "overcooked", {"layout": layout}, 1)[0] >= score


@pytest.mark.parametrize("dynamics", ["old", "new"])
@pytest.mark.parametrize(
    "layout",
    [LONG, THREE_ROOMS, TOMATOES, CROWD, ISLAND],
    ids=["long", "three rooms", "tomatoes", "four cooks", "island"],
)
def test_greedy_cooks_are_never_stuck_in_odd_kitchens(layout, dynamics):
    sim = cook("greedy", {"layout": layout, "dynamics": dynamics})
    served = [event["tick"] for event in sim.events if event["kind"] == "deliver"]
    assert len(served) >= 2
    assert max(np.diff([0, *served, 400])) < 200


def test_greedy_makes_the_soup_that_pays_best():
    sim = cook("greedy", {"layout": TOMATOES})
    assert all(event["points"] == 40 for event in sim.events if event["kind"] == "deliver")


@pytest.mark.parametrize("name", bots.BOTS_MANY)
def test_every_bot_plays_the_same_game_again(name):
    options = {"layout": "coordination_ring", "start": "random"}
    assert cook(name, options, 60, seed=3).actions == cook(name, options, 60, seed=3).actions


def test_kitchens_of_several_layouts_are_told_apart():
    sims = [Simulation("overcooked", {"layout": layout}) for layout in ("cramped_room", "coordination_ring")]
    together = decide("greedy", np.stack([sim.state for sim in sims]), [0, 0])
    assert together.tolist() == [decide("greedy", sim.state[None], [0])[0] for sim in sims]


def test_habits_are_kept():
    events = {
        name: {event["kind"] for event in cook(name, {}, 200).events}
        for name in ("zoo-onion-only", "zoo-dish-only", "zoo-counter-passer")
    }
    assert events["zoo-onion-only"] == {"pick", "put_pot"}
    assert "put_pot" not in events["zoo-dish-only"]
    assert "place_counter" in events["zoo-counter-passer"] and "put_pot" not in events["zoo-counter-passer"]


@pytest.mark.parametrize(("name", "sides"), [("zoo-left-side", (0, 2)), ("zoo-right-side", (2, 4))])
def test_a_cook_with_a_side_stays_on_it(name, sides):
    sim = Simulation("overcooked", {"layout": "coordination_ring"})
    columns = []
    for _ in range(60):
        action = decide(name, sim.state[None], [0])[0]
        sim.step([action, rules.STAY])
        columns.append(sim.view()["cooks"][0]["x"])
    assert all(sides[0] <= column <= sides[1] for column in columns[5:])


def test_every_bot_has_a_card_that_says_what_people_need():
    cards = {ref: card for ref, card in shipped("overcooked").items() if card["kind"] == "scripted"}
    assert {card["bot"] for card in cards.values()} == set(bots.BOTS_MANY)
    assert all(
        card["description"] and card["explanation"] and card["instructions"] for card in cards.values()
    )
    assert len(ZOO) >= 8


def test_the_champion_is_greedy_where_nobody_was_trained():
    assert load("champion", "overcooked", {"layout": LONG}).name == "overcooked/greedy"
    assert load("champion", "overcooked", {"dynamics": "new"}).name == "overcooked/greedy"
    learned = aliases()["overcooked/cramped_room/champion"]
    assert load("champion", "overcooked", {"layout": "cramped_room"}).name == learned


def test_a_network_refuses_another_kitchen_with_a_sentence():
    policy = load("overcooked/self_play-cramped_room", "overcooked")
    for options in ({"layout": "coordination_ring"}, {"dynamics": "new"}):
        with pytest.raises(Refusal, match=r"was trained for layout cramped_room.*can't play.*\.$"):
            play([policy], "overcooked", options, 1)

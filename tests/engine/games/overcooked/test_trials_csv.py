"""overcooked_ai's trials since 2020: a CSV of a game of bots here, in exactly that format, plays again.

The published file isn't here: its README asks not to distribute it. Games that overcooked_ai 1.1.0 itself
played in eight of its kitchens, written so, were read when this was made.
"""

from __future__ import annotations

import csv
import gzip
import io
import json

import numpy as np
import pytest

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games import people
from engine.games.overcooked import rules
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

FORM = people.formats()["overcooked-csv"][1]
KITCHEN = """orders: onion; onion onion tomato; tomato tomato
bonus_orders: onion onion tomato
onion_time: 15
tomato_time: 7
onion_value: 21
tomato_value: 13

XXPXTXX
O  2  S
X 1   X
XXDXPXX
"""
STEPS = ([0, -1], [0, 1], [1, 0], [-1, 0], [0, 0], "interact")
NAMES = ("", "onion", "tomato", "dish")


def named(item: int, at: list[int], ticks: int, state: np.ndarray) -> dict:
    if item < rules.SOUP:
        return {"name": NAMES[item], "position": at}
    inside = ["onion"] * int(rules.onions_of(item)) + ["tomato"] * int(rules.tomatoes_of(item))
    time = int(rules.cook_time(state, item)) if ticks >= 0 else -1
    soup = {"name": "soup", "position": at, "_cooking_tick": ticks, "cooking_tick": ticks, "cook_time": time}
    return soup | {"_ingredients": [{"name": name, "position": at} for name in inside]}


def state_of(game: Simulation) -> dict:
    state = game.state
    width, cooks, objects = int(state[rules.WIDTH]), [], []
    for seat in (0, 1):
        y, x = divmod(int(state[rules.POSITION + seat]), width)
        item = int(state[rules.HELD + seat])
        done = int(rules.cook_time(state, item)) if item >= rules.SOUP else -1
        held = named(item, [x, y], done, state) if item else None
        facing = STEPS[int(state[rules.FACING + seat])]
        cooks.append({"position": [x, y], "orientation": facing, "held_object": held})
    for cell in map(int, np.flatnonzero(state[rules.ITEM : rules.ITEM + rules.MAX_CELLS])):
        item, ticks = int(state[rules.ITEM + cell]), int(state[rules.TIMER + cell])
        if rules.terrain(state, cell) != rules.POT and item >= rules.SOUP:
            ticks = int(rules.cook_time(state, item))
        objects.append(named(item, [cell % width, cell // width], ticks, state))
    soups = (["onion"], ["onion", "onion", "tomato"], ["tomato", "tomato"])
    orders = [{"ingredients": soup} for soup in soups]
    told = {"players": cooks, "objects": objects, "all_orders": orders, "bonus_orders": orders[1:2]}
    return told | {"timestep": game.tick}


def recorded(ticks: int = 300) -> tuple[list[dict], Simulation]:
    """The rows of a game of two bots, and the game."""
    game = Simulation("overcooked", {"layout": KITCHEN, "dynamics": "new", "horizon": ticks}, seed=1)
    bot, rows, score = load("overcooked/greedy", "overcooked"), [], 0
    layout = [
        list(line.replace("1", " ").replace("2", " ")) for line in KITCHEN.split("\n\n")[1].splitlines()
    ]
    while not game.over:
        state, joint = state_of(game), [act(bot, [game], [seat])[0] for seat in (0, 1)]
        reward = int(game.step(joint))
        score += reward
        rows.append(
            {
                "state": json.dumps(state), "joint_action": json.dumps([STEPS[one] for one in joint]),
                "reward": reward, "time_left": 1.5, "score": score, "time_elapsed": 0.15 * game.tick,
                "cur_gameloop": game.tick, "layout": json.dumps(layout), "layout_name": "made_here",
                "trial_id": "A1:2", "player_0_id": "ann", "player_1_id": "ben",
                "player_0_is_human": "True", "player_1_is_human": "False",
            }
        )  # fmt: skip
    return rows, game


ROWS, GAME = recorded()


def written(*games: list[dict]) -> bytes:
    text = io.StringIO()
    file = csv.DictWriter(text, ROWS[0])
    file.writeheader()
    file.writerows(row for game in games for row in game)
    return text.getvalue().encode()


@pytest.mark.parametrize("packed", [False, True])
def test_games_play_again_exactly(packed, tmp_path):
    assert GAME.score > 100
    other = [row | {"trial_id": "B:1"} for row in ROWS[:40]]
    data = written(ROWS, other)
    (tmp_path / "trials.csv").write_bytes(gzip.compress(data) if packed else data)
    first, second = (people.replayed(FORM, row) for row in FORM.games_of(tmp_path / "trials.csv"))
    assert (first.id, second.id, second.simulation.tick) == ("A1:2", "B:1", 40)
    assert first.simulation.score == GAME.score and first.simulation.options["tick_length"] == 150
    assert (first.simulation.state[: rules.ITEM] == first.simulation.state[: rules.ITEM]).all()
    assert [seat["kind"] for seat in first.seats] == ["person", "agent"] and "ann" not in str(first.seats)


def changed(tick: int, name: str, value: object) -> dict:
    return {"id": "x", "rows": [row | {name: value} if at == tick else row for at, row in enumerate(ROWS)]}


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (changed(5, "reward", "7"), "The reward of tick 6 is"),
        (changed(5, "reward", "nan"), "which is no number"),
        (changed(5, "reward", "1e400"), "which is no number"),
        (changed(5, "state", "{"), "The state of row 6 isn't"),
        (changed(5, "joint_action", "[[0, 0]]"), "The joint action of row 6"),
        (changed(5, "joint_action", "[[0, true], [0, 0]]"), "The joint action of row 6"),
        (changed(9, "joint_action", '["interact", "interact"]'), "was recorded|can't be played"),
        (changed(0, "layout", "[]"), "begins outside"),
        (changed(0, "layout", "3"), "The layout of row 1"),
        ({"id": "x", "rows": ROWS[:9] + ROWS[10:]}, "The timestep of row 10 is 9, where 10"),
        ({"id": "x", "rows": []}, "It has 0 ticks"),
        ({"id": "x", "rows": ROWS * 40}, "It has 12000 ticks"),
    ],
)
def test_what_is_not_as_recorded_is_refused_with_a_sentence(row, why):
    with pytest.raises(Refusal, match=why):
        people.replayed(FORM, row)


@pytest.mark.parametrize("text", [b"a,b,c\n1,2,3\n" * 500, b"", b"\x00\xff" * 900, b'{"id": 1}\n'])
def test_a_file_of_something_else_gives_one_sentence(text, tmp_path):
    (tmp_path / "file").write_bytes(text)
    told: list[str] = []
    assert list(FORM.games_of(tmp_path / "file", told.append)) == [] and len(told) == 1
    assert "has no column" in told[0]

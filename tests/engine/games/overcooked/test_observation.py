"""The lossless encoding of overcooked_ai, channel by channel, and the contract of env, batch and log.

Compiled, in plain Python and in numba's CUDA simulator: tests/engine/simulation/test_cuda.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from engine.games import make, make_batch, spec
from engine.games.overcooked import observation, rules
from engine.games.overcooked.rules import DISH, ONION, TOMATO
from engine.simulation.log import EpisodeLog, encode_line, header_of, iterate, read_lines, verify
from engine.simulation.simulation import Simulation, state_digest
from tests.engine.games.overcooked.kitchen import (
    EAST,
    INTERACT,
    SOUTH,
    STAY,
    TOMATOES,
    WEST,
    Kitchen,
    soup,
)


def seen(kitchen: Kitchen, seat: int) -> np.ndarray:
    out = np.zeros(kitchen.height * kitchen.width * observation.CHANNELS, np.uint8)
    observation.encode(kitchen.state, seat, out)
    return out.reshape(kitchen.height, kitchen.width, observation.CHANNELS)


def cells(layer: np.ndarray) -> set[tuple[int, int]]:
    return {(int(x), int(y)) for y, x in np.argwhere(layer)}


def test_each_seat_sees_itself_first_and_the_other_second() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 1), SOUTH)
    kitchen.cook(1, (3, 2), WEST)
    for seat, (own, other) in enumerate((((1, 1), (3, 2)), ((3, 2), (1, 1)))):
        view = seen(kitchen, seat)
        assert cells(view[:, :, 0]) == {own} and cells(view[:, :, 1]) == {other}
        facings = [cells(view[:, :, channel]) for channel in range(2, 10)]
        expected: list[set] = [set() for _ in range(8)]
        expected[SOUTH if seat == 0 else WEST] = {own}
        expected[4 + (WEST if seat == 0 else SOUTH)] = {other}
        assert facings == expected


def test_the_stations_have_their_channels() -> None:
    kitchen = Kitchen(TOMATOES, "new")
    view = seen(kitchen, 0)
    found = {letter: cells(view[:, :, 10 + index]) for index, letter in enumerate("PXOTDS")}
    layout = TOMATOES.split("\n\n")[1].split("\n")
    for letter, where in found.items():
        assert where == {(x, y) for y, row in enumerate(layout) for x, at in enumerate(row) if at == letter}


def test_an_idle_pot_shows_ingredients_and_a_cooking_one_a_soup() -> None:
    kitchen = Kitchen(TOMATOES, "new")
    kitchen.put((1, 0), soup(1, 2))
    kitchen.put((3, 0), soup(2, 1), 5)
    view = seen(kitchen, 0)
    assert view[0, 1, 16:26].tolist() == [1, 2, 0, 0, 0, 0, 0, 0, 0, 0]
    assert view[0, 3, 16:26].tolist() == [0, 0, 2, 1, 2 * 6 + 4 - 5, 0, 0, 0, 0, 0]
    kitchen.put((3, 0), soup(2, 1), 16)
    assert seen(kitchen, 0)[0, 3, 16:26].tolist() == [0, 0, 2, 1, 0, 1, 0, 0, 0, 0]


def test_what_is_held_or_lies_about_is_drawn_where_it_is() -> None:
    kitchen = Kitchen(TOMATOES, "new")
    kitchen.cook(0, (1, 1), held=ONION)
    kitchen.cook(1, (3, 1), held=TOMATO)
    kitchen.cook(2, (2, 2), held=DISH)
    kitchen.cook(3, (1, 2), held=soup(1, 1))
    for at, item in (((2, 0), ONION), ((5, 1), TOMATO), ((0, 2), DISH), ((0, 0), soup(0, 3))):
        kitchen.put(at, item)
    for seat in range(4):
        view = seen(kitchen, seat)
        assert not view[:, :, 16:18].any() and not view[:, :, 20].any()
        assert cells(view[:, :, 24]) == {(3, 1), (5, 1)}
        assert cells(view[:, :, 23]) == {(1, 1), (2, 0)}
        assert cells(view[:, :, 22]) == {(2, 2), (0, 2)}
        assert cells(view[:, :, 21]) == {(1, 2), (0, 0)}
        assert view[2, 1, 18:20].tolist() == [1, 1] and view[0, 0, 18:20].tolist() == [0, 3]


def test_urgency_fills_its_channel_when_fewer_than_40_ticks_are_left() -> None:
    kitchen = Kitchen(horizon=60)
    kitchen.wait(20)
    assert not seen(kitchen, 0)[:, :, 25].any()
    kitchen.wait(1)
    assert seen(kitchen, 0)[:, :, 25].all() and seen(kitchen, 1)[:, :, 25].all()


def test_with_four_cooks_the_other_channels_hold_all_others() -> None:
    kitchen = Kitchen(TOMATOES, "new")
    for seat, (at, facing) in enumerate((((1, 1), 0), ((3, 1), EAST), ((2, 2), EAST), ((1, 2), WEST))):
        kitchen.cook(seat, at, facing)
    view = seen(kitchen, 3)
    assert cells(view[:, :, 0]) == {(1, 2)} and cells(view[:, :, 1]) == {(1, 1), (3, 1), (2, 2)}
    assert cells(view[:, :, 6 + EAST]) == {(3, 1), (2, 2)} and cells(view[:, :, 6]) == {(1, 1)}
    assert cells(view[:, :, 2 + WEST]) == {(1, 2)} and not view[:, :, 6 + WEST].any()


# --- Random starts ------------------------------------------------------------------------------------------


def random_starts(layout: str, games: int) -> Iterator[Simulation]:
    for seed in range(games):
        yield Simulation("overcooked", {"layout": layout, "dynamics": "new", "start": "random"}, seed)


def part(state: np.ndarray, at: tuple[int, int]) -> int:
    return int(rules.region(state, at[1] * int(state[rules.WIDTH]) + at[0]))


@pytest.mark.parametrize("layout", ["forced_coordination", "counter_circuit", TOMATOES])
def test_a_random_start_is_a_state_that_could_be_played(layout: str) -> None:
    fixed = Kitchen(layout, "new")
    homes = {seat: part(fixed.state, fixed.at(seat)) for seat in range(fixed.options["players"])}
    found: dict[str, set] = {"at": set(), "held": set(), "pots": set(), "counters": set()}
    for game in random_starts(layout, 150):
        view = game.view()
        places = [(cook["x"], cook["y"]) for cook in view["cooks"]]
        assert len(set(places)) == len(places), "nobody stands on anybody"
        for seat, (x, y) in enumerate(places):
            assert part(game.state, (x, y)) == homes[seat], "in one's own part of the kitchen"
        for counter in view["counters"]:
            around = [(counter["x"] + dx, counter["y"] + dy) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
            floors = [(x, y) for x, y in around if 0 <= x < view["width"] and 0 <= y < view["height"]]
            assert any(view["grid"][y][x] == " " for x, y in floors), "within reach"
        dishes = sum(counter["held"]["kind"] == "dish" for counter in view["counters"])
        assert game.state[rules.COUNTER_DISHES] == dishes
        assert view["tick"] == 0 and view["score"] == 0 and view["last"] is None
        found["at"].add(tuple(places))
        found["held"] |= {cook["held"]["kind"] if cook["held"] else None for cook in view["cooks"]}
        found["pots"] |= {pot["state"] for pot in view["pots"]}
        found["counters"] |= {counter["held"]["kind"] for counter in view["counters"]}
    assert len(found["at"]) >= 9
    assert {None, "onion", "dish", "soup"} <= found["held"]
    assert {"empty", "filling", "cooking"} <= found["pots"] and {"onion", "dish"} <= found["counters"]


def test_a_random_start_can_be_made_again() -> None:
    options = {"start": "random"}
    first, again, other = (Simulation("overcooked", options, seed) for seed in (5, 5, 6))
    assert first.digest() == again.digest() != other.digest()


def test_a_batch_begins_every_episode_elsewhere() -> None:
    batch = make_batch("overcooked", 3, observations="none", start="random", horizon=2)
    digests = set()
    for _ in range(20):
        digests |= {state_digest(spec("overcooked"), row) for row in batch.states}
        batch.play_random(2)
    assert len(digests) == 60


# --- Env, batch, log ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{}, {"layout": TOMATOES, "dynamics": "new", "horizon": 50}])
def test_the_env_passes_the_parallel_api_test(given: dict) -> None:
    parallel_api_test(make("overcooked", **given), num_cycles=120)


def test_the_env_keeps_its_contract() -> None:
    env = make("overcooked", layout="counter_circuit", horizon=60)
    observations, infos = env.reset(seed=4)
    assert set(observations) == set(infos) == {"player_0", "player_1"}
    assert infos["player_0"] == {"score": 0, "tick": 0, "shaped_reward": 0}
    random = np.random.default_rng(4)
    for tick in range(1, 61):
        for agent in env.agents:
            assert observations[agent]["observation"].shape == (5, 8, 26)
            assert observations[agent]["observation"].dtype == np.uint8
            assert observations[agent]["action_mask"].tolist() == [1] * 6
            assert env.observation_space(agent).contains(observations[agent])
        actions = {agent: int(random.integers(6)) for agent in env.agents}
        observations, rewards, ended, cut, infos = env.step(actions)
        assert rewards["player_0"] == rewards["player_1"] and not any(ended.values())
        assert all(cut.values()) == (tick == 60) and infos["player_0"]["tick"] == tick
    assert env.agents == [] and set(observations) == {"player_0", "player_1"}
    assert observations["player_0"]["observation"][:, :, 25].all(), "the last observation comes with the end"


def test_the_shared_reward_is_the_delivery_and_the_shaping_stands_in_the_infos() -> None:
    env = make("overcooked", layout="XXPXX\nO1 2O\nX   X\nXDXSX\n")
    env.reset(seed=1)
    shaped = []
    for actions in ([WEST, STAY], [INTERACT, STAY], [EAST, STAY], [0, STAY], [INTERACT, STAY]):
        _, rewards, _, _, infos = env.step(dict(zip(env.agents, actions, strict=True)))
        shaped.append([infos[agent]["shaped_reward"] for agent in env.agents])
        assert rewards == {"player_0": 0, "player_1": 0}
    assert shaped == [[0, 0]] * 4 + [[3, 0]]


@pytest.mark.parametrize("given", [{}, {"layout": TOMATOES, "dynamics": "new", "players": 3}])
def test_a_batch_plays_the_same_games_as_live_simulations(given: dict) -> None:
    options = {**given, "horizon": 30}
    batch = make_batch("overcooked", 3, observations="packed", seed=2, **options)
    games = [Simulation("overcooked", options) for _ in range(3)]
    for _ in range(35):
        actions = batch.choose_random().copy()
        batch.step(actions)
        for i, game in enumerate(games):
            assert game.step(actions[i]) == batch.rewards[i]
            assert bool(batch.dones[i]) == game.over
            if game.over:
                assert batch.scores[i] == game.score
                games[i] = Simulation("overcooked", options)
            for seat in range(game.seats):
                assert np.array_equal(batch.observations[i, seat], games[i].observe(seat))
            assert games[i].digest() == state_digest(batch.spec, batch.states[i])


@pytest.mark.parametrize(
    "given", [{"start": "random"}, {"layout": TOMATOES, "dynamics": "new", "players": 4}]
)
def test_a_log_holds_all_that_a_game_needs(given: dict) -> None:
    simulation = Simulation("overcooked", {**given, "horizon": 40}, 7)
    start = simulation.digest()
    records = [header_of(simulation, "game", [{"kind": "agent", "name": "x"}] * simulation.seats)]
    random = np.random.default_rng(7)
    while not simulation.over:
        tick = simulation.tick
        simulation.step(random.integers(6, size=simulation.seats))
        records.append({"type": "step", "tick": tick, "actions": simulation.actions[-1]})
    end = {"type": "end", "tick": 40, "score": simulation.score, "digest": simulation.digest()}
    log = read_lines("".join(map(encode_line, [*records, {**end, "reason": "finished"}])).encode())
    assert verify(log) == []
    states = list(iterate(log))
    assert (states[0].digest(), states[-1].digest()) == (start, simulation.digest())
    assert states[-1].events == simulation.events
    changed = [dict(record) for record in records]
    changed[0]["options"] = {**changed[0]["options"], "layout": "XXPXX\nO12SX\nX34DX\nXXXXX\n"}
    assert verify(EpisodeLog(changed[0], [*changed[1:], {**end, "reason": "finished"}]))

"""The rules of FrozenLake-2: what the SAMA paper says of them (appendix G.1), and what rules.py decides."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from engine import games
from engine.games.frozen_lake_2 import observation, rules
from engine.refusal import Refusal
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation
from tests.engine.games.frozen_lake_2.lakes_of import GAME, go, lake, places


def test_each_reaches_a_target_for_a_point_and_then_it_is_over() -> None:
    sim = lake("1FB", "2FA")
    assert go(sim, "RR", "R.") == [0, 1] and sim.score == 1 and not sim.over
    assert go(sim, ".R") == [1] and sim.score == 2 and sim.over
    assert sim.view()["over"] == "solved"
    with pytest.raises(Refusal, match="The game is over"):
        go(sim, "..")


def test_which_player_takes_which_target_is_theirs_to_agree_on() -> None:
    sim = lake("1B", "2A")
    assert go(sim, "RR") == [2] and sim.over


def test_one_player_on_both_targets_after_another_scores_one() -> None:
    sim = lake("1BA", "2FF")
    assert go(sim, "R.", "R.", "L.") == [1, 0, 0]
    assert sim.score == 1 and not sim.over


def test_a_hole_ends_the_game_for_both_and_what_was_reached_counts() -> None:
    sim = lake("1B", "2H", "AF")
    assert go(sim, "RR") == [1]
    assert sim.over and sim.score == 1 and sim.view()["over"] == "fell"
    assert sim.last_move_text() == "Player 1 stepped right onto the right goal. Player 2 fell into a hole."


def test_it_ends_at_the_horizon() -> None:
    sim = lake("1FB", "2FA", horizon=50)
    go(sim, *[".."] * 49)
    assert not sim.over
    go(sim, "..")
    assert sim.over and sim.view()["over"] == "time"


def test_a_step_off_the_lake_does_nothing() -> None:
    sim = lake("1FB", "2FA")
    go(sim, "UL", "LL")
    assert places(sim) == [(1, 1), (1, 2)]
    assert sim.last_move_text(0) == "You couldn't step left. Player 2 couldn't step left."


def test_of_two_who_step_onto_one_cell_the_first_gets_there() -> None:
    sim = lake("1F2", "BHA")
    go(sim, "RL")
    assert places(sim) == [(2, 1), (3, 1)]


def test_nobody_steps_onto_another_and_two_can_not_change_places() -> None:
    sim = lake("12F", "BHA")
    go(sim, "R.")
    assert places(sim) == [(1, 1), (2, 1)]
    go(sim, "RL")
    assert places(sim) == [(1, 1), (2, 1)]
    go(sim, ".L")
    assert places(sim) == [(1, 1), (2, 1)]
    go(sim, "RU")
    assert places(sim) == [(1, 1), (2, 1)], "who can't leave isn't followed"


def test_who_follows_somebody_who_leaves_can() -> None:
    sim = lake("12F", "BHA")
    go(sim, "RR")
    assert places(sim) == [(2, 1), (3, 1)]
    sim = lake("21F", "BHA")
    go(sim, "RR")
    assert places(sim) == [(3, 1), (2, 1)]


def test_what_is_observed_is_the_coordinates_of_both_and_nothing_else() -> None:
    sim = Simulation(GAME, {"layout": "8x8"})
    go(sim, "RD")
    assert sim.observe(0).tolist() == [1, 0, 7, 1] and sim.observe(1).tolist() == [7, 1, 1, 0]
    drawn = {tuple(lake(*rows).observe(0)) for rows in (("1H2", "BFA"), ("1F2", "AFB"))}
    assert len(drawn) == 1
    env = games.make(GAME)
    space = env.observation_space("player_0")["observation"]
    assert space.shape == (4,) and int(space.high.max()) == 7


def test_it_is_an_env() -> None:
    parallel_api_test(games.make(GAME, layout="drawn"), num_cycles=100)


def test_batches_play_the_rules_as_plain_python_does() -> None:
    plain = {name: getattr(rules, name).py_func for name in ("step", "legal", "over", "new_game")}
    options = games.spec(GAME).validate({"layout": "drawn"})
    batch = Batch(games.spec(GAME), options, 20, observations="packed", seed=3)
    ended = 0
    for _ in range(25):
        before, actions = batch.states.copy(), batch.choose_random().copy()
        batch.step(actions)
        for state, joint, reward, done in zip(before, actions, batch.rewards, batch.dones, strict=True):
            assert plain["step"](state, joint) == reward
            assert bool(plain["over"](state)) == bool(done)
            if done and ended < 3:  # drawing a lake takes plain Python a while
                ended += 1
                plain["new_game"](state)
                assert np.array_equal(state, batch.states[np.flatnonzero(batch.dones)[0]]) or ended > 1
        going = batch.dones == 0
        assert np.array_equal(before[going], batch.states[going])
        for row in range(3):
            seen = np.zeros(observation.SIZE, np.uint8)
            observation.encode.py_func(batch.states[row], 1, seen)
            assert np.array_equal(seen, batch.observations[row, 1])
    assert ended


def test_options_that_there_are_not_are_refused_in_a_sentence() -> None:
    for options, why in (
        ({"layout": "5x5"}, "option 'layout' is one of 4x4, 8x8, drawn, not '5x5'"),
        ({"layout": "drawn", "map_seed": -1}, "'map_seed' is a whole number from 0 to 2147483647, not -1"),
        ({"map_seed": 3}, "'map_seed' needs the layout 'drawn', not '4x4'"),
        ({"sight": "all"}, "option 'sight' is one of lake, coordinates, not 'all'"),
        ({"horizon": 7}, "option 'horizon' is one of 50, 100, 200, not 7"),
        ({"players": 3}, "option 'players' is one of 2, not 3"),
        ({"slippery": True}, "has no option 'slippery'; its options are players, layout"),
    ):
        with pytest.raises(Refusal, match=why):
            Simulation(GAME, options)

"""The rules of Say-Select against the instructRL paper (sections 1 and 5.1, Figure 1)."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from engine import games
from engine.agents.catalogue import load
from engine.evaluation.self_play import play, self_play
from engine.games.say_select import observation, rules
from engine.refusal import Refusal
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation


def game_with(*good: int, seed: int = 0) -> Simulation:
    """A game in which these balls, counted from 1, are worth +1."""
    sim = Simulation("say_select", seed=seed)
    state = sim.state.copy()
    for ball in range(rules.BALLS):
        state[rules.VALUE + ball] = 1 if ball + 1 in good else -1
    return Simulation.at("say_select", {}, state)


def say(sim: Simulation, number: int) -> float:
    return sim.act(rules.ALICE, number - 1)


def pick(sim: Simulation, number: int) -> float:
    return sim.act(rules.BOB, number - 1)


def test_the_episode_of_figure_1() -> None:
    sim = game_with(1, 5)
    assert (say(sim, 1), pick(sim, 1)) == (0, 1)
    assert sim.view(None)["balls"] == [-1, -1, -1, -1, 1]
    assert (say(sim, 5), pick(sim, 5)) == (0, 1)
    assert say(sim, 5) == 0
    assert sim.act(rules.BOB, rules.QUIT) == 0
    assert sim.over and sim.score == 2
    with pytest.raises(Refusal, match="The game is over"):
        say(sim, 1)


def test_a_ball_that_was_picked_up_costs_a_point_the_next_time() -> None:
    sim = game_with(3)
    say(sim, 3)
    assert pick(sim, 3) == 1
    say(sim, 3)
    assert pick(sim, 3) == -1
    say(sim, 3)
    assert pick(sim, 2) == -1 and sim.score == -1


def test_bob_may_pick_up_another_ball_than_the_one_that_alice_said() -> None:
    sim = game_with(4)
    say(sim, 1)
    assert pick(sim, 4) == 1


def test_it_ends_after_ten_moves_as_in_the_authors_program() -> None:
    sim = game_with(1)
    for turn in range(5):
        assert not sim.over, turn
        say(sim, 2)
        pick(sim, 2)
    assert sim.over and sim.tick == 10 and sim.score == -5


def test_only_bob_can_quit_and_nobody_moves_out_of_turn() -> None:
    sim = game_with(1)
    with pytest.raises(Refusal, match="Only who picks can quit"):
        sim.act(rules.ALICE, rules.QUIT)
    with pytest.raises(Refusal, match="It is Player 1's turn"):
        sim.act(rules.BOB, 0)
    assert sim.legal(rules.ALICE).tolist() == [1, 1, 1, 1, 1, 0, 0]
    assert sim.legal(rules.BOB).tolist() == [0, 0, 0, 0, 0, 0, 1]
    say(sim, 1)
    assert sim.legal(rules.BOB).tolist() == [1, 1, 1, 1, 1, 1, 0]


def test_one_to_five_balls_are_good_and_each_set_of_so_many_is_as_likely() -> None:
    batch = Batch(games.spec("say_select"), {}, 20_000, observations="none", seed=4)
    good = batch.states[:, rules.VALUE : rules.VALUE + rules.BALLS] == 1
    shares = np.bincount(good.sum(axis=1), minlength=6) / batch.n
    assert shares[0] == 0 and np.allclose(shares[1:], 0.2, atol=0.015)
    pairs = Counter(tuple(np.flatnonzero(row)) for row in good if row.sum() == 2)
    assert len(pairs) == 10 and min(pairs.values()) > 0.8 * max(pairs.values())


def test_an_option_says_how_many_balls_are_good_at_most() -> None:
    batch = Batch(games.spec("say_select"), {"good": 3}, 6_000, observations="none", seed=4)
    good = (batch.states[:, rules.VALUE :] == 1).sum(axis=1)
    assert np.allclose(np.bincount(good, minlength=6) / batch.n, [0, 1 / 3, 1 / 3, 1 / 3, 0, 0], atol=0.03)
    with pytest.raises(Refusal, match="option 'good' is one of 1, 2, 3, 4, 5, not 6"):
        Simulation("say_select", {"good": 6})


def test_alice_sees_the_balls_and_bobs_last_one_and_bob_that_and_her_last_two_numbers() -> None:
    sim = game_with(1, 5)
    say(sim, 1)
    pick(sim, 1)
    say(sim, 5)
    alice, bob = sim.observe(rules.ALICE), sim.observe(rules.BOB)
    assert alice.tolist() == [1, *(0, 0, 0, 0, 1), *(1, 0, 0, 0, 0), *([0] * 10)]
    assert bob.tolist() == [0, *([0] * 5), *(1, 0, 0, 0, 0), *(0, 0, 0, 0, 1), *(1, 0, 0, 0, 0)]
    assert sim.observation_size == observation.SIZE == 21


def test_nothing_that_bob_is_told_depends_on_the_balls() -> None:
    """Before he has picked one up: what he picks up he gets."""
    told = []
    for good in ((1,), (2, 3, 4, 5)):
        sim = game_with(*good)
        say(sim, 2)
        words = [sim.observation_text(rules.BOB), sim.last_move_text(rules.BOB)]
        words += [sim.action_text(rules.BOB, action) for action in range(sim.num_actions)]
        seen = sim.observe(rules.BOB).tolist(), sim.picture(rules.BOB, 200).tobytes()
        told.append(json.dumps([words, sim.view(rules.BOB)]) + str(seen))
    assert told[0] == told[1]
    assert "None" in str(sim.view(rules.BOB)["balls"]) and sim.view(rules.ALICE)["balls"][1] == 1


def test_what_is_said_of_moves() -> None:
    sim = game_with(1, 5)
    assert sim.last_move_text() == ""
    assert sim.observation_text(rules.ALICE) == "The balls worth +1 are 1, 5."
    assert sim.action_text(rules.ALICE, 4) == "say 5"
    say(sim, 5)
    assert sim.last_move_text(rules.ALICE) == "You said 5."
    assert sim.observation_text(rules.BOB) == "My partner selected 5."
    assert sim.action_text(rules.BOB, 4) == "pick up ball 5" and sim.action_text(rules.BOB, 5) == "quit"
    pick(sim, 4)
    assert sim.last_move_text() == "Player 2 picked up ball 4: −1."
    say(sim, 1)
    sim.act(rules.BOB, rules.QUIT)
    assert sim.last_move_text() == "Player 2 quit."


def test_the_table_is_told_what_each_move_was() -> None:
    sim = game_with(1, 5)
    assert "last" not in sim.view(rules.BOB)
    say(sim, 5)
    assert sim.view(rules.BOB)["last"] == {
        "seat": 0,
        "kind": "say",
        "number": 5,
        "gained": 0,
        "text": "Player 1 said 5.",
    }
    pick(sim, 4)
    last = sim.view(rules.ALICE)["last"]
    assert (last["kind"], last["number"], last["gained"]) == ("pick", 4, -1)
    say(sim, 1)
    sim.act(rules.BOB, rules.QUIT)
    assert sim.view(None)["last"]["kind"] == "quit"


def test_two_play_and_there_is_no_deck() -> None:
    with pytest.raises(Refusal, match="Say-Select's option 'players' is one of 2, not 3"):
        Simulation("say_select", {"players": 3})
    with pytest.raises(Refusal, match="Say-Select has no deck"):
        Simulation("say_select", deck=[1])


def test_it_is_an_env() -> None:
    parallel_api_test(games.make("say_select"), num_cycles=100)


def test_batches_play_the_rules_as_plain_python_does() -> None:
    plain = {name: getattr(rules, name).py_func for name in ("step", "legal", "over", "new_game")}
    batch = Batch(games.spec("say_select"), {}, 50, observations="packed", seed=3)
    for _ in range(30):
        before, actions = batch.states.copy(), batch.choose_random().copy()
        batch.step(actions)
        for state, action, reward, done in zip(before, actions, batch.rewards, batch.dones, strict=True):
            assert plain["step"](state, int(action)) == reward
            assert plain["over"](state) == done
            if done:
                plain["new_game"](state)
        assert np.array_equal(before, batch.states)
        seat, mask = int(batch.seats[0]), np.zeros(7, np.int8)
        plain["legal"](before[0], seat, mask)
        assert np.array_equal(mask, batch.masks[0])
        seen = np.zeros(observation.SIZE, np.uint8)
        observation.encode.py_func(before[0], seat, seen)
        assert np.array_equal(seen, batch.observations[0])


def test_the_scripted_player_gets_every_ball_and_the_random_one_does_not() -> None:
    good = Batch(games.spec("say_select"), {}, 200, observations="none", seed=7).states[:, rules.VALUE :]
    scores = play([load("same-number", "say_select")], "say_select", {}, episodes=200, seed=7)
    assert np.array_equal(scores.reshape(-1), (good == 1).sum(axis=1))
    found = self_play(load("random", "say_select"), "say_select", episodes=200, seed=7)
    assert found["mean"] < 1 and min(map(int, found["histogram"])) < 0

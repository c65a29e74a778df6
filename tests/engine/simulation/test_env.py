"""The PettingZoo env."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from engine.games import make, names
from engine.refusal import Refusal


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hanabi_passes_the_parallel_api_test(players: int) -> None:
    parallel_api_test(make("hanabi", players=players), num_cycles=300)


@pytest.mark.parametrize(("players", "size"), [(2, 658), (3, 956), (4, 1041), (5, 1280)])
def test_observations_have_the_size_of_the_canonical_encoding(players: int, size: int) -> None:
    env = make("hanabi", players=players)
    observations, _ = env.reset(seed=1)
    for agent in env.possible_agents:
        assert observations[agent]["observation"].shape == (size,)
        assert observations[agent]["action_mask"].dtype == np.int8
        assert env.observation_space(agent).contains(observations[agent])


def test_a_seed_gives_the_same_games_and_the_next_reset_another() -> None:
    first, second = make("hanabi"), make("hanabi")
    first.reset(seed=7)
    second.reset(seed=7)
    assert first.simulation.deck == second.simulation.deck
    first.reset()
    assert first.simulation.deck != second.simulation.deck
    second.reset()
    assert first.simulation.deck == second.simulation.deck


def test_a_deck_can_be_given_to_make_and_to_reset() -> None:
    deck = list(make("hanabi").simulation.deck)
    env = make("hanabi", deck=deck)
    env.reset(seed=1)
    assert env.simulation.deck == deck
    env = make("hanabi")
    env.reset(seed=1, options={"deck": deck, "unknown": 1})
    assert env.simulation.deck == deck


def test_make_refuses_what_it_does_not_know() -> None:
    with pytest.raises(Refusal, match="no option 'layout'"):
        make("hanabi", layout="cramped_room")
    with pytest.raises(Refusal, match="no game 'chess'; the games are"):
        make("chess")
    assert "hanabi" in names()


def test_all_agents_end_together_with_shared_rewards() -> None:
    env = make("hanabi", players=3)
    observations, _ = env.reset(seed=2)
    random = np.random.default_rng(2)
    while env.agents:
        actions = {
            agent: int(random.choice(np.flatnonzero(observations[agent]["action_mask"])))
            for agent in env.agents
        }
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert len(set(rewards.values())) == 1 and set(observations) == set(env.possible_agents)
    assert all(terminations.values()) and not any(truncations.values())
    assert infos["player_0"]["score"] == env.simulation.score


@pytest.mark.parametrize("wrong", [True, np.True_, np.bool_(False)])
def test_a_boolean_is_no_action(wrong) -> None:
    env = make("overcooked")
    env.reset(seed=1)
    with pytest.raises(Refusal, match="True|False.*not a whole number from 0 to 5"):
        env.step({"player_0": wrong, "player_1": 4})
    with pytest.raises(Refusal, match="not a whole number"):
        make("hanabi").simulation.act(0, wrong)


def test_an_illegal_action_raises_a_sentence() -> None:
    env = make("hanabi")
    env.reset(seed=1)
    with pytest.raises(Refusal, match="discarding isn't allowed"):
        env.step({"player_0": 0, "player_1": 20})


def test_render_draws_the_table() -> None:
    env = make("hanabi")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20


@pytest.mark.parametrize("game", names())
def test_an_env_goes_through_pickle_and_goes_on_alike(game: str) -> None:
    env = make(game, render_mode="rgb_array")
    env.reset(seed=3)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    joint = {agent: env.simulation.idle(seat) for seat, agent in enumerate(env.possible_agents)}
    if env.simulation.current is None:
        env.step(joint)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.simulation.digest() == env.simulation.digest() and twin.agents == env.agents
    assert twin.observation_space("player_0") == env.observation_space("player_0")
    for one in (env, twin):
        if one.simulation.current is None:
            one.step(joint)
        else:
            one.step(joint | {f"player_{one.simulation.current}": int(one.simulation.legal(0).argmax())})
    assert twin.simulation.digest() == env.simulation.digest()
    first, second = (one.reset()[0]["player_0"]["observation"] for one in (env, twin))
    assert (first == second).all()


def test_the_render_mode_is_the_usual_one_or_none() -> None:
    assert make("overcooked", render_mode="rgb_array").render_mode == "rgb_array"
    assert make("overcooked", render_mode=None).render() is None
    with pytest.raises(Refusal, match="render_mode is 'human'; allowed are 'rgb_array' and None."):
        make("overcooked", render_mode="human")


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("odd", [1.5, 1.0, "1", None, float("nan"), [1.5], {}, np.float32(2)])
def test_an_action_that_is_no_whole_number_is_refused_with_a_sentence(game: str, odd) -> None:
    env = make(game)
    env.reset(seed=1)
    before = env.simulation.digest()
    joint = {agent: env.simulation.idle(seat) for seat, agent in enumerate(env.possible_agents)}
    with pytest.raises(Refusal, match="whole number|numbers with what"):
        env.step(joint | {"player_1": odd})
    with pytest.raises(Refusal, match="There is no action of player_1."):
        env.step({agent: action for agent, action in joint.items() if agent != "player_1"})
    assert env.simulation.digest() == before

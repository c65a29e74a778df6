"""Scripted bots: they play whole legal games with any number of players, see no hidden card, and score."""

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.self_play import play
from engine.games.hanabi import bots, rules
from engine.games.hanabi.features import encode_input, input_size
from engine.simulation.simulation import Simulation

NAMES = list(bots.BOTS_MANY)


def answer(bot, state, values):
    """The action of a bot in one state; fills `values`."""
    actions = np.zeros(1, np.int32)
    bots.BOTS_MANY[bot](state[None], values[None], actions)
    return int(actions[0])


def game(bot, seed=0, **options):
    """A finished game of a bot with itself; `Simulation.act` refuses illegal moves."""
    sim = Simulation("hanabi", options, seed=seed)
    values = np.zeros(sim.num_actions)
    while not sim.over:
        sim.act(sim.current, answer(bot, sim.state, values))
    return sim


def positions(count=60):
    """States of seat 0 or 1 to move, from games of the convention bot."""
    found = []
    for seed in range(count // 20):
        sim = Simulation("hanabi", seed=seed)
        values = np.zeros(sim.num_actions)
        while not sim.over:
            found.append(np.array(sim.state))
            sim.act(sim.current, answer("convention-bot", sim.state, values))
    return found[:: max(1, len(found) // count)]


def with_another_own_card(state):
    """The position with a hidden card of the mover swapped for one of the deck that hints allow, or None."""
    seat = int(state[rules.CURRENT])
    for slot in range(int(state[rules.HAND_COUNTS + seat])):
        key = int(rules.key_at(state, seat, slot))
        for other in range(int(state[rules.DEALT]), int(state[rules.DECK_SIZE])):
            card = int(state[rules.DECK + other])
            if card != int(state[rules.DECK + key]) and rules.plausible(state, key, card):
                changed = state.copy()
                changed[rules.DECK + other] = state[rules.DECK + key]
                changed[rules.DECK + key] = card
                return changed
    return None


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bot", NAMES)
def test_a_bot_plays_whole_games_with_any_number_of_players(bot, players):
    for seed in range(3):
        assert game(bot, seed, players=players).over


@pytest.mark.parametrize(
    "options",
    [{"colors": 2, "ranks": 3}, {"hand_size": 2}, {"lives": 1}, {"information_tokens": 1}, {"bomb": "keep"}],
    ids=str,
)
@pytest.mark.parametrize("bot", NAMES)
def test_a_bot_plays_with_unusual_options(bot, options):
    for seed in range(3):
        assert game(bot, seed, **options).over


def test_the_convention_bot_scores_more_than_22():
    scores = play([load("hanabi/convention-bot")], episodes=600, seed=5)
    assert scores.mean() > 22.3


def test_the_grounded_bot_never_loses_its_last_life():
    scores = play([load("hanabi/grounded-bot")], episodes=300, seed=5)
    assert (scores > 0).all()
    assert scores.mean() > 16.5


def test_the_random_bot_repeats_its_games_and_differs_between_decks():
    assert game("random", 1).actions == game("random", 1).actions
    assert game("random", 1).actions != game("random", 2).actions


@pytest.mark.parametrize("bot", ["grounded-bot", "convention-bot"])
def test_a_bot_does_not_see_its_own_cards(bot):
    changed = [(state, other) for state in positions() if (other := with_another_own_card(state)) is not None]
    assert len(changed) > 20
    for state, other in changed:
        values, others = np.zeros(21), np.zeros(21)
        answer(bot, state, values)
        answer(bot, other, others)
        assert values.tolist() == others.tolist()


def test_features_do_not_show_own_cards():
    for state in positions():
        other = with_another_own_card(state)
        if other is not None:
            seat, size = int(state[rules.CURRENT]), int(input_size(state))
            seen, as_well = np.zeros(size, np.float32), np.zeros(size, np.float32)
            encode_input(state, seat, seen)
            encode_input(other, seat, as_well)
            assert np.array_equal(seen, as_well)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_features_lie_between_0_and_1(players):
    sim = game("convention-bot", players=players)
    for seat in range(players):
        out = np.full(int(input_size(sim.state)), np.nan, np.float32)
        encode_input(sim.state, seat, out)
        assert np.isfinite(out).all() and out.min() >= 0 and out.max() <= 1


@pytest.mark.parametrize("bot", NAMES)
def test_many_states_at_once_get_the_same_answers_as_each_alone(bot):
    states = np.array(positions(20))
    values, actions = np.zeros((len(states), 21)), np.zeros(len(states), np.int32)
    bots.BOTS_MANY[bot](states, values, actions)
    for state, row, action in zip(states, values, actions, strict=True):
        single = np.zeros(21)
        assert answer(bot, state, single) == action
        assert single.tolist() == row.tolist()

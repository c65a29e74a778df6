"""Games in which agents are told something: heard as in live play, on the same deals, in every game."""

from __future__ import annotations

import numpy as np
import pytest

from engine import games
from engine.agents.acting import act_many
from engine.agents.catalogue import load
from engine.evaluation.reward_return import play_rewarded
from engine.evaluation.told_games import ToldGames
from engine.simulation.batch import Batch

OPTIONS = {
    "hanabi": {"players": 3},
    "overcooked": {"layout": "forced_coordination", "horizon": 200},
    "arena": {"teams": 2, "team_size": 2, "pace": "short", "monsters": 0},
}


class Spy:
    """A policy that notes, by seat, which had a goal, and which read that they were told something."""

    def __init__(self, policy) -> None:
        self.policy, self.goals, self.told = policy, {}, set()
        self.name, self.game, self.players = policy.name, policy.game, policy.players
        self.card, self.memory = {**policy.card, "told_version": 1}, policy.memory

    def logits_many(self, states, seats, masks, worlds=None, goals=None, instructions=None, memory=None):
        for row, seat in enumerate(seats):
            asked = goals is not None and bool(goals[row].any())
            self.goals[int(seat)] = self.goals.get(int(seat), False) or asked
            if instructions is not None and instructions[row].any():
                self.told.add(int(seat))
        return self.policy.logits_many(states, seats, masks, worlds, goals, instructions, memory)


def played(game: str, ref: str, told: str):
    complete = games.spec(game).validate(OPTIONS[game])
    policy = load(ref, game)
    return play_rewarded([policy] * games.spec(game).seats(complete), game, complete, 6, 4, told=told)


@pytest.mark.parametrize(
    ("game", "ref", "told", "audience"),
    [
        ("hanabi", "hanabi/convention-bot", "never play", [1, 2]),
        ("overcooked", "overcooked/greedy", "stop", [1]),
    ],
)
def test_who_is_told_obeys_the_same_every_time(game, ref, told, audience):
    untold, again = played(game, ref, ""), played(game, ref, told)
    assert untold.told == [] and again.told == audience
    assert again.scores.mean() < 0.9 * untold.scores.mean()
    assert np.array_equal(again.scores, played(game, ref, told).scores)


def test_a_squad_gets_its_goal_and_the_others_nothing():
    complete = games.spec("arena").validate(OPTIONS["arena"])
    own, theirs = Spy(load("arena/strong", "arena")), load("arena/middle", "arena")
    play_rewarded([own, own, theirs, theirs], "arena", complete, 2, 1, told="hold here")
    assert own.goals == {0: False, 1: True} and own.told == {1}
    untold = Spy(own.policy)
    play_rewarded([untold, untold, theirs, theirs], "arena", complete, 2, 1)
    assert untold.goals == {0: False, 1: False} and not untold.told


@pytest.mark.parametrize("game", list(OPTIONS))
def test_the_games_beside_a_batch_are_those_of_the_batch(game):
    spec = games.spec(game)
    complete = spec.validate(OPTIONS[game])
    batch = Batch(spec, complete, 3, observations="none", seed=5)
    words = {"hanabi": "never discard", "overcooked": "get an onion", "arena": "follow me"}[game]
    heard = ToldGames(game, complete, batch.states, words)
    for _ in range(6):
        batch.step(batch.choose_random())
        heard.follow(np.arange(3), batch.states)
    for row, state in enumerate(batch.states):
        if game != "arena":  # Arena's games are followed one by one
            assert np.array_equal(heard.following.states[row], state)
        else:
            sim = heard.following.sims[row]
            assert np.array_equal(sim.state, state) and sim.tick == 6


def test_words_that_ask_for_nothing_and_words_to_nobody_are_refused():
    with pytest.raises(ValueError, match="can't be followed"):
        played("hanabi", "hanabi/random", "the weather is nice")
    alone = {**OPTIONS["arena"], "team_size": 1}
    complete = games.spec("arena").validate(alone)
    with pytest.raises(ValueError, match="no one on its side"):
        play_rewarded([load("arena/weak", "arena")] * 2, "arena", complete, 1, told="follow me")


def test_what_is_done_is_not_asked_for_any_longer():
    complete = games.spec("overcooked").validate(OPTIONS["overcooked"])
    batch = Batch(games.spec("overcooked"), complete, 4, observations="none", seed=5)
    heard = ToldGames("overcooked", complete, batch.states, "get an onion")
    cook = load("overcooked/greedy", "overcooked")
    rows = np.arange(4)
    asked = []
    for _ in range(60):
        told = heard.programs(rows, np.ones(4, int))
        asked.append(sum(map(len, told)))
        chosen = [
            act_many(cook, batch.states, seat, batch.masks[:, 0], None, None, heard.heard(cook, rows, seat))
            for seat in (np.zeros(4, int), np.ones(4, int))
        ]
        actions = np.stack(chosen, 1)
        batch.step(actions)
        heard.follow(rows, batch.states)
    assert asked[0] == 4 and asked[-1] == 0

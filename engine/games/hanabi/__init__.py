"""Hanabi for 2 to 5 players: the game's spec, which is all that the rest of the engine asks for."""

from __future__ import annotations

import numpy as np

from engine.games.hanabi import observation, options, rules, view, words
from engine.simulation.jit import rule
from engine.simulation.lazy import later
from engine.simulation.spec import GameSpec


@rule
def _current(state):
    return int(state[rules.CURRENT])


@rule
def _over(state):
    return int(state[rules.OVER])


@rule
def _score(state):
    return int(state[rules.SCORE])


def _observation_size(complete: dict) -> int:
    state = np.zeros(rules.STATE_SIZE, rules.STATE_DTYPE)
    options.prepare(state, complete, 0, 0)
    return int(observation.observation_size(state))


SPEC = GameSpec(
    name="hanabi",
    title="Hanabi",
    rules=rules,
    current=_current,
    over=_over,
    score=_score,
    words=words,
    options=options.OPTIONS,
    state_size=rules.STATE_SIZE,
    state_dtype=rules.STATE_DTYPE,
    validate=options.validate,
    num_actions=options.num_actions,
    observation_size=_observation_size,
    max_score=options.max_score,
    prepare=options.prepare,
    check_deck=options.check_deck,
    start_with_deck=options.start_with_deck,
    deck=options.deck_of,
    canonical=options.canonical,
    encode=observation.encode,
    encode_packed=observation.encode_packed,
    view=view.view,
    picture=later("engine.games.hanabi.picture", "picture"),
)

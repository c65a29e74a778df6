"""Frozen Lake for two: each reaches a target, nobody falls into a hole (FrozenLake-2 of the SAMA paper)."""

from __future__ import annotations

from engine.simulation.lazy import later
from engine.simulation.spec import GameSpec

from . import lakes, observation, rules, view, words

SPEC = GameSpec(
    name="frozen_lake_2",
    title="Frozen Lake",
    rules=rules,
    words=words,
    turn_based=False,
    options=lakes.OPTIONS,
    validate=lakes.validate,
    state_size=rules.STATE_SIZE,
    num_actions=lambda options: rules.NUM_ACTIONS,
    observation_size=lambda options: observation.SIZE,
    observation_high=observation.HIGH,
    max_score=lambda options: rules.SEATS,
    prepare=lakes.prepare,
    canonical=lakes.canonical,
    encode=observation.encode,
    view=view.view,
    events=view.events,
    picture=later(f"{__name__}.picture", "picture"),
)

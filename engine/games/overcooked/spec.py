"""The spec of Overcooked for 2 to 4 cooks, which is all that the rest of the engine asks for."""

from __future__ import annotations

from engine.games.overcooked import observation, options, rules, view, words
from engine.games.overcooked.layouts import layout_of
from engine.simulation.lazy import later
from engine.simulation.spec import GameSpec


def _shape(complete: dict) -> tuple[int, int, int]:
    layout = layout_of(complete["layout"])
    return layout.height, layout.width, observation.CHANNELS


def _observation_size(complete: dict) -> int:
    height, width, channels = _shape(complete)
    return height * width * channels


SPEC = GameSpec(
    name="overcooked",
    title="Overcooked",
    rules=rules,
    words=words,
    turn_based=False,
    ticks_per_second=6.0,
    clock=options.clock,
    options=options.OPTIONS,
    state_size=rules.STATE_SIZE,
    state_dtype=rules.STATE_DTYPE,
    validate=options.validate,
    num_actions=lambda complete: rules.NUM_ACTIONS,
    observation_size=_observation_size,
    observation_shape=_shape,
    observation_high=255,
    max_score=options.max_score,
    prepare=options.prepare,
    canonical=options.canonical,
    encode=observation.encode,
    shaped=rules.shaped,
    truncates=True,
    no_op=rules.STAY,
    variant=options.variant,
    view=view.view,
    events=view.events,
    picture=later("engine.games.overcooked.picture", "picture"),
)

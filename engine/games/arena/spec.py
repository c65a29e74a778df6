"""Arena's spec, which is all that the rest of the engine asks for."""

from __future__ import annotations

import numpy as np

from engine.games.arena import DECISION_TICKS, aim, goals, observation, options, rules
from engine.games.arena import state as record
from engine.simulation.spec import GameSpec


def _view(state: np.ndarray, seat: int | None = None) -> dict:
    from engine.games.arena.view import view

    return view(state, seat)


def _events(state: np.ndarray) -> list:
    try:
        from engine.games.arena.view import events
    except ImportError:
        return []
    return events(state)


def _words(name: str):
    def call(*arguments):
        from engine.games.arena import words

        return getattr(words, name)(*arguments)

    return call


def _picture(state: np.ndarray, seat: int | None = None, width: int = 640) -> np.ndarray:
    from engine.games.arena.picture import picture  # pygame takes a while to import, and few need it

    return picture(state, seat, width)


SPEC = GameSpec(
    name="arena",
    title="Arena",
    rules_version=rules.RULES_VERSION,
    turn_based=False,
    ticks_per_second=float(record.TICKS_PER_SECOND),
    options=options.OPTIONS,
    state_size=record.STATE_SIZE,
    state_dtype=record.STATE_DTYPE,
    validate=options.validate,
    seats=lambda complete: complete["teams"] * complete["team_size"],
    num_actions=lambda complete: sum(record.HEADS),
    observation_size=lambda complete: observation.SIZE,
    observation_low=-127,
    observation_high=127,
    max_score=lambda complete: 100,
    prepare=options.prepare,
    canonical=options.canonical,
    new_game=rules.new_game,
    legal=rules.legal,
    step=rules.step,
    current=rules.current,
    over=rules.over,
    score=rules.score,
    encode=observation.encode,
    heads=record.HEADS,
    record_size=record.RECORD,
    resolve=aim.resolve,
    idle=options.idle,
    record_problem=options.record_problem,
    world=options.world,
    decision_ticks=DECISION_TICKS,
    goal_size=goals.GOAL_SIZE,
    side=lambda options, seat: seat // options["team_size"],
    view=_view,
    events=_events,
    why_illegal=_words("why_illegal"),
    last_move_text=_words("last_move_text"),
    observation_text=_words("observation_text"),
    action_text=_words("action_text"),
    picture=_picture,
)

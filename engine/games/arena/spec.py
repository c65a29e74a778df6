"""Arena's spec, which is all that the rest of the engine asks for."""

from __future__ import annotations

from engine.games.arena import DECISION_TICKS, aim, goals, observation, options, rules
from engine.games.arena import state as record
from engine.simulation.lazy import later
from engine.simulation.spec import GameSpec

SPEC = GameSpec(
    name="arena",
    title="Arena",
    rules=rules,
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
    view=later("engine.games.arena.view", "view"),
    events=later("engine.games.arena.view", "events"),
    why_illegal=later("engine.games.arena.words", "why_illegal"),
    last_move_text=later("engine.games.arena.words", "last_move_text"),
    observation_text=later("engine.games.arena.words", "observation_text"),
    action_text=later("engine.games.arena.words", "action_text"),
    picture=later("engine.games.arena.picture", "picture"),
)

"""Pebbles: the smallest game with everything that docs/adding-a-game.md asks for."""

from __future__ import annotations

from engine.simulation.spec import GameSpec

from . import observation, options, rules, view, words

SPEC = GameSpec(
    name=__name__.rpartition(".")[2],
    title="Pebbles",
    rules_version=rules.RULES_VERSION,
    options=options.OPTIONS,
    state_size=rules.STATE_SIZE,
    num_actions=lambda complete: rules.MOST + 1,
    observation_size=lambda complete: observation.SIZE,
    max_score=lambda complete: 15,
    prepare=options.prepare,
    new_game=rules.new_game,
    legal=rules.legal,
    step=rules.step,
    current=rules.current,
    over=rules.over,
    score=rules.score,
    encode=observation.encode,
    view=view.view,
    why_illegal=words.why_illegal,
    last_move_text=words.last_move_text,
    observation_text=words.observation_text,
    action_text=words.action_text,
)

"""Say-Select: Alice says a number, Bob picks up a ball or quits. The smallest game here."""

from __future__ import annotations

import numpy as np

from engine.simulation.spec import GameSpec, Option

from . import observation, rules, view, words


def _picture(state: np.ndarray, seat: int | None = None, width: int = 640) -> np.ndarray:
    from .picture import picture  # pygame takes a while to import, and few need it

    return picture(state, seat, width)


SPEC = GameSpec(
    name="say_select",
    title="Say-Select",
    rules_version=rules.RULES_VERSION,
    options={
        "players": Option(2, (2,), "Alice and Bob"),
        "good": Option(5, (1, 2, 3, 4, 5), "how many balls are worth a point at most"),
    },
    state_size=rules.STATE_SIZE,
    num_actions=lambda options: rules.WAIT + 1,
    observation_size=lambda options: observation.SIZE,
    max_score=lambda options: rules.BALLS,
    prepare=rules.prepare,
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
    picture=_picture,
)

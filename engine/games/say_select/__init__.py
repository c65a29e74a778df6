"""Say-Select: Alice says a number, Bob picks up a ball or quits. The smallest game here."""

from __future__ import annotations

from engine.simulation.lazy import later
from engine.simulation.spec import GameSpec, Option

from . import observation, rules, view, words

SPEC = GameSpec(
    name="say_select",
    title="Say-Select",
    rules=rules,
    words=words,
    options={
        "players": Option(2, (2,), "Alice and Bob"),
        "good": Option(5, (1, 2, 3, 4, 5), "how many balls are worth a point at most"),
    },
    state_size=rules.STATE_SIZE,
    num_actions=lambda options: rules.WAIT + 1,
    observation_size=lambda options: observation.SIZE,
    max_score=lambda options: rules.BALLS,
    prepare=rules.prepare,
    encode=observation.encode,
    view=view.view,
    picture=later(f"{__name__}.picture", "picture"),
)

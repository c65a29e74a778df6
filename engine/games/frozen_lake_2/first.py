"""The first game on the lake: a step, an instruction, and both goals. The partner stands until it is told."""

from __future__ import annotations

from engine.games.first import First, Scene, Step, has_instruction
from engine.games.pages import ME

from . import rules


def on_target(scene: Scene, seat: int) -> bool:
    """Whether a player stands on a goal."""
    return int(rules.on_target(scene.sim.state, int(scene.sim.state[rules.AT + seat]))) >= 0


FIRST = First(
    about="Walk round the holes, tell your partner which goal is its own, and reach yours.",
    options={"layout": "4x4", "horizon": 200},
    wishes=(ME, "agent:walker"),
    seed=1,
    asleep={1: "stay"},
    steps=(
        Step(
            say="You are player 1, in the upper left corner. Step down, past the hole: press [lake.down].",
            touch="You are player 1, in the upper left corner. Step down, past the hole: tap the arrow.",
            done=lambda scene: scene.did(scene.seat, "step"),
            noticed="You took a step; {partner} takes one at the same time, or stays.",
        ),
        Step(
            say="There are two goals, one for each of you. Leave the right one to {partner}: press "
            "[lake.tell] and write, or take this sentence.",
            touch="There are two goals, one for each of you. Leave the right one to {partner}: write it, "
            "or take this sentence.",
            tell=("You take the right goal.",),
            done=has_instruction,
            noticed="{partner} has understood you.",
        ),
        Step(
            say="{partner} begins to walk now, a step with each of yours. Go to the goal on the left, and "
            "stay there ([lake.stay]) until {partner} stands on the other one.",
            touch="{partner} begins to walk now, a step with each of yours. Go to the goal on the left, and "
            "stay there (the dot in the middle) until {partner} stands on the other one.",
            done=lambda scene: on_target(scene, scene.partner),
            noticed="{partner} stands on the right goal, as you had asked.",
            wakes=(1,),
            shows=True,
        ),
    ),
)

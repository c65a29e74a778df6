"""The first game of Say-Select: a number, a ball, and how to have the other one quit."""

from __future__ import annotations

from engine.games.first import First, Scene, Step
from engine.games.pages import ME

from . import rules


def has_spoken(scene: Scene) -> bool:
    """The person said a number."""
    return scene.did(scene.seat, "say")


def picked(scene: Scene) -> bool:
    """The partner picked up a ball that was worth a point."""
    return scene.did(scene.partner, "pick") and int(scene.sim.state[rules.GAINED]) > 0


def picked_all(scene: Scene) -> bool:
    """No ball is worth a point any more, and the partner has picked."""
    left = (scene.sim.state[rules.VALUE : rules.VALUE + rules.BALLS] == 1).any()
    return scene.did(scene.partner, "pick") and not left


FIRST = First(
    about="Say numbers, see which balls your partner picks up, and have it quit in time.",
    options={"good": 3},
    wishes=(ME, "agent:instruct-q"),
    seed=7,
    steps=(
        Step(
            say="You see which balls are worth a point, {partner} doesn't. Say the number of one that is.",
            done=has_spoken,
            noticed="You said a number: that is all that you can say.",
        ),
        Step(
            say="{partner} picks up a ball now, and what it is worth is yours together.",
            done=picked,
            noticed="{partner} picked up the ball whose number you said.",
            shows=True,
        ),
        Step(
            say="That ball is worth −1 from now on. Go on with those that are still worth a point.",
            done=picked_all,
            noticed="No ball is worth a point any more.",
        ),
        Step(
            say="Now {partner} should quit. Nobody told you how to say that: say the last number again.",
            done=lambda scene: scene.did(scene.partner, "quit"),
            noticed="{partner} quit: that is what the same number twice means to it.",
        ),
    ),
)

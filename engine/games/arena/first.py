"""The first match of Arena: a walk with a mate that follows, on a map without a zone. The mate stands still
until it has been told what to do, the other squad, far away, until the person wakes it.
"""

from __future__ import annotations

import math

import numpy as np

from engine.games.arena import state as s
from engine.games.first import First, Scene, Step, has_instruction
from engine.games.pages import ME

WALKED, CLOSE = 6.0, 8.0  # metres


def at(state: np.ndarray, seat: int) -> tuple[float, float]:
    """Where a player is, in metres."""
    base = s.player(seat)
    return int(state[base + s.X]) / s.UNIT, int(state[base + s.Y]) / s.UNIT


def gone(scene: Scene, seat: int) -> float:
    """Metres from where a player was when the step began."""
    return math.dist(at(scene.start, seat), at(scene.sim.state, seat))


def walked(scene: Scene) -> bool:
    """The person has gone a little way."""
    return gone(scene, scene.seat) >= WALKED


def followed(scene: Scene) -> bool:
    """Both have gone a little way, and the mate is near."""
    apart = math.dist(at(scene.sim.state, scene.seat), at(scene.sim.state, scene.partner))
    return walked(scene) and gone(scene, scene.partner) >= WALKED and apart <= CLOSE


def fired(scene: Scene) -> bool:
    """The person has fired."""
    return scene.did(scene.seat, "shot")


FIRST = First(
    about="Walk with a squad mate that does as you say. Nothing hurts you until you ask for it.",
    options={"teams": 2, "team_size": 2, "monsters": 0, "map_seed": 8, "zone": "none"},
    wishes=(ME, "agent:strong", "agent:weak", "agent:weak"),
    seed=5,
    asleep={1: "idle", 2: "idle", 3: "idle"},
    steps=(
        Step(
            say="Click the picture, look with the mouse and walk a few metres: [arena.forward], "
            "[arena.left], [arena.back] and [arena.right].",
            touch="Tap the picture. Walk a few metres with the stick at the left, drag elsewhere to look.",
            done=walked,
            noticed="You can walk.",
        ),
        Step(
            say="{partner} is your squad mate. Tell it what to do: press [arena.instruct] and write, or take "
            "this sentence.",
            touch="{partner} is your squad mate. Tell it what to do: write it below, or take this sentence.",
            tell=("Follow me.",),
            done=has_instruction,
            noticed="{partner} has understood you.",
        ),
        Step(
            say="Walk on, ten metres or more, and turn round: {partner} comes along.",
            done=followed,
            noticed="{partner} followed you, as you had asked.",
            wakes=(1,),
            shows=True,
        ),
        Step(
            say="Nothing can hurt you here: no zone closes, the other squad stands still. Fire once: "
            "[arena.fire].",
            touch="Nothing can hurt you here: no zone closes, the other squad stands still. Fire once.",
            done=fired,
            noticed="You fired.",
        ),
        Step(
            say="Do you want a fight? Wake the other squad: two beginners who look for you. Or stop here.",
            asks="Wake the other squad",
            done=lambda scene: not scene.asleep,
            noticed="They are awake, and {partner} fights beside you now.",
        ),
    ),
)

"""Arena, a small battle royale. Its spec is imported when it is asked for."""

from engine.simulation.lazy import names_of

DECISION_TICKS = 3  # agents decide 6.7 times a second
GOALS = (  # kinds that can be asked for, in the order of goals.py, from 1 on
    "follow",
    "hold",
    "go",
    "attack",
    "cover",
    "take_cover",
    "loot",
    "heal",
    "rescue",
    "prone",
    "hold_fire",
    "rotate",
    "regroup",
    "retreat",
    "crouch",
)

__getattr__ = names_of(__name__, {"SPEC": "spec"})

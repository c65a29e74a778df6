"""What an instruction asks for in the sub-goals of Table 7 of the OpenContra paper (abstraction.py).

The natural value of each sub-goal that a clause is about, as the paper's planner would choose: few, and none
that contradict each other. What is to be done later than the first clause is left out, as a goal of the
paper has no order. Not for following (standing.py): the agents of today get goals of goals.py.
"""

from __future__ import annotations

from typing import Any

from engine.games.arena.abstraction import SUBGOALS
from engine.language.arena.clauses import Clause
from engine.language.arena.places import YAWS

_FOLLOW = "Whether follow with the movement direction of teammate"
_NEAR = "Length of distance from agent to teammate"
_MOVED, _SPEED = "Length of distance moved", "Average velocity"
_SEEN, _SEEN_BY = "Whether seen enemy", "Whether seen by enemy"
_DAMAGE, _PRONE, _CROUCH = "Damage to enemy", "Whether prone position", "Whether crouch position"
_CLOSER, _DISTANCE = "Whether closer with nearest enemy", "Distance with nearest enemy"
_GUN = "Whether hold a gun"

WANTED: dict[str, dict[str, str]] = {
    "follow": {_FOLLOW: "True", _NEAR: "Nearby"},
    "hold": {_MOVED: "No movement", _SPEED: "Static"},
    "go": {_MOVED: "Long", _SPEED: "Medium"},
    "attack": {_DAMAGE: "High", _SEEN: "True", _CLOSER: "True"},
    "cover": {_NEAR: "Nearby", "Whether target the same enemy as teammate": "True", _GUN: "True"},
    "take_cover": {_SEEN_BY: "False", _CROUCH: "True"},
    "loot": {
        "Whether have a gun": "True",
        "Whether have bullets": "True",
        "Whether have medical kits": "True",
    },
    "heal": {"Whether to restore health": "True", "Health level": "Full"},
    "rescue": {"Whether rescued teammate": "True", _NEAR: "Touch"},
    "help": {"Whether rescued teammate": "True", _NEAR: "Nearby"},
    "prone": {_PRONE: "True", _MOVED: "No movement"},
    "hold_fire": {_DAMAGE: "Zero"},
    "rotate": {_MOVED: "Long", _SPEED: "Fast"},
    "regroup": {_NEAR: "Nearby"},
    "retreat": {_DISTANCE: "Far", _CLOSER: "False", _SEEN_BY: "False"},
    "crouch": {_CROUCH: "True"},
    "fire": {_DAMAGE: "Medium"},
    "stand": {_PRONE: "False", _CROUCH: "False"},
    "hurry": {_SPEED: "Fast"},
    "cancel": {},
}
NOT_WANTED: dict[str, dict[str, str]] = {
    "follow": {_FOLLOW: "False"},
    "hold": {_SPEED: "Medium"},
    "go": {_MOVED: "Short"},
    "prone": {_PRONE: "False"},
    "crouch": {_CROUCH: "False"},
    "heal": {"Whether to restore health": "False"},
    "rescue": {"Whether rescued teammate": "False"},
    "retreat": {_CLOSER: "True"},
}
_FLAGS = {
    "quietly": {_DAMAGE: "Zero"},
    "lying": {_PRONE: "True"},
    "crouched": {_CROUCH: "True"},
    "hurrying": {_SPEED: "Fast"},
}
_COMPASS = {"north": "North", "northeast": "NorthEast", "east": "East", "southeast": "Southeast"}
_COMPASS |= {"south": "South", "southwest": "Southwest", "west": "West", "northwest": "Northwest"}


def subgoals(program: dict[str, Any]) -> dict[str, str]:
    """Names and values of Table 7 that a program asks the agent for first, in the order of the table."""
    found: dict[str, str] = {}
    for one in program["clauses"][:1]:
        found |= _of(one)
    return {name: found[name] for name in SUBGOALS if name in found}


def _of(one: Clause) -> dict[str, str]:
    if one["negated"]:
        return dict(NOT_WANTED.get(one["kind"], {}))
    found = dict(WANTED[one["kind"]])
    if one["kind"] == "go" and one["place"] in YAWS:
        found["Horizontal direction of movement"] = _COMPASS[one["place"]]
    if one["kind"] == "go" and (one["place"] == "me" or one["who"] is not None):
        found = {_NEAR: "Touch"}
    for flag in one["flags"]:
        if flag != "hurrying" or one["kind"] not in ("hold", "prone", "take_cover"):
            found |= _FLAGS[flag]
    return found

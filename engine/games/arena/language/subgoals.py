"""What an instruction asks for in the sub-goals of Table 7 of the OpenContra paper (abstraction.py).

Programs of older logs may carry what was read ("subgoals"). For the others there is the natural value of each
sub-goal that the first clause is about, as the paper's planner would choose: few, and none that contradict
each other. Not for following (standing.py): the agents of today get goals of goals.py.
"""

from __future__ import annotations

from typing import Any

from engine.games.arena.language.programs import DIRECTIONS, Clause
from engine.games.arena.subgoal_table import DIRECTIONS as WAYS
from engine.games.arena.subgoal_table import INDEX, PRINTED, SUBGOALS

_CODES = (
    "dmg kd kill se sb num len vel mv vw pit hp rh hd res down pr gun bul med de cl cr hold dt st tp fv tt "
    "fm emv ev ep"
)
CODES = dict(zip(_CODES.split(), SUBGOALS[:PRINTED], strict=True))
"""Short names of the sub-goals, in the order of the table."""
WANTED: dict[str, str] = {
    "follow": "fm=True dt=Nearby",
    "hold": "len=No vel=Static",
    "go": "len=Medium",
    "attack": "dmg=High",
    "cover": "dt=Nearby tt=True",
    "take_cover": "sb=False",
    "loot": "gun=True bul=True med=True",
    "heal": "rh=True",
    "rescue": "res=True",
    "help": "dt=Nearby",
    "prone": "pr=True",
    "hold_fire": "dmg=Zero",
    "rotate": "len=Long",
    "regroup": "dt=Nearby",
    "retreat": "de=Far cl=False",
    "crouch": "cr=True",
    "fire": "dmg=Medium",
    "stand": "pr=False cr=False",
    "hurry": "vel=Fast",
    "cancel": "",
    "look": "",
    "spread": "dt=Moderate",
}
"""Kind of clause -> codes of what it asks for, each with the beginning of its value."""
NOT_WANTED: dict[str, str] = {
    "follow": "fm=False",
    "hold": "vel=Medium len=Medium",
    "go": "len=Short",
    "prone": "pr=False",
    "crouch": "cr=False",
    "heal": "rh=False",
    "rescue": "res=False",
    "retreat": "cl=True",
    "take_cover": "sb=True",
    "cover": "dt=Far",
}
_FLAGS = {
    "quietly": "dmg=Zero", "lying": "pr=True", "crouched": "cr=True", "hurrying": "vel=Fast",
    "slowly": "vel=Slow",
}  # fmt: skip
_COMPASS = {way.lower(): way for way in WAYS if way.lower() in DIRECTIONS}


def goals(codes: str) -> dict[str, str]:
    """{name: value} of "vel=Fast len=No", the shortest value that begins so; raises KeyError for what is no
    code.
    """
    found = {}
    for code, _, start in (pair.partition("=") for pair in codes.split()):
        fitting = [value for value in CODES[code].values if value.startswith(start)]
        found[CODES[code].name] = min(fitting, key=len)
    return found


def in_order(found: dict[str, str]) -> dict[str, str]:
    """The same in the order of the table."""
    return {name: found[name] for name in INDEX if name in found}


def subgoals(program: dict[str, Any]) -> dict[str, str]:
    """Names and values of Table 7 that a program asks the agent for first, in the order of the table."""
    return dict(program["subgoals"]) if program.get("subgoals") else of_clauses(program["clauses"])


def of_clauses(clauses: list[Clause]) -> dict[str, str]:
    """The same of the first clause alone."""
    found: dict[str, str] = {}
    for one in clauses[:1]:
        found |= _of(one)
    return in_order(found)


def _of(one: Clause) -> dict[str, str]:
    if one["negated"]:
        return goals(NOT_WANTED.get(one["kind"], ""))
    found = goals(WANTED[one["kind"]])
    if one["kind"] == "go" and one["place"] in _COMPASS:
        found = goals(f"mv={_COMPASS[one['place']]}")
    if one["kind"] == "look" and one["place"] in _COMPASS:
        found = goals(f"vw={_COMPASS[one['place']]}")
    if one["kind"] == "go" and (one["place"] == "me" or one["who"] is not None):
        found = goals("dt=Nearby")
    for flag in one["flags"]:
        if flag != "hurrying" or one["kind"] not in ("hold", "prone", "take_cover"):
            found |= goals(_FLAGS[flag])
    return found

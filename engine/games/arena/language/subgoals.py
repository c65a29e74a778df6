"""What an instruction asks for in the sub-goals of Table 7 of the OpenContra paper (abstraction.py).

Programs of older logs carry what was read ("subgoals"), as do those of texts that no act expresses. For the
others there is the natural value of each sub-goal that the first clause is about, as the paper's planner
would choose: few, and none that contradict each other. Not for following (standing.py): the agents of today
get goals of goals.py.
"""

from __future__ import annotations

from typing import Any

from engine.games.arena.language.programs import DIRECTIONS, Clause, clause
from engine.games.arena.language.wishes.names import CODES, WAYS, goals, in_order

WANTED: dict[str, str] = {
    "follow": "fm=T dt=N",
    "hold": "len=0 vel=0",
    "go": "len=M",
    "attack": "dmg=H",
    "cover": "dt=N tt=T",
    "take_cover": "sb=F",
    "loot": "gun=T bul=T med=T",
    "heal": "rh=T",
    "rescue": "res=T",
    "help": "dt=N",
    "prone": "pr=T",
    "hold_fire": "dmg=Z",
    "rotate": "len=L",
    "regroup": "dt=N",
    "retreat": "de=F cl=F",
    "crouch": "cr=T",
    "fire": "dmg=M",
    "stand": "pr=F cr=F",
    "hurry": "vel=F",
    "cancel": "",
    "look": "",
    "spread": "dt=M",
}
"""Kind of clause -> codes (wishes/names.py) of what it asks for."""
NOT_WANTED: dict[str, str] = {
    "follow": "fm=F",
    "hold": "vel=M len=M",
    "go": "len=S",
    "prone": "pr=F",
    "crouch": "cr=F",
    "heal": "rh=F",
    "rescue": "res=F",
    "retreat": "cl=T",
    "take_cover": "sb=T",
    "cover": "dt=F",
}
FULFILS: dict[str, str] = {
    "follow": "fm dt vel mv tp fv st len cl",
    "hold": "vel len vw sb st",
    "go": "len mv vel dt de cl sb tp ep fm",
    "attack": "dmg kill kd cl de tt se vel ep",
    "cover": "dt tt fv dmg",
    "take_cover": "sb hd cr down",
    "loot": "gun bul med",
    "heal": "rh hp",
    "rescue": "res dt",
    "help": "res dt tt",
    "prone": "pr vel len hold sb cr",
    "hold_fire": "dmg kill kd sb",
    "rotate": "len vel mv",
    "regroup": "dt len vel st",
    "retreat": "cl de vel dt len",
    "crouch": "cr pr sb",
    "fire": "dmg kill",
    "stand": "pr cr",
    "hurry": "vel",
    "cancel": "",
    "look": "vw fv",
    "spread": "dt",
}
"""Kind of clause -> codes of the sub-goals that carrying it out is about."""
_CARRIED_OUT = (
    *("follow", "hold", "attack", "cover", "take_cover", "loot", "heal", "rescue"),
    *("prone", "hold_fire", "retreat", "crouch", "fire", "stand"),
)
"""Kinds of clause that today's squads carry out and that need no place."""
_FLAGS = {"quietly": "dmg=Z", "lying": "pr=T", "crouched": "cr=T", "hurrying": "vel=F", "slowly": "vel=S"}
_FLAGS_FULFIL = {
    "quietly": "dmg sb",
    "lying": "pr vel sb",
    "crouched": "cr sb",
    "hurrying": "vel",
    "slowly": "vel",
}
_COMPASS = dict(zip(DIRECTIONS, WAYS, strict=True))


def subgoals(program: dict[str, Any]) -> dict[str, str]:
    """Names and values of Table 7 that a program asks the agent for first, in the order of the table."""
    return dict(program["subgoals"]) if program.get("subgoals") else of_clauses(program["clauses"])


def of_clauses(clauses: list[Clause]) -> dict[str, str]:
    """The same of the first clause alone."""
    found: dict[str, str] = {}
    for one in clauses[:1]:
        found |= _of(one)
    return in_order(found)


def clauses_for(wanted: dict[str, str]) -> list[Clause]:
    """The one clause that asks for most of what is wanted and for nothing else, if there is any."""
    fitting = [kind for kind in _CARRIED_OUT if goals(WANTED[kind]).items() <= wanted.items()]
    if not fitting:
        return []
    kind = max(fitting, key=lambda one: len(goals(WANTED[one])))
    return [clause(kind, who="me" if kind in ("follow", "cover") else None)]


def fulfilled(clauses: list[Clause]) -> set[str]:
    """The names of the sub-goals that carrying clauses out is about."""
    codes = " ".join(
        [FULFILS[one["kind"]] for one in clauses]
        + [_FLAGS_FULFIL[flag] for one in clauses for flag in one["flags"]]
    )
    return {CODES[code][0] for code in codes.split()}


def _of(one: Clause) -> dict[str, str]:
    if one["negated"]:
        return goals(NOT_WANTED.get(one["kind"], ""))
    found = goals(WANTED[one["kind"]])
    if one["kind"] == "go" and one["place"] in _COMPASS:
        found = goals(f"mv={_COMPASS[one['place']]}")
    if one["kind"] == "look" and one["place"] in _COMPASS:
        found = goals(f"vw={_COMPASS[one['place']]}")
    if one["kind"] == "go" and (one["place"] == "me" or one["who"] is not None):
        found = goals("dt=N")
    for flag in one["flags"]:
        if flag != "hurrying" or one["kind"] not in ("hold", "prone", "take_cover"):
            found |= goals(_FLAGS[flag])
    return found

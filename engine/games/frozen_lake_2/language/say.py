"""Programs told back in the agent's first person, as it will carry them out. Written from the clauses alone;
programs that differ are told differently.
"""

from __future__ import annotations

from typing import Any

from engine.language import saying
from engine.language.declared import Clause, values

PARTS = "clauses"  # what a program consists of, each of which can be told alone
CAN_READ = (
    "where to go (a goal, a column and row, to you), which way to step and how often, when to wait, who goes "
    "first, and what to keep off"
)
_EVENTS = {
    "i_there": "you stand on a goal",
    "i_move": "you have moved",
    "i_near": "you are next to me",
    "you_there": "I stand on a goal",
}
_SIDES = {"top": "upper", "bottom": "lower"}
_EDGES = {"left": "left edge", "right": "right edge", "top": "upper edge", "bottom": "lower edge"}


def sentence(program: dict[str, Any]) -> str:
    """One sentence for a whole program."""
    said = ""
    for at, one in enumerate(program["clauses"]):
        joined = "" if at == 0 else ", then " if one.get("then") else ", and "
        said += joined + clause(one)
    return f"{said}."


def clause(one: Clause) -> str:
    """A clause in words, without stop."""
    act, way, times = one["act"], _first(one, "way"), _first(one, "times")
    mine, both = values(one, "by") == ["me"], values(one, "by") == ["both"]
    who = "you" if mine else "we both" if both else "I"
    rather = "rather " if one.get("rather") else ""
    if act == "first":
        said = "you go first and I wait until you stand on a goal" if mine else f"{who} go first, to a goal"
        if mine and "until" in one:
            said = "you go first and I wait"
    elif act == "go" and mine:
        said = f"{who} go to {place(one)}, which I leave to you"
    elif act == "go" and one.get("not"):
        said = f"{who} keep off {place(one)}"
    else:
        does = {
            "go": f"go to {place(one)}",
            "step": f"step {way or 'somewhere'}" + ("" if times is None else f" {_steps(times)}"),
            "wait": "wait where I am" + ("" if times is None else f" for {_steps(times)}"),
            "follow": "walk behind you",
        }.get(act, f"do what “{act}” says")
        said = f"{who} don't {does}" if one.get("not") else f"{who} {rather}{does}"
    return said + saying.conditions(one, _EVENTS) + (" now" if one.get("now") else "")


def place(one: Clause) -> str:
    """ "the left goal", "column 3, row 2" """
    at, side = _first(one, "at"), _first(one, "side")
    column, row = _first(one, "column"), _first(one, "row")
    cell = ", ".join(
        f"{name} {number}" for name, number in (("column", column), ("row", row)) if number is not None
    )
    if at == "goal" or at is None and side in ("nearest", "other"):
        goal = f"the {_SIDES.get(side, side)} goal" if side else "a goal"
        return f"{goal} in {cell}" if cell else goal
    if at is None:
        return (
            cell or "somewhere" if side is None else f"the {_EDGES[side]}" + (f" in {cell}" if cell else "")
        )
    named = {"hole": "the holes", "me": "you", "start": "where I began"}[at]
    return " ".join(filter(None, (named, f"on the {side}" if side else "", f"in {cell}" if cell else "")))


def _steps(count: Any) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def _first(one: Clause, name: str) -> Any:
    return next(iter(values(one, name)), None)

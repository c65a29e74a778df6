"""Which goals of several instructions still stand: what a later instruction replaced.

Pure functions of the programs. Not for what is done (`ends`), nor for what to do about them (`tasks`).
"""

from __future__ import annotations

from typing import Any

from engine.games.overcooked.language.programs import WORK, Goal

POSTURES = ("stop", "wait_at", "go_to", "clear_the_way")
ROLES = (*WORK, "divide_roles", "swap_roles")
CHAINS = {
    "fetch_onion": "onion",
    "put_onion_in_pot": "onion",
    "fetch_tomato": "tomato",
    "put_tomato_in_pot": "tomato",
    "fetch_dish": "dish",
    "pick_up_soup": "soup",
    "serve_soup": "soup",
}
"""Intents of one chain of work contradict each other when one is a wish and the other a ban or a claim."""


def mine(goal: Goal) -> bool:
    """Whether the agent is to do something for it."""
    return goal["who"] != "me" and not goal["negated"]


def bans(goal: Goal) -> bool:
    """Whether it keeps the agent from something: a ban, or what the player does themselves."""
    if goal["intent"] in ("stop", "continue", "clear_the_way", "divide_roles", "swap_roles", "wait_at"):
        return False
    return goal["negated"] if goal["who"] != "me" else not goal["negated"] and goal["intent"] != "go_to"


def settle(programs: list[dict[str, Any]]) -> list[list[Goal]]:
    """The goals of each program that no later one replaced, each with its "since_tick"."""
    settled: list[list[Goal]] = []
    for program in programs:
        since = int(program.get("since_tick", 0))
        goals: list[Goal] = [
            {**goal, "since_tick": goal.get("since_tick", since)} for goal in program["goals"]
        ]
        roles = [g for before in settled for g in before if _lasting(g) or g["who"] == "me"]
        lasting = [goal for goal in goals if "if" not in goal]  # others replace nothing for good
        if any(goal["intent"] == "swap_roles" for goal in lasting) and roles:
            swapped = [_swapped(g, since) for g in roles]
            goals = [g for g in goals if g["intent"] != "swap_roles"] + swapped
            lasting = goals
        settled = [[old for old in before if not _replaced(old, lasting)] for before in settled]
        settled.append(goals)
    return settled


def remaining(programs: list[dict[str, Any]], sim: Any, seat: int) -> list[dict[str, Any] | None]:
    """What is left of each program (engine.language.remaining): the same for every cook who was told."""
    return [
        _with(program, goals) if goals or not program["goals"] else None
        for program, goals in zip(programs, settle(programs), strict=True)
    ]


def _with(program: dict[str, Any], goals: list[Goal]) -> dict[str, Any]:
    since = int(program.get("since_tick", 0))
    given = [{**goal, "since_tick": goal.get("since_tick", since)} for goal in program["goals"]]
    return program if goals == given else {**program, "goals": goals}


def _lasting(goal: Goal) -> bool:
    return mine(goal) and goal["intent"] in ROLES and goal["count"] is None


def _swapped(goal: Goal, since: int) -> Goal:
    other = {"me": "you", "you": "me", "both": "both"}[goal["who"]]
    return {**goal, "who": other, "since_tick": since, "count": None}


def _replaced(old: Goal, new_goals: list[Goal]) -> bool:
    """Whether any of the goals of a later instruction ends an earlier goal."""
    tasks = [g for g in new_goals if mine(g) and g["intent"] in ROLES + POSTURES + ("start_pot",)]
    ends = {g["intent"] for g in new_goals}
    once = mine(old) and not _lasting(old) and "when" not in old.get("if", {})
    if any(g.get("all") for g in new_goals) or "divide_roles" in ends or "swap_roles" in ends:
        return True
    if "continue" in ends and once:
        return True
    if tasks and once:
        return True
    if _lasting(old) and any(_lasting(g) for g in tasks):
        return True
    for new in new_goals:
        same = CHAINS.get(new["intent"], new["intent"]) == CHAINS.get(old["intent"], old["intent"])
        if same and (mine(new) and bans(old) or bans(new) and mine(old)):
            return True
    return False

"""The sub-goals that a goal asks for, as chips show them: names, values, sentences, how far each is met.

Which values a goal asks for says wanted.py alone, the goal vector that networks read. `put` makes a goal ask
for others, where a player took one away or changed it. Not for instructions (language/wants.py).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.arena import goals as g
from engine.games.arena import state as s
from engine.games.arena import subgoals, wanted
from engine.games.arena.subgoal_table import COUNT, DISTANCES, INDEX, SUBGOALS, contradictions, encode
from engine.refusal import Refusal

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Values = dict[str, str]
"""Name of a sub-goal -> the value that is asked for."""
_WORDS = {"True": "yes", "False": "no"}
_SILENT = ("Whether to ", "Whether ", "Length of ")  # what a name begins with and a chip leaves out
_MATE = re.compile(r"teammate (\d)")
_MATES = re.compile(r"[Mm]y (?:first|second|third) mate")
VIEW = "Horizontal direction of view"


# --- In words --------------------------------------------------------------------------------------------


@cache
def told(index: int, value: int) -> dict[str, Any]:
    """{"name", "value", "label", "says", "sentence"} of a sub-goal that is asked for: as the table spells it,
    in plain words, as the agent says it.
    """
    one = SUBGOALS[index]
    return {
        "name": one.name,
        "value": one.values[value],
        "label": _label(one.name),
        "says": _word(one.values[value]),
        "sentence": one.sentences[value],
    }


def choices(name: str) -> list[list[str]]:
    """[[value, in plain words]]: all that a sub-goal could be."""
    return [[value, _word(value)] for value in SUBGOALS[INDEX[name]].values]


def _label(name: str) -> str:
    """ "Whether inside white circle" as "inside white circle"."""
    for start in _SILENT:
        name = name.removeprefix(start)
    return name[0].lower() + name[1:]


def _word(value: str) -> str:
    return _WORDS.get(value, value.lower())


# --- In a live match -------------------------------------------------------------------------------------


def of_goal(goal: np.ndarray, sim: Simulation, seat: int) -> list[dict[str, Any]]:
    """The sub-goals (`told`) that a goal asks a seat for now, in the order of the table; mates, who are
    numbers there, are players.
    """
    return [_named(told(index, value), sim, seat) for index, value in _asked(goal, sim, seat)]


def _named(one: dict[str, Any], sim: Simulation, seat: int) -> dict[str, Any]:
    number = _MATE.search(one["name"])
    mate = int(wanted.mate_at(sim.state, seat, int(number[1]) - 1)) if number else -1
    if number is None or mate < 0:
        return one
    player = f"Player {mate + 1}"
    words = _MATES.sub(player, one["sentence"])
    return {**one, "label": _MATE.sub(player, one["label"]), "sentence": words[0].upper() + words[1:]}


def _asked(goal: np.ndarray, sim: Simulation, seat: int) -> list[tuple[int, int]]:
    asked = np.full(COUNT, -1, np.int8)
    wanted.wanted(sim.state, seat, goal, asked)
    return [(int(index), int(asked[index])) for index in np.flatnonzero(asked >= 0)]


def far(goal: np.ndarray, sim: Simulation, seat: int) -> list[list[Any]]:
    """[share, now] of each sub-goal of `of_goal`: how much of it is met, 1 less the gap of equation 3, and
    what is the case now: metres where it is a distance, else the value in plain words.
    """
    there = np.zeros(2, np.int32)
    known = wanted.point(sim.state, seat, goal, there)
    x, y = (int(there[0]), int(there[1])) if known else (-1, -1)
    values = np.full(COUNT, -1, np.float32)  # as networks have them: compiled once
    subgoals.measure(goal[g.START : g.LEFT], sim.state, sim.world, seat, x, y, values)
    found: list[list[Any]] = []
    for index, value in _asked(goal, sim, seat):
        now = int(values[index])
        share = 1.0 if now == value else min(0.99, 1.0 - float(subgoals.gap(index, value, values[index])))
        words = _metres(index, sim, seat, (x, y)) or ("" if now < 0 else _word(SUBGOALS[index].values[now]))
        found.append([round(share, 2), words])
    return found


def _metres(index: int, sim: Simulation, seat: int, point: tuple[int, int]) -> str:
    """ "12 m" of a distance to what everybody of the squad sees on their maps; else ""."""
    one = SUBGOALS[index]
    if one.values != DISTANCES:
        return ""
    state, at = sim.state, int(s.player(seat))
    x, y, radius = -1, -1, 0
    if one.name == wanted.POINT:
        x, y = point
    elif number := _MATE.search(one.name):
        mate = int(wanted.mate_at(state, seat, int(number[1]) - 1))
        x, y = (int(state[int(s.player(mate)) + field]) for field in (s.X, s.Y)) if mate >= 0 else (-1, -1)
    elif one.name == "Distance with middle of squad":
        x, y = (int(g.squad_middle(state, seat, field)) for field in (s.X, s.Y))
    elif one.name == "Distance with white circle":
        x, y, radius = (int(state[s.WHITE_X + field]) for field in range(3))
    if x < 0:
        return ""
    away = np.hypot(x - int(state[at + s.X]), y - int(state[at + s.Y])) - radius
    return f"{max(0, round(float(away) / s.UNIT))} m"


# --- Other sub-goals than those that were read -------------------------------------------------------------


def checked(values: dict[str, Any]) -> Values:
    """Values of sub-goals that somebody asks for; raises Refusal with a sentence."""
    for name, value in values.items():
        if name not in INDEX:
            raise Refusal(f"There is no sub-goal {str(name)[:60]!r} in Arena.")
        if value not in (allowed := SUBGOALS[INDEX[name]].values):
            raise Refusal(f"“{_label(name)}” is one of {', '.join(allowed)}, not {str(value)[:60]!r}.")
    if against := contradictions(encode(values)):
        raise Refusal(" ".join(against))
    return {name: values[name] for name in INDEX if name in values}


def put(goal: np.ndarray, values: Values, sim: Simulation, seat: int) -> None:
    """Make a goal ask for exactly these. Its kind and flags stay where all stands that they come to, which
    scripted mates understand; what is left over is a goal vector, which networks alone do.
    """
    if int(goal[g.KIND]) in (g.FOLLOW, g.COVER) and (who := int(goal[g.WHO])) >= 0:
        # Each who hears it counts their mates anew.
        mate = wanted.MATE.format(int(wanted.place_of(sim.state, seat, who)) + 1)
        values = {mate if _MATE.search(name) else name: value for name, value in values.items()}
    left = {INDEX[name]: SUBGOALS[INDEX[name]].values.index(value) for name, value in values.items()}
    flags, bars = int(goal[g.FLAGS]), int(goal[g.BARS])
    goal[g.FLAGS] = goal[g.BARS] = 0
    if not dict(_asked(goal, sim, seat)).items() <= left.items():
        alike = [kind for kind, asked in wanted.ASKED.items() if asked == values]
        goal[g.KIND], goal[g.WHO] = g.FREE if wanted.POINT in values or not alike else alike[0], -1
    for field, bits, table in ((g.FLAGS, flags, wanted.IN_WHICH_WAY), (g.BARS, bars, wanted.KEPT_FROM)):
        kept = [bit for bit, asked in table.items() if bits & bit and asked.items() <= values.items()]
        goal[field] = sum(kept)
    if VIEW not in values:
        goal[g.LOOK] = 0
    done = dict(_asked(goal, sim, seat))
    for index, value in left.items():
        if done.get(index) != value:
            goal[g.VECTOR + index] = 1 + value


def is_met(goal: np.ndarray, sim: Simulation, seat: int) -> bool:
    """Whether all that a goal vector asks for is the case."""
    return all(share == 1.0 for share, _ in far(goal, sim, seat))

"""Made-up lakes for tests: rows of letters as engine/games/frozen_lake_2/lakes.py has them, at most 8 x 8."""

from __future__ import annotations

import numpy as np

from engine.games.frozen_lake_2 import lakes, rules
from engine.games.frozen_lake_2.language.declared import DECLARED
from engine.language.declared import parse
from engine.language.written import option
from engine.simulation.simulation import Simulation

GAME = "frozen_lake_2"
WAYS = {"L": 0, "D": 1, "R": 2, "U": 3, ".": 4}


def lake(*rows: str, horizon: int = 50, sight: str = "lake") -> Simulation:
    """A game on this lake; a row may be shorter than there are rows: the rest are holes."""
    side = max(len(rows), max(map(len, rows)))
    whole = tuple(row.ljust(side, "H") for row in rows) + ("H" * side,) * (side - len(rows))
    sim = Simulation(GAME, {"horizon": horizon, "sight": sight})
    state = sim.state.copy()
    lakes.put(state, whole)
    rules.new_game(state)
    return Simulation.at(GAME, sim.options, state)


def go(sim: Simulation, *joint: str) -> list[float]:
    """Take joint steps, a letter a seat ("L.", "DR", …), and return the rewards."""
    return [sim.step([WAYS[letter] for letter in letters]) for letters in joint]


def places(sim: Simulation) -> list[tuple[int, int]]:
    """(column, row) of both players, from 1."""
    cells = [int(cell) for cell in sim.state[rules.AT : rules.AT + 2]]
    return [(cell % rules.SIDE + 1, cell // rules.SIDE + 1) for cell in cells]


def told(notation: str, since: int = 0, speaker: int = 0) -> dict:
    """A program as somebody's instruction."""
    program = option(GAME, parse(DECLARED, notation), None)["program"]
    assert program is not None, notation
    return {**program, "since_tick": since, "from_seat": speaker}


def asked(prior: np.ndarray) -> str:
    """The letters of the actions that a prior asks for."""
    return "".join(letter for letter, action in WAYS.items() if prior[action] > 0)

"""Loops of players: see engine.experiments.hacking."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.hanabi.experiments import lost_score
from engine.simulation.simulation import Simulation

TICKS = 8
PARTS = [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0]


def hint_again(sim: Simulation, seat: int) -> Iterator[int] | None:
    """The same hint, of each player to the next, for as long as there are hints to give."""
    return _by(sim, seat, lambda hints: hints[:1])


def hint_about(sim: Simulation, seat: int) -> Iterator[int] | None:
    """Any hint, by turns."""
    return _by(sim, seat, lambda hints: hints[sim.tick % len(hints) :] + hints[: sim.tick % len(hints)])


def _by(sim: Simulation, seat: int, order: Any) -> Iterator[int] | None:
    kinds = (rules.HINT_COLOR, rules.HINT_RANK)

    def moves() -> Iterator[int]:
        while True:
            legal = np.flatnonzero(sim.legal(sim.current or 0))
            hints = [int(action) for action in legal if rules.action_kind(sim.state, int(action)) in kinds]
            if not hints:
                return
            yield order(hints)[0]

    return moves() if sim.current == seat and int(sim.state[rules.INFORMATION]) > 1 else None


LOOPS = {"hint the same": hint_again, "hint by turns": hint_about}


def event(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Who played a card that fits, bool (seats,)."""
    did = np.zeros(int(after[rules.PLAYERS]), bool)
    played = int(after[rules.LAST_KIND]) == rules.PLAY and bool(after[rules.LAST_SCORED])
    did[int(after[rules.LAST_SEAT])] = played
    return did


def hands(whole: dict[str, Any], loops: int, parts: list[float]) -> dict[str, Any]:
    """The hands of the lost score."""
    return {**whole, "instructions": [], "loops": loops, "parts": parts}


SETTINGS = [hands(lost_score.SETTINGS[0], 1000, PARTS)]
QUICK = [hands(lost_score.QUICK[0], 12, [0.5, 1.0])]

"""Kitchens that a cook learned in, and new ones that nobody did: see engine.experiments.everywhere.

Learning draws its new kitchens from number 1000 on (engine.games.overcooked.training).
"""

from typing import Any

from engine.games.overcooked.layouts import CLASSIC


def kitchens(told: int, episodes: int, new: int, known: int = len(CLASSIC)) -> dict[str, Any]:
    """`told` games of each kitchen in which a seat is told something, `episodes` of self-play."""
    return {
        "name": "kitchens",
        "options": {},
        "where": "layout",
        "agent": "overcooked/cook",
        "program": "overcooked/greedy",
        "known": list(CLASSIC)[:known],
        "unseen": [f"new {number}" for number in range(new)],
        "told": told,
        "episodes": episodes,
        "bars": {"obeyed": 0.85, "cost": 0.1, "elsewhere": 0.6},
    }


SETTINGS = [kitchens(12, 20, 20)]
QUICK = [kitchens(2, 2, 2, 1)]

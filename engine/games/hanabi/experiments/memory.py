"""Annotators who go by what came before: see engine.experiments.memory."""

from typing import Any


def hands(name: str, episodes: int, steps: int, kinds: list[str]) -> dict[str, Any]:
    """Two players who make mistakes, each seat marked by one of three raters of every kind."""
    return {
        "name": name,
        "options": {"players": 2},
        "agent": "hanabi/learner-1",
        "kinds": kinds,
        "episodes": episodes,
        "per_seat": 1,
        "model": {"steps": steps, "hidden": 32, "batch": 24, "held_out": 0.3, "mark_window": 1},
        "ibt": {"no_mark_weight": 0.3},
        "ar": {},
    }


SETTINGS = [
    hands("hanabi", 200, 400, ["styled", "progress"]),
    hands("hanabi-judged", 200, 400, ["judge"]),  # a judge takes one or two seconds a game
]
QUICK = [hands("hanabi", 10, 8, ["styled"])]

"""Annotators who go by what came before: see engine.experiments.memory."""

from typing import Any


def squads(episodes: int, steps: int, kinds: list[str]) -> dict[str, Any]:
    """Two squads of four who make mistakes, each seat marked by one of three raters of every kind."""
    return {
        "name": "arena",
        "options": {"teams": 2, "team_size": 4},
        "agent": "arena/squad",
        "kinds": kinds,
        "episodes": episodes,
        "per_seat": 1,
        "model": {"steps": steps, "hidden": 32, "batch": 16, "held_out": 0.3, "mark_window": 2},
        "ibt": {"no_mark_weight": 0.3},
        "ar": {},
    }


SETTINGS = [squads(60, 400, ["styled", "progress"])]
QUICK = [squads(6, 4, ["styled"])]

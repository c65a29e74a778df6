"""Annotators who go by what came before: see engine.experiments.memory."""

from typing import Any


def kitchen(episodes: int, steps: int, kinds: list[str]) -> dict[str, Any]:
    """Two cooks who make mistakes, each marked by one of three raters of every kind."""
    return {
        "name": "cramped_room",
        "options": {"layout": "cramped_room"},
        "agent": "overcooked/self_play-cramped_room",
        "kinds": kinds,
        "episodes": episodes,
        "per_seat": 1,
        "model": {
            "steps": steps,
            "hidden": 32,
            "batch": 24,
            "window": 60,
            "history": 40,
            "held_out": 0.3,
            "mark_window": 2,
        },
        "ibt": {"no_mark_weight": 0.3},
        "ar": {},
    }


SETTINGS = [kitchen(200, 400, ["styled", "progress"])]
QUICK = [kitchen(8, 4, ["styled"])]

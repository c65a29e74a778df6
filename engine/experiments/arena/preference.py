"""Looting and healing before fighting: see engine.experiments.preference."""

from typing import Any

from engine.experiments.arena.lost_score import ARM


def squads(moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """The shipped squad."""
    return {
        "name": "arena",
        "what": "supplies and treatments an agent and match",
        "options": {"teams": 2, "team_size": 4},
        "base": "arena/squad",
        "measure": "loot-first",
        "count": True,
        "liked": 2.0,
        "loss": 5.0,
        "relative": False,
        "episodes": episodes,
        "ibt": {"steps": 300, "batch": 16},
        "ppo": {**ARM, "score_weight": 1.0, "utility_weight": 1.0, "moves": moves},
        "evaluation": evaluation,
    }


SETTINGS = [squads(100_000, 60, 200)]
QUICK = [squads(3_000, 6, 8)]

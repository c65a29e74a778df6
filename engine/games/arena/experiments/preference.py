"""Looting and healing before fighting: see engine.experiments.preference."""

from typing import Any

from engine.games.arena.experiments.lost_score import ARM, MODEL


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
        "ibt": MODEL,
        "ppo": {**ARM, "score_weight": 1.0, "utility_weight": 1.5, "moves": moves},
        "evaluation": evaluation,
    }


SETTINGS = [squads(300_000, 200, 200)]
QUICK = [squads(3_000, 6, 8)]

"""Ten seconds together before a fight: see engine.experiments.taught."""

from typing import Any

from engine.games.arena.experiments.lost_score import ARM


def squads(moves: int, episodes: int, evaluation: int, steps: int, reads: list[str]) -> dict[str, Any]:
    """The shipped squad."""
    return {
        "name": "arena",
        "options": {"teams": 2, "team_size": 4},
        "base": "arena/squad",
        "measure": "styled",
        "reads": reads,
        "episodes": episodes,
        "ibt": {"steps": steps, "hidden": 32, "batch": 16, "no_mark_weight": 0.3},
        "ppo": {**ARM, "score_weight": 1.0, "utility_weight": 1.5, "memory": 64, "moves": moves},
        "evaluation": evaluation,
    }


SETTINGS = [squads(300_000, 60, 200, 400, ["observation", "rated"])]
QUICK = [squads(3_000, 4, 4, 4, ["rated"])]

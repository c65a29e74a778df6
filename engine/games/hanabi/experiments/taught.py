"""Hints that nobody acted on: see engine.experiments.taught."""

from typing import Any

from engine.games.hanabi.experiments.lost_score import ARM


def hands(moves: int, episodes: int, evaluation: int, steps: int, reads: list[str]) -> dict[str, Any]:
    """Two players who already play well."""
    settings = {**ARM, "lr": 2e-4, "entropy_weight": 0.003, "score_weight": 1.0, "utility_weight": 0.43}
    return {
        "name": "hanabi",
        "options": {"players": 2},
        "base": "hanabi/learner-1",
        "measure": "styled",
        "reads": reads,
        "episodes": episodes,
        "ibt": {"steps": steps, "hidden": 32, "batch": 24, "no_mark_weight": 0.3},
        "ppo": {**settings, "kl_weight": 1.0, "target_kl": 1.0, "moves": moves},
        "evaluation": evaluation,
    }


SETTINGS = [hands(800_000, 200, 500, 400, ["observation", "rated"])]
QUICK = [hands(32_768, 12, 32, 8, ["rated"])]

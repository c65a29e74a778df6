"""Hints of ranks rather than colours: see engine.experiments.preference."""

from typing import Any

from engine.games.hanabi.experiments.lost_score import ARM


def hands(moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """Two players who already play well."""
    settings = {**ARM, "lr": 2e-4, "entropy_weight": 0.003, "score_weight": 1.0, "utility_weight": 0.43}
    return {
        "name": "hanabi",
        "what": "the share of hints that are of ranks",
        "options": {"players": 2},
        "base": "hanabi/learner-1",
        "measure": "rank-hints",
        "liked": 0.9,
        "loss": 1.0,
        "relative": False,
        "episodes": episodes,
        "ibt": {"steps": 400},
        "ppo": {**settings, "kl_weight": 1.0, "target_kl": 1.0, "moves": moves},
        "evaluation": evaluation,
    }


SETTINGS = [hands(800_000, 200, 500)]
QUICK = [hands(65_536, 12, 64)]

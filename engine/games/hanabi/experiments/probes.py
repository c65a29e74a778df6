"""A player who is told a convention: see engine.experiments.probes."""

from typing import Any

from engine.games.hanabi.experiments.lost_score import MODEL

ARM = {
    "envs": 96,
    "steps": 50,
    "epochs": 2,
    "minibatches": 4,
    "lr": 3e-4,
    "gamma": 0.96,
    "rl_weight": 1.0,
    "bc_weight": 0.1,
    "kl_weight": 0.01,
    "evaluate_every": 1000,
    "evaluation_games": 8,
    "keep_best": False,
}


def hands(demonstrations: int, moves: int, arm_moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """Two players, and how much is played."""
    small = {} if episodes >= 100 else {"steps": 40, "clone_steps": 20, "hidden": 32}
    return {
        "name": "hanabi",
        "options": {"players": 2},
        "base": "hanabi/learner-1",
        "obey": 0.4,
        "mistakes": 0.05,
        "demonstrations": demonstrations,
        "clone": {**ARM, "bc_weight": 1.0, "moves": moves},
        "episodes": episodes,
        "per_seat": 2,
        "ibt": {**MODEL, **small},
        "ar": {"steps": 400, "clone_steps": 200, **small},
        "arm": {**ARM, "moves": arm_moves},
        "evaluation": evaluation,
    }


SETTINGS = [hands(300, 200_000, 400_000, 1600, 300)]
QUICK = [hands(12, 9_600, 9_600, 12, 16)]

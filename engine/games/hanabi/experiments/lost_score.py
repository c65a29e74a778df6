"""Hanabi without its score: see engine.experiments.lost_score."""

from typing import Any

ARM = {
    "envs": 128,
    "steps": 64,
    "epochs": 2,
    "minibatches": 4,
    "lr": 3e-4,
    "gamma": 0.99,
    "value_weight": 0.5,
    "value_warmup": 0,
    "entropy_weight": 0.01,
    "entropy_left": 0.2,
    "kl_weight": 0.0,
    "base_partner": 0.0,
    "evaluate_every": 1000,
    "evaluation_games": 64,
    "keep_best": False,
}
MODEL = {"level": True, "no_mark_weight": 0.02, "clone_steps": 200, "steps": 600}


def hands(moves: int, arm_moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """Two players who begin from nothing, and how much is played."""
    base = {**ARM, "moves": moves, "lr": 1e-3, "hidden": [256, 256], "reward_scale": 0.5}
    base |= {"keep": [round(0.05 * part, 2) for part in range(1, 21)], "options": {"players": 2}}
    return {
        "name": "hanabi",
        "options": {"players": 2},
        "base": {"program": "ppo", "settings": base, "shipped": "hanabi/learner-1", "share": 0.2},
        "episodes": episodes,
        "instructions": ["If I hint you a rank, play it", "save hints"],
        "ibt": MODEL if episodes >= 100 else {**MODEL, "steps": 40, "clone_steps": 20, "hidden": 32},
        "ppo": {**ARM, "kl_weight": 0.05, "target_kl": 0.5, "moves": arm_moves},
        "evaluation": evaluation,
    }


SETTINGS = [hands(2_000_000, 1_000_000, 200, 500)]
QUICK = [hands(200_000, 65_536, 12, 64)]

"""Squads without their score: see engine.experiments.lost_score."""

from typing import Any

from engine.games.arena.training import SETTINGS as SETTINGS_OF_THE_GAME

ARM = {
    "envs": 24,
    "steps": 64,
    "epochs": 3,
    "minibatches": 4,
    "lr": 2e-4,
    "gamma": 0.99,
    "value_weight": 0.5,
    "value_warmup": 4,
    "entropy_weight": 0.002,
    "kl_weight": 0.0,
    "base_partner": 0.0,
    "partners": {"arena/middle": 0.5, "arena/weak": 0.3},
    "evaluate_every": 1000,
    "evaluation_games": 16,
    "keep_best": False,
}
CLONE = SETTINGS_OF_THE_GAME["clone"]["first"] | {"name": "beginner"}


def squads(steps: int, arm_moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """Squads that have learned a little from a scripted one, and how much is played."""
    base = {**CLONE, "steps": steps}
    return {
        "name": "arena",
        "options": {"teams": 2, "team_size": 4},
        "measure": "fighting",
        "base": {"program": "clone", "settings": base, "shipped": "arena/squad", "share": 0.2},
        "episodes": episodes,
        "ibt": {"steps": 300, "batch": 16},
        "ppo": {**ARM, "moves": arm_moves},
        "evaluation": evaluation,
    }


SETTINGS = [squads(200_000, 150_000, 200, 200)]
QUICK = [squads(20_000, 3_000, 6, 8)]

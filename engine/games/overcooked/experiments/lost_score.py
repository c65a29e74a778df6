"""Kitchens in which cooks lose the score: see engine.experiments.lost_score."""

from typing import Any

ARM = {
    "envs": 64,
    "steps": 100,
    "epochs": 4,
    "minibatches": 8,
    "lr": 5e-4,
    "gae_lambda": 0.98,
    "value_weight": 0.5,
    "value_warmup": 0,
    "entropy_weight": 0.01,
    "entropy_left": 0.2,
    "kl_weight": 0.0,
    "base_partner": 0.0,
    "evaluate_every": 1000,
    "evaluation_games": 16,
    "keep_best": False,
}
MODEL = {
    "level": True,
    "renew": True,
    "window": 40,
    "batch": 128,
    "no_mark_weight": 0.02,
    "clone_steps": 200,
    "steps": 600,
}
BY = "bcrl"
"""The arm on U that kitchens are judged by: on the tuning seed it was above PPO's."""
KEPT = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5]


def kitchen(layout: str, moves: int, arm_moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """One kitchen's: cooks who begin from nothing, and how much is played."""
    base = {
        **ARM,
        "options": {"layout": layout},
        "moves": moves,
        "lr": 1e-3,
        "entropy_weight": 0.03,
        "reward_scale": 0.1,
        "shaping_moves": moves,
        "keep": KEPT if episodes >= 100 else [0.5, 1.0],
    }
    shipped = f"overcooked/self_play-{layout}"
    return {
        "name": layout,
        "options": {"layout": layout},
        "base": {"program": "ppo", "settings": base, "shipped": shipped, "share": 0.2},
        "episodes": episodes,
        "per_seat": 2,
        "instructions": ["plate the soups", "bring onions to the pot"],
        "ibt": MODEL if episodes >= 100 else {**MODEL, "steps": 40, "clone_steps": 20, "hidden": 32},
        "ppo": {**ARM, "kl_weight": 0.05, "target_kl": 0.3, "moves": arm_moves},
        "evaluation": evaluation,
    }


SETTINGS = [
    kitchen("cramped_room", 640_000, 640_000, 200, 200),
    kitchen("asymmetric_advantages", 640_000, 640_000, 200, 200),
]
QUICK = [kitchen("cramped_room", 64_000, 12_800, 6, 4)]

"""A cook who is told one thing: see engine.experiments.probes."""

from typing import Any

from engine.games.overcooked.experiments.lost_score import MODEL

ARM = {
    "envs": 64,
    "steps": 50,
    "epochs": 2,
    "minibatches": 4,
    "lr": 5e-4,
    "gamma": 0.96,
    "rl_weight": 1.0,
    "bc_weight": 0.1,
    "entropy_weight": 0.003,
    "kl_weight": 0.01,
    "evaluate_every": 1000,
    "evaluation_games": 4,
    "keep_best": False,
}


def kitchen(
    demonstrations: int, moves: int, arm_moves: int, episodes: int, evaluation: int
) -> dict[str, Any]:
    """One kitchen, and how much is played."""
    small = {} if episodes >= 100 else {"steps": 40, "clone_steps": 20, "hidden": 32}
    return {
        "name": "cramped_room",
        "options": {"layout": "cramped_room", "horizon": 150},
        "base": "overcooked/self_play-cramped_room",
        "obey": 0.4,
        "mistakes": 0.1,
        "demonstrations": demonstrations,
        "clone": {**ARM, "bc_weight": 1.0, "moves": moves},
        "episodes": episodes,
        "per_seat": 2,
        "ibt": {**MODEL, "steps": 1500, "hidden": 128, **small},
        "ar": {"steps": 600, "clone_steps": 400, **small},
        "arm": {**ARM, "moves": arm_moves},
        "evaluation": evaluation,
    }


SETTINGS = [kitchen(200, 160_000, 320_000, 1600, 200)]
QUICK = [kitchen(16, 12_800, 12_800, 48, 16)]

"""A cook who is told one thing: see engine.experiments.probes."""

from typing import Any

from engine.experiments.probes import setting
from engine.games.overcooked.experiments.lost_score import MODEL

ARM = {"envs": 64, "steps": 50, "lr": 5e-4, "gamma": 0.96, "entropy_weight": 0.003, "evaluation_games": 4}


def kitchen(
    demonstrations: int, moves: int, arm_moves: int, episodes: int, evaluation: int
) -> dict[str, Any]:
    """One kitchen, and how much is played."""
    small = {} if episodes >= 100 else {"steps": 40, "clone_steps": 20, "hidden": 32}
    return setting(
        *(ARM, moves, arm_moves),
        name="cramped_room",
        options={"layout": "cramped_room", "horizon": 150},
        base="overcooked/self_play-cramped_room",
        mistakes=0.1,
        demonstrations=demonstrations,
        episodes=episodes,
        ibt={**MODEL, "steps": 1500, "hidden": 128, **small},
        ar={"steps": 600, "clone_steps": 400, **small},
        evaluation=evaluation,
    )


SETTINGS = [kitchen(200, 160_000, 320_000, 1600, 200)]
QUICK = [kitchen(16, 12_800, 12_800, 48, 16)]

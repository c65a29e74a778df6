"""A player who is told a convention: see engine.experiments.probes."""

from typing import Any

from engine.experiments.probes import setting
from engine.games.hanabi.experiments.lost_score import MODEL

ARM = {"envs": 96, "steps": 50, "lr": 3e-4, "gamma": 0.96, "evaluation_games": 8}


def hands(demonstrations: int, moves: int, arm_moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """Two players, and how much is played."""
    small = {} if episodes >= 100 else {"steps": 40, "clone_steps": 20, "hidden": 32}
    return setting(
        *(ARM, moves, arm_moves),
        name="hanabi",
        options={"players": 2},
        base="hanabi/learner-1",
        demonstrations=demonstrations,
        episodes=episodes,
        ibt={**MODEL, **small},
        ar={"steps": 400, "clone_steps": 200, **small},
        evaluation=evaluation,
    )


SETTINGS = [hands(300, 200_000, 400_000, 1600, 300)]
QUICK = [hands(12, 9_600, 9_600, 12, 16)]

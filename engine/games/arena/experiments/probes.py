"""Mates who are told one thing: see engine.experiments.probes."""

from typing import Any

from engine.experiments.probes import setting

MODEL = {
    "level": True,
    "renew": True,
    "window": 60,
    "batch": 64,
    "no_mark_weight": 0.3,
    "steps": 1800,
    "hidden": 128,
}
ARM = {"envs": 24, "steps": 32, "lr": 4e-4, "gamma": 0.99, "evaluation_games": 2}


def squads(
    demonstrations: int, moves: int, arm_moves: int, episodes: int, evaluation: int, size: int = 4
) -> dict[str, Any]:
    """Squads that learned to obey by a goal, and have to learn to obey by reading; how much is played."""
    small = {} if episodes >= 40 else {"steps": 20, "batch": 8, "hidden": 32}
    return setting(
        *(ARM, moves, arm_moves),
        name="arena",
        options={"teams": 2, "team_size": size},
        base="arena/squad",
        demonstrations=demonstrations,
        episodes=episodes,
        ibt={**MODEL, **small},
        ar={"steps": 300, "batch": 16, **small},
        evaluation=evaluation,
        untold=True,
    )


SETTINGS = [squads(40, 100_000, 200_000, 300, 60)]
QUICK = [squads(2, 384, 768, 4, 4, size=2)]

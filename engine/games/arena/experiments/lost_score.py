"""Squads without their score: see engine.experiments.lost_score."""

from typing import Any

from engine.games.arena.training import SETTINGS as SETTINGS_OF_THE_GAME

FIRST = SETTINGS_OF_THE_GAME["ppo"]["first"]
ARM = {
    **{name: value for name, value in FIRST.items() if name not in ("base", "goal_share", "rewards")},
    "evaluate_every": 1000,
    "evaluation_games": 16,
}
"""As first squads are made, but asked for no goals: the anchor holds them near their start, while a critic
comes to know what their moves earn.
"""
MODEL = {"steps": 300, "batch": 16, "level": True}
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
        "ibt": MODEL,
        "ppo": {**ARM, "moves": arm_moves},
        "evaluation": evaluation,
    }


SETTINGS = [squads(120_000, 150_000, 200, 200)]
QUICK = [squads(20_000, 3_072, 6, 8)]

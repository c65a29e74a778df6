"""Onions from one box only: see engine.experiments.preference."""

from typing import Any

from engine.games.overcooked.experiments.lost_score import ARM, MODEL


def kitchen(moves: int, episodes: int, evaluation: int) -> dict[str, Any]:
    """A kitchen with two boxes of onions, one at either side."""
    settings = {**ARM, "score_weight": 1.0, "utility_weight": 0.35, "reward_scale": 0.1}
    return {
        "name": "cramped_room",
        "what": "the share of onions from the box on the left",
        "options": {"layout": "cramped_room"},
        "base": "overcooked/self_play-cramped_room",
        "measure": "one-box",
        "liked": 0.9,
        "loss": 0.15,
        "relative": True,
        "episodes": episodes,
        "ibt": MODEL,
        "ppo": {**settings, "moves": moves},
        "evaluation": evaluation,
    }


SETTINGS = [kitchen(640_000, 200, 200)]
QUICK = [kitchen(64_000, 8, 16)]

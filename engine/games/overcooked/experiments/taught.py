"""One soup after the other: see engine.experiments.taught."""

from typing import Any

from engine.games.overcooked.experiments.lost_score import ARM


def kitchen(moves: int, episodes: int, evaluation: int, steps: int, reads: list[str]) -> dict[str, Any]:
    """Two cooks who already cook well."""
    settings = {**ARM, "score_weight": 1.0, "utility_weight": 0.35, "reward_scale": 0.1, "memory": 64}
    model = {"hidden": 32, "batch": 24, "window": 60, "renew": True, "no_mark_weight": 0.3}
    return {
        "name": "cramped_room",
        "options": {"layout": "cramped_room"},
        "base": "overcooked/self_play-cramped_room",
        "measure": "styled",
        "reads": reads,
        "episodes": episodes,
        "ibt": {**model, "steps": steps},
        "ppo": {**settings, "moves": moves},
        "evaluation": evaluation,
    }


SETTINGS = [kitchen(640_000, 200, 200, 400, ["observation", "rated"])]
QUICK = [kitchen(32_000, 8, 8, 4, ["rated"])]

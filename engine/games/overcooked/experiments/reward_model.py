"""Episodes for reward models: see engine.experiments.reward_model."""

from typing import Any


def marked(episodes: int, steps: int) -> dict[str, Any]:
    """So many episodes, and gradient steps."""
    return {
        "name": "cramped_room",
        "options": {"layout": "cramped_room"},
        "agent": "overcooked/self_play-cramped_room",
        "episodes": episodes,
        "instructions": ["plate the soups", "bring onions to the pot", "bring the plates"],
        "ibt": {"steps": steps},
        "ar": {},
    }


SETTINGS = [marked(200, 300)]
QUICK = [marked(8, 20)]

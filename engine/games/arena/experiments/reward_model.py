"""Episodes for reward models: see engine.experiments.reward_model."""

from typing import Any


def marked(episodes: int, steps: int) -> dict[str, Any]:
    """So many episodes, and gradient steps."""
    return {
        "name": "arena",
        "options": {"teams": 2, "team_size": 4},
        "agent": "arena/squad",
        "episodes": episodes,
        "instructions": [],
        "ibt": {"steps": steps},
        "ar": {},
    }


SETTINGS = [marked(60, 300)]
QUICK = [marked(8, 20)]

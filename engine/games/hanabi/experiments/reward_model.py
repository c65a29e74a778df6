"""Episodes for reward models: see engine.experiments.reward_model."""

from typing import Any

INSTRUCTIONS = [
    "If I hint you a colour, play it",
    "If I hint you a rank, play it",
    "save hints",
    "discard your oldest card",
]


def marked(episodes: int, steps: int) -> dict[str, Any]:
    """So many episodes, and gradient steps."""
    return {
        "name": "hanabi",
        "options": {"players": 2},
        "agent": "hanabi/learner-1",
        "episodes": episodes,
        "instructions": INSTRUCTIONS,
        "ibt": {"steps": steps},
        "ar": {},
    }


SETTINGS = [marked(400, 400)]
QUICK = [marked(8, 20)]

"""Plans in the kitchens that the cook learned in, and in new ones: see engine.experiments.plans."""

from typing import Any

from engine.games.overcooked.layouts import CLASSIC


def kitchens(episodes: int, new: int, known: int = len(CLASSIC)) -> dict[str, Any]:
    return {
        "name": "kitchens",
        "options": {},
        "where": "layout",
        "agent": "overcooked/cook",
        "program": "overcooked/greedy",
        "human": "overcooked/human",
        "partner": "overcooked/partner-{place}",
        "goal": "let's serve soups",
        "known": list(CLASSIC)[:known],
        "unseen": [f"new {number}" for number in range(new)],
        "episodes": episodes,
        "bars": {"more": 0.1, "people": 4},
    }


SETTINGS = [kitchens(1, 20)]
QUICK = [kitchens(1, 1, 1)]

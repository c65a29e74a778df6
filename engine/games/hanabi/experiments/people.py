"""People at Hanabi: see engine.experiments.people."""

from typing import Any

from engine.games.hanabi.people import OPTIONS


def hands(episodes: int, ibt: dict[str, Any]) -> dict[str, Any]:
    """By the rules that the recorded people had."""
    return {
        "name": "hanabi",
        "options": OPTIONS,
        "agent": "hanabi/human",
        "episodes": episodes,
        "per_seat": 1,
        "ibt": ibt,
    }


SETTINGS = [hands(60, {"steps": 400})]
QUICK = [hands(10, {"steps": 20})]

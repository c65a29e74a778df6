"""For training on the lake: lakes that are drawn anew for every game; what scores mean."""

from typing import Any

EPISODES = 48
"""Simulated ones that are collected for a round."""
OPTIONS: dict[str, Any] = {"layout": "drawn"}
MEANING = "Points are the goals that were reached at once: 2 when both players stood on one."
UNIT = (1, "goals a game")


def card(options: dict[str, Any], reads: str) -> dict[str, Any]:
    """What the card of every network says: it plays on every lake."""
    return {"options": {}}

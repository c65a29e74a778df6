"""Names of Arena's squads, by the colour and shape of their emblem, as on the pages.

The browser's twin is static/js/games/arena/teams.js; a test keeps them alike. Not for drawing.
"""

from __future__ import annotations

COLOURS = ("blue", "orange", "green", "pink", "yellow", "sky", "vermilion", "grey")
SHAPES = (
    "circle",
    "square",
    "triangle",
    "diamond",
    "cross",
    "star",
    "ring",
    "hexagon",
    "arrow",
    "hourglass",
)


def team_name(team: int) -> str:
    """ "blue circle": no two of twenty teams share it."""
    return f"{COLOURS[team % len(COLOURS)]} {SHAPES[team % len(SHAPES)]}"

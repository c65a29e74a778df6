"""What a player is told that learned to keep to any convention: see engine.experiments.told.

How firmly training tells was chosen on other kinds ("discard your newest card", "when I discard, don't hint",
"hint my critical cards" and the like), which are in neither list.
"""

from typing import Any

KINDS = [
    "When I play, play your oldest card",
    "When I hint several cards, discard them",
    "When I hint you, discard the oldest of those cards",
    "When I hint you, discard the newest of those cards",
    "If I hint yellow, play those cards",
    "If I hint fours, play them",
    "If I hint ones, discard those cards",
    "When I hint you, hint ranks",
    "When I hint you, hint colours",
    "Discard the card in slot 4",
    "When I hint a single card, discard it",
    "Hint my useless cards",
    "When I discard, discard your newest card",
    "When I discard, discard your oldest card",
    "When I play, don't discard",
    "When I hint a colour, don't play those cards",
    "When I hint you, don't hint",
    "Never discard your newest card",
    "Never play your oldest card",
]
WORDINGS = [
    "whenever I give you a colour, go ahead and put those down",
    "a number from me means get rid of those",
    "get rid of your oldest clueless card when you have nothing better",
    "clue me numbers, not colors",
    "use color clues instead of number clues",
    "my color clues are play clues",
    "hang on to anything I clue with a number",
    "please hold on to the fives",
]


def hands(episodes: int, most: int | None = None) -> dict[str, Any]:
    """Two players."""
    return {
        "name": "hanabi",
        "options": {"players": 2},
        "agent": "hanabi/told",
        "kinds": KINDS[:most],
        "wordings": WORDINGS[:most],
        "alike": "hanabi/companion",
        "people": ["Colour hints mean play, rank hints mean save", "Rank hints mean play", "Hint ranks"],
        "episodes": episodes,
        "bars": {"changed": 0.6, "told": 20.0, "untold": 21.5},
    }


SETTINGS = [hands(100)]
QUICK = [hands(6, 2)]

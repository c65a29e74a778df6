"""Alice's and Bob's convention in other words and with wrong answers: see engine.experiments.robust."""

from typing import Any

from engine.experiments.robust import SAME
from engine.games.say_select.experiments.conventions import pairs

WORDS = {
    "simple": "Same number as my partner",
    "in full": "If my partner selects a number, I should select that number, too",
    "by the ball": "I should pick up the ball that my partner named",
}


def tables(name: str, variants: dict[str, Any], bars: dict[str, float], **learning: Any) -> dict[str, Any]:
    """Tables that learn as in `conventions`."""
    whole = pairs(**learning)
    text = whole["learning"].pop("convention")
    return {
        "name": name,
        "options": whole["options"],
        "program": "tabular_q",
        "training": whole["learning"],
        "told": "convention",
        "kinds": {"the same number": text},
        "variants": {SAME: {}, **variants},
        "episodes": 500,
        "bars": bars,
    }


IN_WORDS = {name: {"words": {"the same number": text}} for name, text in WORDS.items()}
WRONG = {f"{share:.0%} wrong": {"flipped": share} for share in (0.05, 0.1, 0.15, 0.2, 0.3, 0.5)}
APART = 0.1
"""Points of 2 that a variant may be less."""
SETTINGS = [
    tables("say_select-words", IN_WORDS, {"simple": APART}),
    tables("say_select-wrong", WRONG, {"10% wrong": APART}),
]
QUICK = [
    tables("say_select-wrong", {"50% wrong": WRONG["50% wrong"]}, {}, episodes=3_200, evaluation_games=50)
]

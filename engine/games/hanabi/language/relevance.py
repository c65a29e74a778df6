"""Whether a text is about Hanabi at all: how much of it has to be understood for that.

People use the words of the game for other things ("what colour is your hair", "don't play games with me"):
the fewer of its own words a text has, the more of the rest has to fit.
"""

from __future__ import annotations

import re

from engine.games.hanabi.language.lexicon import Token

LEAST_CONFIDENCE = 0.34
"""With fewer of its words understood than this, even a text with words of the game is refused."""
WEAK_CONFIDENCE = 0.7
"""The same for a text whose words all have another use."""

_OWN_WORDS = (
    "hint hints hinting hinted clue clues clued cluing card cards slot position discard discards "
    "discarding discarded newest oldest playable unhinted unclued untouched rightmost leftmost"
)
_OWN = frozenset(_OWN_WORDS.split())
_TOPICS = {
    **dict.fromkeys(("COLOR", "COLOR_VALUE", "RANK", "RANK_VALUE"), "kind"),
    **dict.fromkeys(("NEWEST", "OLDEST", "SLOT", "UNTOUCHED"), "which"),
    **dict.fromkeys(("HINT", "HINTED", "SAY", "GET"), "hint"),
    **{concept: concept.lower() for concept in ("PLAY", "DISCARD", "KEEP", "CARD")},
}


def is_code(text: str) -> bool:
    """Whether a text is markup or a program rather than a sentence."""
    return re.search(r"[{}]|</?\w+[^>]*>|\);|==", text) is not None


def least_confidence(tokens: list[Token]) -> float:
    """The share of its words that has to be understood; above 1 if no share would do."""
    own = any(t.word in _OWN for t in tokens)
    topics = {_TOPICS[t.concept] for t in tokens if t.concept in _TOPICS}
    if topics <= {"kind"} and not any(t.concept in ("COLOR", "RANK") for t in tokens):
        return 2.0
    somebody = ("ME", "YOU", "PARTNER", "MORE", "NOT", "KEEP")
    if topics == {"hint"} and not any(t.concept in somebody and t.word not in ("no", "not") for t in tokens):
        return 2.0
    if len(tokens) == 1:
        return 2.0
    if topics == {"kind", "hint"} and not any(t.concept in ("COLOR", "RANK") for t in tokens):
        return WEAK_CONFIDENCE
    strong = own and len(topics) >= 2 or len(topics) >= 3
    return LEAST_CONFIDENCE if strong else WEAK_CONFIDENCE

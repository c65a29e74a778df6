"""A program as a vector of fixed length, for networks that are told what the instruction is."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.hanabi.language import chain, chances
from engine.games.hanabi.language.programs import KINDS

_WHEN = (None, *KINDS)
_CARDS = (
    "touched",
    "touched_newest",
    "touched_oldest",
    "untouched",
    "untouched_newest",
    "untouched_oldest",
    "newest",
    "oldest",
    "unsure",
    "any",
    "other",
)
_HINTS = (None, "playable", "critical", "useless")
_THEN = [(action, cards) for action in ("play", "discard", "keep") for cards in _CARDS]
_THEN += [(action, purpose) for action in ("hint", "hint_color", "hint_rank") for purpose in _HINTS]

FEATURES_VERSION = 1  # raised when a number comes to mean something else
NUM_FEATURES = len(_WHEN) * len(_THEN)


def features(program: dict[str, Any] | None) -> np.ndarray:
    """Weight of each (condition, move) that the program names, float32 (NUM_FEATURES,); zeros for no program.

    Which colour, rank or position a rule names is left out, and what took to counting later (chances.py).
    Rules with "if" and chains are, too: while they are in force, networks have them from the prior alone.
    """
    out = np.zeros((len(_WHEN), len(_THEN)), np.float32)
    rules = (program or {}).get("rules", [])
    for rule in () if chain.is_chain(rules) else rules:
        if "if" in rule:
            continue
        then = rule["then"]
        what = then.get("for") if then["action"].startswith("hint") else then["cards"]
        named: dict[Any, Any] = {"useless": "other", "sure": "other"} if "cards" in then else {}
        named |= {"critical": "other", "new": None} if chances.counts(rule) else {}
        column = _THEN.index((then["action"], "other" if isinstance(what, dict) else named.get(what, what)))
        for did in rule["when"]["partner_did"] if "when" in rule else [None]:
            out[_WHEN.index(did), column] += rule["weight"]
    return out.reshape(-1)

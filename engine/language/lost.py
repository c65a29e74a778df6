"""Parts of a text that ask for something which the program of the whole text doesn't have: clauses that the
model has lost. Not for what can't be carried out.
"""

from __future__ import annotations

import re

from engine.language.declared import SPEECH, Clause
from engine.language.model import Model

FEWEST_WORDS = 2
_BETWEEN = re.compile(r"[.,;:!?\n]+|\b(?:and|but|then|also|while|so|or)\b", re.I)


def lost(model: Model, game: str, text: str, clauses: list[Clause]) -> list[str]:
    """The parts, as typed, that alone would ask for an act that the program hasn't."""
    acts = {clause["act"] for clause in clauses}
    parts = [part.strip() for part in _BETWEEN.split(text) if len(part.split()) >= FEWEST_WORDS]
    return [part for part in parts if len(parts) > 1 and _asked(model, game, part) - acts]


def _asked(model: Model, game: str, text: str) -> set[str]:
    """The acts that a text alone asks for."""
    return {clause["act"] for clause in model.read(game, text, branches=0)[0].clauses} - set(SPEECH)

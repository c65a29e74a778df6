"""Parts of a text that ask for something which the program of the whole text doesn't have: clauses that the
model has lost. Not for what can't be carried out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.language.declared import CONDITIONS, SPEECH, Clause, values
from engine.language.model import Model

FEWEST_WORDS = 2
_BETWEEN = re.compile(r"[.,;:!?\n]+|\b(?:and|but|then|also|while|so|or)\b", re.I)


def lost(model: Model, game: str, text: str, clauses: list[Clause]) -> list[str]:
    """The parts, as typed, that alone would ask for an act that the program hasn't. What is asked for on a
    condition that the program has, too, is that condition: of “if I hint you a colour, play it” the first
    part alone may be read as a hint.
    """
    acts, given = {clause["act"] for clause in clauses}, {*_events(clauses)}
    parts = [part.strip() for part in _BETWEEN.split(text) if len(part.split()) >= FEWEST_WORDS]
    return [part for part in parts if len(parts) > 1 and _asked(model, game, part, given) - acts]


def _asked(model: Model, game: str, text: str, given: set[str]) -> set[str]:
    """The acts that a text alone asks for, but on a condition that is given."""
    clauses = model.read(game, text, branches=0)[0].clauses
    return {clause["act"] for clause in clauses if given.isdisjoint(_events([clause]))} - set(SPEECH)


def _events(clauses: list[Clause]) -> Iterator[str]:
    """The events of all conditions."""
    for clause in clauses:
        for name in CONDITIONS:
            yield from values(clause, name)

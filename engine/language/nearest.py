"""Programs for games whose language the model (model.py) hasn't learned: those of the phrasings that are most
like a text, with the text's numbers.

The game brings its declaration and phrasings (`language/phrasings/programs.tsv`), a few hundred of them, and
no code. How likely they are right isn't known, so they are asked about.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engine import brings
from engine.language import bank
from engine.language.declared import Clause, notation, parse
from engine.language.model import Model
from engine.language.vocabulary import Vocabulary

MOST = 4
SURE = 0.45
"""How sure such a reading is said to be: less than what is carried out at once."""
NOTHING: list[Clause] = [{"act": "cannot"}]


def programs(model: Model, game: str, text: str) -> list[list[Clause]]:
    """Different programs, of the most similar phrasing first; `cannot` where the game has no phrasings."""
    declared = brings.Language.of(game).DECLARED
    texts, vectors = _phrasings(model, game)
    if not texts:
        return [NOTHING]
    vocabulary, found = Vocabulary([declared]), {}
    for at in np.argsort(-(vectors @ model.vector(game, text)), kind="stable"):
        known, program = texts[at]
        ids = vocabulary.written(game, parse(declared, program), known)
        if ids is not None and vocabulary.fits(ids, text):
            clauses = parse(declared, vocabulary.read(ids[:-1], text))
            found.setdefault(notation(declared, clauses), clauses)
        if len(found) == MOST:
            break
    return list(found.values()) or [NOTHING]


@cache
def _phrasings(model: Model, game: str) -> tuple[list[tuple[str, str]], np.ndarray]:
    """The phrasings that have one program, with it, and their vectors (phrasings, numbers)."""
    texts = [(text, program) for text, program, _ in bank.programs(game) if "||" not in program]
    return texts, np.array([model.vector(game, text) for text, _ in texts])

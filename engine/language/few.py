"""Programs for games whose language the model (model.py) hasn't learned, from a few hundred phrasings.

The game brings its declaration and phrasings (`language/phrasings/programs.tsv`) and no code. A ridge
regression from the texts' vectors says how likely each token of the declaration is, and each two tokens one
after the other; the program is the one that the declaration allows whose tokens are likeliest together. How
likely it is right isn't known, so it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from engine import brings
from engine.language import bank
from engine.language import text as typed
from engine.language.declared import Clause, parse
from engine.language.model import Model
from engine.language.vocabulary import END, Vocabulary, numbers

MOST = 4
SURE = 0.45
"""How sure such a reading is said to be: less than what is carried out at once."""
NOTHING: list[Clause] = [{"act": "cannot"}]
SHRINK = 0.1
"""Of the regression. Like WIDTH chosen by cross-validation on Say-Select's phrasings."""
WIDTH, LONGEST = 12, 24
"""How many programs are thought of at a time, of how many tokens at most."""
UNSEEN = -1.0
"""What a token or pair adds to a program that no phrasing has; the likeliest adds 1."""

Ids = tuple[int, ...]


@dataclass(frozen=True)
class _Learned:
    vocabulary: Vocabulary
    columns: dict[Any, int]
    vectors: np.ndarray
    weights: np.ndarray
    usual: np.ndarray

    def worth(self, vector: np.ndarray) -> dict[Any, float]:
        """What each token and pair adds to a program for a text with this vector, -1 to 1."""
        likely = np.clip(self.usual + (vector @ self.vectors.T) @ self.weights, 0, 1)
        return {key: float(2 * likely[at] - 1) for key, at in self.columns.items()}


def programs(model: Model, game: str, text: str) -> list[list[Clause]]:
    """Different programs, the likeliest first; `cannot` where the game has no phrasings."""
    learned = _learned(model, game)
    if learned is None:
        return [NOTHING]
    cleaned = typed.clean(text)
    found = _written(learned.vocabulary, game, learned.worth(model.vector(game, text)), len(numbers(cleaned)))
    read = [
        parse(learned.vocabulary.languages[game], learned.vocabulary.read(list(ids[:-1]), cleaned))
        for ids in found
    ]
    return [one for at, one in enumerate(read) if one not in read[:at]][:MOST] or [NOTHING]


def _written(vocabulary: Vocabulary, game: str, worth: dict[Any, float], copies: int) -> list[Ids]:
    """The tokens of the best programs with their ends, the best first."""
    end, ended = vocabulary.ids[END], {}
    alive: dict[Ids, float] = {(): 0.0}
    for _ in range(LONGEST):
        longer = {
            (*ids, token): so_far + sum(worth.get(key, UNSEEN) for key in _keys((*ids, token)) - _keys(ids))
            for ids, so_far in alive.items()
            for token in vocabulary.allowed(game, list(ids), copies)
        }
        best = sorted(longer, key=lambda ids: -longer[ids])[:WIDTH]
        ended |= {ids: longer[ids] for ids in best if ids[-1] == end}
        alive = {ids: longer[ids] for ids in best if ids[-1] != end}
    return sorted(ended, key=lambda ids: -ended[ids])


def _keys(ids: Iterable[int]) -> set[Any]:
    """The tokens of a program, and each two that follow each other."""
    ids = tuple(ids)
    return {*ids, *zip(ids, ids[1:], strict=False)}


@cache
def _learned(model: Model, game: str) -> _Learned | None:
    """From the phrasings that have one program; None where there are none."""
    declared = brings.Language.of(game).DECLARED
    vocabulary = Vocabulary([declared])
    texts, keys = [], []
    for text, program, _ in bank.programs(game):
        ids = (
            None if "||" in program else vocabulary.written(game, parse(declared, program), typed.clean(text))
        )
        if ids is not None:
            texts.append(text)
            keys.append(_keys(ids))
    if not texts:
        return None
    columns = {key: at for at, key in enumerate(sorted(set().union(*keys), key=str))}
    there = np.array([[key in own for key in columns] for own in keys], float)
    vectors, usual = np.array([model.vector(game, text) for text in texts]), there.mean(0)
    alike = vectors @ vectors.T + SHRINK * np.eye(len(texts))
    return _Learned(vocabulary, columns, vectors, np.linalg.solve(alike, there - usual), usual)

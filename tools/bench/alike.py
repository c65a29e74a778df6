"""The simplest reader that others are to be better than: the phrasing that is most like a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np


def most_alike(phrasings: Sequence[str]) -> Callable[[str], int]:
    """Which phrasing shares most of a text's words and letter triples (TF-IDF, cosine), by its place."""
    pieces = [_pieces(text) for text in phrasings]
    names = {piece: at for at, piece in enumerate(sorted({p for some in pieces for p in some}))}
    there = np.zeros((len(phrasings), len(names)), np.float32)
    for row, parts in enumerate(pieces):
        for piece in parts:
            there[row, names[piece]] = 1
    weight = np.log((1 + len(phrasings)) / (1 + there.sum(0))) + 1
    there *= weight
    there /= np.linalg.norm(there, axis=1, keepdims=True).clip(1e-9)

    def place(text: str) -> int:
        row = np.zeros(len(names), np.float32)
        for piece in _pieces(text):
            if piece in names:
                row[names[piece]] = weight[names[piece]]
        return int((there @ row).argmax())

    return place


def _pieces(text: str) -> set[str]:
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return {
        *words,
        *(f"{word}|"[i : i + 3] for word in (f"|{w}" for w in words) for i in range(len(word) - 1)),
    }

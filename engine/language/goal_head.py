"""The goal head: from a text's vector and the state at hand to a goal vector (OpenContra, section 4.3, with
the reader's frozen encoder in the place of the language model).

For each sub-goal it has a distribution over "not selected" and the sub-goal's values. In NumPy: agents carry
theirs in a folder `language`. Not for training (engine.learning.parts.goal_language).
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import numpy as np

from engine.language.encoder import WIDTH
from engine.language.model import shipped
from engine.refusal import Refusal

FOLDER, FILE, SUPERVISED = "language", "goals.npz", "supervised.npz"
"""Where an agent's folder has its head, and the head before co-training."""
LAYERS = ("up.weight", "up.bias", "down.weight", "down.bias")


def inputs(vectors: np.ndarray, hand: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """float32 (n, WIDTH + 2 * sub-goals): texts (n, WIDTH) and what each sub-goal is now, int8 (n,
    sub-goals), -1 where that isn't known; `sizes` are the numbers of their values.
    """
    known = hand >= 0
    scaled = np.where(known, 2.0 * hand / (sizes - 1) - 1.0, 0.0)
    return np.concatenate([vectors * math.sqrt(WIDTH), scaled, known], 1).astype(np.float32)


def spread(sizes: np.ndarray) -> np.ndarray:
    """Where in (sub-goals, most choices) the logits of all choices stand, the first of each "not selected":
    indices of the flat array, int64 (choices,).
    """
    most = int(sizes.max()) + 1
    return np.concatenate([index * most + np.arange(1 + size) for index, size in enumerate(sizes.tolist())])


class GoalHead:
    """A head from its weights (LAYERS) and `sizes`. Raises Refusal where they don't fit each other."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        try:
            self.layers = [arrays[name] for name in LAYERS]
            self.sizes = arrays["sizes"].astype(np.int64)
            self.places = spread(self.sizes)
            fits = self.layers[0].shape[1] == WIDTH + 2 * len(self.sizes)
            fits &= self.layers[2].shape == (len(self.places), len(self.layers[0]))
        except (KeyError, IndexError) as problem:
            raise Refusal(f"The goal head lacks {problem}.") from None
        if not fits:
            raise Refusal("The goal head was made for other sub-goals, or another encoder.")

    @classmethod
    def load(cls, path: Path) -> GoalHead:
        """From a file of arrays, never unpickled. Raises Refusal."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return cls(dict(arrays))
        except (OSError, ValueError) as problem:
            raise Refusal(f"{path} is no goal head: {problem}") from None

    def odds(self, rows: np.ndarray) -> np.ndarray:
        """Log-probabilities (n, sub-goals, most choices) of `inputs`, -inf where a sub-goal has fewer."""
        up, up_bias, down, down_bias = self.layers
        shape = len(rows), len(self.sizes), int(self.sizes.max()) + 1
        out = np.full((shape[0], shape[1] * shape[2]), -np.inf, np.float32)
        out[:, self.places] = np.maximum(rows @ up.T + up_bias, 0) @ down.T + down_bias
        out = out.reshape(shape)
        out -= out.max(2, keepdims=True)
        return out - np.log(np.exp(out).sum(2, keepdims=True))

    def wanted(self, texts: list[str], game: str, hand: np.ndarray) -> np.ndarray:
        """The likeliest goal vector of each text where `hand` (n, sub-goals) holds: int8 (n, sub-goals)."""
        vectors = np.array([vector(game, text) for text in texts], np.float32).reshape(-1, WIDTH)
        return self.odds(inputs(vectors, hand, self.sizes)).argmax(2).astype(np.int8) - 1


@lru_cache(maxsize=4096)
def vector(game: str, text: str) -> np.ndarray:
    """A text as the reader's encoder has it, float32 (WIDTH,) of length 1."""
    return shipped().vector(game, text)


def measured(said: np.ndarray, right: np.ndarray) -> dict[str, float]:
    """Precision, recall, F1 and exact match of goal vectors (n, sub-goals), of values and of the choice of
    sub-goals alone (OpenContra, Table 12).
    """
    chosen, wanted = said >= 0, right >= 0
    found: dict[str, float] = {}
    for name, hit, exact in (
        ("", (said == right) & wanted, said == right),
        ("_choice", chosen & wanted, chosen == wanted),
    ):
        precision, recall = hit.sum() / max(1, chosen.sum()), hit.sum() / max(1, wanted.sum())
        found |= {f"precision{name}": float(precision), f"recall{name}": float(recall)}
        found[f"f1{name}"] = float(2 * precision * recall / max(1e-9, precision + recall))
        found[f"exact{name}"] = float(exact.all(1).mean()) if len(said) else 0.0
    return found

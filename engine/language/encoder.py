"""A sentence encoder in NumPy: text to a vector, without torch, in about ten milliseconds on one core.

A BERT of 6 layers and 384 numbers a token, all-MiniLM-L6-v2 (Wang et al. 2020, arXiv 2002.10957; weights
of the sentence-transformers project, Apache-2.0) tuned on the banks of phrasings (weights/README.md). Weights
are kept as int8 with a scale a row and used as float32; names are those of the original checkpoint.

Not for: what a vector means (meaning.py), training (engine.learning.reading.networks has the same encoder in
torch).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

FOLDER = Path(__file__).parent / "weights"
LAYERS = 6
WIDTH = 384
HEADS = 12
MOST_TOKENS = 64
"""Of a text; the rest is not looked at."""
EPSILON = 1e-12  # of the layer norms
SCALE = "@scale"
"""Ends the name of the scales of an int8 tensor."""

Weights = dict[str, np.ndarray]


def restored(tensors: Weights) -> Weights:
    """The float32 weights of int8 matrices with scales of their rows, and of vectors."""
    large: Weights = {}
    for name, values in tensors.items():
        if name.endswith(SCALE):
            continue
        scale = tensors.get(name + SCALE)
        values = values.astype(np.float32)
        large[name] = values if scale is None else values * scale[:, None].astype(np.float32)
    return large


def load(path: Path) -> tuple[Weights, dict]:
    """(float32 weights by name, what the file says of itself). Raises ValueError for another kind of file."""
    tensors, about = load_as_is(path)
    return restored(tensors), about


def load_as_is(path: Path) -> tuple[Weights, dict]:
    """The same, with weights as the file has them."""
    try:
        with safe_open(path, "np") as file:
            about = json.loads((file.metadata() or {}).get("reader", "null"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, ValueError, SafetensorError) as problem:
        raise ValueError(f"{path} is no safetensors file: {problem}") from None
    if about is None:
        raise ValueError(f"{path} holds no reader: its metadata has no entry “reader”.")
    return tensors, about


@cache
def tokenizer():
    """The uncased WordPiece tokenizer of BERT, cut to MOST_TOKENS."""
    from tokenizers import Tokenizer

    splitter = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    splitter.no_padding()
    splitter.enable_truncation(MOST_TOKENS)
    return splitter


def tokens(texts: list[str]) -> list[list[int]]:
    """The token numbers of texts, with [CLS] and [SEP]."""
    return [encoded.ids for encoded in tokenizer().encode_batch(texts)]


class Encoder:
    """The forward pass. `weights`: float32, the checkpoint's names."""

    def __init__(self, weights: Weights) -> None:
        self.words = weights["embeddings.word_embeddings.weight"]
        types = weights["embeddings.token_type_embeddings.weight"][0]
        self.places = weights["embeddings.position_embeddings.weight"][:MOST_TOKENS] + types
        self.norm = (weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        self.layers = [_layer(weights, f"encoder.layer.{number}.") for number in range(LAYERS)]

    def encode(self, ids: list[int]) -> np.ndarray:
        """float32 (2 * WIDTH,): the mean and the largest of each number over the tokens of one text."""
        hidden = _normed(self.words[ids] + self.places[: len(ids)], *self.norm)
        for layer in self.layers:
            hidden = _through(layer, hidden)
        return np.concatenate([hidden.mean(0), hidden.max(0)])


def _layer(weights: Weights, prefix: str) -> Weights:
    """One layer's weights, matrices turned for `tokens @ matrix`."""
    own = {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}
    kinds = [f"attention.self.{kind}" for kind in ("query", "key", "value")]
    found = {
        "mix": np.ascontiguousarray(np.concatenate([own[f"{kind}.weight"] for kind in kinds]).T),
        "mix_bias": np.concatenate([own[f"{kind}.bias"] for kind in kinds]),
    }
    for short, name in (
        ("out", "attention.output.dense"),
        ("up", "intermediate.dense"),
        ("down", "output.dense"),
    ):
        found[short] = np.ascontiguousarray(own[f"{name}.weight"].T)
        found[f"{short}_bias"] = own[f"{name}.bias"]
    for short, name in (("first", "attention.output.LayerNorm"), ("second", "output.LayerNorm")):
        found[short], found[f"{short}_bias"] = own[f"{name}.weight"], own[f"{name}.bias"]
    return found


def _through(w: Weights, hidden: np.ndarray) -> np.ndarray:
    """One layer: (tokens, WIDTH) to the same."""
    count = len(hidden)
    mixed = (hidden @ w["mix"] + w["mix_bias"]).reshape(count, 3, HEADS, WIDTH // HEADS)
    query, key, value = mixed.transpose(1, 2, 0, 3)
    weight = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(WIDTH // HEADS))
    weight = np.exp(weight - weight.max(-1, keepdims=True))
    weight /= weight.sum(-1, keepdims=True)
    seen = (weight @ value).transpose(1, 0, 2).reshape(count, WIDTH)
    hidden = _normed(hidden + seen @ w["out"] + w["out_bias"], w["first"], w["first_bias"])
    more = _gelu(hidden @ w["up"] + w["up_bias"]) @ w["down"] + w["down_bias"]
    return _normed(hidden + more, w["second"], w["second_bias"])


def _normed(hidden: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = hidden - hidden.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + EPSILON)
    return centred / spread * weight + bias


def _gelu(values: np.ndarray) -> np.ndarray:
    """GELU by its tanh formula (Hendrycks and Gimpel 2016, section 2), as in training."""
    # Not `**3`: NumPy takes a hundred times as long for that power as for two products.
    cubes = values * values * values
    return 0.5 * values * (1 + np.tanh(np.float32(0.7978845608) * (values + np.float32(0.044715) * cubes)))

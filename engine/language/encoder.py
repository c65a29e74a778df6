"""The sentence encoder of the model that reads: its sizes, its words, and files of weights.

A BERT of 6 layers and 384 numbers a token, all-MiniLM-L6-v2 (Wang et al. 2020, arXiv 2002.10957; weights
of the sentence-transformers project, Apache-2.0). Not for running it (model.py) or training it
(engine.learning.reading).
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


def load(path: Path) -> tuple[dict[str, np.ndarray], dict]:
    """(arrays by name, what the file says of itself). Raises ValueError for another kind of file."""
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

"""Train what tells instructions from texts that mean nothing for a game (engine.language.likeness).

    python -m engine.learning.relevance --game arena     # writes engine/language/phrasings/arena.safetensors

Logistic regression on the bank of phrasings: those with a reading against those with none, each class with
the same weight, and a little against what is asked for in the other games. The score that a text has to have
is chosen on phrasings that were left out of training in turn, so that of those without meaning the share
REFUSED is refused. A few seconds.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save
from torch import Tensor

from engine import language
from engine.agents.files import write_atomically
from engine.language import likeness

FOLDS = 5
REFUSED = 0.95  # of the texts without meaning
OTHERS = 0.15  # weight of another game's instruction
DECAY = 3e-5
STEPS = 100  # of L-BFGS


def matrix(texts: list[str]) -> Tensor:
    """float32 (texts, BUCKETS), sparse."""
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        buckets, own = likeness.hashed(text)
        rows += [row] * len(buckets)
        columns += buckets.tolist()
        values += own.tolist()
    places = torch.tensor([rows, columns])
    shape = (len(texts), likeness.BUCKETS)
    return torch.sparse_coo_tensor(places, torch.tensor(values), shape, check_invariants=True).coalesce()


def fit(texts: list[str], asks: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights (BUCKETS,) and bias of a weighted logistic regression."""
    inputs, wanted = matrix(texts), torch.from_numpy(asks.astype(np.float32))
    counts = torch.from_numpy(weight.astype(np.float32))
    weights = torch.zeros(likeness.BUCKETS, 1, requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=STEPS)

    def loss() -> Tensor:
        optimizer.zero_grad()
        scores = torch.sparse.mm(inputs, weights)[:, 0] + bias
        found = torch.nn.functional.binary_cross_entropy_with_logits(scores, wanted, counts)
        found = found + DECAY * weights.square().sum()
        found.backward()
        return found

    optimizer.step(loss)
    return weights.detach().numpy()[:, 0], float(bias.detach()[0])


def train(game: str) -> tuple[np.ndarray, float, dict[str, float]]:
    """(weights, bias less the least score, figures on phrasings that were left out)."""
    torch.set_num_threads(1)
    rows = likeness.bank(game)
    texts = [row["text"] for row in rows]
    asks = np.array([not row["refused"] for row in rows])
    others = [
        row["text"]
        for other in language.games()
        if other != game
        for row in likeness.bank(other)
        if not row["refused"]
    ]
    weight = np.where(asks, 1.0, asks.sum() / max(1, (~asks).sum()))
    everything = [*texts, *others]
    wanted = np.concatenate([asks, np.zeros(len(others), bool)])
    counts = np.concatenate([weight, np.full(len(others), OTHERS)])
    fold = np.random.default_rng(0).integers(0, FOLDS, len(everything))
    scores = np.zeros(len(texts))
    for left_out in range(FOLDS):
        kept = np.flatnonzero(fold != left_out)
        weights, bias = fit([everything[row] for row in kept], wanted[kept], counts[kept])
        for row in np.flatnonzero(fold[: len(texts)] == left_out):
            buckets, values = likeness.hashed(texts[row])
            scores[row] = values @ weights[buckets] + bias
    least = float(np.quantile(scores[~asks], REFUSED))
    found = {
        "phrasings": int(asks.sum()),
        "meaningless": int((~asks).sum()),
        "meaningless_refused": float((scores[~asks] <= least).mean()),
        "phrasings_refused": float((scores[asks] <= least).mean()),
    }
    weights, bias = fit(everything, wanted, counts)
    return weights, bias - least, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", required=True, choices=language.games())
    parser.add_argument("--out", type=Path, help="another file than the one that readers use")
    args = parser.parse_args()
    weights, bias, found = train(args.game)
    tensors: dict[str, np.ndarray] = {
        "weights": weights.astype(np.float16),
        "bias": np.array([bias], np.float32),
    }
    path = args.out or likeness.FOLDER / f"{args.game}.safetensors"
    write_atomically(path, save(tensors, {"figures": json.dumps(found)}))
    print(json.dumps({"file": str(path), **found}))


if __name__ == "__main__":
    main()

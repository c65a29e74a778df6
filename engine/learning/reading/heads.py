"""Train the heads that find labels of texts (a game's declared ones) on the encoder as it is.

Two layers on the mean and the largest of each number of the tokens' states; binary cross-entropy of whether a
text asks for anything, and of the labels of those that do. A minute for Arena's 5,265 texts. Not for programs
(programs.py).
"""

from __future__ import annotations

import random

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from engine.learning.reading import material
from engine.learning.reading.material import Material, Sample
from engine.learning.reading.networks import Writer, pooled, texts

STEPS, BATCH, AT_ONCE = 600, 512, 64
RATE, DECAY, DROPOUT = 3e-3, 1e-2, 0.3
VARIED = 2
"""How often each text is there as it might be typed, beside as it is."""
RARE = -4.0
"""Log odds of each label at first."""


def fit(writer: Writer, learned: Material, seed: int) -> None:
    """Train the head of each game that has texts with labels."""
    for game in writer.heads:
        samples = [sample for sample in learned.labelled if sample.game == game]
        if samples:
            torch.manual_seed(seed)
            rng = random.Random(seed)
            more = [material.varied(sample, learned, rng) for sample in samples * VARIED]
            _fit(writer, game, [*samples, *more])


def _fit(writer: Writer, game: str, samples: list[Sample]) -> None:
    seen, right = _vectors(writer, samples), _right(writer, samples)
    mean, spread = seen.mean(0), seen.std(0) + 1e-3
    head = writer.heads[game]
    first, last = (layer for layer in head.children() if isinstance(layer, nn.Linear))
    first.reset_parameters()
    last.reset_parameters()
    nn.init.constant_(last.bias, RARE)
    optimizer = torch.optim.AdamW(head.parameters(), weight_decay=DECAY, fused=True)
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / STEPS)
        rows = torch.randint(len(samples), (BATCH,))
        hidden = F.dropout(F.relu(first((seen[rows] - mean) / spread)), DROPOUT)
        counts = torch.ones_like(right[rows])
        counts[:, 1:] = right[rows, :1]
        loss = F.binary_cross_entropy_with_logits(last(hidden), right[rows], counts, reduction="sum") / BATCH
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():  # the head takes vectors as they are
        first.weight /= spread
        first.bias -= first.weight @ mean


@torch.no_grad()
def _vectors(writer: Writer, samples: list[Sample]) -> Tensor:
    writer.eval()
    found: list[Tensor] = [torch.empty(0)] * len(samples)
    order = sorted(range(len(samples)), key=lambda at: len(samples[at].text))
    for begin in range(0, len(order), AT_ONCE):
        places = order[begin : begin + AT_ONCE]
        own = texts([samples[at].game for at in places], [samples[at].text for at in places])
        for at, vector in zip(places, pooled(writer.encoder(own.ids, own.there), own.there), strict=True):
            found[at] = vector
    return torch.stack(found)


def _right(writer: Writer, samples: list[Sample]) -> Tensor:
    """Whether each text asks for anything, and its labels (texts, 1 + labels)."""
    names = writer.vocabulary.languages[samples[0].game].labels
    found = torch.zeros(len(samples), 1 + len(names))
    for row, sample in enumerate(samples):
        found[row, 0] = bool(sample.labels)
        found[row, [1 + names.index(label) for label in sample.labels or ()]] = 1
    return found

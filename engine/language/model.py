"""The model that reads: from a text to the likeliest programs of a game's declared language, with their odds.

A sentence encoder and a decoder (engine.learning.reading.programs trains them), run by ONNX Runtime on one
core; tokens that the declaration doesn't allow next are never written. Not for what a program means, nor for
how far to trust it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import onnxruntime as ort

from engine.language import encoder, meaning
from engine.language import text as typed
from engine.language.declared import Clause, Declared, parse
from engine.language.encoder import FOLDER, tokenizer
from engine.language.vocabulary import COPIES, END, Vocabulary, numbers, start

FILE = "programs.safetensors"
GRAPHS = ("encoder.onnx", "decoder.onnx", "judge.onnx")
"""What runs the weights of FILE: from vectors of words to states of the text, from these and what is written
to the logits of what comes next, from both to the odds that a program is right.
"""
TURNED = "@T"
"""Ends the name of a weight that a graph takes with rows for columns."""
BEFORE = "writer.encoder.values."
FROZEN = tuple(f"{BEFORE}{name}" for name in ("embeddings_", "encoder_layer_0_", "encoder_layer_1_"))
"""How the names of the weights begin that are as published: the other reader's file (meaning.py) has them,
too.
"""
WORDS, PLACES, TYPES = (f"embeddings.{kind}_embeddings.weight" for kind in ("word", "position", "token_type"))
LONGEST = 80
BRANCHES = 3
"""At how many places, the least certain ones, another program is tried."""


@dataclass(frozen=True)
class Written:
    """A program that the model wrote: its clauses, the log probability of the whole and those of its tokens,
    and the log odds of the judge that it is right.
    """

    clauses: list[Clause]
    odds: float
    steps: tuple[float, ...]
    judged: float


class Model:
    """Raises ValueError where the files are missing or of another kind."""

    def __init__(self, languages: list[Declared], folder: Path = FOLDER) -> None:
        arrays, about = encoder.load_as_is(folder / FILE)
        published, _ = encoder.load_as_is(FOLDER / meaning.FILE)
        arrays |= _frozen(published)
        self.vocabulary = Vocabulary(languages)
        if self.vocabulary.names != about["tokens"]:
            raise ValueError(f"{folder / FILE} was trained for other languages than the games declare.")
        self.words, self.scales = (
            published[WORDS],
            published[WORDS + encoder.SCALE].astype(np.float32)[:, None],
        )
        self.places = _float(published, PLACES) + _float(published, TYPES)[0]
        self.encoder, self.decoder, self.judge = (
            _session(folder / name, about["graphs"][name], arrays) for name in GRAPHS
        )

    def read(self, game: str, text: str, branches: int = BRANCHES) -> list[Written]:
        """The likeliest program of a text first, then other ones that differ from it in one place."""
        cleaned = typed.clean(text)
        before = f"{game.replace('_', ' ')}: "
        own = tokenizer().encode(before + cleaned)
        at = [own.char_to_token(len(before) + number.at) for number in numbers(cleaned)]
        copies = np.array([[-1 if token is None else token for token in at] + [-1] * (COPIES - len(at))])
        words = self.words[own.ids] * self.scales[own.ids] + self.places[: len(own.ids)]
        (states,) = self.encoder.run(None, {"words": words[None]})
        inputs = {"states": states, "copies": copies}
        count = int((copies >= 0).sum())
        first = self._finish(game, inputs, count, [])
        found = [first]
        for place in sorted(range(len(first.ids)), key=lambda place: first.margins[place])[:branches]:
            other = first.seconds[place]
            if other is not None:
                found.append(self._finish(game, inputs, count, [*first.ids[:place], other]))
        return self._programs(game, cleaned, states, found)

    def _finish(self, game: str, inputs: dict[str, np.ndarray], copies: int, begun: list[int]) -> _Path:
        """The likeliest tokens after those that are there, up to the end."""
        path = _Path([], [], [], [], np.zeros(0))
        end = self.vocabulary.ids[END]
        ids = [self.vocabulary.ids[start(game)], *begun]
        logits, path.hidden = self.decoder.run(None, {**inputs, "written": np.array([ids])})
        for place, token in enumerate(begun):
            self._step(game, logits[0, place], copies, path, token)
        while (not path.ids or path.ids[-1] != end) and len(path.ids) < LONGEST:
            self._step(game, logits[0, -1], copies, path, None)
            if path.ids[-1] != end:
                written = np.array([[self.vocabulary.ids[start(game)], *path.ids]])
                logits, path.hidden = self.decoder.run(None, {**inputs, "written": written})
        return path

    def _step(self, game: str, logits: np.ndarray, copies: int, path: _Path, token: int | None) -> None:
        allowed = self._allowed(game, tuple(path.ids), copies)
        own = logits[allowed]
        own = own - np.log(np.exp(own - own.max()).sum()) - own.max()
        order = np.argsort(-own)[:2]
        if token is None:
            token = int(allowed[order[0]])
        chosen = float(own[int(np.flatnonzero(allowed == token)[0])])
        rival = next((int(at) for at in order if int(allowed[at]) != token), None)
        path.ids.append(token)
        path.odds.append(chosen)
        path.seconds.append(None if rival is None else int(allowed[rival]))
        path.margins.append(99.0 if rival is None else chosen - float(own[rival]))

    @lru_cache(maxsize=4096)  # noqa: B019  (one model a process)
    def _allowed(self, game: str, ids: tuple[int, ...], copies: int) -> np.ndarray:
        return np.array(self.vocabulary.allowed(game, list(ids), copies))

    def _programs(self, game: str, text: str, states: np.ndarray, paths: list[_Path]) -> list[Written]:
        declared, found, seen = self.vocabulary.languages[game], [], set()
        for path in paths:
            if path.ids[-1] != self.vocabulary.ids[END] or tuple(path.ids) in seen:
                continue
            seen.add(tuple(path.ids))
            clauses = parse(declared, self.vocabulary.read(path.ids[:-1], text))
            (judged,) = self.judge.run(None, {"states": states, "hidden": path.hidden})
            found.append(Written(clauses, sum(path.odds), tuple(path.odds), float(judged[0])))
        return found[:1] + sorted(found[1:], key=lambda written: -written.odds)


def _float(published: dict[str, np.ndarray], name: str) -> np.ndarray:
    return published[name] * published[name + encoder.SCALE].astype(np.float32)[:, None]


def _frozen(published: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of the layers that stay as published, as the graphs take them."""
    found = {}
    for name, values in published.items():
        own = f"{BEFORE}{name.replace('.', '_')}"
        if not own.startswith(FROZEN) or name.endswith(encoder.SCALE):
            continue
        scale = published.get(name + encoder.SCALE)
        if scale is None:
            found[own] = values.astype(np.float32)
        else:
            found[f"{own}{TURNED}_quantized"] = values.T
            found[f"{own}{TURNED}_scale"] = scale.astype(np.float32)
            found[f"{own}{TURNED}_zero_point"] = np.zeros(len(scale), np.int8)
    return found


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
    """Tokens written so far, the log probability of each, the likeliest other one, how much likelier this is,
    and the decoder's states of all but the end.
    """

    ids: list[int]
    odds: list[float]
    seconds: list[int | None]
    margins: list[float]
    hidden: np.ndarray


@cache
def shipped() -> Model:
    from engine.language.languages import declared_languages

    return Model(declared_languages())

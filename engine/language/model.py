"""The model that reads: from a text to the likeliest programs of a game's declared language, with their odds.

A sentence encoder and a decoder (engine.learning.reading.programs trains them), run by ONNX Runtime on one
core; tokens that the declaration doesn't allow next are never written. Not for what a program means, nor for
how far to trust it.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import onnxruntime as ort

from engine.language import encoder, meaning
from engine.language import text as typed
from engine.language.declared import Clause, Declared, parse
from engine.language.encoder import FOLDER, tokenizer
from engine.language.languages import declared_languages
from engine.language.vocabulary import COPIES, END, Vocabulary, numbers, start

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]
FILE = "programs.safetensors"
GRAPHS = ("encoder.onnx", "decoder.onnx")
"""What runs the weights of FILE: from vectors of words to states of the text, and from these and what is
written to the logits of what comes next.
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
FARTHEST = 5.0
"""By how much, in log odds, another token is less likely than the likeliest at most to be tried."""


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
        arrays, self.about = encoder.load_as_is(path)
        published, _ = encoder.load_as_is(FOLDER / meaning.FILE)
        arrays |= _frozen(published)
        tokens = self.about.get("tokens", [])
        self.vocabulary = Vocabulary([own for own in languages if start(own.game) in tokens])
        if self.vocabulary.names != tokens:
            raise ValueError(f"{path} was trained for other languages than the games declare.")
        self.words, self.scales = (
            published[WORDS],
            published[WORDS + encoder.SCALE].astype(np.float32)[:, None],
        )
        self.places = _float(published, PLACES) + _float(published, TYPES)[0]
        try:
            self.encoder, self.decoder = (
                _session(folder / name, self.about["graphs"][name], arrays) for name in GRAPHS
            )
        except Exception as problem:  # those of ONNX Runtime have no common kind
            raise ValueError(f"{path} doesn't fit the graphs in {folder}: {problem}") from None

    def read(self, game: str, text: str, branches: int = BRANCHES) -> list[Written]:
        """The likeliest programs of a text, the best first: the one of the likeliest tokens, and others that
        differ from it in one place.
        """
        cleaned = typed.clean(text)
        states, copies = self._states(game, cleaned)
        inputs = {"states": states, "copies": copies}
        count = int((copies >= 0).sum())
        first = self._finish(game, inputs, count, [])
        found = [first]
        for place in sorted(range(len(first.ids)), key=lambda place: first.margins[place])[:branches]:
            other = first.seconds[place]
            if other is not None and first.margins[place] < FARTHEST:
                found.append(self._finish(game, inputs, count, [*first.ids[:place], other]))
        return self._programs(game, cleaned, found)

    def vector(self, game: str, text: str) -> np.ndarray:
        """float32 (WIDTH,) of length 1; texts with similar meaning have similar vectors."""
        mean = self._states(game, typed.clean(text))[0][0].mean(0)
        return mean / np.linalg.norm(mean)

    def _states(self, game: str, cleaned: str) -> tuple[np.ndarray, np.ndarray]:
        """The encoder's states (1, tokens, WIDTH), and the tokens of the text's numbers (1, COPIES)."""
        before = f"{game.replace('_', ' ')}: "
        own = tokenizer().encode(before + cleaned)
        at = [own.char_to_token(len(before) + number.at) for number in numbers(cleaned)]
        copies = np.array([[-1 if token is None else token for token in at] + [-1] * (COPIES - len(at))])
        words = self.words[own.ids] * self.scales[own.ids] + self.places[: len(own.ids)]
        return self.encoder.run(None, {"words": words[None]})[0], copies

    def _finish(self, game: str, inputs: dict[str, np.ndarray], copies: int, begun: list[int]) -> _Path:
        """The likeliest tokens after those that are there, up to the end."""
        path = _Path([], [], [], [])
        end = self.vocabulary.ids[END]
        ids = [self.vocabulary.ids[start(game)], *begun]
        (logits,) = self.decoder.run(["logits"], {**inputs, "written": np.array([ids])})
        for place, token in enumerate(begun):
            self._step(game, logits[0, place], copies, path, token)
        while (not path.ids or path.ids[-1] != end) and len(path.ids) < LONGEST:
            self._step(game, logits[0, -1], copies, path, None)
            if path.ids[-1] != end:
                written = np.array([[self.vocabulary.ids[start(game)], *path.ids]])
                (logits,) = self.decoder.run(["logits"], {**inputs, "written": written})
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

    def _programs(self, game: str, text: str, paths: list[_Path]) -> list[Written]:
        declared, found, seen = self.vocabulary.languages[game], [], set()
        for path in paths:
            if path.ids[-1] != self.vocabulary.ids[END] or tuple(path.ids) in seen:
                continue
            seen.add(tuple(path.ids))
            clauses = parse(declared, self.vocabulary.read(path.ids[:-1], text))
            found.append(Written(clauses, sum(path.odds), tuple(path.odds)))
        return sorted(found, key=lambda written: -written.odds)


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

"""What a text means where its words alone don't tell: whether it asks for anything in the game, and for what.

A sentence encoder (encoder.py) with a head for each game gives the log odds that a text asks for something,
and those of each label of which readings consist (<game>/labels.py). engine.learning.reader trains it on the
banks of phrasings. What the game's grammar read is added as evidence, weighted by how much of the text it
read. A reading consists of the labels that are likely after this. In games whose readings are whole
conventions (`conventions` in labels.py), one that the grammar read is left as it is.

Nothing here imports torch. The model is loaded when it is first needed.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from engine import brings, games
from engine.language import encoder
from engine.language import text as typed
from engine.language.reading import Reading

logger = logging.getLogger(__name__)
FILE = "reader.safetensors"
ROOT = Path(__file__).resolve().parents[2]
# All were chosen on the development sets.
LEAST_ASKING = 2.0
"""Log odds that a text needs to be read at all."""
READ_MEANT = 3.0
"""Log odds that a grammar's reading adds to a label that it has, when it is sure."""
CLEARER = 2.0
"""Log odds by which a convention must be likelier than both halves of a contradiction, to be read instead."""
POSSIBLE = -2.0
"""Labels with at least these log odds are offered as other readings."""
OFFERED = 3


@dataclass(frozen=True)
class Meaning:
    """Log odds: `asks`, that the text asks for anything; `labels`, of each label if it does."""

    asks: float
    labels: dict[str, float]


class Model:
    """Encoder and heads from one file of weights. Raises ValueError for a file without them."""

    def __init__(self, path: Path) -> None:
        weights, self.about = encoder.load(path)
        try:
            self.encoder = encoder.Encoder(weights)
            self.heads = {
                game: (weights[f"{game}.weight"], weights[f"{game}.bias"]) for game in self.about["labels"]
            }
            self._conventions = self.about.get("conventions", {})
        except (KeyError, TypeError) as problem:
            raise ValueError(f"{path} is no whole reader: it lacks {problem}.") from None
        self.meaning = lru_cache(maxsize=1024)(self._meaning)

    def conventions(self, game: str) -> list[dict[str, Any]]:
        """The conventions that a game's bank had. Files that were written before games had their own hold one
        list.
        """
        known = self._conventions
        return known.get(game, []) if isinstance(known, dict) else known

    def vector(self, text: str) -> np.ndarray:
        """float32 (2 * WIDTH,) of length 1; texts with similar meaning have similar vectors."""
        raw = self._vector(text)
        return raw / np.linalg.norm(raw)

    def _vector(self, text: str) -> np.ndarray:
        return self.encoder.encode(encoder.tokens([typed.clean(text)])[0])

    def _meaning(self, game: str, text: str) -> Meaning:
        vector = self._vector(text)
        weight, bias = self.heads[game]
        odds = weight @ vector + bias
        return Meaning(float(odds[0]), dict(zip(self.about["labels"][game], odds[1:].tolist(), strict=True)))


def model(game: str = "") -> Model:
    """The model that this site trained on corrections ($COPLAY_VAR/reader), otherwise the one that is shipped
    with the game; a broken file of the site, and one that hasn't learned the game, is ignored. Loaded again
    when the file changes.
    """
    trained_here = own_file()
    try:
        trained = _loaded(trained_here, trained_here.stat().st_mtime_ns)
        if not game or game in trained.heads:
            return trained
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as problem:
        _warn(str(problem))
    shipped = shipped_file(game, FILE)
    return _loaded(shipped, shipped.stat().st_mtime_ns)


@cache
def shipped_file(game: str, name: str) -> Path:
    """A file of weights that a game brings in language/weights, else the one that all games share."""
    if games.brings(game, room="language"):
        own = games.folder(game) / "language" / "weights" / name
        if own.exists():
            return own
    return encoder.FOLDER / name


@lru_cache(maxsize=8)
def _warn(problem: str) -> None:
    """Once for each trouble: texts are read many times a second."""
    logger.warning("The shipped model reads: %s `./manage.py reader restore` puts the file aside.", problem)


def own_file() -> Path:
    """The file of the model that this site trained."""
    return Path(os.environ.get("COPLAY_VAR") or ROOT / "var") / "reader" / FILE


@lru_cache(maxsize=4)
def _loaded(path: Path, changed: int) -> Model:
    return Model(path)


def labels_of(game: str, row: dict[str, Any]) -> list[str]:
    """The labels of a phrasing of the bank."""
    return labels_module(game).labels(row)


def row_of(game: str, program: dict[str, Any] | None) -> dict[str, Any]:
    """A program in the form of the bank; None: nothing was read."""
    return labels_module(game).row_of(program)


def knows(game: str, model: Model) -> bool:
    """Whether a model has learned a game's texts; otherwise the grammar's reading stands alone."""
    return game in model.heads and games.brings(game, "labels", "language")


def labels_module(game: str) -> brings.Labels:
    """A game's labels.py; raises ValueError if there is none."""
    module = brings.Labels.brought(game)
    if module is None:
        raise ValueError(f"The readings of {game!r} have no labels.")
    return module


def understand(game: str, text: str, reading: Reading, refusal: str, model: Model) -> Reading:
    """The reading of a text, with the grammar's reading as evidence; its confidence stays the grammar's
    (sureness.py computes the final one). `refusal`: the answer to a text that asks for nothing. If the
    grammar and the model agree, the grammar's reading stays as it is. If the grammar found a contradiction,
    the grammar may be wrong.
    """
    odds, labels = model.meaning(game, text), labels_module(game)
    whole, conventions = labels.conventions is not None, model.conventions(game)
    if reading.refused and reading.alternatives:
        return _settled(labels, reading, odds, conventions) if whole else reading
    read = not reading.refused and reading.program is not None
    sure = reading.confidence if read else 0.0
    if reading.program and not labels_of(game, row_of(game, reading.program)):
        return reading  # what labels have no name for: "never mind"
    if odds.asks + labels.READ_ASKS * sure < LEAST_ASKING:
        return replace(reading, refused=True, sentence=refusal, confidence=0.0, program=None, alternatives=[])
    if whole:
        return reading if read else _convention(labels, reading, odds, conventions)
    return _chosen(labels, text, reading, odds, sure)


def _settled(game: brings.Labels, torn: Reading, odds: Meaning, known: list[dict[str, Any]]) -> Reading:
    """A contradiction as the grammar read it; or the convention of the bank that differs from its two halves
    and is more likely than they are.
    """
    halves = [game.row_of(alternative["program"]) for alternative in torn.alternatives]
    best = game.likeliest(odds.labels, known, 1)[0]
    asked = set(game.labels(best))
    is_half = any(asked <= set(game.labels(half)) for half in halves)
    limits = [label for label in asked if game.is_limit(label)]
    is_likely = odds.asks >= LEAST_ASKING and all(odds.labels[label] > 0 for label in limits)
    least = max(game.fit(odds.labels, half) for half in halves) + CLEARER
    if is_half or not is_likely or game.fit(odds.labels, best) < least:
        return torn
    return _guess(torn, [game.option(best), *torn.alternatives])


def _convention(game: brings.Labels, refused: Reading, odds: Meaning, known: list[dict[str, Any]]) -> Reading:
    """The conventions of the bank whose labels are likeliest."""
    best = game.likeliest(odds.labels, known, OFFERED)
    return _guess(refused, [game.option(labelled) for labelled in best])


def _chosen(labels: brings.Labels, text: str, reading: Reading, meant: Meaning, sure: float) -> Reading:
    """The labels that are more likely than not, one of each group; the likeliest one if there is none."""
    program = reading.program if sure else None
    there = set(labels.labels(labels.row_of(program))) if program else set()
    odds = {
        label: value + sure * (READ_MEANT if label in there else labels.UNREAD_MEANT)
        for label, value in {**dict.fromkeys(there, 0.0), **meant.labels}.items()
    }
    ranked = sorted(odds, key=lambda label: -odds[label])
    groups: dict[str, str] = {}
    for label in ranked:
        groups.setdefault(labels.group(label), label)
    best = [label for label in groups.values() if odds[label] > 0] or ranked[:1]
    others = [label for label in groups.values() if label not in best and odds[label] > POSSIBLE]
    different = [best, *([label] for label in best if len(best) > 1), *([*best, label] for label in others)]
    if set(best) == there:
        more = [labels.option(chosen, text, program) for chosen in different[1:]]
        return replace(reading, alternatives=_offered(reading.sentence, [*reading.alternatives, *more]))
    options = [labels.option(chosen, text, program) for chosen in different]
    if program:
        options.append({"sentence": reading.sentence, "program": program})
        options[1:] = [options[-1], *options[1:-1]]
    return _guess(reading, options)


def _guess(reading: Reading, options: list[dict[str, Any]]) -> Reading:
    first = options[0]
    return replace(
        reading,
        refused=False,
        sentence=first["sentence"],
        program=first["program"],
        alternatives=_offered(first["sentence"], options[1:]),
    )


def _offered(sentence: str, options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first few that say something else."""
    found: dict[str, dict[str, Any]] = {}
    for one in options:
        if one["sentence"] != sentence:
            found.setdefault(one["sentence"], one)
    return list(found.values())[:OFFERED]

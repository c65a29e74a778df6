"""Train the readers' model on players' corrections, and use it if it reads better.

A fifth of the corrections, chosen by their text, is held out. The new model replaces the one in use if it
reads the held-out corrections at least as well, and the development set of no game worse by more than
TOLERATED.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

from engine.evaluation import reading_scores
from engine.language import games, meaning
from engine.language import text as typed
from engine.language.bank import development
from engine.learning import reader, sureness

LEAST = 5
"""Corrections that are needed."""
EVERY = 5
"""Of so many corrections one is kept out of training."""
REPEATED = 4
"""How often a correction is trained on beside the bank, which has a hundred times as many phrasings."""
EPOCHS = 3
TOLERATED = 0.01

Row = dict[str, Any]


def rows(corrections: Iterable[dict[str, Any]]) -> dict[str, list[Row]]:
    """Corrections (webapp.datasets.corrections) as phrasings of the bank, by game, each text once: both the
    misread text and the text that replaced it have the meaning that the player chose. Raises ValueError for a
    line that is no correction.
    """
    found: dict[str, dict[str, Row]] = {game: {} for game in games()}
    for number, one in enumerate(corrections, 1):
        try:
            game, meant = one["game"], one["meant"]
            texts = {one["text"], one["meant_text"]}
            program = None if meant["refused"] else meant["program"]
            row = meaning.row_of(game, program) if program and game in found else None
            asks = row is not None and meaning.labels_of(game, row)
        except (KeyError, TypeError, AttributeError, ValueError):
            raise ValueError(
                f"Correction {number} is no correction as `./manage.py datasets corrections` writes them."
            ) from None
        if row is None or not asks:
            continue
        for text in sorted(texts):
            found[game][typed.clean(text)] = {"text": text, "refused": False, **row}
    return {game: list(own.values()) for game, own in found.items()}


def is_kept_out(row: Row) -> bool:
    """Whether a text is held out; the same in every training, so that no model is tested on texts that it
    learned.
    """
    return crc32(typed.clean(row["text"]).encode()) % EVERY == 0


def figures(model: meaning.Model, kept_out: dict[str, list[Row]]) -> dict[str, dict[str, float]]:
    """The main figure of each game (reading_scores.main_figure) on its development set and on corrections."""
    found: dict[str, dict[str, float]] = {"development": {}, "corrections": {}}
    for game in games():
        for name, items in (("development", development(game)), ("corrections", kept_out[game])):
            if items:
                said = [reading_scores.read(game, item["text"], model) for item in items]
                scores = reading_scores.score(game, items, said)
                found[name][game] = scores[reading_scores.main_figure(game)]["mean"]
    return found


def train(
    corrections: Iterable[dict[str, Any]],
    path: Path,
    epochs: int = EPOCHS,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Train from the model in use, write the new one to `path`, and compare: {"trained_on", "kept_out",
    "before", "after", "better"}. Raises ValueError for too few corrections.
    """
    own = rows(corrections)
    count = sum(map(len, own.values()))
    if count < LEAST:
        raise ValueError(
            f"There are {count} corrected texts; at least {LEAST} are needed to learn from them."
        )
    kept_out = {game: [row for row in found if is_kept_out(row)] for game, found in own.items()}
    if sum(map(len, kept_out.values())) in (0, count):
        raise ValueError(
            "These corrections are too few to learn from some of them and to test on others; collect more."
        )
    more = {game: [row for row in found if not is_kept_out(row)] for game, found in own.items()}
    say(f"{count} corrected texts, {sum(map(len, kept_out.values()))} of them kept out of training.")
    before = figures(meaning.model(), kept_out)
    reader.make(path, "reader", epochs, more, REPEATED, say=say)
    sureness.add_to(path, say)
    after = figures(meaning.Model(path), kept_out)
    return {
        "trained_on": {game: len(found) for game, found in more.items()},
        "kept_out": {game: len(found) for game, found in kept_out.items()},
        "before": before,
        "after": after,
        "better": is_better(before, after),
    }


def is_better(before: dict[str, dict[str, float]], after: dict[str, dict[str, float]]) -> bool:
    """Whether the new model may replace the old one."""
    holds = all(after["development"][game] >= was - TOLERATED for game, was in before["development"].items())
    learned = all(after["corrections"][game] >= was for game, was in before["corrections"].items())
    return holds and learned

"""Train the model that writes programs on players' corrections, and on the phrasings of games whose language
it hasn't learned; and use it if it reads better.

It starts from the weights that ship and sees every correction so far, beside texts that it knows. A fifth of
the corrections, chosen by their text, is held out. The new model replaces the one in use if it reads the
held-out corrections at least as well, and the messy development set of no game worse by more than TOLERATED.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import torch

from engine import brings
from engine.evaluation import messy
from engine.evaluation.messy import Item
from engine.language import bank, encoder
from engine.language import model as reads
from engine.language import text as typed
from engine.language.declared import Declared, notation, parse
from engine.language.languages import declared_languages, unlearned
from engine.language.model import Model
from engine.learning.reading import exported, material, programs
from engine.learning.reading.chance import development
from engine.learning.reading.material import Material, Sample

LEAST = 5
"""Corrections that are needed."""
EVERY = 5
"""Of so many corrections one is kept out of training."""
REPEATED = 4
"""How often a correction is trained on."""
PASSES = 8
"""How often an epoch has the phrasings of a game that is new."""
BESIDE = 1500
"""How many texts that ship are trained on beside them."""
EPOCHS = 2
WARM = 10
"""Steps for which the rates rise: an epoch has a few dozen."""
TOLERATED = 0.02
"""By how much less of a development set may be right: two trainings that are as good differ so far by chance,
as they read some 20 of its 400 to 500 texts otherwise.
"""

Rows = dict[str, dict[str, str]]
"""By game: the notations of programs, by their texts."""


def rows(corrections: Iterable[dict[str, Any]]) -> Rows:
    """Corrections (webapp.datasets.corrections), each text once, as the last of them has it: both the misread
    text and the text that replaced it have the meaning that the player chose. Raises ValueError for a line
    that is no correction.
    """
    languages = {declared.game: declared for declared in declared_languages()}
    found: Rows = {game: {} for game in languages}
    for number, one in enumerate(corrections, 1):
        try:
            game, meant = one["game"], one["meant"]
            texts = {bank.plain(one["text"]), bank.plain(one["meant_text"])}
            program = None if meant["refused"] else meant["program"]
            means = _notation(languages[game], program) if program and game in languages else ""
        except (KeyError, TypeError, AttributeError, ValueError):
            raise ValueError(
                f"Correction {number} is no correction as `./manage.py datasets corrections` writes them."
            ) from None
        if means:
            found[game] |= dict.fromkeys(sorted(texts), means)
    return found


def _notation(declared: Declared, program: dict[str, Any]) -> str:
    """What a stored program means, "" for one of an older Coplay that no clause expresses."""
    if "means" in program:
        return notation(declared, parse(declared, program["means"]))
    clauses = brings.CarriedOut.of(declared.game).of_version_1(program)
    return notation(declared, clauses) if clauses else ""


def is_kept_out(text: str) -> bool:
    """Whether a text is held out; the same in every training, so that no model is tested on texts that it
    learned.
    """
    return crc32(typed.clean(text).encode()) % EVERY == 0


def figures(model: Model, kept_out: Rows) -> dict[str, dict[str, float]]:
    """The share of texts that a model reads right, by game: of the development set and of corrections."""
    found: dict[str, dict[str, float]] = {"development": {}, "corrections": {}}
    for game, declared in model.vocabulary.languages.items():
        own = [Item(text, [parse(declared, means)], "simple") for text, means in kept_out[game].items()]
        held = messy.load(declared, development(game)) if development(game).exists() else []
        for name, items in (("development", held), ("corrections", own)):
            right = [
                messy.is_right(declared, one, model.read(game, one.text, branches=0)[0].clauses)
                for one in items
            ]
            if items:
                found[name][game] = round(sum(right) / len(right), 4)
    return found


def train(
    corrections: Iterable[dict[str, Any]],
    path: Path,
    epochs: int = EPOCHS,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Train from the weights that ship, write the new ones to `path`, and compare them with those in use:
    {"learned": games that are new, "trained_on", "kept_out", "before", "after", "better"}. Raises ValueError
    for too few corrections where no game is new.
    """
    own, new = rows(corrections), unlearned(Model(declared_languages()).vocabulary)
    count = sum(map(len, own.values()))
    if count < LEAST and new:
        own, count = {game: {} for game in own}, 0
    elif count < LEAST:
        raise ValueError(
            f"There are {count} corrected texts; at least {LEAST} are needed to learn from them."
        )
    kept_out = {
        game: {text: found[text] for text in found if is_kept_out(text)} for game, found in own.items()
    }
    if count and sum(map(len, kept_out.values())) in (0, count):
        raise ValueError(
            "These corrections are too few to learn from some of them and to test on others; collect more."
        )
    more = {
        game: {text: found[text] for text in found if not is_kept_out(text)} for game, found in own.items()
    }
    say(f"{count} corrected texts, {sum(map(len, kept_out.values()))} of them kept out of training.")
    before = figures(reads.shipped(), kept_out)
    torch.set_num_threads(1)  # batches are so small that threads mostly wait for each other
    writer = exported.taken_up(encoder.FOLDER)
    learned = _material(list(writer.vocabulary.languages.values()), more, new)
    programs.train(writer, learned, epochs, 0, say=say, pace=programs.AGAIN, warm=WARM)
    trained_on = {game: len(found) for game, found in more.items()}
    card = {"start": "shipped", "epochs": epochs, "corrections": trained_on}
    exported.rewritten(writer, path, card)
    after = figures(Model(declared_languages(), weights=path), kept_out)
    return {
        "learned": new,
        "trained_on": trained_on,
        "kept_out": {game: len(found) for game, found in kept_out.items()},
        "before": before,
        "after": after,
        "better": is_better(before, after),
    }


def _material(languages: list[Declared], more: Rows, new: list[str]) -> Material:
    """Corrections and the phrasings of new games, each several times, and some of the texts that ship."""
    shipped = material.of(languages)
    known = [sample for sample in shipped.samples if sample.game not in new]
    some = random.Random(0).sample(known, min(BESIDE, len(known)))
    some += [sample for sample in shipped.samples if sample.game in new] * PASSES
    own = [
        Sample(declared.game, text, parse(declared, means))
        for declared in languages
        for text, means in more[declared.game].items()
    ]
    return replace(shipped, samples=[*some, *own * REPEATED])


def is_better(before: dict[str, dict[str, float]], after: dict[str, dict[str, float]]) -> bool:
    """Whether the new model may replace the old one."""
    holds = all(after["development"][game] >= was - TOLERATED for game, was in before["development"].items())
    learned = all(after["corrections"][game] >= was for game, was in before["corrections"].items())
    return holds and learned


def lines(own: Rows) -> str:
    """Corrections as a file: a line each with its game, program and text."""
    return "".join(
        f"{game}\t{means}\t{text}\n" for game, found in own.items() for text, means in found.items()
    )

"""The embedded model, offline, in milliseconds. It reads the instruction into a program and evaluates that on
the yes/no questions of the games' tables; asked which reading is meant, it answers with its own. Any other
question it answers by the similarity of context and answer, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np

from engine import brings, language
from engine.brings_part import Part
from engine.language import model
from engine.language.decisions.questions import CHOICE, YES_NO, Question
from engine.language.reading import Reading
from engine.language.text import words

MODEL = "embedded-5"
"""Name and version of the embedded model."""
SHARPNESS = 8.0
"""How much a difference of 1 in likeness adds to log odds. A guess: nothing was tuned on it."""
SAME = 0.5
"""How much likeness it adds to the cosine if all words of a text stand in the other. A guess, too."""


def answer(context: Mapping[str, Any], questions: Sequence[Question]) -> tuple[list[list[float]], list[str]]:
    """(the probability of each option for each question, notices). Raises ValueError for a question of a
    table or reading about an unknown game, for an observation or action that the game doesn't have, and for a
    table about an instruction that can't be read.
    """
    if "game" in context:
        _game(context)

    @cache
    def read() -> Reading:
        """What the instruction says, once for all questions about it."""
        return language.read(_game(context), context.get("instruction", ""))

    shares, likened = [], 0
    for question in questions:
        if question.kind == YES_NO and {"action", "action_key"} & question.asked.keys():
            shares.append(_of_table(context, question, read))
        elif question.kind == CHOICE and "reads" in question.asked:
            shares.append(_of_reading(question, read))
        else:
            shares.append(_by_likeness(context, question, read))
            likened += 1
    if not likened:
        return shares, []
    whole = "" if likened == len(questions) else f" {likened} of {len(questions)}"
    return shares, [f"The embedded model answered{whole} by likeness of words: take that for a guess."]


def _of_table(context: Mapping[str, Any], question: Question, read: Callable[[], Reading]) -> list[float]:
    game, asked, reading = _game(context), question.asked, read()
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    seen, moves = _keys(game)
    try:
        observation = asked.get("observation_key") or seen[asked["observation"]]
        action = asked.get("action_key") or moves[asked["action"]]
    except KeyError as missing:
        raise ValueError(f"The embedded model does not know {missing.args[0]!r}.") from None
    yes = float(_brought(brings.Table, game).answer(reading.program, observation, action))
    return [yes, 1 - yes]


def _of_reading(question: Question, read: Callable[[], Reading]) -> list[float]:
    """Which of some readings is meant: its own one, with that one's confidence, or the last: nothing."""
    reading = read()
    own = not reading.refused and reading.sentence in question.options
    best = reading.sentence if own else question.options[-1]
    sure = reading.confidence if own else 1.0
    rest = (1 - sure) / (len(question.options) - 1)
    return [sure if option == best else rest for option in question.options]


def _by_likeness(context: Mapping[str, Any], question: Question, read: Callable[[], Reading]) -> list[float]:
    """Options by their similarity with the context; P(yes) by the similarity of context and question. A score
    is as high as the question is similar to the context.
    """
    known = " ".join(value for name, value in context.items() if isinstance(value, str) and name != "game")
    vector = model.shipped().vector
    here, there = vector("", known), set(words(known.lower()))

    def likeness(text: str) -> float:
        own = words(text.lower())
        return float(here @ vector("", text)) + SAME * sum(one in there for one in own) / max(len(own), 1)

    if question.kind == CHOICE:
        weights = np.exp(SHARPNESS * np.array([likeness(option) for option in question.options]))
        return (weights / weights.sum()).tolist()
    yes = float(1 / (1 + np.exp(-SHARPNESS * (likeness(question.text) - 0.5))))
    if "game" in context and read().refused:
        yes /= 2  # where nothing is asked for, nothing is likelier than not
    if question.kind == YES_NO:
        return [yes, 1 - yes]
    levels = len(question.options)
    near = np.exp(-np.abs(np.arange(levels) - yes * (levels - 1)))
    return (near / near.sum()).tolist()


def _game(context: Mapping[str, Any]) -> str:
    game = context.get("game")
    if game not in language.games():
        known = ", ".join(language.games())
        raise ValueError(f"The embedded model answers questions about {known}, not {game!r}.")
    return game


Brought = TypeVar("Brought", bound=Part)


def _brought(part: type[Brought], game: str) -> Brought:
    found = part.brought(game)
    if found is None:
        raise ValueError(f"The reader of {game} has no {part.MODULE} to be asked about.")
    return found


@cache
def _keys(game: str) -> tuple[dict[str, str], dict[str, str]]:
    table = _brought(brings.Table, game)
    return {text: key for key, text in table.observations()}, {text: key for key, text in table.actions()}

"""The embedded model: reads the instruction into a program and evaluates the program on each question.
Offline, in milliseconds, for the yes/no questions of the games' own tables only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from engine import language
from engine.language.decisions.questions import YES_NO, Question

MODEL = "embedded-2"
"""Name and version of the embedded model."""


def answer(context: dict[str, Any], questions: Sequence[Question]) -> list[list[float]]:
    """[P(yes), P(no)] for each question.

    Raises ValueError for a game without questions, an instruction that can't be read, and a question about
    something else.
    """
    game = context.get("game")
    if game not in language.games():
        games = ", ".join(language.games())
        raise ValueError(f"The embedded model answers questions about {games}, not {game!r}.")
    reading = language.read(game, context.get("instruction", ""))
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    seen, moves = _keys(game)
    shares = []
    for question in questions:
        asked = question.asked
        if question.kind != YES_NO or not ({"action", "action_key"} & asked.keys()):
            raise ValueError(
                f"The embedded model answers whether to do something after something was seen; it can't "
                f"answer the {question.kind} question {question.text!r}."
            )
        try:
            observation = asked.get("observation_key") or seen[asked["observation"]]
            action = asked.get("action_key") or moves[asked["action"]]
        except KeyError as missing:
            raise ValueError(f"The embedded model does not know {missing.args[0]!r}.") from None
        yes = float(_table(game).answer(reading.program, observation, action))
        shares.append([yes, 1 - yes])
    return shares


def _table(game: str) -> ModuleType:
    return import_module(f"engine.language.{game}.table")


@cache
def _keys(game: str) -> tuple[dict[str, str], dict[str, str]]:
    table = _table(game)
    return {text: key for key, text in table.observations()}, {text: key for key, text in table.actions()}

"""`decide`: the one door to a language model. Yes/no questions about a game go in, probabilities of yes come
out.

Behind it, so far, is the embedded model alone: it reads the instruction into a program and evaluates the
program on each question. A language model is never asked inside a tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from engine.language.arena import table as arena
from engine.language.arena.reader import read as read_arena
from engine.language.hanabi import table as hanabi
from engine.language.hanabi.reader import read as read_hanabi
from engine.language.overcooked import table as overcooked
from engine.language.overcooked.reader import read as read_overcooked

MODEL = "embedded-1"
"""Name and version of the model that answers; part of every cache key."""
_GAMES: dict[str, tuple[Any, Any]] = {
    "arena": (read_arena, arena),
    "hanabi": (read_hanabi, hanabi),
    "overcooked": (read_overcooked, overcooked),
}


def decide(context: dict[str, Any], questions: Sequence[dict[str, str]]) -> np.ndarray:
    """P(yes) for each question, float32 (len(questions),).

    `context`: {"game": "arena", "hanabi" or "overcooked", "instruction": text}. A question is {"observation",
    "action"}, as text or, faster, with their keys ("observation_key", "action_key"). Raises ValueError for a
    game without questions, an instruction that can't be read, and a question about something else.
    """
    game = context.get("game")
    if game not in _GAMES:
        raise ValueError(f"The embedded model answers questions about {', '.join(_GAMES)}, not {game!r}.")
    read, model = _GAMES[game]
    reading = read(context.get("instruction", ""))
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    seen, moves = _keys(game)
    out = np.empty(len(questions), np.float32)
    for i, question in enumerate(questions):
        try:
            observation = question.get("observation_key") or seen[question["observation"]]
            action = question.get("action_key") or moves[question["action"]]
        except KeyError as missing:
            raise ValueError(f"The embedded model does not know {missing.args[0]!r}.") from None
        out[i] = model.answer(reading.program, observation, action)
    return out


@cache
def _keys(game: str) -> tuple[dict[str, str], dict[str, str]]:
    model = _GAMES[game][1]
    return {text: key for key, text in model.observations()}, {text: key for key, text in model.actions()}

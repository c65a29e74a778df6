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

from engine.language.hanabi import table as hanabi
from engine.language.hanabi.reader import read

MODEL = "embedded-1"
"""Name and version of the model that answers; part of every cache key."""


def decide(context: dict[str, Any], questions: Sequence[dict[str, str]]) -> np.ndarray:
    """P(yes) for each question, float32 (len(questions),).

    `context`: {"game": "hanabi", "instruction": text}. A question is {"observation", "action"}, as text or,
    faster, with their keys ("observation_key", "action_key"). Raises ValueError for a game without
    questions, an instruction that can't be read, and a question about something else.
    """
    if context.get("game") != "hanabi":
        raise ValueError(f"The embedded model answers questions about hanabi, not {context.get('game')!r}.")
    reading = read(context.get("instruction", ""))
    if reading.refused or reading.program is None:
        raise ValueError(reading.sentence)
    seen, moves = _keys()
    out = np.empty(len(questions), np.float32)
    for i, question in enumerate(questions):
        try:
            observation = question.get("observation_key") or seen[question["observation"]]
            action = question.get("action_key") or moves[question["action"]]
        except KeyError as missing:
            raise ValueError(f"The embedded model does not know {missing.args[0]!r}.") from None
        out[i] = hanabi.answer(reading.program, observation, action)
    return out


@cache
def _keys() -> tuple[dict[str, str], dict[str, str]]:
    return {text: key for key, text in hanabi.observations()}, {text: key for key, text in hanabi.actions()}

"""Instructions: reading what a player typed, and turning the reading into a prior over moves or a goal.

One game, one module or package here with `read`, `prior` and `questions`; this file only finds it by name.
`decide` is the one door to a language model. Nothing here imports torch, steps a game, or asks a language
model inside a tick. What was typed is data: it is matched against words, never executed or formatted.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.language import meaning
from engine.language.decide import decide
from engine.language.reading import Reading
from engine.language.text import MAX_CHARACTERS, clean

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

__all__ = [
    "Reading",
    "by_grammar",
    "decide",
    "features",
    "games",
    "goals",
    "num_features",
    "prior",
    "priors",
    "progress",
    "progresses",
    "questions",
    "read",
    "refused",
    "warm",
]

_READERS = {
    "arena": "engine.language.arena",
    "hanabi": "engine.language.hanabi",
    "overcooked": "engine.language.overcooked",
}


def games() -> list[str]:
    """The games whose instructions can be read."""
    return sorted(_READERS)


def _reader(game: str) -> ModuleType:
    if game not in _READERS:
        raise ValueError(
            f"Instructions can be read for {', '.join(games())}; there is no reader for {game!r}."
        )
    return import_module(_READERS[game])


def _has_goals(reader: ModuleType) -> bool:
    """Whether it turns instructions into goals; a file of that name in its folder isn't the function."""
    return callable(getattr(reader, "goals", None))


def read(
    game: str, text: str, context: dict[str, Any] | None = None, *, model: meaning.Model | None = None
) -> Reading:
    """What an agent understands from `text`. Never raises for any text; raises ValueError for an unknown
    game.

    `context`: what the page knows when somebody speaks, for games with goals (engine.language.arena.reader).
    The game's own reader reads the words, and a model weighs what it made of them (meaning.py). `model`:
    another one than the site's.
    """
    reading = by_grammar(game, text, context)
    if not isinstance(text, str) or not clean(text) or len(text) > MAX_CHARACTERS:
        return reading
    return meaning.understand(game, text, reading, refused(game, reading).sentence, model)


def refused(game: str, reading: Reading) -> Reading:
    """The reading of the same text, had it meant nothing in the game."""
    can_read = import_module(f"{_READERS[game]}.say").CAN_READ
    sentence = f"I could not read that. I can read {can_read}."
    return replace(reading, refused=True, sentence=sentence, confidence=0.0, program=None, alternatives=[])


def by_grammar(game: str, text: str, context: dict[str, Any] | None = None) -> Reading:
    """What the words alone say: `read` without the model. For measuring."""
    reader = _reader(game)
    return reader.read(text, context) if _has_goals(reader) else reader.read(text)


def warm() -> None:
    """Load what the readers compile and look up at their first text: a second that nobody who types should
    wait for.
    """
    for game in games():
        read(game, "warm up")


def prior(game: str, program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """The program's preference among the moves of `seat` in `sim`, float32 (num_actions,), in logit units.

    0 where the instruction says nothing. It is added to a policy's logits, so illegal moves stay illegal.
    """
    return _reader(game).prior(program, sim, seat)


def priors(game: str, programs: list[dict[str, Any]], sim: Simulation, seat: int) -> np.ndarray:
    """The prior of all instructions to a seat together, oldest first.

    Less than the sum in games where a later instruction replaces what it contradicts.
    """
    reader = _reader(game)
    if hasattr(reader, "priors"):
        return reader.priors(programs, sim, seat)
    return sum((reader.prior(p, sim, seat) for p in programs), np.zeros(sim.num_actions, np.float32))


def goals(game: str, programs: list[dict[str, Any]], sim: Simulation, seat: int) -> np.ndarray:
    """What all instructions to a seat, oldest first, ask of it now, for policies that get it as an input:
    int16 (goal_size,), zeros if nothing is asked or in games without goals.
    """
    reader = _reader(game)
    if _has_goals(reader):
        return reader.goals(programs, sim, seat)
    return np.zeros(sim.spec.goal_size, np.int16)


def progress(game: str, program: dict[str, Any], sim: Simulation, seat: int) -> dict[str, str]:
    """How far a seat has got: {"state": "waiting" | "obeying" | "done", "text": short words}.

    A convention, as in Hanabi, is obeyed until it is withdrawn.
    """
    return progresses(game, [program], sim, seat)[0]


def progresses(game: str, programs: list[dict[str, Any]], sim: Simulation, seat: int) -> list[dict[str, str]]:
    """`progress` of all instructions to a seat, oldest first: one that a later one replaced is done."""
    reader = _reader(game)
    if hasattr(reader, "progresses"):
        return reader.progresses(programs, sim, seat)
    return [{"state": "obeying", "text": ""} for _ in programs]


def questions(game: str) -> list[dict[str, str]]:
    """Every yes/no question that a prior over (what the partner did, what to do) consists of."""
    return _reader(game).questions()


def features(game: str, program: dict[str, Any] | None) -> np.ndarray:
    """The program as float32 (num_features(game),); zeros for no program."""
    return _features(game).features(program)


def num_features(game: str) -> int:
    """Length of `features`."""
    return int(_features(game).NUM_FEATURES)


def _features(game: str) -> ModuleType:
    return import_module(f"engine.language.{game}.features")

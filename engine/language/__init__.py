"""Instructions: reading what a player typed, and turning the reading into a prior over moves or a goal.

A game whose agents understand instructions brings a folder `language` with `read`, `prior` and `questions`;
this file finds it by name. In other games (silent.py) no text is understood, and the reading says so.
`decide` is the only way to a language model. Nothing here imports torch, steps a game, or asks a language
model inside a tick. What was typed is data: it is matched against words, never executed or formatted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import brings
from engine import games as registry
from engine.language import bank, foreign, people, silent, written
from engine.language.decide import decide as decide
from engine.language.reading import Reading as Reading
from engine.language.text import MAX_CHARACTERS, clean
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation


def games() -> list[str]:
    """The games whose instructions can be read."""
    return [name for name in registry.names() if registry.brings(name, room="language")]


def _reader(game: str) -> brings.Reader:
    reader = brings.Reader.brought(game)
    if reader is None and not registry.brings(game):
        raise ValueError(f"There is no game {game!r}; the games are {', '.join(registry.names())}.")
    return reader or brings.Reader(silent)


def _has_goals(game: str) -> bool:
    """Whether a game's instructions are turned into goals."""
    return _reader(game).goals is not None


def read(game: str, text: str, context: dict[str, Any] | None = None) -> Reading:
    """The reading of `text`. No text makes it raise; raises ValueError for an unknown game. `context`: what
    the page knows: who is there (people.py), in games with goals what the speaker looks at ("aim"), and the
    game's "options": what can never be done with them isn't carried out. A model writes the program
    (model.py); the confidence says how likely the whole of it is what was meant, exactly as it is carried out
    (chance.py).
    """
    reader = _reader(game)
    if problem := unreadable(game, text):
        return Reading(str(text or "")[:MAX_CHARACTERS], True, problem)
    if brings.Language.brought(game) is None:
        return reader.read(text)
    rest, to = spoken_to(game, text, context)
    if to is not None:
        return replace(read(game, rest, context), text=text, to=to)
    meant, about = about_players(game, text, context)
    if about and not meant:
        return people.unlike(text, about)
    if name := people.stranger(game, meant, knows_seats=_has_goals(game)):
        return people.unknown(text, name)
    here = context or {}
    reading = written.read(game, meant, here.get("aim"), here.get("options"))
    return replace(reading, text=text, unread=[*reading.unread, *about])


def unreadable(game: str, text: Any) -> str:
    """Why a text can't be read whatever it says; "" where it can."""
    if not isinstance(text, str) or not clean(text):
        return f"Nothing was typed. {can_read(game)}"
    if len(text) > MAX_CHARACTERS:
        return f"That is too long for me: I read up to {MAX_CHARACTERS:,} characters at once."
    return ""


def can_read(game: str) -> str:
    """What can be read in a game, in a sentence."""
    say = brings.Say.brought(game)
    return f"I can read {say.CAN_READ}." if say and say.CAN_READ else silent.SENTENCE


def spoken_to(game: str, text: str, context: dict[str, Any] | None) -> tuple[str, int | None]:
    """The text without whom it calls by name, and that seat, in games whose instructions know no seats."""
    return (text, None) if _has_goals(game) else people.addressed(game, text, context)


def about_players(game: str, text: str, context: dict[str, Any] | None) -> tuple[str, list[str]]:
    """The text with "player 2" for names, and the part of it that is about players whom the game's programs
    can't distinguish.
    """
    knows_seats = _has_goals(game)
    named = people.placed(game, text, context, knows_seats)
    is_told = bool((context or {}).get("names")) and not knows_seats
    return people.without_others(named, text) if is_told else (named, [])


def refused(game: str, reading: Reading) -> Reading:
    """The reading of the same text as if it meant nothing in the game."""
    sentence = f"I could not read that. {can_read(game)}"
    return replace(reading, refused=True, sentence=sentence, confidence=0.0, program=None, alternatives=[])


def meant(game: str, text: str, number: int = 0) -> Reading:
    """The reading that somebody chose: the first one (0), or the alternative of that number (from 1 on).
    Raises ValueError, with a sentence, for a text that asks for nothing and for a number without alternative.
    """
    reading = read(game, text)
    if number:
        if number > len(reading.alternatives):
            raise ValueError(f"“{text}” has no reading {number}; it has {len(reading.alternatives)} others.")
        return replace(reading, refused=False, talk=False, **reading.alternatives[number - 1])
    if reading.refused or reading.program is None:
        raise ValueError(f"The instruction “{text}” can't be followed: {reading.sentence}")
    return reading


def warm() -> None:
    """Load what reading a first text needs, which takes a second."""
    for game in games():
        for text in bank.ready(game, 1):
            found = read(game, text)
            if found.program and (wants := brings.Wants.brought(game)):
                wants.of_program(found.program)
            read(game, f"{text} now")
    foreign.answer("")


def prior(game: str, program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """The program's preference among the moves of `seat` in `sim`, float32 (num_actions,), in logits. 0 where
    the instruction says nothing. It is added to a policy's logits, so illegal moves stay illegal.
    """
    return _reader(game).prior(program, sim, seat)


def priors(game: str, programs: list[dict[str, Any]], sim: Simulation, seat: int) -> np.ndarray:
    """The prior of all instructions of a seat together, oldest first. It is less than their sum in games in
    which a later instruction replaces what it contradicts.
    """
    reader = _reader(game)
    if reader.priors:
        return reader.priors(programs, sim, seat)
    return sum((reader.prior(p, sim, seat) for p in programs), np.zeros(sim.num_actions, np.float32))


def asks(game: str) -> float:
    """From how many logits of a prior on a move counts as asked for, or forbidden; a smaller value only
    decides among several moves. 0 in games without this distinction.
    """
    return _reader(game).ASKS


FIRMNESS = {"strict": 1.0, "sensible": 0.2}
"""The share of its weight that an instruction has: to be obeyed to the letter, or where that costs little."""


def has_firmness(game: str) -> bool:
    """Whether instructions of a game can be given more or less firmly."""
    return _reader(game).softened is not None


def softened(game: str, program: dict[str, Any], share: float) -> dict[str, Any]:
    """The program with a share of its weight, between 0 and 1: to be obeyed only where that costs little. The
    program itself in games whose instructions have no weights.
    """
    weaken = _reader(game).softened
    return weaken(program, share) if weaken and share != 1 else program


def goals(game: str, programs: list[dict[str, Any]], sim: Simulation, seat: int) -> np.ndarray:
    """The goal that follows now from all instructions of a seat, oldest first, for policies that have it as
    an input: int16 (goal_size,); zeros if there is none, and in games without goals.
    """
    made = _reader(game).goals
    return made(programs, sim, seat) if made else np.zeros(sim.spec.goal_size, np.int16)


def progress(game: str, program: dict[str, Any], sim: Simulation, seat: int) -> dict[str, str]:
    """How far a seat has got: {"state": "waiting" | "obeying" | "done" | "unable" | "out"
    (engine.simulation.life), "text": short words}. A convention, as in Hanabi, is obeyed until it is
    withdrawn.
    """
    return progresses(game, [program], sim, seat)[0]


def progresses(game: str, programs: list[dict[str, Any]], sim: Simulation, seat: int) -> list[dict[str, str]]:
    """`progress` of all instructions of a seat, oldest first; one that a later one replaced is done."""
    own = _reader(game).progresses
    return own(programs, sim, seat) if own else [{"state": State.OBEYING, "text": ""} for _ in programs]


def look_every(game: str) -> int:
    """Ticks between two looks at what people are shown of an instruction: `progresses`, chips, reasons."""
    return _reader(game).LOOK_EVERY


def remaining(
    game: str, programs: list[dict[str, Any]], sim: Simulation, seat: int
) -> list[dict[str, Any] | None]:
    """What is left of each of a seat's instructions, oldest first, after later ones have replaced what they
    contradict: the program itself if nothing was replaced, None if everything was or if it is meant for
    others. Applying this to the result changes nothing.
    """
    left = _reader(game).remaining
    return left(programs, sim, seat) if left else list(programs)


def defaults(game: str, options: dict[str, Any], people: list[int]) -> dict[int, dict[str, Any]]:
    """The program that each agent beside people (their seats) follows in a match with these complete options
    as long as no instruction says otherwise: {seat: program}; none in most games.
    """
    made = _reader(game).defaults
    return made(options, people) if made else {}


def together(game: str, programs: list[dict[str, Any]]) -> np.ndarray:
    """Features of all of these programs, float32 (num_features(game),), for networks that read
    instructions.
    """
    rows = [features(game, program) for program in programs]
    return np.max(rows, axis=0) if rows else features(game, None)


def questions(game: str) -> list[dict[str, str]]:
    """Every yes/no question (what the partner did, what to do) of which a prior consists: {"observation",
    "action", "question", "observation_key", "action_key"}.
    """
    table = brings.Table.brought(game)
    return [
        {
            "observation": seen,
            "action": move,
            "question": f"Should I {move}?",
            "observation_key": seen_key,
            "action_key": move_key,
        }
        for seen_key, seen in (table.observations() if table else ())
        for move_key, move in (table.actions() if table else ())
    ]


def features(game: str, program: dict[str, Any] | None) -> np.ndarray:
    """The program as float32 (num_features(game),); zeros for no program."""
    return _features(game).features(program)


def num_features(game: str) -> int:
    """Length of `features`."""
    return _features(game).NUM_FEATURES


def features_version(game: str) -> int:
    """The version of these features: a network reads them in the version that it learned."""
    return _features(game).FEATURES_VERSION


def _features(game: str) -> brings.ReadFeatures:
    return brings.ReadFeatures.brought(game) or brings.ReadFeatures(silent)

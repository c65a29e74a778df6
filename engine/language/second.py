"""A second opinion on an instruction: a language model is asked, through `decide`, what the text means, in a
few dozen choices that make up a reading (<game>/choices.py). The embedded reading is still used: for places
and numbers, as one of the other readings, and if no model answers.

Not for ticks: the caller waits for the model. The answer is kept as `Opinion`, plain data that can be applied
to the text again without waiting (`applied`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engine import brings, language
from engine.language import meaning
from engine.language.decide import STOOD_IN, ask
from engine.language.decisions.settings import Settings
from engine.language.reading import Reading
from engine.language.sureness import ENOUGH, left_out

SURE = 0.8
"""Readings at least so sure, without a word left out or another meaning, need no second opinion."""
ALONE = 0.45
"""How sure a reading is at most that only the language model has: how often it is right isn't known, so it is
asked about (less than sureness.ENOUGH)."""


@dataclass(frozen=True)
class Opinion:
    """A language model's reading of a text. `labels`: of the choices it made, none if the text asks for
    nothing; None if no model answered, and `notice` says why. `sure`: its mean probability of them. `model`:
    which model answered.
    """

    labels: list[str] | None
    sure: float = 0.0
    model: str = ""
    notice: str = ""
    usage: dict[str, Any] = field(default_factory=dict)


def needed(reading: Reading) -> bool:
    """Whether a reading leaves anything open."""
    if reading.talk:
        return False
    return reading.refused or reading.confidence < SURE or bool(reading.unread or reading.alternatives)


def opinion(game: str, text: str, settings: Settings, anew: bool = False) -> Opinion:
    """Ask what a text means; takes as long as the model does. Raises ValueError for an unknown game and for
    invalid settings.
    """
    asked = _choices(game)
    questions = asked.choices()
    context = {"game": game, "about": asked.ABOUT, "instruction": text}
    decision = ask(context, questions, settings, anew=anew)
    usage = asdict(decision.usage)
    if decision.stood_in:
        return Opinion(None, notice=decision.notice, usage=usage)
    best = [max(shares, key=shares.__getitem__) for shares in decision.probabilities]
    labels = asked.labels({one["key"]: choice for one, choice in zip(questions, best, strict=True)})
    if len(labels) > asked.MOST:
        nonsense = f"{decision.model} found {len(labels)} wishes in one instruction, which none has."
        return Opinion(None, notice=f"{nonsense} {STOOD_IN}", usage=usage)
    shares = [shares[choice] for shares, choice in zip(decision.probabilities, best, strict=True)]
    return Opinion(labels, round(sum(shares) / len(shares), 3), decision.model, decision.notice, usage)


def applied(
    game: str,
    text: str,
    opinion: Opinion,
    context: dict[str, Any] | None = None,
    reading: Reading | None = None,
) -> Reading:
    """The reading of a text with an opinion; `reading`: the one without it, where it is at hand. Raises
    ValueError for an unknown game and for unknown labels.
    """
    rest, to = language.spoken_to(game, text, context)
    if to is not None:
        return replace(applied(game, rest, opinion, context, reading), text=text, to=to)
    reading = reading or language.read(game, text, context)
    meant, about = language.about_players(game, text, context)
    stands = about and not meant or reading.refused and language.stranger(game, meant, reading.unread)
    if opinion.labels is None or stands:
        return reading
    asked, program = _choices(game), reading.program
    if not opinion.labels:
        keeps = reading.refused or reading.confidence >= ENOUGH
        return reading if keeps else language.refused(game, reading)
    if program and asked.labels(asked.said(meaning.row_of(game, program))) == opinion.labels:
        # An exception that neither can say is left out by both.
        sure = reading.confidence if left_out(game, reading) else max(reading.confidence, opinion.sure)
        return replace(reading, confidence=sure)
    try:
        first = asked.option(opinion.labels, meant, program)
    except (KeyError, ValueError, IndexError) as problem:
        raise ValueError(f"{opinion.labels} are no labels of {game}: {problem}.") from None
    others = [{"sentence": reading.sentence, "program": program}] if program else []
    others = [one for one in [*others, *reading.alternatives] if one["sentence"] != first["sentence"]]
    return replace(
        reading,
        refused=False,
        sentence=first["sentence"],
        program=first["program"],
        confidence=min(opinion.sure, ALONE),
        alternatives=others[: meaning.OFFERED],
    )


def _choices(game: str) -> brings.Choices:
    found = brings.Choices.brought(game)
    if found is None:
        raise ValueError(f"Instructions can be read for {', '.join(language.games())}, not for {game!r}.")
    return found

"""A second opinion on an instruction: a language model is asked, through `decide`, which of the readings that
are offered the text means.

Not for ticks: the caller waits for the model. The answer is kept as `Opinion`, plain data that can be applied
to the text again without waiting (`applied`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engine import brings, language
from engine.language.chance import ENOUGH
from engine.language.decide import ask
from engine.language.decisions.settings import Settings
from engine.language.declared import parse
from engine.language.reading import Reading
from engine.language.written import OFFERED

ALONE = 0.45
"""How sure a reading is at most that only the language model puts first: how often it is right isn't known,
so it is asked about (less than chance.ENOUGH)."""
QUESTION = "Your fellow player typed the instruction. What is it, as you would say it?"
NOTHING = "Nothing: it asks for nothing that can be done in the game."


@dataclass(frozen=True)
class Opinion:
    """What a language model takes a text for. `program`: the notation of one of its readings (the program's
    "means"), "" if the text asks for nothing; None if no model answered, and `notice` says why. `sure`: the
    model's probability of it. `model`: which model answered.
    """

    program: str | None
    sure: float = 0.0
    model: str = ""
    notice: str = ""
    usage: dict[str, Any] = field(default_factory=dict)


def needed(reading: Reading) -> bool:
    """Whether a reading leaves anything open that a model can be asked about."""
    if reading.talk or not _offered(reading):
        return False
    return reading.refused or reading.confidence < ENOUGH or bool(reading.unread)


def opinion(
    game: str, text: str, settings: Settings, anew: bool = False, context: dict[str, Any] | None = None
) -> Opinion:
    """Ask what a text means; takes as long as the model does, and no time where nothing is offered.
    `context`: as in engine.language.read. Raises ValueError for a game whose language isn't declared and for
    invalid settings.
    """
    about = _declared(game).DECLARED.about
    offered = _offered(language.read(game, text, context))
    if not offered:
        return Opinion("")
    asked = {"question": QUESTION, "choices": [*offered, NOTHING], "reads": True}
    decision = ask({"game": game, "about": about, "instruction": text}, [asked], settings, anew=anew)
    usage = asdict(decision.usage)
    if decision.stood_in:
        return Opinion(None, notice=decision.notice, usage=usage)
    (shares,) = decision.probabilities
    best = max(shares, key=shares.__getitem__)
    program = "" if best == NOTHING else offered[best]["means"]
    return Opinion(program, round(shares[best], 3), decision.model, decision.notice, usage)


def applied(
    game: str,
    text: str,
    opinion: Opinion,
    context: dict[str, Any] | None = None,
    reading: Reading | None = None,
) -> Reading:
    """The reading of a text with an opinion; `reading`: the one without it, where it is at hand. What isn't
    offered any more changes nothing. Raises ValueError for an unknown game and for what is no program of the
    game.
    """
    reading = reading or language.read(game, text, context)
    if opinion.program is None or reading.never:
        return reading
    if not opinion.program:
        keeps = reading.refused or reading.confidence >= ENOUGH
        return reading if keeps else language.refused(game, reading)
    parse(_declared(game).DECLARED, opinion.program)
    offered = _offered(reading)
    chosen = next((one for one in offered if offered[one]["means"] == opinion.program), None)
    if chosen is None:
        return reading
    if offered[chosen] == reading.program:
        # What is left out of the reading is so whoever reads.
        sure = reading.confidence if reading.unread else max(reading.confidence, opinion.sure)
        return replace(reading, confidence=sure)
    others = [{"sentence": one, "program": program} for one, program in offered.items() if one != chosen]
    return replace(
        reading,
        refused=False,
        sentence=chosen,
        program=offered[chosen],
        confidence=min(opinion.sure, ALONE),
        alternatives=others[:OFFERED],
    )


def _offered(reading: Reading) -> dict[str, dict[str, Any]]:
    """The programs that a reading offers, by their sentences; its own is the first. None where something can
    never be done: the game says why, and the player chooses.
    """
    if reading.never:
        return {}
    own = {} if reading.refused else {reading.sentence: reading.program}
    every = own | {one["sentence"]: one["program"] for one in reading.alternatives}
    return {sentence: program for sentence, program in every.items() if program and "means" in program}


def _declared(game: str) -> brings.Language:
    found = brings.Language.brought(game)
    if found is None:
        raise ValueError(f"Instructions can be read for {', '.join(language.games())}, not for {game!r}.")
    return found

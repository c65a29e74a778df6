"""Readings of texts, from the programs that the model writes (model.py): what is carried out, what isn't and
why, how sure that is, and what else the text may mean.

Not for names of players (people.py), nor for how a program is followed (each game's `language/carried.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine import brings, games
from engine.language import bank, chance, foreign
from engine.language import text as typed
from engine.language.declared import CONDITIONS, FLAGS, SPEECH, Carried, Clause, notation, parse, values
from engine.language.lost import lost
from engine.language.model import Model, shipped
from engine.language.reading import Reading

OFFERED = 3
"""How many other readings are offered at most."""
FARTHEST = 4.5
"""By how much, in log odds, another reading is less likely than the first at most to be offered."""
LEFT = 0.45
"""How sure a reading is at most of which a part isn't carried out, or that contradicts itself: it is asked
about.
"""
KNOWN = 0.99
"""How sure the reading of a text is that somebody has written down with its program."""
FEWEST_LETTERS = 2
HEARD = "That is talk: I heard it, and what you told me before stays as it is."
CANNOT = "That is something I have no move for."
WISH = "That asks nothing of me; a plan of ours would go by it."
UNLEARNED = "I have not learned yet what is said in this game: `./manage.py reader train` teaches it."
NOBODY = "Nobody in this game can follow instructions yet."
QUESTION = "That is a question. I can't answer in words; what you told me before stays as it is."
DOES = {
    "cancel": "I forget what you asked of me.",
    "undo": "I forget the last thing that you asked of me.",
    "again": "I go back to what you had asked of me before.",
    "redirect": "I leave that to the other one.",
}
"""What a text does to earlier instructions, as the agent says it."""
UNSURE = "Am I to forget something? Withdraw it in the list of instructions."
WITHDRAW = "Withdraw it when it is to end."
AFTER = "So I leave what was to come after that."
Option = dict[str, Any]
"""{"sentence", "program", "left", "never"}: what would be carried out, None for nothing, what would not, and
whether the game's options are why."""


def read(
    game: str, text: str, aim: dict[str, Any] | None = None, options: dict[str, Any] | None = None
) -> Reading:
    """The reading of a text without names; `aim`: where the speaker looks; `options`: of the game, None where
    they aren't known. No text makes it raise.
    """
    cleaned = typed.clean(text)
    if len(re.findall(r"[^\W\d_]", cleaned)) < FEWEST_LETTERS:
        return _refused(text, f"I could not read that. I can read {brings.Say.of(game).CAN_READ}.", [])
    programs, sure, without = _programs(shipped(), game, text, bank.known(game, text))
    if not programs:
        return _refused(text, UNLEARNED, [])
    first = programs[0]
    acts = {clause["act"] for clause in first}
    if does := next((act for act in DOES if act in acts), ""):
        rest = [clause for clause in first if clause["act"] not in (*DOES, "talk")]
        if rest and does in ("cancel", "undo"):
            reading = replace(_of(game, text, [rest], sure, aim, options), unread=without)
            return reading if reading.refused else _after(DOES[does], replace(reading, does=does))
        is_sure = sure >= chance.ENOUGH and not rest
        return Reading(text, True, DOES[does] if is_sure else UNSURE, talk=True, does=does if is_sure else "")
    if acts == {"talk"}:
        kind = first[0].get("kind")
        answer = foreign.answer(cleaned) if kind == "foreign" else QUESTION if kind == "question" else HEARD
        return Reading(text, True, answer, talk=True)
    return replace(_of(game, text, programs, sure, aim, options), unread=without)


def _of(
    game: str,
    text: str,
    programs: list[list[Clause]],
    sure: float,
    aim: dict[str, Any] | None,
    options: dict[str, Any] | None,
) -> Reading:
    """The reading of a text that may mean some programs, the likeliest first."""
    own = option(game, programs[0], aim, options)
    near = [*_instead(game, programs[0], options), *programs[1:], *_nearer(programs[0], own)]
    others = _distinct([option(game, clauses, aim, options) for clauses in near])
    is_wish = brings.Planning.brought(game) and all(_keeps_from(clause) for clause in programs[0])
    if own["program"] is None and is_wish:
        wish = notation(brings.Language.of(game).DECLARED, programs[0])
        return Reading(text, True, WISH, sure, alternatives=others[:OFFERED], wish=wish)
    if own["program"] is None:
        refused = _refused(text, own["left"][0] if own["left"] else CANNOT, others)
        return replace(refused, never=own["never"])
    return Reading(
        text,
        False,
        own["sentence"],
        min(sure, LEFT) if own["left"] or chance.torn(programs[0]) else sure,
        own["program"],
        [],
        [other for other in others if other["sentence"] != own["sentence"]][:OFFERED],
        never=own["never"],
    )


def _keeps_from(clause: Clause) -> bool:
    """Whether it says what the speaker won't do."""
    return bool(clause.get("not")) and values(clause, "by") == ["me"]


def _after(first: str, reading: Reading) -> Reading:
    """A reading, and what else it offers, told after another sentence."""
    others = [{**other, "sentence": f"{first} {other['sentence']}"} for other in reading.alternatives]
    return replace(reading, sentence=f"{first} {reading.sentence}", alternatives=others)


def _refused(text: str, sentence: str, others: list[dict[str, Any]]) -> Reading:
    return Reading(text, True, sentence, alternatives=others[:OFFERED])


def option(
    game: str, clauses: list[Clause], aim: dict[str, Any] | None, options: dict[str, Any] | None = None
) -> Option:
    follows = brings.CarriedOut.brought(game)
    can, left = _can(game, clauses, options)
    never = bool(left)
    can, waits = _withdrawn(can)
    carried = follows.carried(can, aim) if can and follows else Carried(None, () if follows else (NOBODY,))
    left += carried.left
    if carried.program is None:
        return {"sentence": "", "program": None, "left": left, "never": never}
    program = {**carried.program, "means": notation(brings.Language.of(game).DECLARED, can)}
    return {
        "sentence": " ".join([brings.Say.of(game).sentence(program), *waits, *left]),
        "program": program,
        "left": left,
        "never": never,
    }


def _can(game: str, clauses: list[Clause], options: dict[str, Any] | None) -> tuple[list[Clause], list[str]]:
    """The clauses without what nobody can ever do in such a game and what was to come after it, and why. What
    comes after is done where what is nearest to it is done before.
    """
    can: list[Clause] = []
    left: list[str] = []
    is_stuck = False
    for clause in clauses:
        if is_stuck and clause.get("then"):
            return can, [*left, AFTER]
        why, nearest = _never(game, clause, options)
        if why:
            left.append(f"{why}.")
            is_stuck = is_stuck or nearest is None or nearest["act"] not in {one["act"] for one in can}
        else:
            can.append(clause)
    return can, left


def _withdrawn(clauses: list[Clause]) -> tuple[list[Clause], list[str]]:
    """The clauses without “until I say so” where nothing is to come after that, and what is said then: what
    is in force holds until it is withdrawn.
    """
    after = max((at for at, clause in enumerate(clauses) if clause.get("then")), default=0)
    ends = [
        at >= after and values(clause, "until") == ["signal"] and values(clause, "by") != ["me"]
        for at, clause in enumerate(clauses)
    ]
    kept = [
        {name: value for name, value in clause.items() if not end or name != "until"}
        for clause, end in zip(clauses, ends, strict=True)
    ]
    return kept, [WITHDRAW] if any(ends) else []


def _never(game: str, clause: Clause, options: dict[str, Any] | None) -> tuple[str, Clause | None]:
    """Why what a clause asks for can never be done, "" if it can, and what is nearest to it."""
    follows, others = brings.CarriedOut.brought(game), values(clause, "by") not in ([], ["both"])
    if follows is None or options is None or others or clause.get("not") or clause["act"] in SPEECH:
        return "", None
    return follows.never(clause, games.spec(game).validate(options))


def _instead(game: str, clauses: list[Clause], options: dict[str, Any] | None) -> Iterator[list[Clause]]:
    """The program with what is nearest to what can never be done, where there is such a thing."""
    nearest = [_never(game, clause, options)[1] or clause for clause in clauses]
    acts = {clause["act"] for clause in clauses}
    if nearest != clauses:
        both = zip(nearest, clauses, strict=True)
        yield [one for one, was in both if one["act"] == was["act"] or one["act"] not in acts]


def _nearer(clauses: list[Clause], own: Option) -> Iterator[list[Clause]]:
    """Programs near one of which something isn't carried out: without a slot that says how or what exactly.
    Never without a negation, a condition, or whose act it is.
    """
    if not own["left"] or any(clause["act"] in SPEECH for clause in clauses):
        return
    for at, clause in enumerate(clauses):
        for name in clause:
            if name not in ("act", "then", "by", *FLAGS, *CONDITIONS):
                less = {key: value for key, value in clause.items() if key != name}
                yield [*clauses[:at], less, *clauses[at + 1 :]]


def _distinct(options: list[Option]) -> list[dict[str, Any]]:
    """{"sentence", "program"} of those that carry anything out, each once."""
    found = {
        option["sentence"]: {"sentence": option["sentence"], "program": option["program"]}
        for option in reversed(options)
        if option["program"]
    }
    return list(reversed(found.values()))


@lru_cache(maxsize=512)
def _programs(
    model: Model, game: str, text: str, known: str | None
) -> tuple[list[list[Clause]], float, list[str]]:
    """What a text may mean, the likeliest first, the chance of that one, and the parts of the text that it
    has lost. `known`: the notation of its program where it is a phrasing; nothing else is read in games whose
    language the model hasn't learned.
    """
    right = [parse(brings.Language.of(game).DECLARED, known)] if known else []
    if game not in model.vocabulary.languages:
        return right, KNOWN, []
    written = model.read(game, text)
    near = (one.clauses for one in written[1:] if written[0].odds - one.odds < FARTHEST)
    programs = [written[0].clauses, *(clauses for clauses in near if not chance.torn(clauses))]
    if right:
        return [*right, *(one for one in programs if one != right[0])], KNOWN, []
    without = lost(model, game, text, programs[0])
    return programs, chance.of(game, text, written, without), without

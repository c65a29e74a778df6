"""What the model that writes programs learns from, made anew each epoch.

The texts of `language/phrasings/programs.tsv` with their programs; a part of them is joined with another
wish, stands beside talk, or is typed in a hurry.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engine import brings
from engine.language import bank
from engine.language import text as typed
from engine.language.declared import MOST_CLAUSES, SPEECH, Clause, Declared, ordered, parse, values
from engine.language.vocabulary import Vocabulary

TOKENS = 32 * 24
"""About how many tokens of text a batch holds."""
STEP = 16
"""To how many characters the lengths are rounded by which a batch is filled: processors prepare their kernels
for each size of a batch, so there are few.
"""
LONGEST = 220
"""Characters of a text: of a longer one the encoder doesn't see the end."""
MISTYPED, JOINED, CHATTY, RENUMBERED = 0.3, 0.4, 0.12, 0.5
"""Shares of the texts that are typed in a hurry, have another wish after them, stand beside talk, and of
those with numbers that get other ones.
"""
JOINTS = (". ", ", ", " and ", "; ", " ", " also ", " and also ", "\n", " - ", " + ", ". and ")
THEN = (" then ", " and then ", ", then ", ". then ", ", after that ", " -> ", " and afterwards ")
KEYS = {
    **{"a": "sq", "e": "wr", "i": "uo", "o": "ip", "t": "ry"},
    **{"n": "bm", "s": "ad", "r": "et", "l": "k", "h": "gj"},
}
"""The neighbours of frequent letters on the keyboard."""
_DIGITS = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
AROUND = ("thanks", "chat", "report", "complaint", "insult", "sorry")
"""Kinds of talk that people put beside a wish."""


@dataclass(frozen=True)
class Sample:
    """A text and its program, or, where there are `labels`, those."""

    game: str
    text: str
    clauses: list[Clause]
    labels: tuple[str, ...] | None = None


Batch = list[tuple[Sample, list[int]]]
"""Samples of about the same length, each with the tokens to be written."""


@dataclass
class Material:
    """`wishes`: those of the samples, by game, that ask for something; `around`: talk, by game, of all games
    where one has none.
    """

    samples: list[Sample] = field(default_factory=list)
    labelled: list[Sample] = field(default_factory=list)
    wishes: dict[str, list[Sample]] = field(default_factory=dict)
    around: dict[str, list[str]] = field(default_factory=dict)


def of(languages: Iterable[Declared]) -> Material:
    """What the games bring: programs.tsv of each, and the labels of its bank in games that declare labels."""
    found = Material()
    for declared in languages:
        for text, program, source in bank.programs(declared.game):
            sample = Sample(declared.game, text, merged(declared, parse(declared, program.split(" || ")[0])))
            found.samples.append(sample)
            if source == "talk" and sample.clauses[0].get("kind") in AROUND:
                found.around.setdefault(declared.game, []).append(text)
        if declared.labels:
            own = brings.Labels.of(declared.game)
            rows = bank.bank(declared.game)
            found.labelled += [Sample(declared.game, row["text"], [], tuple(own.labels(row))) for row in rows]
    for sample in found.samples:
        if asks(sample):
            found.wishes.setdefault(sample.game, []).append(sample)
    every = [text for own in found.around.values() for text in own]
    found.around = {game: found.around.get(game, every) for game in found.wishes}
    return found


def epoch(vocabulary: Vocabulary, material: Material, rng: random.Random) -> list[Batch]:
    """All samples, each varied anew, in batches."""
    return batches(vocabulary, [varied(sample, material, rng) for sample in material.samples], rng)


def merged(declared: Declared, clauses: list[Clause]) -> list[Clause]:
    """The same program where one clause with several values stands for several ones beside each other that
    differ in one slot: one way to write what may be written in two is learned.
    """
    found = clauses[:1]
    for clause in clauses[1:]:
        name = _differing(declared, found[-1], clause)
        if name:
            found[-1] = {**found[-1], name: [*values(found[-1], name), *values(clause, name)]}
        else:
            found.append(clause)
    return ordered(declared, found)


def _differing(declared: Declared, one: Clause, other: Clause) -> str:
    """The slot, if it is the only one, of which two clauses that hold together have other values."""
    differ = [name for name in one | other if name != "then" and one.get(name) != other.get(name)]
    act = declared.act(one["act"])
    if len(differ) > 1 or other.get("then") or act is None or not set(differ) <= set(act.slots):
        return ""
    return next((name for name in differ if values(one, name) and values(other, name)), "")


def asks(sample: Sample) -> bool:
    """Whether a text asks for acts and nothing else."""
    return sample.labels is None and all(clause["act"] not in SPEECH for clause in sample.clauses)


def varied(own: Sample, material: Material, rng: random.Random) -> Sample:
    """A sample as it might be typed: with another one after it, with talk around it, in a hurry."""
    text, clauses = own.text, own.clauses
    if asks(own) and rng.random() < JOINED:
        for _ in range(rng.choice((1, 1, 1, 2))):
            other = rng.choice(material.wishes[own.game])
            if len(clauses) + len(other.clauses) > min(5, MOST_CLAUSES) or len(text) + len(other.text) > 180:
                break
            if any(_contradict(clause, before) for clause in other.clauses for before in clauses):
                continue
            later = rng.random() < 0.35 and not other.clauses[0].get("then")
            joint = rng.choice(THEN if later else JOINTS)
            text = text.rstrip(".!? ") + joint + _lowered(other.text)
            first = {**other.clauses[0], "then": True} if later else other.clauses[0]
            clauses = [*clauses, first, *other.clauses[1:]]
    if asks(own) and rng.random() < CHATTY:
        around, joint = rng.choice(material.around[own.game]), rng.choice((". ", ", ", " "))
        parts = (around, text) if rng.random() < 0.6 else (text, around)
        text = f"{parts[0].rstrip('. ')}{joint}{parts[1]}"
    if rng.random() < RENUMBERED:
        text, clauses = renumbered(text, clauses, rng)
    if rng.random() < MISTYPED and text.strip():
        text = mistyped(text, rng)
    if rng.random() < 0.3:
        text = text.lower().replace("'", "").rstrip(".!?")
    return Sample(own.game, text, clauses, own.labels)


def _contradict(one: Clause, other: Clause) -> bool:
    return one["act"] == other["act"] and one.get("not") != other.get("not")


def mistyped(text: str, rng: random.Random) -> str:
    """The text as typed in a hurry: a word lost, letters lost, doubled, turned or missed by a key."""
    words = text.split()
    if len(words) > 3 and rng.random() < 0.35:
        del words[rng.randrange(len(words))]
    for _ in range(rng.choice((0, 1, 1, 2))):
        at = rng.randrange(len(words))
        word = words[at]
        if len(word) < 3:
            continue
        place = rng.randrange(1, len(word) - 1)
        kind = rng.randrange(4)
        if kind == 0:
            word = word[:place] + word[place + 1 :]
        elif kind == 1:
            word = word[:place] + word[place] + word[place:]
        elif kind == 2:
            word = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        else:
            word = word[:place] + rng.choice(KEYS.get(word[place], word[place])) + word[place + 1 :]
        words[at] = word
    return " ".join(words)


def renumbered(text: str, clauses: list[Clause], rng: random.Random) -> tuple[str, list[Clause]]:
    """The same with other numbers, where a text writes numbers in digits that the program has: which number
    it is, is to be taken from the text, not from what is usual.
    """
    said = {value for clause in clauses for name in clause for value in values(clause, name)}
    there = sorted(
        {int(digits) for digits in _DIGITS.findall(text)} & {one for one in said if type(one) is int}
    )
    if not there:
        return text, clauses
    small = rng.sample(range(1, 6), 5)
    other = {
        number: small[number - 1] if 1 <= number <= 5 else rng.randrange(6, 100) if number > 5 else number
        for number in there
    }
    text = _DIGITS.sub(lambda digits: str(other.get(int(digits[0]), digits[0])), text)
    return text, [{name: _replaced(value, other) for name, value in clause.items()} for clause in clauses]


def _replaced(value: Any, other: dict[int, int]) -> Any:
    if isinstance(value, list):
        return [_replaced(one, other) for one in value]
    return other.get(value, value) if type(value) is int else value


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def batches(vocabulary: Vocabulary, samples: list[Sample], rng: random.Random) -> list[Batch]:
    """Samples of about the same length together, in any order; those that can't be written are left out."""
    written = [
        (own, vocabulary.written(own.game, _merged(vocabulary, own), typed.clean(own.text)))
        for own in samples
    ]
    kept = [(own, ids) for own, ids in written if ids is not None and len(own.text) < LONGEST]
    kept.sort(key=lambda pair: len(pair[0].text) + 8 * rng.random())
    found: list[Batch] = []
    at = 0
    while at < len(kept):
        about = len(kept[at][0].text) // STEP * STEP + STEP
        count = max(1, round(TOKENS / (about / 4 + 6)))
        found.append(kept[at : at + count])
        at += count
    rng.shuffle(found)
    return found


def _merged(vocabulary: Vocabulary, own: Sample) -> list[Clause]:
    return merged(vocabulary.languages[own.game], own.clauses)

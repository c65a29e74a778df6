"""Programs as tokens, for a model that writes them: the tokens of a game's declaration, and which may come
next.

A number is the token of its slot ("times=#") and then either one of the numbers of the text, by its place
there (`COPIED` and higher), or a small number that the text doesn't write ("an onion"). Not for the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.language.declared import COMMON, FLAGS, JOINS, MOST_CLAUSES, Clause, Declared, tokens, values

START, END = "<start>", "<end>"
LITERALS = tuple(f"#{number}" for number in range(13))
SPARE = 256
"""Tokens of a model for games that come after its training."""
COPIES = 6
"""How many numbers of a text can be meant."""
UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: number for number, word in enumerate(UNITS)}
_WORDS |= {word: number for number, word in enumerate(_ORDINALS)}
_WORDS |= {f"{word}s": number for word, number in _WORDS.items() if 1 <= number <= 5 and word in UNITS}
_WORDS |= {word: 10 * number for number, word in enumerate(TENS, 2)}
_WORDS |= {
    f"{ten} {word}": 10 * at + number
    for at, ten in enumerate(TENS, 2)
    for number, word in enumerate(UNITS[1:10], 1)
}
_WORDS |= {"sixes": 6, "hundred": 100}
_NUMBER = re.compile(
    rf"\d{{1,3}}(?!\d)|\b(?:{'|'.join(sorted(_WORDS, key=len, reverse=True)).replace(' ', '[ -]')})\b"
)


@dataclass(frozen=True)
class Number:
    """A number of a text: its value, and where it stands, in characters."""

    value: int
    at: int


def numbers(text: str) -> list[Number]:
    """The numbers of a text, in digits and in words, the first COPIES of them."""
    found = []
    for match in _NUMBER.finditer(text.lower()):
        word = match[0].replace("-", " ")
        found.append(Number(int(word) if word.isdigit() else _WORDS[word], match.start()))
    return found[:COPIES]


class Vocabulary:
    """The tokens of some games' languages together; what is called the same is one token.

    `trained`: the tokens of a model. What it lacks for the languages takes the places of its SPARE tokens;
    raises ValueError where they don't suffice.
    """

    def __init__(self, languages: Iterable[Declared], trained: Sequence[str] = ()) -> None:
        self.languages = {declared.game: declared for declared in languages}
        needed: dict[str, None] = dict.fromkeys([END, *JOINS, *FLAGS, *COMMON, *LITERALS])
        for declared in self.languages.values():
            needed |= dict.fromkeys([start(declared.game), *declared.acts])
            for name in (
                "by",
                *dict.fromkeys(name for act in (*declared.acts, *COMMON) for name in declared.slots_of(act)),
            ):
                needed |= dict.fromkeys(_of_slot(declared, name))
        self.names = list(trained) or [*needed, *(f"<spare {number}>" for number in range(SPARE))]
        new = [name for name in needed if name not in set(self.names)]
        free = [at for at, name in enumerate(self.names) if name.startswith("<spare ")]
        if len(new) > len(free):
            raise ValueError(f"The games need {len(new)} tokens that the model lacks; {len(free)} are spare.")
        for at, name in zip(free, new, strict=False):
            self.names[at] = name
        self.ids = {name: at for at, name in enumerate(self.names)}
        self.copied = len(self.names)
        """The number of the first of the COPIES tokens that stand for the numbers of the text."""

    def written(self, game: str, clauses: list[Clause], text: str) -> list[int] | None:
        """The tokens of a program with its end; None where a number is neither in the text nor small."""
        declared, there = self.languages[game], [number.value for number in numbers(text)]
        ids: list[int] = []
        for token in tokens(declared, clauses):
            name, _, value = token.partition("=")
            if not value.isdigit():
                ids.append(self.ids[token])
                continue
            ids.append(self.ids[f"{name}=#"])
            if int(value) in there:
                ids.append(self.copied + there.index(int(value)))
            elif f"#{value}" in self.ids:
                ids.append(self.ids[f"#{value}"])
            else:
                return None
        return [*ids, self.ids[END]]

    def fits(self, ids: list[int], text: str) -> bool:
        """Whether a text has all the numbers that tokens take from a text."""
        return max(ids, default=0) < self.copied + len(numbers(text))

    def read(self, ids: list[int], text: str) -> str:
        """The notation of tokens without their end."""
        there, parts = numbers(text), []
        for token in ids:
            name = str(there[token - self.copied].value) if token >= self.copied else self.names[token]
            if token >= self.copied or name in LITERALS:
                parts[-1] = parts[-1].removesuffix("#") + name.removeprefix("#")
            else:
                parts.append(name)
        return " ".join(parts)

    def allowed(self, game: str, ids: list[int], copies: int) -> list[int]:
        """The tokens that may come after `ids` (without the start) in a text with so many numbers."""
        declared = self.languages[game]
        if ids and ids[-1] < self.copied and self.names[ids[-1]].endswith("=#"):
            return [*(self.ids[name] for name in LITERALS), *range(self.copied, self.copied + copies)]
        clause: list[str] = []
        clauses, has_act = 1, False
        for token in ids:
            name = self.names[token] if token < self.copied else LITERALS[0]
            if name in JOINS:
                clause, clauses, has_act = [], clauses + 1, False
            else:
                clause.append(name)
                has_act = has_act or declared.act(name) is not None
        if has_act:
            act = next(name for name in clause if declared.act(name) is not None)
            more = [END, *(JOINS if clauses < MOST_CLAUSES else ())]
            following = [token for name in declared.slots_of(act) for token in _of_slot(declared, name)]
            return [self.ids[name] for name in [*more, *_after(following, clause)]]
        opening = [*_of_slot(declared, "by"), *FLAGS]
        return [self.ids[name] for name in [*_after(opening, clause), *declared.acts, *COMMON]]


def start(game: str) -> str:
    """The token with which the programs of a game begin."""
    return f"<{game}>"


def _of_slot(declared: Declared, name: str) -> list[str]:
    slot = declared.slot(name)
    return [*(f"{name}={value}" for value in slot.values), *([f"{name}=#"] if slot.number else [])]


def _after(order: list[str], clause: list[str]) -> list[str]:
    """What may stand in an order after all that a clause has of it; a slot may have several numbers."""
    last = max((order.index(name) for name in clause if name in order), default=-1)
    return order[last if last >= 0 and order[last].endswith("=#") else last + 1 :]


__all__ = ["COPIES", "END", "Number", "Vocabulary", "numbers", "start", "values"]

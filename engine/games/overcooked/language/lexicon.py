"""Text tagged with the concepts of kitchen instructions, typing errors forgiven. `clauses.py` cuts it up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.games.overcooked.language import manners, spelling
from engine.games.overcooked.language.idioms import IDIOMS
from engine.games.overcooked.language.phrases import PHRASES
from engine.games.overcooked.language.vocabulary import NOUNS, NUMBERS, WHICH, WORDS
from engine.language import text as typed

_LEXICON: dict[str, str] = {word: concept for concept, ws in WORDS.items() for word in ws.split(" ") if word}
_LEXICON["\n"] = "BREAK"
_WHICH = {word: which for which, words in WHICH.items() for word in words.split(" ")}
_IDIOMS = [(re.compile(pattern), replacement) for pattern, replacement in IDIOMS]
_NOUNS = frozenset(NOUNS.split())
_SPACES = re.compile(r"[ ]{2,}")
_PHRASES = [(re.compile(pattern), replacement) for pattern, replacement in PHRASES]
ITEMS = ("ONION", "DISH", "TOMATO", "SOUP")
PLACES = ("POT", "WINDOW", "COUNTER", "DISPENSER", "SIDE")


@dataclass(frozen=True)
class Token:
    """One word as typed, its concept ("?" if it has none), and the value of a number or a side."""

    word: str
    concept: str
    value: int | str | None = None

    @property
    def plural(self) -> bool:
        """Whether a noun stands for several."""
        return self.word.endswith("s") or self.word in ("veg", "food", "crockery", "dishware")


def prepare(text: str) -> tuple[str, str, int]:
    """`text` in plain spelling with its idioms replaced, as (what was taken back, what holds), and how many
    of its words were typing errors."""
    text, wrong = spelling.plain(text)
    for pattern, replacement in _IDIOMS:
        text = _SPACES.sub(" ", pattern.sub(replacement, text))
    taken_back, text = manners.corrected(text)
    return taken_back, text, wrong


def tag(text: str) -> list[Token]:
    """The concepts of prepared `text`, in order; words without meaning here are left out, unknown ones keep
    "?"."""
    text = manners.shortened(text)
    for pattern, replacement in _PHRASES:
        text = _SPACES.sub(" ", pattern.sub(replacement, text))
    tokens = [_tag_word(word) for word in typed.words(text)]
    for at, token in enumerate(tokens[1:], 1):
        # "The head of the dragon": no verb.
        if tokens[at - 1].concept in ("THE", "A") and token.word in _NOUNS:
            tokens[at] = Token(token.word, "?")
    return [token for token in tokens if token.concept != "-"]


def _tag_word(word: str) -> Token:
    if word.isdecimal():
        return (
            Token(word, "NUMBER", int(word))
            if 0 < int(word[:3]) < 100 and len(word) < 3
            else Token(word, "?")
        )
    if word in NUMBERS:
        return Token(word, "NUMBER", NUMBERS[word])
    if word in _WHICH:
        return Token(word, "WHICH", _WHICH[word])
    return Token(word, _LEXICON.get(word, "?"))

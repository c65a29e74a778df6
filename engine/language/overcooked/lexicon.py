"""Text tagged with the concepts of kitchen instructions, typing errors forgiven. `clauses.py` cuts it up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.language import text as typed
from engine.language.overcooked.vocabulary import LEFT_ALONE, NOT_RESTORED, NUMBERS, PHRASES, WHICH, WORDS

_LEXICON: dict[str, str] = {word: concept for concept, ws in WORDS.items() for word in ws.split(" ") if word}
_LEXICON["\n"] = "BREAK"
_WHICH = {word: which for which, words in WHICH.items() for word in words.split(" ")}
_SPELLING = sorted(
    [w for w, c in _LEXICON.items() if len(w) >= 4 and w.isalpha() and c not in NOT_RESTORED]
    + [w for w in _WHICH if len(w) >= 4]
    + [w for w in NUMBERS if len(w) >= 5]
)
_PHRASES = [(re.compile(pattern), replacement) for pattern, replacement in PHRASES]
ITEMS = ("ONION", "DISH", "TOMATO", "SOUP")
PLACES = ("POT", "WINDOW", "COUNTER", "DISPENSER", "SIDE")


@dataclass(frozen=True)
class Token:
    """One word as typed, its concept ("?" if it has none), and the value of a number or a side."""

    word: str
    concept: str
    value: int | str | None = None
    corrected: bool = False

    @property
    def plural(self) -> bool:
        """Whether a noun stands for several."""
        return self.word.endswith("s") or self.word in ("veg", "food", "crockery", "dishware")


def tag(text: str) -> list[Token]:
    """The concepts of `text`, in order; words without meaning here are left out, unknown words keep "?"."""
    text = typed.clean(text)
    for pattern, replacement in _PHRASES:
        text = pattern.sub(replacement, text)
    tokens: list[Token] = []
    for word in typed.words(text.replace("&", " and ")):
        token = _tag_word(word)
        if token.concept != "-":
            tokens.append(token)
    return tokens


def _tag_word(word: str) -> Token:
    if word.isdigit():
        return (
            Token(word, "NUMBER", int(word))
            if 0 < int(word[:3]) < 100 and len(word) < 3
            else Token(word, "?")
        )
    if word in _LEXICON or word in _WHICH or word in NUMBERS:
        return _known(word, word, False)
    fixed = None if word in LEFT_ALONE else typed.forgive(word, _SPELLING)
    return Token(word, "?") if fixed is None else _known(word, fixed, True)


def _known(word: str, meant: str, corrected: bool) -> Token:
    if meant in NUMBERS:
        return Token(meant, "NUMBER", NUMBERS[meant], corrected)
    if meant in _WHICH:
        return Token(meant, "WHICH", _WHICH[meant], corrected)
    return Token(meant, _LEXICON[meant], None, corrected)

"""Text tagged with the concepts of Hanabi instructions, typing errors forgiven. `parse.py` reads clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.language import text as typed
from engine.language.hanabi.vocabulary import COLORS, LEFT_ALONE, PHRASES, RANKS, RESTORED, WORDS

_LEXICON: dict[str, str] = {word: concept for concept, ws in WORDS.items() for word in ws.split(" ") if word}
_LEXICON["\n"] = "STOP"
for _i, _rank in enumerate(RANKS):
    for _word in (f"{_rank}s", str(_i + 1), f"{_i + 1}s"):
        _LEXICON[_word] = "RANK_VALUE"
    if _rank != "one":  # "one" alone is mostly a pronoun
        _LEXICON[_rank] = "RANK_VALUE"
for _color in COLORS:
    _LEXICON[_color] = _LEXICON[f"{_color}s"] = "COLOR_VALUE"
_SPELLING = sorted(w for w, c in _LEXICON.items() if len(w) >= 4 and w.isalpha() and c in RESTORED)

_PHRASES = [(re.compile(pattern), replacement) for pattern, replacement in PHRASES]
_PASSIVE = {"am", "are", "is", "was", "were", "be", "been", "being", "get", "gets", "got", "i'm", "you're"}


@dataclass(frozen=True)
class Token:
    """One word as typed, the concept it stands for ("?" if none), and the value of colours, ranks, slots."""

    word: str
    concept: str
    value: int | str | None = None
    corrected: bool = False


def tag(text: str) -> list[Token]:
    """The concepts of `text`, in order; words without meaning here are left out, unknown words keep "?"."""
    text = typed.clean(text)
    for pattern, replacement in _PHRASES:
        text = pattern.sub(replacement, text)
    tokens: list[Token] = []
    previous = ""
    for word in typed.words(text):
        token = _tag_word(word, previous, tokens)
        if token is not None:
            tokens.append(token)
        previous = word
    return tokens


def _tag_word(word: str, previous: str, before: list[Token]) -> Token | None:
    if len(word) == 1 and word in "abcde" and before and before[-1].concept == "CARD":
        return Token(word, "SLOT", "abcde".index(word))
    concept, corrected = _LEXICON.get(word), False
    if concept is None:
        known = None if word in LEFT_ALONE else typed.forgive(word, _SPELLING)
        if known is None:
            return Token(word, "?")
        concept, corrected = _LEXICON[known], True
    if concept in ("-", "PLEASE"):
        return None
    if concept == "HINTED":
        # "the cards that you are told about" and "are touched" against "I told you".
        concept = "HINTED" if previous in _PASSIVE or not _has_subject(before) else "HINT"
    if concept == "RANK_VALUE":
        if (
            before
            and before[-1].concept == "CARD"
            and word.isdigit()
            and before[-1].word in ("slot", "position")
        ):
            return Token(word, "SLOT", int(word) - 1)
        return Token(word, "RANK_VALUE", _rank_of(word), corrected)
    if concept == "COLOR_VALUE":
        return Token(word, "COLOR_VALUE", word.removesuffix("s"), corrected)
    return Token(word, concept, None, corrected)


def _has_subject(before: list[Token]) -> bool:
    return bool(before) and before[-1].concept in ("ME", "YOU", "PARTNER")


def _rank_of(word: str) -> int:
    word = word.removesuffix("s")
    return int(word) if word.isdigit() else RANKS.index(word) + 1

"""Text tagged with the concepts of Hanabi instructions, typing errors forgiven. `parse.py` reads clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.games.hanabi.language import spelling
from engine.games.hanabi.language.vocabulary import COLORS, RANKS, WORDS
from engine.games.hanabi.language.wording import MOMENTS
from engine.games.hanabi.language.wording_moves import MOVES
from engine.games.hanabi.language.wording_talk import TALK
from engine.games.hanabi.language.wording_wishes import WISHES
from engine.language import text as typed

_LEXICON: dict[str, str] = {word: concept for concept, ws in WORDS.items() for word in ws.split()}
_LEXICON["\n"] = "STOP"
for _i, _rank in enumerate(RANKS):
    for _word in (f"{_rank}s", str(_i + 1), f"{_i + 1}s"):
        _LEXICON[_word] = "RANK_VALUE"
    if _rank != "one":  # "one" alone is mostly a pronoun
        _LEXICON[_rank] = "RANK_VALUE"
_LEXICON["fives"] = "RANK_VALUE"
for _color in COLORS:
    _LEXICON[_color] = _LEXICON[f"{_color}s"] = "COLOR_VALUE"
_ORDINALS = {
    word: i
    for i, ws in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"))
    for word in ws.split()
}

_PHRASES = [(re.compile(pattern), replacement) for pattern, replacement in (*TALK, *MOMENTS, *WISHES, *MOVES)]


@dataclass(frozen=True)
class Token:
    """One word as typed, the concept it stands for ("?" if none), and the value of colours, ranks, slots."""

    word: str
    concept: str
    value: int | str | None = None
    corrected: bool = False


def tag(text: str) -> list[Token]:
    """The concepts of `text`, in order; words without meaning here are left out, unknown words keep "?"."""
    text, restored = spelling.corrected(typed.clean(text))
    for pattern, replacement in _PHRASES:
        text, changes = pattern.subn(replacement, text)
        if changes:
            text = re.sub(" {2,}", " ", text)
    spelled = [(word, _LEXICON.get(word, "?"), word in restored) for word in typed.words(text)]
    tokens: list[Token] = []
    for i, (word, concept, corrected) in enumerate(spelled):
        token = _slot(i, spelled) or _token(word, concept, corrected, spelled[i - 1][0] if i else "")
        if token is not None:
            tokens.append(token)
    return tokens


def _slot(i: int, spelled: list[tuple[str, str, bool]]) -> Token | None:
    """The position that the word at `i` names: "slot e", "position 2", "my third card", "play b"."""
    word = spelled[i][0]
    before = spelled[i - 1] if i else ("", "", False)
    after = spelled[i + 1] if i + 1 < len(spelled) else ("", "STOP", False)
    places = ("slot", "slots", "position", "positions", "pos", "place", "spot")
    letter = len(word) == 1 and word in "abcde"
    if word in _ORDINALS and after[1] in ("CARD", "POSITION"):
        return Token(word, "SLOT", _ORDINALS[word])
    if letter and (before[1] in ("CARD", "POSITION", "SLOT") and (word != "a" or after[1] in _ENDS)):
        return Token(word, "SLOT", "abcde".index(word))
    if letter and before[1] in ("PLAY", "DISCARD", "OR", "AND") and (word != "a" or after[1] in _ENDS):
        return Token(word, "SLOT", "abcde".index(word))
    if word == "a" and i == 0 and after[1] in ("SHOULD", "BE"):
        return Token(word, "SLOT", 0)
    if letter and word != "a" and (after[1] in ("CARD", "POSITION") or before[0] in ("the", "your", "my")):
        return Token(word, "SLOT", "abcde".index(word))
    if before[0] in places or (before[0] == "number" and i > 1 and spelled[i - 2][1] in ("CARD", "POSITION")):
        if word in ("1", "2", "3", "4", "5"):
            return Token(word, "SLOT", int(word) - 1)
        if word in RANKS:
            return Token(word, "SLOT", RANKS.index(word))
    return None


_ENDS = ("STOP", "COMMA", "IF", "AND", "OR", "PLEASE", "UNLESS", "ELSE", "THEN", "MEANS", "ALWAYS")


def _token(word: str, concept: str, corrected: bool, previous: str) -> Token | None:
    if concept in ("-", "PLEASE"):
        return None
    if concept == "POSITION":
        concept = "CARD"
    if concept == "RANK_VALUE":
        return Token(word, "RANK_VALUE", _rank_of(word), corrected)
    if concept == "COLOR_VALUE":
        return Token(word, "COLOR_VALUE", word.removesuffix("s"), corrected)
    if word == "one" and previous in ("a", "rank", "number", "of"):
        return Token(word, "RANK_VALUE", 1, corrected)
    return Token(word, concept, None, corrected)


def _rank_of(word: str) -> int:
    word = word.removesuffix("s")
    return int(word) if word.isdecimal() else RANKS.index(word) + 1

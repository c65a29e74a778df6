"""Text tagged with the concepts of squad instructions, typing errors forgiven. `clauses.py` cuts it up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.games.arena.language.phrases import PHRASES
from engine.games.arena.language.vocabulary import (
    DIRECTIONS,
    LEFT_ALONE,
    NOT_RESTORED,
    NUMBERS,
    PLACES,
    WORDS,
)
from engine.language import text as typed

_LEXICON: dict[str, str] = {word: concept for concept, ws in WORDS.items() for word in ws.split(" ") if word}
_LEXICON["\n"] = "BREAK"
_PLACES = {word: place for place, words in PLACES.items() for word in words.split(" ")}
_DIRECTIONS = {word: way for way, words in DIRECTIONS.items() for word in words.split(" ")}
_SPELLING = sorted(
    {w for w, c in _LEXICON.items() if len(w) >= 4 and w.isalpha() and c not in NOT_RESTORED}
    | {w for w in (*_PLACES, *_DIRECTIONS) if len(w) >= 4}
)
_LEFT_ALONE = frozenset(LEFT_ALONE.split())
_PHRASES = [(re.compile(pattern), replacement) for pattern, replacement in PHRASES]
_COUNT = r"(?:(\d{1,3})[ -]?|(" + "|".join(NUMBERS) + r"|half a|a couple of|a few|an|a) )"  # before a unit
_TIME = re.compile(
    rf"\b(?:for )?(?:about |the next |another )?(?:{_COUNT}(secs?|seconds?|mins?|minutes?)|(\d{{1,3}})s)\b"
)
_WHILE = re.compile(
    r"\bfor (?:just )?(?:a|one) (?:moment|bit|little|tick|sec)\b|\ba (?:moment|sec|second)\b|"
    r"\bfor (?:a|some) (?:while|time)\b|\bfor now\b"
)
_FAR = re.compile(
    rf"\b(?:about |another )?(?:{_COUNT}(?:meters?|metres?|steps?|paces?|yards?)|(\d{{1,3}}) ?m)\b"
)
_QUESTION = re.compile(
    r"^\W*(?:why (?!don't (?:you|we|u)\b)|what (?!about\b)|where|who (?!can\b)|whose|how "
    r"(?!about\b)|which|did |do (?:you|i|we) |"
    r"does |are (?:you|we|they) |is |was |were |have (?:you|we) |has )"
)
_SPACES = re.compile(" +")
LONGEST, FARTHEST = 600, 100  # seconds, metres


@dataclass(frozen=True)
class Token:
    """One word as typed, its concept ("?" if it has none), and the value of a number, place or name."""

    word: str
    concept: str
    value: int | str | None = None
    corrected: bool = False


def tag(text: str) -> list[Token]:
    """The concepts of `text`, in order; words without meaning here are left out, unknown words keep "?"."""
    text = typed.clean(text)
    if _QUESTION.match(text):
        return [Token(word, "?") for word in typed.words(text) if word[0].isalnum()]
    text = _FAR.sub(_distance, _WHILE.sub(_moment, _TIME.sub(_time, text)))
    for pattern, replacement in _PHRASES:
        text = _SPACES.sub(" ", pattern.sub(replacement, text))
    tokens = [_tag_word(word) for word in typed.words(text.replace("&", " and "))]
    return [token for token in tokens if token.concept != "-"]


def _number(word: str) -> float:
    if word.isdecimal():
        return int(word)
    return {"half a": 0.5, "a few": 3, "a couple of": 2, "a": 1, "an": 1}.get(word) or NUMBERS[word]


def _time(found: re.Match[str]) -> str:
    number = _number(found[1] or found[2] or found[4])
    seconds = number * (60 if (found[3] or "s")[0] == "m" else 1)
    if seconds <= 1 and found[2] in ("a", "an", "half a"):
        seconds = 3  # "a second" is no measure
    return f" lasts{max(1, min(LONGEST, round(seconds)))} "


def _moment(found: re.Match[str]) -> str:
    return " lasts20 " if found[0].startswith(("for a while", "for some", "for now")) else " lasts5 "


def _distance(found: re.Match[str]) -> str:
    return f" far{max(1, min(FARTHEST, round(_number(found[1] or found[2] or found[3]))))} "


def _tag_word(word: str) -> Token:
    for stem, concept in (
        ("lasts", "LASTS"),
        ("far", "FAR"),
        ("addressplayer", "PLAYER"),
        ("addressmate", "MATENO"),
    ):
        rest = word.removeprefix(stem)
        if rest != word and (rest.isdecimal() or rest in NUMBERS):
            number = int(rest) if rest.isdecimal() else NUMBERS[rest]
            if concept in ("LASTS", "FAR") or number > 0:
                return Token(word, concept, number)
    if word == "addresstwo":
        return Token("you two", "TWO")
    if word == "conditionleft":
        return Token("the condition", "?")
    if word in _LEXICON or word in _PLACES or word in _DIRECTIONS:
        return _known(word, word, False)
    if word in NUMBERS or word.isdecimal():
        return Token(word, "?")
    fixed = None if word in _LEFT_ALONE else typed.forgive(word, _SPELLING)
    return Token(word, "?") if fixed is None else _known(word, fixed, True)


def _known(word: str, meant: str, corrected: bool) -> Token:
    if meant in _PLACES:
        return Token(word, "PLACE", _PLACES[meant], corrected)
    if meant in _DIRECTIONS:
        return Token(word, "DIRECTION", _DIRECTIONS[meant], corrected)
    return Token(meant, _LEXICON[meant], None, corrected)

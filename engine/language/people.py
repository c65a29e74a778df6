"""Who is meant by a name: the players of a match, by their names there, as "player 2" in the text.

The context of a reading says who sits at the table: {"names": [by seat], "seat": the speaker's, "people":
[seats of people]}; all of it may be missing. A text about a name that nobody there has is not understood. Not
for what a game does with "player 2" (its reader), nor for names in displayed sentences (static/js/names.js).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

from engine.language import bank
from engine.language import text as typed
from engine.language.reading import Reading
from engine.language.vocabulary import TENS, UNITS

MOST = 20  # names that are looked at
COMMON = 6  # how often phrasings have a word that is nobody's name
_NUMBERS = {str(number): word for number, word in enumerate((*UNITS, TENS[0])) if number}
_WORDS = {word: number for number, word in _NUMBERS.items()}
# A seat whose number is a word; "the player two cells away" is none.
_SEAT = re.compile(
    rf"(?<!\bthe )(?<!\ba )(?<!other )\bplayer ({'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
    r"(?! (?:more|met\w*|cells?|steps?|tiles?|squares?|yards?|seconds?|moves?|cards?|onions?|dish\w*)\b)",
    re.I,
)
_BEFORE = r"(?:\b(?:my|our|the) (?:team ?mate|mate|friend|buddy|partner|pal|bro|leader|other player) )?@?"
_OTHER = re.compile(
    r"\b(?:the|our|my) other (?:guy|player|person|human|man|woman|girl|boy|dude|teammate)\b", re.I
)
_NO_NUMBER = rf"(?!\s*#?(?i:\d|(?:{'|'.join(_NUMBERS.values())})\b))"
_NAMED = re.compile(r"\bplayer \d", re.I)
_CLAUSES = re.compile(r"([,.;:!?\n]+|\b(?:and|but|while)\b)", re.I)
_CONDITION = re.compile(r"\W*(?:if|when|whenever|once|after|before|unless|until|as)\b", re.I)
_DOES = (
    "hints?|clues?|plays?|discards?|tells?|says?|gives?|serves?|puts?|brings?|gets?|shoots?|goes|moves|is|dies|"
    "needs|falls|does"
)
_ANYBODY = re.compile(
    r"(?:some|any|every|no)(?:one|body|thing|where)|(?:who|what|which)ever|(?:an)?others?|both|each|most|"
    r"(?:your|my|him|her|it)self|(?:our|your|them)selves"
)
_DONE_TO = (
    r"\b(?:follow|cover|help|protect|guard|revive|rescue|escort|defend|shield|let|tell|ask|give|hint|clue|pass|"
    r"hand|bring) "
)
_ENDS = (
    r"(?=\s*(?:$|[,.;:!?\n]|(?:and|but|then|or|so|when|if|while|until|before|after|please|pls|now|first|next|again|"
    r"instead|to|with|from|at|in|on|up|around|everywhere)\b))"
)
_WRITTEN = re.compile(rf"(?i:{_DONE_TO})@?([^\W\d_a-z][^\W\d_]{{2,}})\b")
"""Whom something is done to, written as a name: "hint Dave a card"."""
_STRANGERS = (
    rf"{_DONE_TO}@?([^\W\d_]{{3,}}(?<!s)){_ENDS}",
    r"\bout of @?([^\W\d_]{3,})(?='s way\b)",
    rf"\b(?:if|when|whenever) @?([^\W\d_]{{3,}})(?= (?:{_DOES})\b)",
    r"\b(?:give|pass|hand|bring)\b[^,.;:!?\n]* to @?([^\W\d_]{3,})(?=\s*(?:$|[,.;:!?\n]))",
)
_SOME_OTHER = re.compile(rf"(?:{_DONE_TO}|\bwith )({_OTHER.pattern})", re.I)


@cache
def vocabulary(game: str) -> frozenset[str]:
    """The words of a game's phrasings: a player whose name is one of them is meant only if it is written as a
    name.
    """
    count = Counter(word for text, *_ in bank.programs(game) for word in typed.words(text.lower()))
    tidy = {
        word
        for row in (*bank.bank(game), *bank.development(game))
        for word in typed.words(row["text"].lower())
    }
    return frozenset(tidy | {word for word, times in count.items() if times >= COMMON})


def called(game: str, names: list[Any]) -> dict[str, tuple[int, bool]]:
    """The names of the seats, lower case, longest first: the seat, and whether the name is also a word of the
    game. A whole name, its first word, its last word if that is no word of the game, a name without its
    number, and a number with the last word before it if only one seat has that.
    """
    whole = {typed.clean(str(name)): seat for seat, name in enumerate(names[:MOST])}
    known = vocabulary(game)
    parts = [
        (part, seat) for name, seat in whole.items() for part in _parts(name, known) if part not in whole
    ]
    count = Counter(part for part, _ in parts)
    found = {**{part: seat for part, seat in parts if count[part] == 1}, **whole}
    usable = {name: (seat, name in known) for name, seat in found.items() if len(name) > 1}
    return dict(sorted(usable.items(), key=lambda item: -len(item[0])))


def _parts(name: str, known: frozenset[str]) -> set[str]:
    stem, _, number = name.rpartition(" ")
    if stem and number in _NUMBERS:  # "squad two" is "Squad 2", "bot 2" and "bot two" are "Convention bot 2"
        last = {stem.rpartition(" ")[2]} - {"player"}  # "player 2" is a seat and not "New Player 2"
        return {f"{one} {by}" for one in {stem, *last} for by in (number, _NUMBERS[number])} - {name}
    words = re.split(r"[\s_.(\[-]", name)
    short = {words[0], re.sub(r"[\d_]+$", "", name)}
    if len(words[-1]) >= 4 and words[-1] not in known:  # "7f3a" is "Guest 7f3a", "house" isn't "Ben House"
        short.add(words[-1])
    return {one for one in short if len(one) > 1 and one != name}


def _written(name: str, is_word: bool) -> str:
    """How a name is found in a text. "Will" is somebody and "will" is not, but for "Will you …" at the
    beginning; "Player 2" is a seat, also where somebody is called "Player".
    """
    exact = rf"(?<=\w ){re.escape(name[0].upper() + name[1:])}" if is_word else f"(?i:{re.escape(name)})"
    return exact + _NO_NUMBER if name == "player" else exact


def placed(game: str, text: str, context: dict[str, Any] | None, knows_seats: bool) -> str:
    """The text with "player 2" for the names of players. If a game's instructions know no seats
    (`knows_seats`), the speaker is "me", and the only other player "you".
    """
    context = context or {}
    names, speaker = context.get("names") or [], context.get("seat")
    if not isinstance(text, str):
        return text
    text = _SEAT.sub(lambda found: f"player {_WORDS[found[1].lower()]}", text)
    if not names:
        return text
    text = typed.straight(text)

    def told(seat: int, found: re.Match[str], owns: str = "") -> str:
        if knows_seats or speaker is None or seat != speaker and len(names) > 2:
            return f"player {seat + 1}" + ("" if knows_seats else owns)
        if seat == speaker:
            return "my" if owns else "me"
        begins = not found.string[: found.start()].strip() and found.string[found.end() :].startswith(",")
        return "" if begins else "your" if owns else "you"

    seats = list(called(game, names).items())
    ways = "|".join(f"({_written(name, is_word)})" for name, (_, is_word) in seats)
    if seats:  # all in one pass: what stands for one name may be another one's
        text = re.sub(
            rf"(?<![\w@])(?i:{_BEFORE})(?:{ways})(?P<owns>'s)?(?!\w)",
            lambda found: told(
                seats[next(at for at in range(len(seats)) if found[at + 1] is not None)][1][0],
                found,
                found["owns"] or "",
            ),
            text,
        )
    others = [seat for seat in context.get("people") or [] if seat != speaker]
    if speaker is not None and len(others) == 1:
        text = _OTHER.sub(lambda found: told(others[0], found), text)
    return re.sub(r"^\s*,\s*", "", text)


def addressed(game: str, text: str, context: dict[str, Any] | None) -> tuple[str, int | None]:
    """Of several others the one whom a text calls by name, "cook 2: do onions", "do onions, cook 2"; and the
    text without that. For games whose instructions know no seats.
    """
    context = context or {}
    names, speaker = context.get("names") or [], context.get("seat")
    if len(names) < 3 or speaker is None or not isinstance(text, str):
        return text, None
    plain = typed.straight(text)
    known = [(name, seat) for name, (seat, is_word) in called(game, names).items() if not is_word]
    numbers = [(said, int(digits)) for digits, word in _NUMBERS.items() for said in (digits, word)]
    known += [(f"player {said}", number - 1) for said, number in numbers if number <= len(names)]
    seats = {name: seat for name, seat in reversed(known)}
    ways = "|".join(re.escape(name) for name in sorted(seats, key=len, reverse=True))
    first = r"\W*(?:(?:hey|hi|ok|okay|you)\W+)?"
    for pattern in (
        rf"{first}(?P<who>{ways})(?:\s*[,.:;!-]+\s*|\s+(?=(?:you|please)\b))(?P<rest>.*\w.*)",
        rf"(?P<rest>.*\w.*?)\s*[,;:]\s*(?P<who>{ways})\W*",
    ):
        found = re.fullmatch(pattern, plain, re.I | re.S)
        if found and (seat := seats[found["who"].lower()]) != speaker:
            return found["rest"], seat
    return text, None


def without_others(text: str, original: str) -> tuple[str, list[str]]:
    """For games whose instructions know no seats: the text without its clauses about "player 3", and these
    clauses as in the `original`. "" if nothing is left, or if the rest depends on one of them.
    """
    pieces, own = _CLAUSES.split(text), _CLAUSES.split(original)
    about = [at for at in range(0, len(pieces), 2) if _NAMED.search(pieces[at])]
    kept = "".join(piece for at, piece in enumerate(pieces) if at not in about and at - 1 not in about)
    hangs = any(_CONDITION.match(pieces[at]) for at in about)
    said = [own[at].strip() for at in about] if len(own) == len(pieces) else [original.strip()]
    return ("" if hangs or not re.search(r"\w", kept) else kept.strip(" ,;")), said if about else []


def stranger(game: str, text: str, knows_seats: bool) -> str:
    """Somebody who is named and not at the table, as typed; "" for nobody. A word of the game's phrasings is
    nobody's name. "The other guy" is nobody if a game's instructions know seats (`knows_seats`) and it is not
    known which other one is meant.
    """
    if knows_seats and (other := _SOME_OTHER.search(typed.straight(text))):
        return other[1]
    known = vocabulary(game)
    plain, as_names = typed.clean(text), [name.lower() for name in _WRITTEN.findall(typed.straight(text))]
    for word in [*as_names, *(word for pattern in _STRANGERS for word in re.findall(pattern, plain))]:
        if word in known or _ANYBODY.fullmatch(word) or word.endswith(("ly", "ing")):
            continue
        if typed.forgive(word, _spelled(game)):
            continue
        at = re.search(rf"\b{re.escape(word)}\b", typed.straight(text), re.I)
        return at[0] if at else word
    return ""


@cache
def _spelled(game: str) -> list[str]:
    return sorted(word for word in vocabulary(game) if len(word) >= 4 and word.isalpha())


def unknown(text: str, name: str) -> Reading:
    """The reading of a text about a stranger."""
    return Reading(text, True, f"I don't know who “{name}” is here.", unread=[name])


def unlike(text: str, about: list[str]) -> Reading:
    """The reading of a text about one of several others, in a game whose instructions know no seats."""
    return Reading(text, True, "I can't tell the other players apart yet, so I can't do that.", unread=about)

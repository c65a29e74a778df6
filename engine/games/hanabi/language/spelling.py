"""Typing errors forgiven before anything is read, so that phrases too are found in what was mistyped.

Stricter than it could be on purpose: a word that is another English word is left as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from engine.games.hanabi.language.vocabulary import COLORS, LEFT_ALONE, RANKS, RESTORED, WORDS
from engine.games.hanabi.language.wording import MOMENTS
from engine.games.hanabi.language.wording_moves import MOVES
from engine.games.hanabi.language.wording_wishes import WISHES
from engine.language import text as typed

_COMMON = (
    "give gives given tell tells told when whenever just should which other others something anything "
    "nothing everything those these from with without whatever instead otherwise follow followed only first "
    "second third fourth fifth game start starts started opening move never always please want know yourself "
    "last drew drawn recently exactly several respond response answer anybody nobody else haven't hasn't "
    "didn't don't doesn't you're then them your turn time back thing whichever immediately actually"
)
_SHORT = "play hint clue card cards rank give tell told when just toss keep suit color yours then"
_REAL = (
    "morning raining chicken colonel theatre couleur score scores black back movie pigs head healing married "
    "spades stars storm sick shoulder stated "
    "pay pays pray plan plans ploy plea clay hunt hit hits hind hilt hand club cue cues clef glue "
    "care cars cart carts cord curd carp rang rant ran rack rink risk gave live tall till toll tale "
    "toad toes tons loss wren whom than jest jut must keen kelp cape sit suite soot colon color tie "
    "town hen ten the try turn ply can car cat cad cup chat come cone core case cast cost hint's hurt "
    "hot hat pan play's part tank teen men rain rand rate read real wait will well were what want "
    "went give's live's john given gone game "
)


def _words(*texts: str) -> list[str]:
    return [word for text in texts for word in text.split()]


_CORE = _words(*(words for concept, words in WORDS.items() if concept in RESTORED), _COMMON, " ".join(COLORS))
_IN_PHRASES = [w for pattern, _ in (*MOMENTS, *WISHES, *MOVES) for w in re.findall(r"[a-z']{4,}", pattern)]
_KNOWN = frozenset(
    [
        *_words(*WORDS.values(), _COMMON, _REAL),
        *COLORS,
        *(f"{w}s" for w in COLORS),
        *RANKS,
        *LEFT_ALONE,
        *_IN_PHRASES,
    ]
)
_BY_LETTER = {
    letter: sorted({w for w in _CORE if len(w) >= 4 and w[0] == letter}) for letter in {w[0] for w in _CORE}
}


def corrected(text: str) -> tuple[str, frozenset[str]]:
    """`text` with typing errors mended, and the words that were put in."""
    put_in: set[str] = set()

    def mend(match: re.Match[str]) -> str:
        word = _mended(match.group(0))
        if word is None:
            return match.group(0)
        put_in.add(word)
        return word

    return re.sub(r"[a-z]+(?:'[a-z]+)*", mend, text), frozenset(put_in)


@lru_cache(maxsize=4096)
def _mended(word: str) -> str | None:
    if len(word) < 3 or word in _KNOWN:
        return None
    if len(word) <= 5:
        near = [w for w in _SHORT.split() if w[0] == word[0] and typed.edit_distance(word, w) == 1]
        if near:
            return near[0]
    return typed.forgive(word, _BY_LETTER.get(word[0], []))

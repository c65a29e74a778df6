"""Text as people type it: cleaning, splitting into words, correcting typing errors. Knows nothing of any
game.
"""

from __future__ import annotations

import re
import unicodedata

MAX_CHARACTERS = 1_000
"""Longer instructions are refused; a person can't confirm the reading of a page of text."""

_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ`´"), "'")
_DIGITS = {"two": 2, "three": 3, "four": 4, "five": 5}
_DASHES = dict.fromkeys(map(ord, "–—−"), "-")
_QUOTES = dict.fromkeys(map(ord, "“”„‟«»"), '"')
_ONE = re.compile(r"""(?<!\w)["']one["'](?!\w)""")  # the number, where "one" alone is mostly a pronoun
_QUOTED = re.compile(r"(?<!\w)'(\w(?:[^'\n]*\w)?)'(?!\w)")
_SHORT = (
    "don't doesn't didn't won't can't isn't aren't wasn't weren't shouldn't couldn't wouldn't haven't "
    "hasn't i'm i've you're you've you'll they're they've they'll we've that's what's there's here's let's "
    "he's she's"
)
_BARE = {"its": "it's", "ill": "i'll"} | {word.replace("'", ""): word for word in _SHORT.split()}
"""Words that are written without their apostrophe and are no others then ("its", "well" and "were" are)."""
_BARE_WORDS = re.compile(
    rf"\b(?:{'|'.join(_BARE.keys() - {'its', 'ill'})})\b|(?:(?<=^)|(?<=[,.;:!?\n] )|(?<=\band ))ill(?= \w)|"
    r"\bits(?=(?: not| already| all| too| so| now)? (?:clear|done|ready|cooked|full|empty|safe|my|your|our|"
    r"the|an?|on|in|over|time|ok|okay|fine)\b)"
)
_RANKS = re.compile(r"\b(two|three|four|five)'?s\b")


def straight(text: str) -> str:
    """`text` with compatibility forms folded and every quote, apostrophe and dash as the plain one."""
    return unicodedata.normalize("NFKC", text.translate(_APOSTROPHES | _DASHES | _QUOTES))


def clean(text: str) -> str:
    """`text` in lower case, compatibility forms folded, control and formatting characters as spaces, and one
    spelling for what is written in several ways: quotes are removed, "5's", "five's" and "fives" become "5s",
    "dont" becomes "don't".
    """
    text = straight(text[: 4 * MAX_CHARACTERS]).lower()
    text = "".join(c if c == "\n" or unicodedata.category(c)[0] != "C" else " " for c in text)
    text = re.sub(r"(?<=\w)\"(?=\w)(?!s\b)", " ", _ONE.sub("1", text)).replace('"', "")
    text = re.sub(r"\b(\d+) ?'s\b", r"\1s", _QUOTED.sub(r"\1", text))
    text = _BARE_WORDS.sub(lambda match: _BARE[match[0]], text)
    text = _RANKS.sub(lambda match: f"{_DIGITS[match[1]]}s", text)
    return re.sub(r"[ \t]+", " ", text).strip()


def words(text: str) -> list[str]:
    """Words, numbers, punctuation that separates clauses, and signs that mean "means" (`=`, `->`, `:`)."""
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?|=>|->|→|[,.;:!?\n=]", text)


def forgive(word: str, lexicon: list[str]) -> str | None:
    """The word of `lexicon` that `word` is a typing error of, or None.

    The first letter has to be right. Words of four letters may only have two neighbours swapped or one letter
    missing ("paly", "colr", but "hand" is no "hint"); five and six may differ by one edit, longer ones by
    two.
    """
    if not 4 <= len(word) <= 20 or not word.isascii() or not word.isalpha():
        return None
    allowed = 1 if len(word) <= 6 else 2
    best: tuple[int, str] | None = None
    for known in lexicon:
        if known[0] != word[0] or abs(len(known) - len(word)) > allowed:
            continue
        if len(word) == 4 and not (len(known) == 5 or sorted(known) == sorted(word)):
            continue
        distance = edit_distance(word, known)
        if distance <= allowed and (best is None or distance < best[0]):
            best = (distance, known)
    return best[1] if best else None


def edit_distance(a: str, b: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        two_before, before, row = before, row, [i, *[0] * len(b)]
        for j in range(1, len(b) + 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                row[j] = min(row[j], two_before[j - 2] + 1)
    return row[-1]

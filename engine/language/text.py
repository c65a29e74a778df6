"""Text as typed by people: cleaning, splitting into words, forgiving typing errors. Knows nothing of any
game."""

from __future__ import annotations

import re
import unicodedata

MAX_CHARACTERS = 1_000
"""Longer instructions are refused; a person can't confirm the reading of a page of text."""

_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ`´"), "'")
_DASHES = dict.fromkeys(map(ord, "–—−"), "-")


def clean(text: str) -> str:
    """`text` in lower case, compatibility forms folded, control and formatting characters as spaces."""
    text = unicodedata.normalize("NFKC", text[: 4 * MAX_CHARACTERS]).translate(_APOSTROPHES | _DASHES).lower()
    text = "".join(c if c == "\n" or unicodedata.category(c)[0] != "C" else " " for c in text)
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

"""Names that people choose, for themselves and for what they make: one check for all of them, and how older
names are shown. Refused are invisible characters, characters that change the direction of the text around
them, and names that sound like a role, also in letters that look like others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from engine.refusal import Refusal

# Letters that look empty though Unicode counts them as letters or signs.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
LIKE = str.maketrans(
    "0134578@$|!lаеорсуіјѕкмтнвαεοριντυκıɩɪɑᴀᴅᴍɴᴏʀꜱᴛđø", "oieastbasiiiaeopcyijskmthbaeopivtukiiiaadmnorstdo"
)
# What joins or parts letters is a letter's form, but not in these scripts, where nobody would see it.
JOINERS, UNJOINED = "\u200c\u200d", ("LATIN", "GREEK", "CYRILLIC")
# Nobody's name has one of these words; nobody's whole name is one of those.
OF_ROLES = ("admin", "admins", "administrator", "annotator", "moderator", "superuser", "sysadmin")
OF_THE_SITE = ("root", "coplay", "staff", "support", "system", "operator", "owner", "host", "mod", "player")
OF_ANYBODY = ("you", "me", "somebody", "nobody", "everybody", "agent", "bot", "guest")


def seen(text: str) -> str:
    """The text without invisible characters, with single spaces."""
    unseen = _unseen(text)
    kept = (c for index, c in enumerate(text) if index not in unseen)
    return " ".join("".join(kept).split())


def checked(text: str, roles: Collection[str] = ()) -> str:
    """A name as it is kept; one's own roles are no pretence. Raises Refusal."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if unseen := _unseen(name):
        hidden = name[min(unseen)]
        called = unicodedata.name(hidden, f"number {ord(hidden)}").lower()
        raise Refusal(f"A name has no characters that can't be seen; this one has one ({called}).")
    if name and not any(c.isalnum() for c in name):
        raise Refusal("A name has at least one letter or digit.")
    words, wholes = _heard(name)
    for word in ({*OF_ROLES} - {*roles}) | {*OF_THE_SITE, *OF_ANYBODY}:
        if word.translate(LIKE) in (words | wholes if word in OF_ROLES else wholes):
            raise Refusal(f"“{name}” sounds like somebody else's part here; take another name.")
    return name


def _unseen(text: str) -> set[int]:
    """The places of invisible characters in a text."""
    return {
        index
        for index, c in enumerate(text)
        # Variation selectors are marks of the letter before them, and change nothing that matters in a name.
        if c in BLANK
        or "\ufe00" <= c <= "\ufe0f"
        or "\U000e0100" <= c <= "\U000e01ef"
        or (unicodedata.category(c) in UNSEEN and not _joins(text, index))
    }


def _joins(text: str, index: int) -> bool:
    """Whether a character stands between two letters and says how they join, as Persian and Hindi need it."""
    around = text[max(index - 1, 0) : index + 2]
    letters = [unicodedata.name(c, "") for c in around if unicodedata.category(c)[0] in "LM"]
    return text[index] in JOINERS and len(letters) == 2 and not any(c.startswith(UNJOINED) for c in letters)


def _heard(text: str) -> tuple[set[str], set[str]]:
    """The words of a text and the text as one word, without accents, signs and numbers at the ends of words,
    and also with digits for letters; lookalikes are what they look like.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    words, wholes = set(), set()
    for spelling in (re.sub(r"[0-9]+(?=[\W_]|$)", "", plain), plain):
        letters = spelling.translate(LIKE)
        words |= {*re.split(r"[\W_]+", letters)} | {re.sub(r"[\W_]+", "", part) for part in letters.split()}
        wholes.add(re.sub(r"[\W_]+", "", letters))
    return words, wholes

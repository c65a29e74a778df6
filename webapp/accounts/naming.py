"""Names that people give, to themselves and to what they make: one check, and how older names are shown.

Refused is what can't be seen, what turns the direction of the text around it, and what sounds like somebody
with more rights, also in letters that look like others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

# Letters that look empty though Unicode counts them as letters or signs.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
LIKE = str.maketrans("0134578@$|!lаеорсуіјѕкмтнвαεοριντυκ", "oieastbasiiiaeopcyijskmthbaeopivtuk")
# Nobody's name has one of these words; nobody's whole name is one of those.
OF_ROLES = ("admin", "admins", "administrator", "annotator", "moderator", "superuser", "sysadmin", "root")
OF_THE_SITE = ("coplay", "staff", "support", "system", "operator", "owner", "host", "mod", "player")
OF_ANYBODY = ("you", "me", "somebody", "nobody", "everybody", "agent", "bot", "guest")


class BadName(ValueError):
    """Why a name can't be taken, in a sentence."""


def seen(text: str) -> str:
    """The text without what nobody sees in it, with single spaces."""
    kept = (c for c in text if not _unseen(c))
    return " ".join("".join(kept).split())


def checked(text: str, roles: Collection[str] = ()) -> str:
    """A name as it is kept; one's own roles are no pretence. Raises BadName."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    hidden = next((c for c in name if _unseen(c)), "")
    if hidden:
        called = unicodedata.name(hidden, f"number {ord(hidden)}").lower()
        raise BadName(f"A name has no characters that can't be seen; this one has one ({called}).")
    if name and not any(c.isalnum() for c in name):
        raise BadName("A name has at least one letter or digit.")
    heard = _heard(name)
    for word in ({*OF_ROLES} - {*roles}) | {*OF_THE_SITE, *OF_ANYBODY}:
        (part,) = _heard(word)[0]
        if any(part in words and (word in OF_ROLES or len(words) == 1) for words in heard):
            raise BadName(f"“{name}” sounds like somebody else's part here; take another name.")
    return name


def _unseen(character: str) -> bool:
    # Variation selectors are marks of the letter before them, and change nothing that matters in a name.
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return character in BLANK or selector or unicodedata.category(character) in UNSEEN


def _heard(text: str) -> list[set[str]]:
    """The words of a text without accents and numbers at their ends, as they are and with digits for letters,
    lookalikes as what they look like.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    unnumbered = re.sub(r"[0-9]+(?=[\W_]|$)", "", plain)
    return [set(re.split(r"[\W_]+", one.translate(LIKE))) - {""} for one in (unnumbered, plain)]

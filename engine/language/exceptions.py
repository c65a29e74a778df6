"""Exceptions in a text ("unless …", "except …", "until …"), for all games alike: found by their words, so
that a reading that leaves one out can say so.

Not for reading an exception: each game does that as far as its programs can express it (`carries` in
<game>/labels.py).
"""

from __future__ import annotations

import re

from engine.language import text as typed

_TOLD = (
    r"(?:i|we|you)(?:'m|'re|'ve| am| are| have| do)? (?:say|tell|told|ask|call|come|came|get|got|give|signal|"
    r"order|return|need|want|say so|back|done|here|ready|hear)\b|told|asked|further|otherwise|notice|"
    r"instructed|ordered|my (?:signal|order|mark|command|return|word|go)"
)
"""What an instruction waits for anyway: it stands until somebody takes it back."""
_WORDS = (
    r"unless|until|till|til|except(?:ing)?|apart from|aside from|other than|save for|with the exception of|"
    r"but (?:not|never) (?:if|when|while|after|before)|just not (?:if|when)|all but|(?:any|every) \w+ but|"
    r"everything but|everyone but|everybody but|anything but|anywhere but"
)
_FOUND = re.compile(rf"\b(?:{_WORDS})\b(?! (?:{_TOLD}))[^,.;:!?\n]*")
_NEGATED = re.compile(
    r"\b(?:not|never|no|nothing|nobody|nowhere|none|don't|dont|doesn't|won't|can't|cannot|stop|avoid|without)\b"
)
_TIME = ("until", "till", "til")


def found(text: str) -> list[str]:
    """The exceptions of a text, each from its first word to the end of its clause."""
    return [match[0].strip() for match in _FOUND.finditer(typed.clean(text))]


def is_time(exception: str) -> bool:
    """Whether an exception says how long rather than what not: "until the pot is full"."""
    return exception.startswith(_TIME)


def cut(text: str) -> str:
    """The text without its exceptions, for grammars that would take their words for wishes: "everything
    except serving" asks nobody to serve. The text stays as it is if the exceptions say how long, if they say
    what alone is meant ("nothing except plates"), and if nothing else would be left.
    """
    cleaned = typed.clean(text)
    kept = _FOUND.sub(lambda match: match[0] if _stays(cleaned, match) else " ", cleaned)
    return kept if kept != cleaned and re.search(r"\w", kept) else text


def _stays(cleaned: str, match: re.Match[str]) -> bool:
    if is_time(match[0]):
        return True
    return not match[0].startswith("unless") and bool(_NEGATED.search(cleaned[: match.start()]))

"""An instruction cut into what is asked for, piece by piece: politeness, reasons and conditions taken away,
"don't" made one word, what comes later left out. Not for what a piece asks for (`rules`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.games.arena.language.wishes import data
from engine.language import text as typed

_VERBS = tuple(" ".join(data.lines("verbs.txt")).split())
_DOUBLED = frozenset(data.lines("verbs.txt")[-1].split()) | frozenset(data.lines("verbs.txt")[-2].split())


def _ings() -> dict[str, str]:
    found: dict[str, str] = {}
    for verb in _VERBS:
        found.setdefault(verb + "ing", verb)
        found.setdefault(verb + "in'", verb)
        if verb.endswith("ie"):
            found[verb[:-2] + "ying"] = verb
        elif verb.endswith("e"):
            found[verb[:-1] + "ing"] = verb
        elif verb in _DOUBLED:
            found[verb + verb[-1] + "ing"] = verb
    return found


INGS = _ings()
"""Form in -ing -> the verb."""

_SPELLED = dict(line.split(" = ") for line in data.lines("spellings.txt"))
PATTERNS = {name: re.compile(pattern, re.DOTALL) for name, pattern in data.patterns("cut.rules").items()}
WAYS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


@dataclass(frozen=True)
class Piece:
    """One thing said: its words, whether it is a question, and how it was joined to the one before."""

    words: str
    asks: bool = False
    joined: str = ""


def _shorts(text: str) -> str:
    """Capital letters that mean directions, and their other spellings, as one word each."""
    for short, way in (("NE", "northeast"), ("NW", "northwest"), ("SE", "southeast"), ("SW", "southwest")):
        text = re.sub(rf"\b(?:{short}|{short.lower()})\b", way, text)
    for short, way in (("N", "north"), ("E", "east"), ("S", "south"), ("W", "west")):
        text = re.sub(rf"(?<![\w'])({short})(?![\w'])(?! ?key)", way, text)
    return text


def _canonical(text: str) -> str:
    text = re.sub(r"\b(north|south)[ -]+(east|west)", r"\1\2", text)
    text = PATTERNS["ways"].sub(r"\1", text)
    return PATTERNS["bearing"].sub(lambda m: " " + WAYS[round(int(m[1] or m[2]) / 45) % 8] + " ", text)


def _stem(start: str, ending: str) -> str:
    """A verb in its base form where "moves", "pushes" and "waited" are one; else the word as it was."""
    return next((verb for verb in (start, start + "e") if len(start) > 2 and verb in _VERBS), start + ending)


def _base(word: str) -> str:
    return INGS.get(word, word)


def pieces(text: str, spelled: Callable[[str], str] = str) -> list[Piece]:
    """What is asked for first, in pieces: lower case, verbs in their base form, "not" for all that denies."""
    text = typed.clean(_shorts(text))
    text = re.sub(r"[*_~\"“”()\[\]<>|/\\]+", " ", text).replace("…", ",").replace("..", ",")
    text = re.sub(r"(?<=\w)-(?=\w)", " ", text)
    text = " ".join(_SPELLED.get(word, word) for word in re.findall(r"[\w'.°]*[\w'°]|[^\w\s]|\n", text))
    text = " ".join(spelled(word) if word.isalpha() else word for word in text.split(" "))
    text = _canonical(re.sub(r" (?=[,.;:!?])", "", text))
    text = re.sub(r"\block and load\b", "lock load", PATTERNS["corrected"].sub("", text))
    text = re.sub(r"^(.*?)\binstead\b(?! of)", r"\1", text)
    found = PATTERNS["after"].match(text)
    if found and "not" not in found["what"]:
        text = found["what"]
    text = PATTERNS["later"].sub("", PATTERNS["before"].sub("", PATTERNS["first"].sub(" ", text))) or text
    out: list[Piece] = []
    for sentence in re.findall(r"[^.!?;\n]+[.!?;\n]*", text):
        out += _sentence(sentence)
    return out


def _sentence(sentence: str) -> list[Piece]:
    asks = "?" in sentence
    whole = f" {sentence.strip('.!?; ')} "
    request = False
    for pattern, to in _FRAMES:
        changed = pattern.sub(to, whole)
        request |= changed != whole and asks
        whole = changed
    whole = PATTERNS["instead"].sub(" ", PATTERNS["conditions"].sub(" ", PATTERNS["reasons"].sub(" ", whole)))
    whole = re.sub(r"\bnot +not\b", "keep", re.sub(r" +", " ", whole))
    whole = re.sub(r"[\w']+", lambda m: _base(m[0]), " ".join(whole.split()))
    whole = re.sub(r"^(not )?(\w+?)(es|s|ed|d)\b", lambda m: f"{m[1] or ''}{_stem(m[2], m[3])}", whole)
    whole = re.sub(
        r"\bnot (?:to )?(?:not|stop|quit) (?=(?:" + "|".join(_VERBS) + r")\b)(?!stop here)", "", whole
    )
    out: list[Piece] = []
    at = 0
    joined = ""
    for found in [*PATTERNS["breaks"].finditer(whole), None]:
        words = whole[at : found.start() if found else len(whole)].strip(" ,.'")
        if words:
            if joined == "or" and out and out[-1].words.startswith("not "):
                words = f"not {words}"
            elif joined in ("and", ",", "or") and out and PATTERNS["things"].match(words):
                words = f"{' '.join(PATTERNS['gets'].findall(out[-1].words)[:1])} {words}".strip()
            out.append(Piece(words, asks and not request, joined))
        if found:
            at, joined = found.end(), found[0].strip()
    return out


_FRAMES = [(re.compile("|".join(below)), f" {to} ") for to, below in data.sections("frames.rules")]
IDIOMS = re.compile(rf"\b(?:{'|'.join(data.lines('idioms.rules'))})\b")
"""What nobody says to a squad mate in a match, whatever words of the game it uses."""
KNOWN = sorted(
    set(re.findall(r"[a-z']{2,}", re.sub(r"\\[a-z]", " ", "\n".join(data.lines("frames.rules")))))
    | set(_SPELLED)
    | set(_SPELLED.values())
)
"""Words of the frames, which are nobody's typing errors."""

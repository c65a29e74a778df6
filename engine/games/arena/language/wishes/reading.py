"""From pieces of an instruction to the sub-goals of Table 7 that it asks for first.

Every rule takes the words that it explains away from the rules after it; "not" before them turns a rule into
its opposite. What tells something ("he shot three people") asks for nothing, unless a rule begins with its
very first word ("I'm down").
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from engine.games.arena.language.wishes import cut, data
from engine.games.arena.language.wishes.macros import MACROS, expand
from engine.games.arena.language.wishes.names import WAYS, goals, in_order
from engine.language import text as typed

FILES = ("squad", "looks", "supplies", "fighting", "senses", "movement")
"""Rules are tried in this order."""
LONGEST = 30  # words of a piece that are looked at
PIECES = 12  # pieces of an instruction that are looked at
_NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
]
_COUNTS = {word: number for number, word in enumerate(_NUMBERS)}
_COUNTS |= {"a dozen": 12, "dozen": 12, "a couple of": 2, "a couple": 2, "couple": 2}
_FIRST = re.compile(r"([a-z']+)(s\?)?(?=$| |\(\?: )")


_NOBODY = "~nobody"  # in place of what nobody is to do: "attack our mates"
_MERELY_GOING = goals("len=M")
_NOUN_BEFORE = frozenset(("the", "a", "an", "of", "your", "my", "their", "his", "her", "this", "that", "our"))
_NOUN_BEFORE |= {"in", "with", "at", "under", "by"}
FOREIGN = data.words("foreign.txt")
EMPTY = data.words("empty.txt")
_SMALL = frozenset(("the", "a", "an", "to", "of", "and", "or", "in", "on", "at", "for", "with", "by"))
_SMALL |= {"from", "into", "it", "it's", "is", "are", "be", "this", "that", "my", "your"}


@dataclass(frozen=True)
class Rule:
    """A line of a file of rules: what it asks for, in codes, and what it asks for with "not" before it."""

    line: str
    wanted: str
    unwanted: str
    order: int

    @property
    def whole(self) -> bool:
        """Whether it explains pieces of exactly these words."""
        return self.line.startswith("^")

    @cached_property
    def starts(self) -> frozenset[str] | None:
        """The words that it can begin with; None where that isn't plain. Most rules are never compiled."""
        return _starts(expand(self.line.removeprefix("^")))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![\w'])(?:{expand(self.line)})(?![\w'])")


def _starts(pattern: str) -> frozenset[str] | None:
    alternatives = [pattern]
    if pattern.startswith("(?:"):
        depth, at, begun = 0, 0, 3
        alternatives = []
        for at, letter in enumerate(pattern):
            if letter in "()":
                depth += 1 if letter == "(" else -1
            if depth == 1 and letter == "|" or depth == 0:
                alternatives.append(pattern[begun:at])
                begun = at + 1
            if depth == 0:
                break
        if pattern[at + 1 : at + 2] in ("?", "*"):
            return None
    found: set[str] = set()
    for alternative in alternatives:
        first = _FIRST.match(alternative)
        if first is None:
            return None
        found |= {first[1], first[1] + "s"} if first[2] else {first[1]}
    return frozenset(found)


@dataclass
class Wishes:
    """What was found: {name: value}, the words left over, how many were explained and how many corrected.

    `elsewhere`: something was asked or told that belongs to everyday life or to another game; `tells`:
    something was told rather than asked for.
    """

    goals: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    used: int = 0
    corrected: int = 0
    elsewhere: bool = False
    tells: bool = False


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order in which they are tried."""
    out: list[Rule] = []
    for name in FILES:
        for codes, lines in data.sections(f"{name}.rules"):
            wanted, _, unwanted = codes.partition("/")
            both = wanted.strip(), unwanted.strip()
            out += [Rule(line, *both, len(out) + at) for at, line in enumerate(lines)]
    return tuple(out)


@cache
def _lexicon() -> frozenset[str]:
    """Every word that a rule knows."""
    text = "\n".join(line for name in FILES for line in data.lines(f"{name}.rules") if line[0] != "[")
    text += " ".join(MACROS.values()) + " ".join(cut.INGS) + " ".join(cut.INGS.values())
    plain = re.sub(r"\(\?P<\w+>|\\w|\\b|\\d", " ", text)
    return frozenset(re.findall(r"[a-z']{2,}", plain)) | frozenset(cut.KNOWN)


@cache
def _spelling() -> list[str]:
    return sorted(word for word in _lexicon() if len(word) >= 4 and "'" not in word)


@lru_cache(maxsize=4096)
def _spelled(word: str) -> str | None:
    """The word that one was meant to be; None where it is right, or nobody knows."""
    if word in _lexicon() or word in EMPTY or word in FOREIGN or word.rstrip("s") in _lexicon():
        return None
    near = [known for known in _spelling() if len(set(word) ^ set(known)) <= 4]
    return typed.forgive(word, near)


def _plain(text: str) -> str:
    """`text` with names of people as "teammate" and drawn out words ("slooow") as they are spelled."""
    text = re.sub(r"([a-zA-Z])\1{2,}", r"\1", text)

    def known(name: re.Match[str]) -> str:
        word = name[0].lower()
        strange = word not in _lexicon() and word not in EMPTY and word not in FOREIGN and not _spelled(word)
        return "teammate" if strange else name[0]

    return re.sub(r"^[A-Z][a-z]+(?=,)|(?<=[a-z,] )[A-Z][a-z]+\b", known, text[: 4 * typed.MAX_CHARACTERS])


def wishes(text: str) -> Wishes:
    """The sub-goals that `text` asks for first; see the module's first lines."""
    out = Wishes()
    found: dict[str, str] = {}
    corrected: set[str] = set()

    def spelled(word: str) -> str:
        right = _spelled(word)
        if right is None:
            return word
        corrected.add(word)
        return right

    if cut.IDIOMS.search(typed.clean(text)):
        return Wishes(unread=typed.words(text)[:LONGEST], elsewhere=True)
    read: list[dict[str, str]] = []
    said: list[str] = []
    asked = False
    for piece in cut.pieces(_plain(text), spelled)[:PIECES]:
        told = " ".join(piece.words.split()[:LONGEST])
        elsewhere = not FOREIGN.isdisjoint(told.split())
        out.elsewhere |= elsewhere
        said.append(told)
        asked |= bool(cut.PATTERNS["question"].match(told))
        if elsewhere or cut.PATTERNS["question"].match(told):
            out.unread += [word for word in told.split() if word not in EMPTY]
            continue
        tells = bool(cut.PATTERNS["tells"].match(told))
        out.tells |= tells
        wanted, left = _explain(told, tells)
        if wanted:
            out.used += max(1, len([word for word in _gone(told, left) if word not in _SMALL]))
            read.append(wanted)
        if tells and not wanted:
            out.unread += [word for word in told.split() if not _known(word)]
        else:
            out.unread += [word for word in left.split() if word not in EMPTY]
    # "Go to the house and loot it": the way there is a means to what comes of it.
    for wanted in [one for one in read if one != _MERELY_GOING] or read:
        if not contradicts(found, wanted):
            found |= wanted
    if out.elsewhere and out.used < 3:
        found = {}  # "shoot, I forgot my keys"
    out.unread = [word for word in out.unread if word != _NOBODY]
    out.goals, out.corrected = in_order(found), len(corrected)
    return out


def _known(word: str) -> bool:
    """Whether a word is one of the game."""
    return word in _lexicon() or word in EMPTY


def _gone(told: str, left: str) -> list[str]:
    """The words of a piece that were explained."""
    return list((Counter(told.split()) - Counter(left.split())).elements())


def contradicts(found: dict[str, str], asked: dict[str, str]) -> bool:
    """Whether two readings want different values of one sub-goal: the first one said counts."""
    return any(found.get(name, value) != value for name, value in asked.items())


def _explain(told: str, tells: bool) -> tuple[dict[str, str], str]:
    """(what a piece asks for, the piece with "~" for what was explained).

    The rule that explains most words goes first.
    """
    found: dict[str, str] = {}
    words = set(told.split())
    open_rules = tuple(rule for rule in rules() if rule.starts is None or not words.isdisjoint(rule.starts))
    while True:
        matches = [(rule, match) for rule in open_rules if (match := rule.pattern.search(told))]
        matches = [
            (rule, match)
            for rule, match in matches
            if not (match.start() and (tells or _is_noun(told, match)))
        ]
        if not matches:
            return found, told
        rule, match = min(matches, key=lambda one: (-len(one[1][0].split()), not one[0].whole, one[0].order))
        before = f" {told[: match.start()]} "
        denied = " not " in before and "~" not in before.rsplit(" not ", 1)[1]
        asked = goals(_meant(rule.unwanted if denied else rule.wanted, match))
        if not contradicts(found, asked):
            found |= asked
        gone = "~" if rule.wanted else _NOBODY
        told = f"{told[: match.start()]} {gone} {told[match.end() :]}"
        told = " ".join(told.split())
        tells = False
        open_rules = tuple(rule for rule, _ in matches)


def _is_noun(told: str, match: re.Match[str]) -> bool:
    """Whether the words of a match are what an article or "of" is about, not what is to be done."""
    return told[: match.start()].split()[-1] in _NOUN_BEFORE


def _meant(codes: str, match: re.Match[str]) -> str:
    """The codes with what was said: "@" is the direction, "!" the opposite one, "#" the number."""
    way = match.groupdict().get("way")
    if way is not None:
        at = cut.WAYS.index(way)
        codes = codes.replace("@", WAYS[at]).replace("!", WAYS[(at + 4) % 8])
    count = match.groupdict().get("number")
    if count is not None:
        codes = codes.replace("#", str(int(count) if count.isdecimal() else _COUNTS[count]))
    return codes

"""The commonest wishes of players that the grammar has no words for, in whole clauses, as rules.

`cut` takes such clauses out of a text, and the grammar reads the rest. Not for how they are obeyed
(chances.py), nor for what only one clause among others may say (the `wording` files).
"""

from __future__ import annotations

import re
from typing import Any

from engine.language import text as typed

_PLEASE = r"(?:(?:please|pls|so|now|then|ok|okay|and|but|also|just|always|try to|remember to|you should) )*"
_END = r"(?: (?:please|pls|first|then|now|partner|mate|ok|okay))*"
_LAST = (
    r"(?:the |any |your |a |our )?(?:last (?:cop(?:y|ies)|ones?|cards? of (?:its|their|a|any) kinds?)"
    r"(?: of (?:a card|any card|anything|cards|any|something))?|criticals?|critical (?:cards?|ones?)|"
    r"(?:what|whatever|everything|anything|cards|those)(?: (?:that|which))?(?:'s| is| are|s)? critical)"
)
_SAFE = r"(?:safe|it safe|safely|it safely|things safe)"
_SURE = (
    r"(?:what|cards|those|a card|one|things|anything)(?: that| which)? "
    r"(?:you(?:'re| are)?|u|ur|you r) (?:(?:absolutely|really|completely|100%|totally) )?"
    r"(?:sure (?:of|about)|certain (?:of|about)|know (?:is|are|to be|will be|for sure is) "
    r"(?:playable|safe|good)|know for sure|know)"
)
_FIVES = r"(?:the |my |our |all (?:the |my )?|your )?(?:fives|5s|5's|five|5)"
_EARLY = (
    "(?:early|first|early on|soon|as early as (?:possible|you can)|right away|at once|before (?:the )?others)"
)
_NOT = r"(?:don't|dont|do not|never|avoid|no|stop|not)"
_KEEP = r"(?:save|keep|protect|hold(?: on to)?|guard|spare|look after)"
_HINT = (
    "(?:hint|clue|tell me(?: about)?|mark|show(?: me)?|point out|"
    "give (?:me )?(?:hints|clues) (?:for|about|on))"
)
_LOSE = (
    "(?:discard(?:ing)?|throw(?:ing)?(?: away| out)?|toss(?:ing)?|lose|losing|bin(?:ning)?|dump(?:ing)?|"
    "drop(?:ping)?)"
)
_SPARE = (
    "(?:hoard|economi[sz]e on|go easy on|be (?:stingy|sparing|careful|economical) with|"
    "(?:don't|dont|do not|never) (?:waste|squander|burn)|(?:use|spend|give) fewer)"
)
_TOKENS = "(?:hints?|clues?|(?:hint |clue |information |info )?tokens?)"

Rule = dict[str, Any]
KEEP_CRITICAL: Rule = {"then": {"action": "keep", "cards": "critical"}, "weight": 1.0}
PLAY_SURE: Rule = {"then": {"action": "play", "cards": "unsure"}, "weight": -1.0}
HINT_FIVES: Rule = {"then": {"action": "hint_rank", "value": 5, "for": "new"}, "weight": 1.0}
# Saved from being discarded: whether one can be played is left to whoever plays.
KEEP_FIVES: Rule = {"then": {"action": "discard", "cards": {"rank": 5}}, "weight": -1.0}
FEWER_HINTS: Rule = {"then": {"action": "hint"}, "weight": -0.5}
PLAY_NEWEST: Rule = {"then": {"action": "play", "cards": "newest"}, "weight": 1.0, "habit": True}

CLAUSES: list[tuple[re.Pattern[str], Rule]] = [
    (re.compile(_PLEASE + pattern + _END), rule)
    for pattern, rule in (
        (rf"{_NOT} {_LOSE} {_LAST}", KEEP_CRITICAL),
        (rf"{_KEEP} {_LAST}", KEEP_CRITICAL),
        (rf"{_NOT} {_LOSE} {_FIVES}", KEEP_FIVES),
        (rf"{_KEEP} {_FIVES}", KEEP_FIVES),
        (rf"play (?:more )?{_SAFE}", PLAY_SURE),
        (rf"(?:only play|play only) {_SURE}", PLAY_SURE),
        (rf"{_HINT} {_FIVES} {_EARLY}", HINT_FIVES),
        (rf"{_SPARE} (?:the |your |our |my |those )?{_TOKENS}", FEWER_HINTS),
    )
]
# "The newest one" says no verb: which is meant is asked.
NEWEST = re.compile(rf"{_PLEASE}(?:the |your )?(?:newest|latest|youngest)(?: one| card)?{_END}")
# "If there are fewer than three hints": what is left on the table, which no rule can go by.
_LEFT = r"(?:left|remaining|any ?more|available)"
_SUPPLIES = rf"(?:{_TOKENS}|lives|life|(?:cards? )?(?:left )?(?:in |of )?(?:the )?(?:deck|draw pile))"
_MANY = r"(?:no|zero|only|few|fewer|less|more|at least|at most|exactly|enough|too few|too many|\w+)"
_GONE = r"(?:low|few|scarce|gone|out|empty|short|full|used up|all gone)"
SUPPLIES = re.compile(
    r"\b(?:if|when|whenever|while|once|until|unless|as long as|as soon as)\b(?: \w+){0,2} "
    r"(?:(?:have|has|are|is|there's|got|run out of|runs out of|out of|low on)"
    rf"(?: {_MANY}){{0,4}} {_SUPPLIES}(?: {_LEFT}|$|[,;.])"
    rf"|{_SUPPLIES}(?: \w+)? (?:is|are|get|gets|run|runs) {_GONE})"
)
_CUTS = re.compile(r"([.;!?\n,]+|\b(?:and|but|then)\b)")


def cut(text: str) -> tuple[list[list[Rule]], str, int]:
    """(rules of the clauses that are such wishes, what is left of the text, how many words they took), of a
    text as `clean` leaves it.
    """
    found: list[list[Rule]] = []
    kept: list[str] = []
    used = 0
    for piece in _CUTS.split(text):
        clause = " ".join(piece.split())
        rule = next((rule for pattern, rule in CLAUSES if pattern.fullmatch(clause)), None)
        if rule is None:
            kept.append(piece)
        else:
            found.append([rule])
            used += len(clause.split())
    rest = "".join(kept) if found else text
    return found, rest if re.search(r"[^\W_]", _CUTS.sub(" ", rest)) else "", used


def is_listed(text: str) -> bool:
    """Whether a text consists of such wishes alone, or goes by what is left on the table: nothing else can be
    meant by it.
    """
    found, rest, _ = cut(typed.clean(text))
    return bool(found) and not rest or bool(SUPPLIES.search(typed.clean(text)))

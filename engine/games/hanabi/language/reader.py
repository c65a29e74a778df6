"""Read one instruction: what was understood, how surely, what was left unread, what else it could mean."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.games.hanabi.language import common, say
from engine.games.hanabi.language.guess import CONFIDENCE
from engine.games.hanabi.language.parse import Rule, parse
from engine.games.hanabi.language.relevance import is_code, least_confidence
from engine.language import text as typed
from engine.language.reading import Reading

VERSION = 1
"""Raised when programs change their meaning; it is stored with every program."""
_KEEPS_CLEAR_OF = {
    ("keep", "play"),
    ("play", "keep"),
    ("keep", "discard"),
    ("discard", "keep"),
    ("play", "discard"),
    ("discard", "play"),
}


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """The reading of `text`; refuses, with a sentence, what it can't read. Never raises."""
    if not isinstance(text, str) or not typed.clean(text):
        return _refuse(str(text or ""), "Nothing was typed. I can read " + say.CAN_READ + ".")
    if len(text) > typed.MAX_CHARACTERS:
        return _refuse(
            text[: typed.MAX_CHARACTERS],
            f"That is too long for me: I read up to {typed.MAX_CHARACTERS:,} characters at once.",
        )
    if common.NEWEST.fullmatch(typed.clean(text).strip(" .!?")):
        return _which_newest(text)
    if common.SUPPLIES.search(typed.clean(text)):
        what = "I can't go by how many hints, lives or cards are left. I can read "
        return _refuse(text, what + say.CAN_READ + ".")
    parsed = parse(text)
    if not parsed.rules or is_code(text):
        return _refuse(text, "I could not read that. I can read " + say.CAN_READ + ".", parsed.unread)
    total = parsed.used + len(parsed.unread)
    certainty = CONFIDENCE if parsed.guessed else 1.0
    understood = parsed.used / max(1, total) * 0.95**parsed.corrected
    confidence = round(certainty * understood, 3)
    if understood < (0.5 if parsed.wished else least_confidence(parsed.tokens)):
        return _refuse(text, "I could not read most of that. I can read " + say.CAN_READ + ".", parsed.unread)
    clash = _contradiction(parsed.rules)
    if clash:
        options = [_option(_without(parsed.groups, other)) for other in reversed(clash)]
        said = " Or: ".join(option["sentence"] for option in options)
        return Reading(
            text,
            True,
            f"I can't do both. Did you mean: {said}",
            round(confidence / 2, 3),
            None,
            parsed.unread,
            options,
        )
    option = _option(parsed.rules)
    return Reading(
        text,
        False,
        option["sentence"],
        confidence,
        option["program"],
        parsed.unread,
        _alternatives(parsed.rules),
    )


def _which_newest(text: str) -> Reading:
    """ "The newest one": to play or to discard, the player says which."""
    play = _option([common.PLAY_NEWEST])
    discard = _option([{**common.PLAY_NEWEST, "then": {"action": "discard", "cards": "newest"}}])
    told = f"Play it or discard it? {play['sentence']} Or: {discard['sentence']}"
    return Reading(text, True, told, 0.5, None, [], [play, discard])


def _refuse(text: str, sentence: str, unread: list[str] | None = None) -> Reading:
    return Reading(text, True, sentence, 0.0, None, unread or [])


def _option(rules: list[Rule]) -> dict[str, Any]:
    program = {"game": "hanabi", "version": VERSION, "rules": rules}
    return {"sentence": say.sentence(program), "program": program}


def _without(groups: list[list[Rule]], unwanted: Rule) -> list[Rule]:
    """The rules of all clauses but the one that said `unwanted` (the rule alone, if it is all in one
    clause)."""
    kept = [rule for group in groups if unwanted not in group for rule in group]
    return kept or [rule for group in groups for rule in group if rule != unwanted]


def _contradiction(rules: list[Rule]) -> tuple[Rule, Rule] | None:
    """Two rules that can't both be followed, if any."""
    for i, a in enumerate(rules):
        for b in rules[i + 1 :]:
            if _overlap(a, b) and _clash(a, b):
                return a, b
    return None


def _overlap(a: Rule, b: Rule) -> bool:
    one, two = a.get("when"), b.get("when")
    if one is None or two is None:
        return one is None and two is None
    same = all(one.get(key) == two.get(key) for key in ("value", "touched"))
    # A narrower condition refines a wider one, it does not contradict it.
    return same and set(one["partner_did"]) == set(two["partner_did"])


def _clash(a: Rule, b: Rule) -> bool:
    one, two = dict(a["then"]), dict(b["then"])
    if one == two:
        return (a["weight"] > 0) != (b["weight"] > 0)
    if a["weight"] < 0 or b["weight"] < 0:
        return False
    if one["action"] == two["action"] and a.get("habit") and b.get("habit"):
        return one.get("cards") != two.get("cards")
    if {one["action"], two["action"]} == {"hint_color", "hint_rank"} and a.get("habit") and b.get("habit"):
        return True
    return one.get("cards") == two.get("cards") and (one["action"], two["action"]) in _KEEPS_CLEAR_OF


def _alternatives(rules: list[Rule]) -> list[dict[str, Any]]:
    """Other things that the same words often mean: now against always, one way against both ways."""
    found: list[dict[str, Any]] = []
    for rule in rules:
        if rule.get("habit") and rule["then"]["action"] in ("play", "discard"):
            forced = {k: v for k, v in rule.items() if k != "habit"}
            found.append(_option([forced if r is rule else r for r in rules]))
    one_way = [r for r in rules if "when" in r]
    if one_way and len(one_way) < len(rules):
        found.append(_option(one_way))
    if rules == _SAVE:
        found.append(_option([{"then": {"action": "hint"}, "weight": -0.5}]))
    return found[:3]


_SAVE = parse("save hints").rules

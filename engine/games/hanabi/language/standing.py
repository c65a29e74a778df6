"""Which rules of several instructions still stand: a later one replaces what it contradicts in earlier ones.

Two rules contradict each other when both apply at once and can't both be followed. Pure functions of the
programs. Not for what a rule does to a move (`follow`).
"""

from __future__ import annotations

from typing import Any

Program = dict[str, Any]
Rule = dict[str, Any]
MOVES = ("play", "discard")
ADDITIVE = ("unsure", "any")  # selections of cards that leave room for others


def remaining(programs: list[Program], sim: Any, seat: int) -> list[Program | None]:
    """What is left of each program (engine.language.remaining): the same for every seat that was told."""
    left: list[Program | None] = []
    for index, program in enumerate(programs):
        newer = [rule for later in programs[index + 1 :] for rule in later["rules"]]
        rules = program["rules"]
        for rule in newer:
            rules = [rest for old in rules if (rest := _without(old, rule)) is not None]
        left.append(program if rules == program["rules"] else {**program, "rules": rules} if rules else None)
    return left


def softened(program: Program, share: float) -> Program:
    """The program whose rules have only a share of their weight."""
    rules = [{**rule, "weight": rule["weight"] * share} for rule in program["rules"]]
    return {**program, "rules": rules}


def _without(old: Rule, new: Rule) -> Rule | None:
    """What a new rule leaves of an old one; None: nothing."""
    before, after = old.get("when"), new.get("when")
    only, given = old.get("if", {}), new.get("if", {})
    if only != given and (given or {"when", "unless"} & set(only)):
        return old  # the same while they are in force: chances.py
    if (before is None) != (after is None) or not _contradict(old, new):
        return old  # what holds always is a habit, from which what holds at an occasion is an exception
    if before is None or after is None:
        return None
    both = set(before["partner_did"]) & set(after["partner_did"])
    narrower = any(after.get(key) not in (None, before.get(key)) for key in ("value", "touched"))
    if not both or any(
        None not in (before.get(key), after.get(key)) and before[key] != after[key]
        for key in ("value", "touched")
    ):
        return old
    if narrower:
        if after in before.get("but_not", []):
            return old
        return {**old, "when": {**before, "but_not": [*before.get("but_not", []), after]}}
    rest = [kind for kind in before["partner_did"] if kind not in both]
    return {**old, "when": {**before, "partner_did": rest}} if rest else None


def _contradict(old: Rule, new: Rule) -> bool:
    """Whether two rules for one occasion can't both be followed."""
    one, other = old["then"], new["then"]
    hints = [then["action"].startswith("hint") for then in (one, other)]
    wanted = [rule["weight"] > 0 for rule in (old, new)]
    if all(hints):
        return _hints_contradict(one, other, wanted)
    if any(hints):
        # At one occasion there is one move; keeping a card is none.
        return "when" in old and all(wanted) and "keep" not in (one["action"], other["action"])
    return _moves_contradict(one, other, wanted)


def _moves_contradict(one: dict[str, Any], other: dict[str, Any], wanted: list[bool]) -> bool:
    same_cards = _overlap(one["cards"], other["cards"])
    if one["action"] != other["action"]:
        return same_cards and all(wanted)
    if wanted[0] != wanted[1]:
        return same_cards
    # "Play your newest" and "play your oldest": one card is played at a time.
    chosen = [cards for cards in (one["cards"], other["cards"]) if isinstance(cards, str)]
    exclusive = len(chosen) == 2 and chosen[0] != chosen[1] and not set(chosen) & set(ADDITIVE)
    return one["action"] in MOVES and exclusive and all(wanted)


def _overlap(one: Any, other: Any) -> bool:
    """Whether two selections of cards are the same, or one is a part of the other."""
    if "any" in (one, other) or one == other:
        return True
    if isinstance(one, dict) or isinstance(other, dict):
        return False
    return one.partition("_")[0] == other.partition("_")[0] and not {one, other} & set(ADDITIVE)


def _hints_contradict(one: dict[str, Any], other: dict[str, Any], wanted: list[bool]) -> bool:
    kinds = one["action"], other["action"]
    alike = one.get("for") == other.get("for") and one.get("value") == other.get("value")
    if wanted[0] != wanted[1]:
        return alike and (kinds[0] == kinds[1] or "hint" in kinds and one.get("for") is None)
    if not all(wanted) or "hint" in kinds or kinds[0] == kinds[1]:
        return False
    # Colours or ranks: as a habit, or for the same purpose.
    named = [then.get("value") for then in (one, other)]
    purposes = {one.get("for"), other.get("for")}
    return named == [None, None] and (len(purposes) == 1 or None in purposes)

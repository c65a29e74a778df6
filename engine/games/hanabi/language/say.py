"""A program told back as one sentence in the agent's first person, so that a player can confirm or correct
it.

Written from the program alone, never from what was typed: the sentence says what the agent will do.
"""

from __future__ import annotations

from typing import Any

from engine.games.hanabi.language import saying

PARTS = "rules"  # what a program consists of, each of which can be told alone

CAN_READ = (
    "what a hint by colour or rank means (play, keep or discard the cards), which card to play or discard "
    "(newest, oldest, hinted or not), what to hint (colours, ranks, playable or critical cards), and what "
    "not to do"
)

_DID = {
    "hint_color": "hint a colour",
    "hint_rank": "hint a rank",
    "play": "play a card",
    "discard": "discard a card",
    "nothing": "have not moved yet",
}
_PLURAL = {"hint_color": "colours", "hint_rank": "ranks", "hint": "cards"}
_FOR = {
    "playable": "that you can play",
    "critical": "that must not be discarded",
    "useless": "that are no longer needed",
}


def sentence(program: dict[str, Any]) -> str:
    """One sentence for a whole program."""
    place, parts = 0, []
    for rule in program["rules"]:
        later, place = rule.get("after", 0) > place, max(place, rule.get("after", 0))
        told = _clause(rule)
        if later or told not in parts:
            parts.append("then " * later + told)
    told = "; ".join(parts)
    return told[0].upper() + told[1:] + "."


def _clause(rule: dict[str, Any]) -> str:
    then, weight = rule["then"], rule["weight"]
    when = _when(rule.get("when"))
    if then["action"].startswith("hint"):
        said = _hint(then, weight, bool(rule.get("habit")))
    else:
        said = _card_move(then, weight, bool(rule.get("habit")), rule.get("when")) + _unless(then)
    for name, events in rule.get("if", {}).items():
        said += f", {name} {' or '.join(map(saying.event, events))}"
    return f"{when}, {said}" if when else said


def _unless(then: dict[str, Any]) -> str:
    """Which of its cards a rule leaves out."""
    left_out = [one.get("rank", one.get("color")) for one in then.get("unless", ())]
    if not left_out:
        return ""
    if str(then["cards"]) in ("touched", "untouched", "any", "unsure"):
        return f", unless I know that they are {' or '.join(_value(value) for value in left_out)}"
    each = [f"a {value}" if isinstance(value, int) else str(value) for value in left_out]
    return f", unless I know that it is {' or '.join(each)}"


def _when(when: dict[str, Any] | None) -> str:
    if when is None:
        return ""
    did, value = when["partner_did"], when.get("value")
    touching = {"one": "touch one card", "many": "touch several cards"}.get(when.get("touched", ""))
    if value is not None:
        return f"when you hint {_value(value)}" + (f" and {touching}" if touching else "")
    if touching:
        kinds = "give me a hint" if len(did) > 1 else _DID[did[0]]
        return f"when you {kinds} and {touching}"
    if set(did) == {"hint_color", "hint_rank"}:
        return "when you give me a hint"
    if len(did) >= 3:
        left_out = [k for k in ("hint_color", "hint_rank", "play", "discard") if k not in did]
        return f"when you do not {' or '.join(_DID[k] for k in left_out)}" if left_out else "whatever you did"
    return "when you " + " or ".join(_DID[k] for k in did)


def _value(value: int | str | None) -> str:
    return f"{value}s" if isinstance(value, int) else str(value)


def _cards(cards: Any, when: dict[str, Any] | None) -> str:
    if isinstance(cards, dict):
        if "slot" in cards:
            return f"the card in position {'ABCDE'[cards['slot']]}"
        named = [_value(cards[name]) for name in ("color", "rank") if name in cards]
        return f"cards that I know are {' '.join(named)}"
    hinted = "it touches" if when else "that you hinted"
    return {
        "touched": f"the cards {hinted}",
        "touched_newest": f"the newest card {hinted}",
        "touched_oldest": f"the oldest card {hinted}",
        "untouched": "cards that you have not hinted",
        "untouched_newest": "my newest card that you have not hinted",
        "untouched_oldest": "my oldest card that you have not hinted",
        "newest": "my newest card",
        "oldest": "my oldest card",
        "unsure": "cards that I am not sure of",
        "critical": "what I know is the last of its kind, and discard what is least likely to be",
        "useless": "cards that I know nobody needs any more",
        "sure": "cards that I know fit",
        "any": "cards",
    }[cards]


def _card_move(then: dict[str, Any], weight: float, habit: bool, when: dict[str, Any] | None) -> str:
    verb, cards = then["action"], _cards(then["cards"], when)
    if when and set(when["partner_did"]) - {"hint_color", "hint_rank"} and isinstance(then["cards"], str):
        cards = _cards(then["cards"], None)
    if weight < 0:
        return f"I do not {verb} {cards}"
    if then["cards"] == "any":
        cards = "a card"
    if verb == "keep":
        return f"I keep {cards}"
    if habit and verb == "discard":
        return f"when I discard, I discard {cards}"
    if habit:
        return f"I play {cards} rather than any other that I am not sure of"
    return f"I may {verb} {cards}" if weight < 1 else f"I {verb} {cards}"


def _hint_on(then: dict[str, Any], weight: float) -> str:
    """The same of a hint that touches a card at a place."""
    value = then.get("value")
    told = f"I {'do not ' if weight < 0 else 'may ' if weight < 1 else ''}hint your {then['on']} card"
    if "for" in then:
        return f"{told} when it must not be discarded"
    kind = {"hint_color": " by colour", "hint_rank": " by rank", "hint": ""}[then["action"]]
    return f"{told} as {_value(value)}" if value is not None else told + kind


def _hint(then: dict[str, Any], weight: float, habit: bool) -> str:
    kind, value, purpose = then["action"], then.get("value"), then.get("for")
    if then.get("on"):
        return _hint_on(then, weight)
    if purpose == "new" and value is None:
        return f"I tell you {'nothing' if weight < 0 else 'something'} that you don't know yet"
    if value is not None:
        what = _value(value)
        if purpose == "new":
            return f"I tell you of {what} that you don't know yet"
        return f"I do not hint {what}" if weight < 0 else f"I hint {what} when you hold any"
    if purpose:
        by = {"hint_color": "a colour", "hint_rank": "a rank", "hint": ""}[kind]
        if by:
            return f"I {'do not ' if weight < 0 else ''}hint {by} for cards {_FOR[purpose]}"
        return f"I {'do not ' if weight < 0 else ''}hint cards {_FOR[purpose]}"
    if kind == "hint":
        if weight <= -1:
            return "I do not give hints"
        return "I give fewer hints" if weight < 0 else "I give more hints"
    if weight < 0:
        return f"I do not hint {_PLURAL[kind]}"
    other = "ranks" if kind == "hint_color" else "colours"
    if habit:
        return f"I {'prefer to hint' if weight < 1 else 'hint'} {_PLURAL[kind]} rather than {other}"
    return f"I may hint {_PLURAL[kind]}" if weight < 1 else f"I hint {_PLURAL[kind]}"

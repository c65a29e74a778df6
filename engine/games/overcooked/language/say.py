"""Goals told back as one sentence in the agent's first person, so that a player can confirm or correct it.

Written from the goals alone, never from what was typed: the sentence says what the agent will do.
"""

from __future__ import annotations

from typing import Any

PARTS = "goals"  # what a program consists of, each of which can be told alone

CAN_READ = (
    "what to fetch (onions, plates, tomatoes, soup), where to put it (pots, counters, the serving window), "
    "who does what, where to stand or wait, and stop, go on, swap or make way"
)
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_PLURAL = {"onion": "onions", "dish": "plates", "tomato": "tomatoes", "soup": "soups"}
_SINGLE = {"onion": "an onion", "dish": "a plate", "tomato": "a tomato", "soup": "a soup"}
KIND = {
    "pot": "pot",
    "onion": "onions",
    "dish": "plates",
    "tomato": "tomatoes",
    "serve": "serving window",
    "counter": "counter",
}
_WHEN = {
    "ready": "when a soup is done",
    "full": "when a pot is full",
    "empty": "when a pot is empty",
}


def sentence(program: dict[str, Any]) -> str:
    """One sentence for a whole program."""
    parts = [clause(goal) for goal in program["goals"]]
    parts = [p for i, p in enumerate(parts) if p not in parts[:i]]
    told = "; ".join(parts)
    return told[0].upper() + told[1:] + "."


def place(target: dict[str, Any] | None, default: str = "") -> str:
    """ "the left pot", "a pot", "the onions on the right"."""
    if not target:
        return default
    kind, which = target["kind"], target.get("which")
    if not which:
        return f"a {KIND[kind]}" if kind in ("pot", "counter") else f"the {KIND[kind]}"
    return f"the {which} {KIND[kind]}"


def things(item: str | None, count: int | None) -> str:
    """ "two onions", "an onion", "onions"; "what I hold" for no item."""
    if not item:
        return "what I hold"
    if count is None:
        return _PLURAL[item]
    return _SINGLE[item] if count == 1 else f"{_number(count)} {_PLURAL[item]}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def clause(goal: dict[str, Any]) -> str:
    """A goal in words, without capital or stop."""
    who = {"you": "I", "me": "you", "both": "we"}[goal["who"]]
    doing = _doing(goal)
    if goal.get("all"):
        return "I forget what you told me and do as I see fit"
    if goal["intent"] in ("divide_roles", "swap_roles", "continue"):
        return doing
    said = f"{who} do not {doing}" if goal["negated"] else f"{who} {doing}"
    if when := _WHEN.get(goal.get("when", "")):
        said = f"{when}, {said}"
    return said


def _doing(goal: dict[str, Any]) -> str:
    intent, target, count = goal["intent"], goal["target"], goal["count"]
    to_me = goal.get("to") == "me"
    them = "me" if goal["who"] == "me" else "you"
    if intent.startswith("fetch_"):
        item = intent.removeprefix("fetch_")
        where = f" from {place(target)}" if target else ""
        if to_me:
            return f"bring {them} {things(item, count)}{where}"
        return f"fetch {things(item, count)}{where}"
    if intent in ("put_onion_in_pot", "put_tomato_in_pot"):
        return f"put {things(intent.split('_')[1], count)} in {place(target, 'a pot')}"
    if intent == "put_on_counter":
        where = place(target, "a counter near you" if to_me else "a counter")
        near = f" near {place(goal['near'])}" if goal.get("near") else ""
        return f"put {things(goal.get('item'), count)} on {where}{near}"
    if intent == "take_from_counter":
        what = things(goal["item"], count) if goal.get("item") else "what lies there"
        return f"take {what} from {place(target, 'a counter')}"
    if intent == "pick_up_soup":
        where = f" from {place(target)}" if target else ""
        if to_me:
            return f"bring {them} {things('soup', count)}{where}"
        return f"fill a plate with {'soup' if count == 1 else things('soup', count)}{where}"
    if intent == "serve_soup":
        where = f" at {place(target)}" if target else ""
        return f"serve {things('soup', count)}{where}"
    return _being(goal)


def _being(goal: dict[str, Any]) -> str:
    intent, target = goal["intent"], goal["target"]
    if intent == "start_pot":
        return f"start {place(target, 'a pot')}"
    if intent == "wait_at" and goal.get("to") == "me":
        return "wait next to you"
    if intent == "wait_at":
        until = " until the soup is done" if goal.get("until") else ""
        return f"wait by {place(target)}{until}" if target else f"wait here{until}"
    if intent == "go_to":
        return f"go to {place(target)}" if target else "come to you"
    return {
        "stop": "stop and stand still",
        "continue": "I go on with my work",
        "divide_roles": "we divide the work: I cook, you serve",
        "swap_roles": "we swap what we have been doing",
        "clear_the_way": "get out of your way",
    }[intent]

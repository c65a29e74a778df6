"""What a language model is asked to read an instruction to a cook: one choice for each intent, by whom."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.games.overcooked.language.intents import INTENTS
from engine.games.overcooked.language.labels import labels as labels_of
from engine.games.overcooked.language.labels import option

__all__ = ["ABOUT", "MOST", "NOT_ASKED", "choices", "labels", "option", "said"]

ABOUT = (
    "Cooks share a kitchen: they fetch onions or tomatoes, put three into a pot, cook, fetch a dish, take "
    "the soup up with it and serve it; counters hold things for the others. One cook, a person, typed the "
    "instruction to another, the agent. Most instructions are about one to three tasks."
)
NOT_ASKED = "nothing is said of it"
MOST = 7
_BY = {
    "you do": "the agent shall do it",
    "you not": "the agent shall not do it",
    "me do": "the person does it",
    "me not": "the person won't do it",
    "both do": "both shall do it",
    "both not": "neither shall do it",
}
_MEANS = {choice: label for label, choice in _BY.items()}
_TASKS = {
    "fetch_onion": "fetching an onion, without putting it into a pot",
    "fetch_dish": "fetching a dish (plate, bowl)",
    "fetch_tomato": "fetching a tomato, without putting it into a pot",
    "put_onion_in_pot": "filling a pot with onions",
    "put_tomato_in_pot": "filling a pot with tomatoes",
    "put_on_counter": "putting something down on a counter, or handing it over",
    "take_from_counter": "taking something from a counter",
    "pick_up_soup": "taking cooked soup out of a pot with a dish",
    "serve_soup": "serving a soup, bringing it to the window",
    "start_pot": "switching a full pot on, so that it cooks",
    "wait_at": "waiting, or staying at a place",
    "go_to": "going to a place, without doing anything there",
    "stop": "stopping what one is doing",
    "continue": "going on with what one is doing",
    "divide_roles": "dividing the work: each cook has a part of their own",
    "swap_roles": "exchanging the two cooks' parts",
    "clear_the_way": "getting out of the other's way",
}


@cache
def choices() -> tuple[dict[str, Any], ...]:
    """({"question", "choices", "key"}, …): `key` is the intent."""
    return tuple(
        {
            "question": f"What does the instruction say of {_TASKS[intent]}?",
            "choices": [NOT_ASKED, *_MEANS],
            "key": intent,
        }
        for intent in INTENTS
    )


def labels(said: dict[str, str]) -> list[str]:
    """The labels (labels.py) of answers, {key: choice}."""
    return [f"{intent} {_MEANS[choice]}" for intent, choice in said.items() if choice != NOT_ASKED]


def said(row: dict[str, Any]) -> dict[str, str]:
    """The answers that say what a row of a bank does, as far as they can: of one intent by both cooks, the
    first counts.
    """
    found: dict[str, str] = {}
    for label in labels_of(row):
        intent, _, by = label.partition(" ")
        found.setdefault(intent, _BY[by])
    return found

"""Overcooked in words: what happened, what a seat sees, what an action would do.

Sentences for people call the seats Player 1, Player 2, …, and the reader "you"; the texts for language models
say "I". Stations have the names of `stations`; a counter is told by its place, column and row from 1.
Not for reading what people type (engine.language).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.overcooked import rules, view
from engine.games.overcooked.stations import names

OPEN = True  # nothing is hidden in a kitchen
DID = {
    "pick": "took {item} from the {place}",
    "pick_counter": "picked {item} up from the {place}",
    "place_counter": "put {item} on the {place}",
    "put_pot": "put {item} into the {place}",
    "start_pot": "started the {place} with {item}",
    "pick_soup": "filled a dish with {item} from the {place}",
    "deliver": "served {item} for {points} points",
}
WOULD = {
    "pick": "take {item} from the {place}",
    "pick_counter": "pick {item} up from the {place}",
    "place_counter": "put {my item} on the {place}",
    "put_pot": "put {my item} into the {place}",
    "start_pot": "start to cook {item} in the {place}",
    "pick_soup": "fill my dish with {item} from the {place}",
    "deliver": "serve {my item} for {points} points",
}


def why_illegal(state: np.ndarray, seat: int, action: int) -> str:
    """A sentence for an action that there isn't; every other one is legal."""
    if 0 <= action < len(view.ACTIONS):
        return ""
    return f"There is no action {action}; the actions are 0 to 5: {', '.join(view.ACTIONS)}."


def ingredients(onions: int, tomatoes: int) -> str:
    """ "2 onions and 1 tomato" """
    parts = [
        f"{count} {word if count == 1 else word + end}"
        for count, word, end in ((onions, "onion", "s"), (tomatoes, "tomato", "es"))
        if count
    ]
    return " and ".join(parts)


def thing(item: dict[str, Any] | None, article: str = "a") -> str:
    """What `view.thing` names: "an onion", "the dish", "a soup of 3 onions", "nothing"."""
    if item is None:
        return "nothing"
    if item["kind"] == "soup":
        return f"{article} soup of {ingredients(item['onions'], item['tomatoes'])}"
    return f"{'an' if article == 'a' and item['kind'] == 'onion' else article} {item['kind']}"


def place(state: np.ndarray, cell: int) -> str:
    """A station by its name, a counter by its place: "left pot", "counter in column 3, row 1"."""
    named = names(state)
    if cell in named:
        return named[cell]
    return f"counter in {_where(state, cell)}"


def _where(state: np.ndarray, cell: int) -> str:
    row, column = divmod(cell, int(state[rules.WIDTH]))
    return f"column {column + 1}, row {row + 1}"


def _happened(state: np.ndarray, event: dict[str, Any], texts: dict[str, str]) -> str:
    cell = event["y"] * int(state[rules.WIDTH]) + event["x"]
    values = {
        "item": thing(event["item"]),
        "my item": thing(event["item"], "my"),
        "place": place(state, cell),
    }
    return texts[event["kind"]].format(**values, points=event.get("points"))


def last_move_text(state: np.ndarray, reader: int | None) -> str:
    """What the last step did, a sentence for each cook that used something; "" when nobody did."""
    sentences = []
    for event in view.events(state):
        who = "You" if event["seat"] == reader else f"Player {event['seat'] + 1}"
        sentences.append(f"{who} {_happened(state, event, DID)}.")
    return " ".join(sentences)


def action_text(state: np.ndarray, seat: int, action: int) -> str:
    """What an action of this seat would do if the others stayed: "put my onion into the left pot"."""
    if action == rules.STAY:
        return "stay where I am"
    if action == rules.INTERACT:
        after = np.array(state)
        actions = np.full(int(state[rules.PLAYERS]), rules.STAY, np.int32)
        actions[seat] = rules.INTERACT
        rules.step(after, actions)
        done = view.events(after)
        if done:
            return _happened(after, done[0], WOULD)
        return f"use {_at(state, seat, int(rules.faced(state, seat)))}, which does nothing now"
    here = int(state[rules.POSITION + seat])
    there = int(rules.neighbour(state, here, action))
    free = int(rules.terrain(state, there)) == rules.FLOOR
    if free and all(
        there != int(state[rules.POSITION + other]) for other in range(int(state[rules.PLAYERS]))
    ):
        return f"go {view.FACINGS[action]}"
    return f"turn {view.FACINGS[action]} to {_at(state, seat, there)}"


def _at(state: np.ndarray, seat: int, cell: int) -> str:
    """What is in a cell, as this seat says it."""
    for other in range(int(state[rules.PLAYERS])):
        if int(state[rules.POSITION + other]) == cell:
            return _partner(state, other, seat)
    if int(rules.terrain(state, cell)) == rules.FLOOR:
        return "the floor"
    lies = view.thing(int(state[rules.ITEM + cell]))
    counter = int(rules.terrain(state, cell)) == rules.COUNTER
    return f"the {place(state, cell)}{f' with {thing(lies)}' if counter and lies else ''}"


def _partner(state: np.ndarray, other: int, seat: int) -> str:
    return "my partner" if int(state[rules.PLAYERS]) == 2 else f"Player {other + 1}"


def observation_text(state: np.ndarray, seat: int) -> str:
    """The kitchen in words, from a seat: time, orders, who holds what, what pots need, what lies about."""
    seen = view.view(state, seat)
    left = seen["horizon"] - seen["tick"]
    lines = [f"{left} of {seen['horizon']} ticks are left, and we have {seen['score']} points."]
    wanted = [
        f"{thing({'kind': 'soup', **order})} for {order['value']} points{' (bonus)' * order['bonus']}"
        for order in seen["orders"]
    ]
    lines.append(f"We can serve {'; '.join(wanted)}.")
    for who in (seat, *(other for other in range(len(seen["cooks"])) if other != seat)):
        cook = seen["cooks"][who]
        name = "I" if who == seat else _partner(state, who, seat)
        here = _where(state, int(state[rules.POSITION + who]))
        front = _at(state, seat, int(rules.faced(state, who))) if who == seat else None
        facing = f"face {front}" if front else f"faces {cook['facing']}"
        stand, hold = ("stand", "hold") if who == seat else ("stands", "holds")
        name = name[0].upper() + name[1:]
        lines.append(f"{name} {stand} in {here}, {facing} and {hold} {thing(cook['held'])}.")
    for pot in seen["pots"]:
        lines.append(_pot(state, pot))
    for counter in seen["counters"]:
        cell = counter["y"] * seen["width"] + counter["x"]
        lines.append(f"There is {thing(counter['held'])} on the {place(state, cell)}.")
    return " ".join(lines)


def _pot(state: np.ndarray, pot: dict[str, Any]) -> str:
    """What is in a pot, and what it needs."""
    name = f"The {place(state, pot['y'] * int(state[rules.WIDTH]) + pot['x'])}"
    inside = ingredients(pot["onions"], pot["tomatoes"])
    needed = rules.MAX_INGREDIENTS - pot["onions"] - pot["tomatoes"]
    starts = int(state[rules.DYNAMICS]) == rules.NEW
    if pot["state"] == "empty":
        return f"{name} is empty."
    if pot["state"] == "ready":
        return f"{name} has {thing({'kind': 'soup', **pot})} ready for a dish."
    if pot["state"] == "cooking":
        ticks = "1 more tick" if pot["left"] == 1 else f"{pot['left']} more ticks"
        return f"{name} cooks {inside} for {ticks}."
    if pot["state"] == "full":
        return f"{name} has {inside} and needs somebody with empty hands to start it."
    more = f"{needed} more ingredient{'s' if needed > 1 else ''}"
    return f"{name} has {inside} and {f'can be started or take {more}' if starts else f'needs {more}'}."

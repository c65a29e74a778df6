"""Games of people as overcooked_ai publishes its trials since 2020 (`overcooked-csv`): a CSV with a row a
tick, read and played again. Not for the trials of 2019 (`people`).

Relied on, as its human_data/README.md has it:

- A game's rows have one `trial_id` and follow each other. `state` is JSON of the state in which
  `joint_action` was taken, ticks without a gap; `reward` is what came of it.
- `state`: `players` (position, orientation, held_object), `objects` (soups with `_ingredients` and
  `_cooking_tick`, -1 while nobody has started them), `all_orders`, `bonus_orders`, `timestep`.
- `joint_action`: a step [x, y] or "interact" of each; [0, 0] stays.
- `layout`: the rows of the kitchen as letters, without start cells. New dynamics.

How long a soup cooks and what it brings isn't in it: that is read from soups that cooked and were served.
What is never seen keeps the usual number, and can't matter.
"""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from engine.games.overcooked import options, pages, rules
from engine.games.overcooked.kitchen import Soup, soup_name
from engine.games.people import (
    Format,
    Played,
    Source,
    dealt,
    field_of,
    opened,
    person,
    pseudonym,
    refuse,
    same,
    step,
    whole,
)
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

COLUMNS = (
    *("state", "joint_action", "reward", "score", "time_elapsed", "layout", "layout_name", "trial_id"),
    *("player_0_id", "player_1_id", "player_0_is_human", "player_1_is_human"),
)
FACING = {(0, -1): 0, (0, 1): 1, (1, 0): 2, (-1, 0): 3}
STAY, INTERACT = 4, 5
LONGEST = 10_000  # ticks
HELD = {"onion": rules.ONION, "tomato": rules.TOMATO, "dish": rules.DISH}


def games_of(path: Path | str, skip: Callable[[str], None] = refuse) -> Iterator[dict[str, Any]]:
    """{"id", "rows": the CSV's rows} of each game in a file; what is none is told to `skip`."""
    try:
        with opened(path) as file:
            text = (line.decode("utf-8", errors="replace").replace("\0", "") for line in file)
            rows = csv.DictReader(text)
            lacking = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if lacking:
                skip(f"This is no file of overcooked_ai's trials: it has no column {', '.join(lacking[:3])}.")
                return
            for name, members in groupby(rows, key=lambda row: row["trial_id"]):
                yield {
                    "id": name or "",
                    "rows": [row for _, row in zip(range(LONGEST + 1), members, strict=False)],
                }
    except csv.Error as error:
        skip(f"The file is no CSV: {error}.")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        skip(f"The file is damaged: {str(error).rstrip('.')}.")


def played(row: dict[str, Any]) -> Played:
    """A game, played again: cooks, kitchen and rewards are as recorded at every tick, or Refusal."""
    rows = field_of(row, "rows", list)
    if not 1 <= len(rows) <= LONGEST:
        raise Refusal(f"It has {len(rows)} ticks; 1 to {LONGEST:,} are allowed.")
    states = [_json(row, "state", tick, dict) for tick, row in enumerate(rows)]
    for tick, state in enumerate(states):
        same(f"The timestep of row {tick + 1}", tick, state.get("timestep"))
    joints = [_joint(_json(row, "joint_action", tick, list), tick) for tick, row in enumerate(rows)]
    rewards = [_number(row, "reward", tick) for tick, row in enumerate(rows)]
    simulation = dealt("overcooked", _options(rows, states, joints, rewards))
    for tick, (joint, reward) in enumerate(zip(joints, rewards, strict=True)):
        _as_recorded(simulation, states[tick])
        same(f"The reward of tick {tick + 1}", step(simulation, joint), reward)
    who = [_seat(rows[0], seat) for seat in (0, 1)]
    return Played(
        id=field_of(row, "id", str),
        kind=str(rows[0].get("layout_name") or "kitchen")[:60],
        simulation=simulation,
        seats=who,
    )


# --- The kitchen -----------------------------------------------------------------------------------------


def _options(rows: list[Any], states: list[Any], joints: list[Any], rewards: list[float]) -> dict[str, Any]:
    """The options that the game was played with."""
    grid = _json(rows[0], "layout", 0, list)
    cells = [list(line) if isinstance(line, str | list) else [] for line in grid]
    if len(states[0]["players"]) != 2:
        raise Refusal("It isn't a game of two cooks.")
    for seat, cook in enumerate(states[0]["players"]):
        x, y = _cell(cook["position"])
        if y >= len(cells) or x >= len(cells[y]) or cells[y][x] != " ":
            raise Refusal(f"Cook {seat} begins outside of the kitchen.")
        cells[y][x] = str(seat + 1)
    orders = [_soup(order["ingredients"]) for order in states[0].get("all_orders") or ()]
    bonus = [_soup(order["ingredients"]) for order in states[0].get("bonus_orders") or ()]
    times, values = _times(states), _values(states, joints, rewards, bonus)
    lines = [f"name: {_name(rows[0])}"]
    for name, soups in (("orders", orders), ("bonus_orders", bonus)):
        lines += [f"{name}: {'; '.join(map(soup_name, soups))}"] if soups else []
    for name, numbers in (("times", times), ("values", values)):
        pairs = "; ".join(f"{soup_name(soup)} {number}" for soup, number in sorted(numbers.items()))
        lines += [f"{name}: {pairs}"] if pairs else []
    clocks = [_number(row, "time_elapsed", tick) for tick, row in enumerate(rows)]
    length = round(1000 * median([after - before for before, after in pairwise(clocks)] or [0]))
    low, high = options.TICK_LENGTHS
    return {
        "layout": "\n".join([*lines, "", *("".join(map(str, line)) for line in cells), ""]),
        "dynamics": "new",
        "horizon": len(rows),
        "tick_length": length if low <= length <= high else 0,
    }


def _name(row: Any) -> str:
    words = "".join(char if char.isalnum() else " " for char in str(row.get("layout_name") or "")).split()
    return " ".join(words)[:40] or "kitchen"


def _soup(ingredients: Any) -> Soup:
    names = [ingredient["name"] if isinstance(ingredient, dict) else ingredient for ingredient in ingredients]
    if not 1 <= len(names) <= rules.MAX_INGREDIENTS or not set(names) <= {"onion", "tomato"}:
        raise Refusal(f"There is no soup of {str(names)[:60]}.")
    return names.count("onion"), names.count("tomato")


def _times(states: list[Any]) -> dict[Soup, int]:
    """Ticks that each soup that was seen cooking takes."""
    soups = (thing for state in states for thing in state["objects"] if thing["name"] == "soup")
    cooking = (soup for soup in soups if type(soup.get("cook_time")) is int and soup["cook_time"] > 0)
    return {_soup(soup["_ingredients"]): soup["cook_time"] for soup in cooking}


def _values(states: list[Any], joints: list[Any], rewards: list[float], bonus: list[Soup]) -> dict[Soup, int]:
    """Points of each soup that was served, before a bonus; from ticks at which one alone was."""
    points: dict[Soup, int] = {}
    for tick, reward in enumerate(rewards[:-1]):
        if reward > 0:
            before, after = (states[moment]["players"] for moment in (tick, tick + 1))
            held = [cook["held_object"] for cook in before]
            gone = [
                _soup(held[seat]["_ingredients"])
                for seat in (0, 1)
                if held[seat] and held[seat]["name"] == "soup" and joints[tick][seat] == INTERACT
                if after[seat]["held_object"] is None
            ]
            if len(gone) == 1:
                points[gone[0]] = int(reward) // (options.ORDER_BONUS if gone[0] in bonus else 1)
    return points


# --- Rows ------------------------------------------------------------------------------------------------


def _json(row: Any, name: str, tick: int, kind: type) -> Any:
    try:
        value = json.loads(row[name])
    except (ValueError, TypeError, KeyError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise Refusal(f"The {name} of row {tick + 1} isn't what the format says.")
    return value


def _number(row: Any, name: str, tick: int) -> float:
    try:
        value = float(row[name])
    except (ValueError, TypeError, KeyError):
        value = float("nan")
    if not abs(value) <= 10**9:  # nor is NaN
        raise Refusal(f"The {name} of row {tick + 1} is {str(row.get(name))[:20]!r}, which is no number.")
    return value


def _cell(value: Any) -> tuple[int, int]:
    x, y = value
    return whole(x, 0, 63, "A column"), whole(y, 0, 63, "A row")


def _joint(joint: list[Any], tick: int) -> list[int]:
    actions = [_action(action) for action in joint]
    if len(actions) != 2 or None in actions:
        raise Refusal(f"The joint action of row {tick + 1} isn't what the format says.")
    return [action for action in actions if action is not None]


def _action(name: Any) -> int | None:
    if isinstance(name, str):
        return INTERACT if name.lower() == "interact" else None
    if name == [0, 0]:
        return STAY
    return FACING.get(tuple(name)) if isinstance(name, list) and all(type(n) is int for n in name) else None


def _seat(row: Any, seat: int) -> dict[str, Any]:
    name = str(row.get(f"player_{seat}_id") or f"nobody {seat}")
    if str(row.get(f"player_{seat}_is_human")).lower() == "true":
        return person(pseudonym("O", name))
    return {"kind": "agent", "name": name[:60], "agent": None, "pseudonym": None}


# --- What is compared ------------------------------------------------------------------------------------


def _as_recorded(simulation: Simulation, recorded: Any) -> None:
    """Raise Refusal unless cooks and things are as recorded."""
    state, tick = simulation.state, simulation.tick
    width = int(state[rules.WIDTH])
    for seat, cook in enumerate(recorded["players"]):
        y, x = divmod(int(state[rules.POSITION + seat]), width)
        played = [x, y, int(state[rules.FACING + seat]), int(state[rules.HELD + seat])]
        facing = FACING.get(tuple(cook["orientation"]))
        recorded_cook = [*_cell(cook["position"]), facing, _item(cook["held_object"])]
        same(f"Cook {seat} at tick {tick}", played, recorded_cook)
    same(f"What lies around at tick {tick}", _things(state), sorted(map(_thing, recorded["objects"])))


def _item(thing: Any) -> int:
    if thing is None:
        return int(rules.NOTHING)
    if thing["name"] == "soup":
        onions, tomatoes = _soup(thing["_ingredients"])
        return int(rules.SOUP + (onions << 2) + tomatoes)
    return int(HELD[thing["name"]])


def _thing(thing: Any) -> list[int]:
    x, y = _cell(thing["position"])
    ticks = thing["_cooking_tick"] if thing["name"] == "soup" else rules.IDLE
    return [x, y, _item(thing), whole(ticks, -1, 10_000, "A cooking tick")]


def _things(state: np.ndarray) -> list[list[int]]:
    """[[x, y, item, ticks cooked]]; of a soup on a counter all its ticks, as the record has it."""
    width, things = int(state[rules.WIDTH]), []
    items = state[rules.ITEM : rules.ITEM + rules.MAX_CELLS]
    for cell in map(int, np.flatnonzero(items)):
        item, timer = int(items[cell]), int(state[rules.TIMER + cell])
        if item >= rules.SOUP and rules.terrain(state, cell) != rules.POT:
            timer = int(rules.cook_time(state, item))
        things.append([cell % width, cell // width, item, timer if item >= rules.SOUP else int(rules.IDLE)])
    return sorted(things)


FORMAT = Format(
    "overcooked-csv",
    Source(
        title="Trials of overcooked_ai since 2020",
        url="https://github.com/HumanCompatibleAI/overcooked_ai",
        licence="not to be distributed without CHAI's consent, as its README says",
        licence_url="",
        attribution="Center for Human-Compatible AI, UC Berkeley.",
        changed="Layouts written out, times of soups and points read from play; made into an episode log, "
        "participants renamed.",
        year=2020,
    ),
    games_of,
    played,
    lambda kind: pages.label(kind).lower() if kind in pages.KITCHENS else kind.replace("_", " "),
)

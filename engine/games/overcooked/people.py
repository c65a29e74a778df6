"""Recorded games of two people at Overcooked (`people-overcooked`), read and played again. Not for what
becomes of them (the site, learning).

One game a line (docs/people.md has the fields): the trials that Carroll et al. recorded in 2019, old
dynamics, at a clock of their own. Where the cooks began elsewhere than in today's layout, the option `starts`
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine.games.overcooked import layouts, pages, rules, trials_csv
from engine.games.overcooked.view import thing
from engine.games.people import (
    Format,
    Played,
    Source,
    dealt,
    field_of,
    lines_of,
    person,
    pseudonym,
    refuse,
    same,
    step,
)
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

HELD = {rules.NOTHING: 0, rules.ONION: 1, rules.DISH: 2}  # of a recorded cook; any soup is 3


def games_of(path: Path | str, skip: Callable[[str], None] = refuse) -> Iterator[dict[str, Any]]:
    """The rows of a file of the format `people-overcooked`; damaged lines are told to `skip`."""
    return lines_of(path, skip)


def options_of(row: dict[str, Any]) -> dict[str, Any]:
    """The options that a row's game was played with; raises Refusal."""
    name, grid = field_of(row, "layout", str), field_of(row, "grid", list)
    if name not in layouts.CLASSIC:
        raise Refusal(f"There is no layout {name[:40]!r}.")
    layout = layouts.layout_of(name)
    cells = {kind: (x, y) for y, line in enumerate(grid) for x, kind in enumerate(str(line)) if kind in "12"}
    rows = tuple(str(line).translate(str.maketrans(".12", "   ")) for line in grid)
    if rows != tuple(layout.grid) or len(cells) != 2:
        raise Refusal(f"Its kitchen isn't {name}.")
    return {
        "layout": name,
        "horizon": field_of(row, "ticks", int),
        "starts": "; ".join(f"{x} {y}" for x, y in (cells["1"], cells["2"])),
        "tick_length": round(1000 * field_of(row, "seconds_per_tick", float)),
    }


def played(row: dict[str, Any]) -> Played:
    """A row, played again: cooks at every tick, states, rewards and score are as recorded, or Refusal."""
    options, actions = options_of(row), field_of(row, "actions", list)
    rewards, cooks = field_of(row, "rewards", list), field_of(row, "cooks", list)
    if not len(actions) == len(rewards) == len(cooks) - 1 == options["horizon"]:
        raise Refusal("Its 'actions', 'rewards' and 'cooks' aren't as long as its 'ticks' say.")
    if row.get("people") != [0, 1]:
        raise Refusal("Its seats aren't both of people.")
    simulation = dealt("overcooked", options)
    states = {state["tick"]: state for state in field_of(row, "states", list)}
    _as_recorded(simulation, cooks[0], states.get(0))
    for tick, (joint, reward) in enumerate(zip(actions, rewards, strict=True), 1):
        same(f"The reward of tick {tick}", step(simulation, joint), reward)
        _as_recorded(simulation, cooks[tick], states.get(tick))
    same("The score", simulation.score, field_of(row, "score", int))
    same("The last state", max(states, default=None), simulation.tick)
    pair = f"{field_of(row, 'run', str)} {field_of(row, 'pair', int)}"
    return Played(
        id=field_of(row, "id", str),
        kind=options["layout"],
        simulation=simulation,
        seats=[person(pseudonym("O", f"{pair} {seat}")) for seat in (0, 1)],
    )


def _as_recorded(simulation: Simulation, cooks: list[int], whole: dict[str, Any] | None) -> None:
    """Raise Refusal unless the cooks, and the kitchen where the record has all of it, are as recorded."""
    state, tick = simulation.state, simulation.tick
    width = int(state[rules.WIDTH])
    standing = [_cook(state, seat, width) for seat in (0, 1)]
    coded = [number for x, y, facing, held in standing for number in (x, y, facing, HELD.get(held, 3))]
    same(f"Where the cooks are at tick {tick}", coded, cooks)
    if whole is not None:
        named = [[x, y, facing, _name(held)] for x, y, facing, held in standing]
        same(f"What the cooks hold at tick {tick}", named, whole["cooks"])
        same(f"What lies around at tick {tick}", _objects(state, width), sorted(whole["objects"]))


def _cook(state: np.ndarray, seat: int, width: int) -> tuple[int, int, int, int]:
    """x, y, facing, item."""
    y, x = divmod(int(state[rules.POSITION + seat]), width)
    return x, y, int(state[rules.FACING + seat]), int(state[rules.HELD + seat])


def _name(item: int) -> str | None:
    named = thing(item)
    return named["kind"] if named else None


def _objects(state: np.ndarray, width: int) -> list[list[Any]]:
    """[[x, y, name, onions, ticks cooked]] on counters and in pots."""
    items = state[rules.ITEM : rules.ITEM + rules.MAX_CELLS]
    objects = []
    for cell in np.flatnonzero(items):
        item, timer = int(items[cell]), int(state[rules.TIMER + cell])
        soup = item >= rules.SOUP
        ticks = (
            max(0, timer)
            if rules.terrain(state, cell) == rules.POT
            else int(rules.cook_time(state, item))
            if soup
            else 0
        )
        objects.append(
            [
                int(cell) % width,
                int(cell) // width,
                _name(item),
                int(rules.onions_of(item)) if soup else 0,
                ticks,
            ]
        )
    return sorted(objects)


TRIALS = Source(
    title="Human-human trials of Carroll et al. 2019",
    url="https://github.com/HumanCompatibleAI/overcooked_ai",
    licence="MIT",
    licence_url="https://github.com/HumanCompatibleAI/overcooked_ai/blob/master/LICENSE",
    attribution="Copyright (c) 2019 Center for Human-Compatible AI. M. Carroll et al.: On the Utility of "
    "Learning about Humans for Human-AI Coordination, NeurIPS 2019.",
    changed="Turned into JSON, actions and layouts renamed, points rescaled, times capped; made into an "
    "episode log, participants renamed.",
    year=2019,
)
FORMATS = (
    Format("people-overcooked", TRIALS, games_of, played, lambda kind: pages.label(kind).lower()),
    trials_csv.FORMAT,
)

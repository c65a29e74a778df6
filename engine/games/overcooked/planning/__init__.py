"""What a team can do in a kitchen, for planners (engine.games.plans): onions and tomatoes into pots, soups
served, things handed over counters.

`ground` has what stays as it is, `kitchen` what changes. Not for who does what (planners).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.games.overcooked import rules, view, words
from engine.games.overcooked.planning.asked import Goal
from engine.games.overcooked.planning.ground import Ground
from engine.games.overcooked.planning.kitchen import IDLE, Kitchen, Lies, Pot
from engine.games.overcooked.stations import names
from engine.games.plans import Things, Wanted
from engine.simulation.simulation import Simulation

GOAL = "Serve as many soups as we can."
DID = {"fill": "put_pot", "plate": "pick_soup", "serve": "deliver", "start": "start_pot"}
"""The events that acts of goals are."""


def world(sim: Simulation, wanted: Wanted) -> Kitchen:
    """The kitchen as it is now."""
    state, ground = sim.state, Ground(sim.state, wanted)
    done = tuple(_since(sim, goal, wanted.since) for goal in ground.goals)
    if ground.goals and all(count >= goal.times for count, goal in zip(done, ground.goals, strict=True)):
        return world(sim, replace(wanted, goal=()))
    cooks = ground.cooks
    return Kitchen(
        ground,
        tuple(ground.homes),
        tuple(state[rules.HELD : rules.HELD + cooks].tolist()),
        (0.0,) * cooks,
        tuple(_pot(state, cell) for cell in ground.pots),
        tuple(
            Lies(0.0, int(state[rules.ITEM + cell]), cell)
            for cell in ground.counters
            if int(state[rules.ITEM + cell]) != rules.NOTHING
        ),
        0.0,
        done,
    )


def _since(sim: Simulation, goal: Goal, tick: int) -> int:
    """How often what counts for a goal was done since a tick."""
    kinds = {DID[act] for act, *_ in goal.meant if act in DID}
    return sum(event["kind"] in kinds and event["tick"] > tick for event in sim.events)


def _pot(state: np.ndarray, cell: int) -> Pot:
    item, timer = int(state[rules.ITEM + cell]), int(state[rules.TIMER + cell])
    if item == rules.NOTHING or timer == rules.IDLE:
        return Pot(max(0, item - rules.SOUP), 0.0, 0.0, IDLE)
    return Pot(item - rules.SOUP, 0.0, 0.0, float(max(0, int(rules.cook_time(state, item)) - timer)))


def things(sim: Simulation) -> Things:
    """The stations with what is in the pots, what lies on counters, and who holds what."""
    state, width = sim.state, int(sim.state[rules.WIDTH])
    seen = view.view(state, None)
    pots = {(pot["x"], pot["y"]): _inside(pot) for pot in seen["pots"]}
    found: Things = []
    for cell, name in names(state).items():
        place = cell % width, cell // width
        found.append({"name": name, "place": list(place), "now": pots.get(place, "")})
    for counter in seen["counters"]:
        name = words.place(state, counter["y"] * width + counter["x"])
        now = f"{words.thing(counter['held'])} on it"
        found.append({"name": name, "place": [counter["x"], counter["y"]], "now": now})
    for seat, cook in enumerate(seen["cooks"]):
        now = f"holds {words.thing(cook['held'])}"
        found.append({"name": f"{{{seat}}}", "place": [cook["x"], cook["y"]], "now": now})
    return found


def _inside(pot: dict[str, object]) -> str:
    """What is in a pot: "2 onions in it", "a soup of 3 onions is done"."""
    onions, tomatoes = int(str(pot["onions"])), int(str(pot["tomatoes"]))
    inside = words.ingredients(onions, tomatoes)
    return {
        "empty": "empty",
        "filling": f"{inside} in it",
        "full": f"{inside} in it, to be switched on",
        "cooking": f"cooks {inside}, {pot['left']} ticks left",
        "ready": f"a soup of {inside} is done",
    }[str(pot["state"])]

"""Overcooked against overcooked_ai in the new dynamics: the same actions, no difference.

Compared at every step of all its layouts: places, directions, hands, counters, pots, the sparse and shaped
rewards and both lossless views. overcooked_ai runs in an environment and a process of its own. The old
dynamics aren't compared: the published package lacks them (it swallows the keyword); `test_rules` tests them.
"""

from __future__ import annotations

import ast
import base64
import json
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from engine.games.overcooked import observation, options, rules, view
from tests.engine.games.overcooked.kitchen import INTERACT, Kitchen
from tools.peers import program

pytestmark = pytest.mark.overcooked_ai

HORIZON = 260  # ticks, of which the last 39 are urgent
STEPS = 240
# What our validator refuses in four of the package's layouts is changed for both sides.
ONE_COOK = ("cramped_room_single", "O   O", "O 2 O")
BURIED_WINDOWS = ("you_shall_not_pass", "XXXXXSSSXXXXX", "XXXXXXSXXXXXX")
NO_LITERAL = ("tutorial_3", "float('inf')", "2")
START_STATE = "tutorial_1"


class Peer:
    """overcooked_ai, asked one line at a time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            program("overcooked-ai"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    found = Peer()
    yield found
    found.process.stdin.close()
    found.process.wait()


@pytest.fixture(scope="module")
def layouts(peer: Peer) -> dict[str, dict[str, Any]]:
    """Every layout of the package as a dictionary that both sides read."""
    texts = peer.ask(do="layouts")
    for name, old, new in (ONE_COOK, BURIED_WINDOWS, NO_LITERAL):
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    found = {name: ast.literal_eval(text) for name, text in texts.items()}
    del found[START_STATE]["start_state"]
    return found


# --- A cook with a purpose, but not a very good one ---------------------------------------------------------


def targets(kitchen: Kitchen, seat: int, draw: Random) -> list[int]:
    """The cells that a cook with these hands may want to use."""
    state, held = kitchen.state, kitchen.held(seat)
    kinds = [int(rules.terrain(state, cell)) for cell in range(kitchen.width * kitchen.height)]
    pots = [cell for cell, kind in enumerate(kinds) if kind == rules.POT]
    counters = [cell for cell, kind in enumerate(kinds) if kind == rules.COUNTER]
    if held >= rules.SOUP:
        wanted = [cell for cell, kind in enumerate(kinds) if kind == rules.SERVE]
    elif held == rules.DISH:
        wanted = [cell for cell in pots if int(state[rules.ITEM + cell]) >= rules.SOUP]
    elif held != rules.NOTHING:
        wanted = [cell for cell in pots if rules.pot_open(state, cell)]
    else:
        filled = [cell for cell in pots if int(state[rules.ITEM + cell]) >= rules.SOUP]
        idle = [cell for cell in filled if int(state[rules.TIMER + cell]) == rules.IDLE]
        full = [cell for cell in idle if not rules.pot_open(state, cell)]
        fetch = [cell for cell, kind in enumerate(kinds) if kind in (rules.ONIONS, rules.TOMATOES)]
        dishes = [cell for cell, kind in enumerate(kinds) if kind == rules.DISHES]
        lying = [cell for cell in counters if int(state[rules.ITEM + cell])]
        wanted = draw.choice(
            [full or fetch, fetch, idle or fetch, dishes if filled else fetch, lying or fetch]
        )
    if not wanted or draw.random() < 0.1:
        wanted = [cell for cell in counters if not int(state[rules.ITEM + cell])]
    return wanted


def way(kitchen: Kitchen, seat: int, wanted: list[int]) -> int | None:
    """The first move towards facing one of the cells, INTERACT when one is faced, None without a way."""
    state = kitchen.state
    here = int(state[rules.POSITION + seat])
    if int(rules.faced(state, seat)) in wanted:
        return INTERACT
    first: dict[int, int | None] = {here: None}
    waiting = [here]
    for cell in waiting:
        for direction in range(4):
            there = int(rules.neighbour(state, cell, direction))
            move = direction if first[cell] is None else first[cell]
            if there in wanted:
                return move
            if int(rules.terrain(state, there)) == rules.FLOOR and there not in first:
                first[there] = move
                waiting.append(there)
    return None


def purposeful(kitchen: Kitchen, draw: Random, minds: dict[int, tuple[int, list[int]]]) -> list[int]:
    """A joint action: each cook goes on with its plan until its hands change or it loses patience."""
    joint = []
    for seat in range(kitchen.options["players"]):
        held = kitchen.held(seat)
        if seat not in minds or minds[seat][0] != held or draw.random() < 0.08:
            minds[seat] = held, targets(kitchen, seat, draw)
        move = way(kitchen, seat, minds[seat][1])
        if move == INTERACT:
            minds.pop(seat)
        joint.append(draw.randrange(6) if move is None or draw.random() < 0.12 else move)
    return joint


# --- The comparison -----------------------------------------------------------------------------------------


def thing(item: int) -> str:
    if item >= rules.SOUP:
        return f"soup {rules.onions_of(item)} {rules.tomatoes_of(item)}"
    return ("", "onion", "tomato", "dish")[item]


def told(kitchen: Kitchen) -> dict[str, Any]:
    """The state as the peer tells it; the ticks of a soup are compared in pots only."""
    state, width = kitchen.state, kitchen.width
    objects = []
    for cell in range(width * kitchen.height):
        if int(state[rules.ITEM + cell]):
            pot = int(rules.terrain(state, cell)) == rules.POT
            ticks = int(state[rules.TIMER + cell]) if pot else None
            objects.append([cell % width, cell // width, thing(int(state[rules.ITEM + cell])), ticks])
    cooks = [
        [*kitchen.at(seat), kitchen.facing(seat), thing(kitchen.held(seat))]
        for seat in range(kitchen.options["players"])
    ]
    return {"tick": int(state[rules.TICK]), "cooks": cooks, "objects": sorted(objects, key=lambda o: o[:2])}


def seen(kitchen: Kitchen) -> bytes:
    out = np.zeros((2, kitchen.width * kitchen.height * observation.CHANNELS), np.uint8)
    for seat in range(2):
        observation.encode(kitchen.state, seat, out[seat])
    return out.tobytes()


def compare(peer: Peer, layout: dict[str, Any], seed: int, with_purpose: bool) -> Counter:
    """Play one game on both sides; how often each event came."""
    kitchen = Kitchen(repr(layout), "new", horizon=HORIZON)
    players = kitchen.options["players"]
    draw, minds = Random(seed), {}
    actions: list[list[int]] = []
    ours: list[tuple[dict, int, list[int], bytes]] = [(told(kitchen), 0, [], seen(kitchen))]
    events: Counter = Counter()
    for _ in range(STEPS):
        joint = (
            purposeful(kitchen, draw, minds) if with_purpose else [draw.randrange(6) for _ in range(players)]
        )
        dishes = [kitchen.held(seat) for seat in range(players)]
        reward = kitchen.step(*joint)
        shaped = kitchen.shaped()
        if players != 2:
            # Theirs pays nobody for dishes then; see test_rules for ours.
            for seat in range(players):
                shaped[seat] -= 3 * (
                    dishes[seat] == 0 and kitchen.held(seat) == rules.DISH and shaped[seat] == 3
                )
        actions.append(joint)
        ours.append((told(kitchen), reward, shaped, seen(kitchen)))
        for event in view.events(kitchen.state):
            events[event["kind"]] += 1
            events["points"] += event.get("points", 0)
    theirs = peer.ask(do="play", layout=layout, horizon=HORIZON, actions=actions)["steps"]
    assert len(theirs) == len(ours)
    for tick, ((state, reward, shaped, bits), (their_state, sparse, their_shaped, views)) in enumerate(
        zip(ours, theirs, strict=True)
    ):
        for their_object, our_object in zip(their_state["objects"], state["objects"], strict=True):
            if our_object[3] is None:
                their_object[3] = None
        assert state == their_state, tick
        assert (reward, shaped) == (sum(sparse), their_shaped), tick
        if players == 2:
            assert bits == zlib.decompress(base64.b64decode(views)), tick
    return events


def test_every_layout_of_the_package_is_read(layouts: dict[str, dict[str, Any]]) -> None:
    assert len(layouts) == 45
    for layout in layouts.values():
        complete = options.validate({"layout": repr(layout), "dynamics": "new"})
        assert options.validate(complete) == complete


def test_random_games_agree_in_everything(peer: Peer, layouts: dict[str, dict[str, Any]]) -> None:
    for seed, layout in enumerate(layouts.values()):
        compare(peer, layout, seed, with_purpose=False)


def test_purposeful_games_agree_in_everything(peer: Peer, layouts: dict[str, dict[str, Any]]) -> None:
    events: dict[str, Counter] = {}
    for seed, (name, layout) in enumerate(layouts.items()):
        events[name] = compare(peer, layout, 100 + seed, with_purpose=True)
        events[name] += compare(peer, layout, 200 + seed, with_purpose=True)
    every = sum(events.values(), Counter())
    assert all(every[kind] > 100 for kind in view.EVENTS.values()), every
    assert sum(counted["deliver"] > 0 for counted in events.values()) > 35, events
    assert events["multiplayer_schelling"]["put_pot"] > 5

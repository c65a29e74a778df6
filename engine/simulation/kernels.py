"""The loops over many games at once, on one CPU core: step, restart, mask, observe.

Written once and loaded for each game with that game's rule functions as globals (`new_game`, `legal`, `step`,
`current`, `over`, `score`, `encode`, `encode_packed`, `TURN_BASED`, and `shaped` or `resolve` where a game
has them), so that numba compiles them together and caches them for each game; `load` does that. Nothing here
checks that an action is legal (`first_illegal` does). The GIL is released: threads may run slices of a batch
at once.

Shapes, for n games, A actions, S seats: states (n, state_size); actions, seats, scores (n,) or (n, S) for
actions when all seats move at once; masks (n, A) and observations (n, size) of the seat to move, or (n, S, A)
and (n, S, size) of all seats; rewards, dones (n,). Where an action has several heads, actions are
(n, S, heads) and records (n, S, numbers) what the rules are given for them. finals (n, state_size), or no
rows, get the last state of a game that ends. `world` (places, size) is the
shared ground of games that have one, and is passed by for the others.
"""

# ruff: noqa: F821

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from engine.simulation.jit import rule
from engine.simulation.rng import below, random32


@lru_cache
def load(spec: Any) -> ModuleType:
    """These kernels for one game."""
    name = f"{__name__}_{spec.name}"
    module_spec = importlib.util.spec_from_file_location(name, __file__)
    module = importlib.util.module_from_spec(module_spec)
    for function in ("new_game", "legal", "step", "current", "over", "score", "encode", "encode_packed"):
        setattr(module, function, getattr(spec, function))
    module.shaped = spec.shaped
    module.resolve = spec.resolve
    module.TURN_BASED = spec.turn_based
    module.WORLD = spec.world is not None
    module.HEADS = len(spec.heads)
    module.SIZES = np.array(spec.heads or (0,), np.int32)
    sys.modules[name] = module
    module_spec.loader.exec_module(module)
    return module


@rule(inline="always")
def _new_game(state, world):
    if WORLD:
        new_game(state, world)
    else:
        new_game(state)


@rule(inline="always")
def _legal(state, world, seat, out):
    if WORLD:
        legal(state, world, seat, out)
    else:
        legal(state, seat, out)


@rule(inline="always")
def _encode(state, world, seat, out):
    if WORLD:
        encode(state, world, seat, out)
    else:
        encode(state, seat, out)


@rule(inline="always")
def _encode_packed(state, world, seat, out):
    if WORLD:
        encode_packed(state, world, seat, out)
    else:
        encode_packed(state, seat, out)


@rule
def restart(states, world):
    """Begin the next episode of every game."""
    for i in range(states.shape[0]):
        _new_game(states[i], world)


@rule
def first_illegal(masks, actions):
    """The index of the first game whose action its mask forbids, -1 when there is none.

    Choices of heads are only held to their range: a choice may be kept for some ticks, and one that a mask
    leaves out does nothing.
    """
    if TURN_BASED:
        for i in range(actions.shape[0]):
            action = int(actions[i])
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
    elif HEADS:
        for i in range(actions.shape[0]):
            for seat in range(actions.shape[1]):
                for head in range(HEADS):
                    action = int(actions[i, seat, head])
                    if action < 0 or action >= int(SIZES[head]):
                        return i
    else:
        for i in range(actions.shape[0]):
            for seat in range(actions.shape[1]):
                action = int(actions[i, seat])
                if action < 0 or action >= masks.shape[2] or masks[i, seat, action] == 0:
                    return i
    return -1


@rule(inline="always")
def _advance(state, world, action, record, i, rewards, dones, scores, finals):
    if HEADS:
        for seat in range(record.shape[0]):
            resolve(state, world, seat, action[seat], record[seat])
        rewards[i] = step(state, world, record)
    elif WORLD:
        rewards[i] = step(state, world, action)
    else:
        rewards[i] = step(state, action)
    if over(state) != 0:
        dones[i] = 1
        scores[i] = score(state)
        if i < finals.shape[0]:
            for field in range(state.shape[0]):
                finals[i, field] = state[field]
        _new_game(state, world)
    else:
        dones[i] = 0


@rule(inline="always")
def _look(state, world, i, seats, masks):
    if TURN_BASED:
        seat = current(state)
        seats[i] = seat
        _legal(state, world, seat, masks[i])
    else:
        seats[i] = -1
        for seat in range(masks.shape[1]):
            _legal(state, world, seat, masks[i, seat])


@rule(inline="always")
def _see(state, world, i, observations):
    if TURN_BASED:
        _encode(state, world, current(state), observations[i])
    else:
        for seat in range(observations.shape[1]):
            _encode(state, world, seat, observations[i, seat])


@rule(inline="always")
def _see_packed(state, world, i, observations):
    if TURN_BASED:
        _encode_packed(state, world, current(state), observations[i])
    else:
        for seat in range(observations.shape[1]):
            _encode_packed(state, world, seat, observations[i, seat])


@rule
def look(states, world, seats, masks):
    """Write who moves and what is legal."""
    for i in range(states.shape[0]):
        _look(states[i], world, i, seats, masks)


@rule
def see(states, world, observations):
    """Write the observations, one number a bit."""
    for i in range(states.shape[0]):
        _see(states[i], world, i, observations)


@rule
def see_as(states, world, seats, out):
    """Write what seats[i] sees of each record, one number a bit: (n, size)."""
    for i in range(states.shape[0]):
        _encode(states[i], world, int(seats[i]), out[i])


@rule
def see_packed(states, world, observations):
    """Write the observations, eight bits a byte."""
    for i in range(states.shape[0]):
        _see_packed(states[i], world, i, observations)


@rule
def see_shaped(states, out):
    """Write the shaped reward of every seat for the last step, (n, S)."""
    for i in range(states.shape[0]):
        for seat in range(out.shape[1]):
            out[i, seat] = shaped(states[i], seat)


@rule
def step_none(states, world, actions, records, rewards, dones, scores, finals, seats, masks, observations):
    """One step of every game, a new game where one ended, then who moves and what is legal."""
    for i in range(states.shape[0]):
        _advance(states[i], world, actions[i], records[i], i, rewards, dones, scores, finals)
        _look(states[i], world, i, seats, masks)


@rule
def step_float(states, world, actions, records, rewards, dones, scores, finals, seats, masks, observations):
    """`step_none` and the observations, one number a bit."""
    for i in range(states.shape[0]):
        _advance(states[i], world, actions[i], records[i], i, rewards, dones, scores, finals)
        _look(states[i], world, i, seats, masks)
        _see(states[i], world, i, observations)


@rule
def step_packed(states, world, actions, records, rewards, dones, scores, finals, seats, masks, observations):
    """`step_none` and the observations, eight bits a byte."""
    for i in range(states.shape[0]):
        _advance(states[i], world, actions[i], records[i], i, rewards, dones, scores, finals)
        _look(states[i], world, i, seats, masks)
        _see_packed(states[i], world, i, observations)


@rule
def pick(mask, word):
    """A legal action, each as likely, from a 32-bit random word."""
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action])
    left = below(word, count)
    # The action with exactly `left` legal ones before it, without a branch.
    seen = 0
    chosen = 0
    for action in range(mask.shape[0]):
        seen += int(mask[action])
        chosen += 1 if seen <= left else 0
    return chosen


@rule
def choose_random(masks, actions, key, tick):
    """Write a random legal action for every game (and seat), from the stream (`key`, game) at `tick`."""
    if TURN_BASED:
        for i in range(actions.shape[0]):
            actions[i] = pick(masks[i], random32(key, i, tick))
    elif HEADS:
        for i in range(actions.shape[0]):
            for seat in range(actions.shape[1]):
                offset = 0
                for head in range(HEADS):
                    size = int(SIZES[head])
                    word = random32(key, (i * 64 + seat) * 8 + head, tick)
                    actions[i, seat, head] = pick(masks[i, seat, offset : offset + size], word)
                    offset += size
    else:
        for i in range(actions.shape[0]):
            for seat in range(actions.shape[1]):
                actions[i, seat] = pick(masks[i, seat], random32(key, i * 64 + seat, tick))


@rule
def rollout(
    states,
    world,
    actions,
    records,
    rewards,
    dones,
    scores,
    finals,
    seats,
    masks,
    observations,
    key,
    tick,
    steps,
    kind,
):
    """`steps` steps of random legal play of every game; `kind` 0 masks only, 1 number a bit, 2 packed."""
    for turn in range(tick, tick + steps):
        choose_random(masks, actions, key, turn)
        # What the next step would write over isn't written.
        kept = finals[: len(finals) if turn + 1 == tick + steps else 0]
        if kind == 0:
            step_none(
                states, world, actions, records, rewards, dones, scores, kept, seats, masks, observations
            )
        elif kind == 1:
            step_float(
                states, world, actions, records, rewards, dones, scores, kept, seats, masks, observations
            )
        else:
            step_packed(
                states, world, actions, records, rewards, dones, scores, kept, seats, masks, observations
            )

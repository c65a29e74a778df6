"""A game of three lines, in which all move at once, runs in a batch with nothing else changed."""

from __future__ import annotations

import dataclasses
import zlib
from pathlib import Path

import numpy as np

from engine.games import names, spec
from engine.simulation.batch import Batch
from engine.simulation.jit import rule

SEATS, ROUNDS = 3, 4


@rule(cache=False)
def new_game(state):
    state[0] = 0
    state[1] = 0


@rule(cache=False)
def legal(state, seat, out):
    """Seat s may choose anything but s."""
    for action in range(SEATS + 1):
        out[action] = 1 if action != seat else 0


@rule(cache=False)
def step(state, actions):
    """A point if the first two seats choose the same."""
    state[0] = int(state[0]) + 1
    point = 1 if int(actions[0]) == int(actions[1]) else 0
    state[1] = int(state[1]) + point
    return point


@rule(cache=False)
def current(state):
    return -1


@rule(cache=False)
def over(state):
    return 1 if int(state[0]) == ROUNDS else 0


@rule(cache=False)
def score(state):
    return int(state[1])


@rule(cache=False)
def encode(state, seat, out):
    out[0] = int(state[0])
    out[1] = seat


def _prepare(state: np.ndarray, options: dict, key_a: int, key_b: int) -> None:
    state[:] = 0


MATCHING = dataclasses.replace(
    spec("hanabi"),
    name=f"matching_{zlib.crc32(Path(__file__).read_bytes()):08x}",  # its cached kernels change with it
    title="Matching",
    turn_based=False,
    state_size=2,
    state_dtype=np.int32,
    validate=lambda options: options,
    seats=lambda options: SEATS,
    num_actions=lambda options: SEATS + 1,
    observation_size=lambda options: 2,
    prepare=_prepare,
    new_game=new_game,
    legal=legal,
    step=step,
    current=current,
    over=over,
    score=score,
    encode=encode,
    encode_packed=encode,
)


def test_games_are_found_by_their_folders() -> None:
    assert "hanabi" in names()
    assert all(spec(name).name == name for name in names())


def test_a_game_in_which_all_move_at_once_has_a_seat_axis() -> None:
    batch = Batch(MATCHING, {}, 5)
    assert batch.masks.shape == (5, 3, 4) and batch.observations.shape == (5, 3, 2)
    assert (batch.seats == -1).all()
    for tick in range(2 * ROUNDS):
        assert (batch.observations[:, :, 0] == tick % ROUNDS).all()
        assert (batch.observations[:, :, 1] == np.arange(3)).all()
        actions = np.tile([3 if tick % 2 else 2, 3 if tick % 2 else 0, 1], (5, 1))
        batch.step(actions)
        assert (batch.rewards == tick % 2).all()
        assert (batch.dones == (tick % ROUNDS == ROUNDS - 1)).all()
    assert (batch.scores == ROUNDS / 2).all()


def test_random_play_keeps_to_every_seats_mask() -> None:
    batch = Batch(MATCHING, {}, 50, observations="none")
    for _ in range(10):
        actions = batch.choose_random()
        assert (actions != np.arange(3)).all() and set(np.unique(actions)) == {0, 1, 2, 3}
        batch.step(actions)

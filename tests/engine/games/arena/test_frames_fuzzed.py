"""100,000 random and mutated frames: each is refused with a sentence or gives an input that can be, and gives
nobody an advantage.
"""

import random
from itertools import pairwise

import numpy as np
import pytest

from engine.games.arena import move, protocol
from engine.games.arena import state as s
from engine.games.arena.options import record_problem
from engine.games.arena.protocol import Input, pack_inputs, unpack_inputs, unpack_snapshot
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

FRAMES = 100_000
EDGES = (0, 1, 2, 3, 7, 8, 15, 16, 127, 128, 255)


def sound_frame(draw: random.Random) -> bytes:
    """A frame as an honest client sends it."""
    first = draw.randrange(1, 2**31)
    return pack_inputs(
        [
            Input(
                first + index,
                draw.randrange(16),
                draw.randrange(9),
                draw.randrange(8),
                draw.randrange(3),
                draw.randrange(65536),
                draw.randrange(-16384, 16385),
                draw.randrange(65536),
            )
            for index in range(draw.randrange(1, 4))
        ]
    )


def mutated(frame: bytes, draw: random.Random) -> bytes:
    """A frame with bytes changed, cut off, put in, doubled or taken from another."""
    data = bytearray(frame)
    for _ in range(draw.randrange(1, 4)):
        kind = draw.randrange(5)
        at = draw.randrange(len(data)) if data else 0
        if kind == 0 and data:
            data[at] = draw.choice(EDGES)
        elif kind == 1 and data:
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            data[at:at] = draw.randbytes(draw.randrange(1, 20))
        else:
            data += sound_frame(draw)[: draw.randrange(60)]
    return bytes(data)


def frames(seed: int, count: int):
    draw = random.Random(seed)
    for _ in range(count):
        kind = draw.randrange(4)
        if kind == 0:
            yield draw.randbytes(draw.randrange(80))
        elif kind == 1:
            yield bytes([1, 1, draw.randrange(5)]) + draw.randbytes(draw.choice((16, 32, 48, 15, 47)))
        else:
            yield mutated(sound_frame(draw), draw)


@pytest.fixture(scope="module")
def match():
    return Simulation("arena", {"teams": 2, "team_size": 1, "map_seed": 7, "monsters": 0}, seed=2)


def test_a_hundred_thousand_frames_are_refused_or_can_be(match):
    refused = taken = 0
    for frame in frames(1, FRAMES):
        try:
            inputs = unpack_inputs(frame)
        except Refusal as error:
            refused += 1
            assert str(error).endswith(".") and len(str(error)) < 200
            continue
        taken += 1
        assert 1 <= len(inputs) <= 3
        assert all(b.seq == a.seq + 1 for a, b in pairwise(inputs))
        for one in inputs:
            assert record_problem(protocol.to_record(match.state, 0, one)) == ""
    assert refused > FRAMES // 4 and taken > FRAMES // 50


def test_whoever_sends_them_moves_no_faster_and_shoots_no_more_than_anybody():
    sim = Simulation(
        "arena", {"teams": 2, "team_size": 1, "map_seed": 7, "monsters": 0, "pace": "long"}, seed=2
    )
    at, steps, shots = s.player(0), [], int(sim.state[s.player(0) + s.SHOTS])
    fastest = int(move.SPEEDS.max()) + 2
    for frame in frames(5, 6000):
        try:
            inputs = unpack_inputs(frame)
        except Refusal:
            continue
        if sim.over or int(sim.state[at + s.LIFE]) != s.UP:
            break
        before = sim.state[at : at + 2].astype(np.int64)
        sim.step([protocol.to_record(sim.state, 0, inputs[-1]), sim.idle(1)])
        moved = np.abs(sim.state[at : at + 2].astype(np.int64) - before)
        steps.append(int(moved.max()))
        now = int(sim.state[at + s.SHOTS])
        assert now - shots in (0, 1)
        shots = now
    assert len(steps) > 200 and max(steps) <= fastest
    # A pistol fires every fifth tick and reloads; a submachine gun every second.
    assert shots <= len(steps) // 2 + 1


def test_snapshots_that_are_damaged_are_refused_by_clients(match):
    whole = bytes(protocol.pack_snapshot(match.state, match.world, 0))
    assert unpack_snapshot(whole).seat == 0
    draw = random.Random(9)
    for _ in range(1000):
        try:
            unpack_snapshot(mutated(whole, draw))
        except Refusal as error:
            assert str(error).endswith(".")

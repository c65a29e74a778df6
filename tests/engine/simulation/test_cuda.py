"""The CUDA kernels play the same games as the CPU: in numba's simulator without a GPU, and on one where there
is one; PTX without doubles.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from engine.games import make_batch
from engine.refusal import Refusal
from tests.engine.games.overcooked.kitchen import TOMATOES

pytestmark = pytest.mark.slow

PLAY = """
import hashlib, json, sys
import numpy as np
from engine.games import make_batch, spec
from engine.simulation.simulation import state_digest

def here(array):
    return array.cpu().numpy() if device == "cuda" else array

def played(game, options, kind):
    batch = make_batch(game, games, device=device, observations=kind, seed=11, **options)
    seen = hashlib.sha256()
    for _ in range(steps):
        actions = batch.choose_random()
        batch.step(actions.clone() if device == "cuda" else actions.copy())
        for array in (batch.observations, batch.masks, batch.rewards, batch.dones, batch.scores, batch.seats):
            seen.update(here(array).tobytes())
        ended, finals = here(batch.dones) != 0, here(batch.finals)
        seen.update(np.ascontiguousarray(finals.T[ended] if device == "cuda" else finals[ended]).tobytes())
    states = here(batch.states).T if device == "cuda" else batch.states
    return [seen.hexdigest(), [state_digest(spec(game), row) for row in states]]

device, games, steps, cases = sys.argv[1], *map(json.loads, sys.argv[2:])
print(json.dumps([played(*case) for case in cases]))
"""

PTX = """
import sys
import numpy as np
from types import SimpleNamespace
from numba import cuda, float32, int8, int16, int32, int64, uint8
from numba.cuda import dispatcher
dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(8, 0))
from engine.games import spec
from engine.simulation.cuda import build
for game in map(spec, sys.argv[1:]):
    kernels = build(game)
    states, world = int16[:, ::1], int8[:, ::1]
    # Where all move at once, what belongs to a seat has an axis more, and one where actions have heads.
    actions = int32[::1] if game.turn_based else int32[:, :, ::1] if game.heads else int32[:, ::1]
    records = int32[:, :, ::1]
    masks, bits, numbers = (
        (kind[:, ::1] if game.turn_based else kind[:, :, ::1])
        for kind in (int8, int8 if game.observation_low < 0 else uint8, float32)
    )
    signatures = {
        "restart": (kernels.restart, (states, world)),
        "advance": (
            kernels.advance,
            (states, world, actions, records, float32[::1], uint8[::1], int32[::1], states),
        ),
        "look": (kernels.look, (states, world, int32[::1], masks)),
        "float": (kernels.see["float"], (states, world, numbers)),
        "packed": (kernels.see["packed"], (states, world, bits)),
        "choose_random": (kernels.choose_random, (masks, actions, int64, int64)),
    }
    for name, (kernel, signature) in signatures.items():
        ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(8, 0))
        assert ".visible .entry" in ptx, (game.name, name)
        assert ".f64" not in ptx, (game.name, name)
    print("compiled", game.name, len(signatures))
"""


def run(program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1", **variables},
        capture_output=True,
        text=True,
        timeout=600,
    )


FEW, MANY = (5, 25), (300, 200)  # games of a batch, some of them in a second and a third block; steps
GAMES: list[tuple[str, dict, str]] = [
    ("hanabi", {"players": 2}, "float"),
    ("hanabi", {"players": 5}, "packed"),
    ("overcooked", {"layout": "coordination_ring", "start": "random", "horizon": 10}, "packed"),
    ("arena", {"teams": 2, "team_size": 2, "map_seed": 3, "monsters": 8}, "packed"),
    ("overcooked", {"layout": TOMATOES, "dynamics": "new", "start": "random", "horizon": 20}, "float"),
]


def play(device: str, size: tuple[int, int], **variables: str) -> list:
    """What became of the games, by one process."""
    done = run(PLAY, device, *map(json.dumps, (*size, GAMES)), **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_compiled_plain_and_simulated_cuda_play_the_same_games() -> None:
    plain = {"NUMBA_DISABLE_JIT": "1"}
    compiled, python = play("cpu", FEW), play("cpu", FEW, **plain)
    simulated = play("cuda", FEW, **plain, NUMBA_ENABLE_CUDASIM="1")
    for game, *found in zip(GAMES, compiled, python, simulated, strict=True):
        assert found == found[:1] * 3, game


@pytest.mark.gpu
def test_a_gpu_plays_the_same_games() -> None:
    for game, compiled, there in zip(GAMES, play("cpu", MANY), play("cuda", MANY), strict=True):
        assert compiled == there, game


@pytest.mark.gpu
def test_a_gpu_refuses_what_is_not_legal_and_changes_nothing() -> None:
    batch = make_batch("hanabi", 300, device="cuda", players=2)
    before, actions = batch.states.clone(), batch.choose_random().clone()
    actions[299] = 99
    with pytest.raises(Refusal, match=r"Action 99 of game 299 in the batch isn't legal now\."):
        batch.step(actions)
    assert bool((batch.states == before).all())
    with pytest.raises(Refusal, match="A batch runs on device cpu, cuda, cuda:0.*; not on 'cuda:9'"):
        make_batch("hanabi", 4, device="cuda:9")


def test_the_kernels_compile_to_ptx_without_doubles() -> None:
    games = ("hanabi", "overcooked", "arena")
    done = run(PTX, *games)
    if "DynamicLibNotFoundError" in done.stderr:
        pytest.skip("needs NVIDIA's compiler libraries (pip install numba-cuda[cu13])")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"compiled {game} 6" for game in games]


def test_without_a_gpu_the_request_is_refused_with_a_sentence() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(Refusal, match="no GPU here"):
        make_batch("hanabi", 4, device="cuda")

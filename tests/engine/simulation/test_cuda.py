"""The CUDA kernels without a GPU: the same games as on the CPU, in numba's simulator; PTX without doubles."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from engine.games import make_batch
from engine.simulation.spec import OptionError

PLAY = """
import hashlib, json, sys
import numpy as np
from engine.games import make_batch, spec
from engine.simulation.simulation import state_digest

device, players, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]
batch = make_batch("hanabi", 5, device=device, observations=kind, seed=11, players=players)
seen = hashlib.sha256()
for _ in range(25):
    actions = batch.choose_random()
    batch.step(actions.clone() if device == "cuda" else actions.copy())
    for array in (batch.observations, batch.masks, batch.rewards, batch.dones, batch.scores, batch.seats):
        seen.update(np.asarray(array).tobytes())
states = np.asarray(batch.states).T if device == "cuda" else batch.states
print(json.dumps([seen.hexdigest(), [state_digest(spec("hanabi"), row) for row in states]]))
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
kernels = build(spec("hanabi"))
states = int16[:, ::1]
signatures = {
    "restart": (kernels.restart, (states,)),
    "advance": (kernels.advance, (states, int32[::1], float32[::1], uint8[::1], int32[::1])),
    "look": (kernels.look, (states, int32[::1], int8[:, ::1])),
    "float": (kernels.see["float"], (states, float32[:, ::1])),
    "packed": (kernels.see["packed"], (states, uint8[:, ::1])),
    "choose_random": (kernels.choose_random, (int8[:, ::1], int32[::1], int64, int64)),
}
for name, (kernel, signature) in signatures.items():
    ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(8, 0))
    assert ".visible .entry" in ptx, name
    assert ".f64" not in ptx, name
print("compiled", len(signatures))
"""


def run(program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1", **variables},
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.mark.parametrize(("players", "kind"), [(2, "packed"), (2, "float"), (5, "packed")])
def test_compiled_plain_and_simulated_cuda_play_the_same_games(players: int, kind: str) -> None:
    plain = {"NUMBA_DISABLE_JIT": "1"}
    runs = [
        run(PLAY, "cpu", str(players), kind),
        run(PLAY, "cpu", str(players), kind, **plain),
        run(PLAY, "cuda", str(players), kind, **plain, NUMBA_ENABLE_CUDASIM="1"),
    ]
    for done in runs:
        assert done.returncode == 0, done.stderr
    compiled, python, simulated = (json.loads(done.stdout) for done in runs)
    assert compiled == python == simulated


def test_the_kernels_compile_to_ptx_without_doubles() -> None:
    done = run(PTX)
    if "DynamicLibNotFoundError" in done.stderr:
        pytest.skip("needs NVIDIA's compiler libraries (pip install numba-cuda[cu13])")
    assert done.returncode == 0, done.stderr
    assert "compiled 6" in done.stdout


def test_without_a_gpu_the_request_is_refused_with_a_sentence() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(OptionError, match="no GPU here"):
        make_batch("hanabi", 4, device="cuda")

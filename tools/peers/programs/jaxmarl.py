"""JaxMARL's Overcooked in a process of its own: random play under one jitted scan, on one core.

Runs in another environment (JAX, no Coplay), as a script that answers one JSON request a line:

    {"do": "bench", "grid": ["XXPXX", …], "starts": [[1, 2], [3, 1]], "horizon": 400, "views": true,
     "batch": 1024}                                                       {"steps_per_second": 300000.0}

Letters of the grid as in ours, without start cells. Each environment restarts by itself at the horizon.
"""

# ruff: noqa: E402

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from typing import Any

# One thread on one core, as ours is measured; before JAX starts its own.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["JAX_PLATFORMS"] = "cpu"
warnings.simplefilter("ignore")

import jax
from jaxmarl.environments.overcooked.layouts import layout_grid_to_dict
from jaxmarl.environments.overcooked.overcooked import Overcooked

LETTERS = {"X": "W", "S": "X", "D": "B", "O": "O", "P": "P", " ": " "}
STEPS = 50  # of every environment, in one call
SECONDS = 4.0


def bench(grid: list[str], starts: list[list[int]], horizon: int, views: bool, batch: int) -> dict[str, Any]:
    """The best of some calls, compilation left out; with `views`, both observations at every step."""
    rows = [[LETTERS[letter] for letter in row] for row in grid]
    for x, y in starts:
        rows[y][x] = "A"
    env = Overcooked(layout_grid_to_dict("\n".join("".join(row) for row in rows)), max_steps=horizon)

    def step(carry: Any, key: Any) -> Any:
        state, _ = carry
        chosen, moved = jax.random.split(key)
        drawn = jax.random.randint(chosen, (batch, 2), 0, 6)
        actions = {"agent_0": drawn[:, 0], "agent_1": drawn[:, 1]}
        seen, state, rewards, _, _ = jax.vmap(env.step)(jax.random.split(moved, batch), state, actions)
        return (state, seen if views else None), rewards["agent_0"].sum()

    @jax.jit
    def run(state: Any, seen: Any, key: Any) -> Any:
        return jax.lax.scan(step, (state, seen), jax.random.split(key, STEPS))

    seen, state = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(0), batch))
    seen = seen if views else None
    best, until = 0.0, None
    for call in range(10_000):
        started = time.process_time()
        (state, seen), rewards = run(state, seen, jax.random.PRNGKey(call))
        rewards.block_until_ready()
        if call > 0:
            best = max(best, batch * STEPS / (time.process_time() - started))
        until = until or time.monotonic() + SECONDS
        if call > 2 and time.monotonic() > until:
            break
    return {"steps_per_second": best}


if __name__ == "__main__":
    for line in sys.stdin:
        request = json.loads(line)
        request.pop("do")
        print(json.dumps(bench(**request)), flush=True)

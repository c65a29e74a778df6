"""How many steps of random legal play a game makes in a second, on one thread, and how many its peers make.

Compilation is left out. Machines are shared and noisy, so the time is cut into windows: `steps_per_second` is
the best window, `median` stands next to it. Of games whose actions have heads the steps of every agent count,
and one tick of a live match is measured, too. Not for how fast agents act (see `bench_act`).
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import games
from engine.refusal import Refusal
from engine.simulation.batch import Batch
from engine.simulation.simulation import Simulation
from engine.simulation.spec import GameSpec
from tools.peers import ON_REQUEST, peers_of, timed, windows

if TYPE_CHECKING:
    from engine.simulation.cuda import CudaBatch

WINDOW = 0.05  # seconds


def bench_env(
    game: str,
    batch: int = 1024,
    observations: str = "packed",
    seconds: float = 5.0,
    options: dict[str, Any] | None = None,
    peers: Sequence[str] = (),
    device: str = "cpu",
) -> dict[str, Any]:
    """Measure a batch on a `device` and, on the CPU, the game's peers for about `seconds` each; rates are
    game steps a second (joint steps where all move at once, agent-steps where actions have heads).

    The batch chooses, steps, restarts, writes masks and (unless "none") the observation of the seat to move
    or of all seats. "uint8" is another word for "packed". `peers` names those that are measured on request
    only. Raises `Refusal` for a game, batch, option, peer or device that isn't one.
    """
    observations = "packed" if observations == "uint8" else observations
    known = peers_of(game)
    for name in peers:
        if name not in known:
            raise Refusal(f"{game} has no peer {name!r}; its peers are {', '.join(known) or 'none'}.")
    env = games.make_batch(game, batch, device, observations, **(options or {}))
    spec = games.spec(game)
    play, clock, computed = on_device(env)
    play(20)
    rounds = 1
    while (taken := timed(lambda count=rounds: play(count), clock)) < WINDOW / 2:
        rounds = max(rounds + 1, min(rounds * 8, int(rounds * WINDOW / max(taken, 1e-6))))
    started = time.perf_counter()
    steps = batch * rounds * (spec.seats(env.options) if spec.heads else 1)
    rates = windows(lambda: play(rounds), steps, seconds, clock)
    wall = len(rates) * steps / (time.perf_counter() - started)
    rated: dict[str, float | None] = {}
    notes: dict[str, str] = {}
    for name, measure in known.items():
        if name in ON_REQUEST and name not in peers:
            continue
        try:
            rated[name] = measure(env.options, observations, batch, seconds / 2)
        except ImportError as error:
            rated[name], notes[name] = None, f"not measured: {error}"
    return {
        "game": game,
        "steps_per_second": max(rates),
        "median": statistics.median(rates),
        "wall_clock": wall,
        "windows": len(rates),
        "unit": _unit(spec, observations),
        "live_tick_ms": live_tick(game, env.options) if spec.heads else None,
        "batch": batch,
        "observations": observations,
        "threads": 1,
        "device": computed,
        "options": env.options,
        "rules_version": spec.rules_version,
        "peers": rated,
        "notes": notes,
        "machine": platform.processor() or platform.machine(),
    }


def on_device(env: Batch | CudaBatch) -> tuple[Callable[[int], None], Callable[[], float], str]:
    """(plays so many steps to their end, the clock that counts their seconds, where): this thread's time on
    the processor, or on a GPU, whose kernels run by themselves, the time until all have run.
    """
    if isinstance(env, Batch):
        return env.play_random, time.thread_time, "cpu"
    import torch

    def play(steps: int) -> None:
        env.play_random(steps)
        torch.cuda.synchronize(env.device)

    return play, time.perf_counter, f"{env.device} ({torch.cuda.get_device_name(env.device)})"


def live_tick(game: str, options: dict[str, Any], ticks: int = 300) -> dict[str, float]:
    """Milliseconds of this thread's time of `Simulation.step`, in the first ticks of random legal play."""
    simulation = Simulation(game, options, seed=1)
    random = np.random.default_rng(1)
    times = []
    while len(times) < ticks and not simulation.over:
        joint = []
        for seat in range(simulation.seats):
            mask, offset, heads = simulation.legal(seat), 0, []
            for size in simulation.spec.heads:
                heads.append(int(random.choice(np.flatnonzero(mask[offset : offset + size]))))
                offset += size
            joint.append(simulation.resolve(seat, heads))
        times.append(1000 * timed(lambda joint=joint: simulation.step(joint)))
    cut = statistics.quantiles(times, n=100)
    return {"p50": statistics.median(times), "p99": cut[98], "players": simulation.seats}


def _unit(spec: GameSpec, observations: str) -> str:
    """What is counted, and what is made at every step."""
    packed = "int8" if spec.observation_low < 0 else "uint8" if spec.packed_size else "packed"
    kind = {"none": "no", "packed": packed, "float": "float"}[observations]
    if spec.turn_based:
        return f"game steps, {kind} observations"
    steps = "agent-steps" if spec.heads else "joint steps"
    return f"{steps}, {kind} observations{'' if observations == 'none' else ' of all seats'}"

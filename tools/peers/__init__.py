"""Other implementations of our games, for measuring next to ours; each is optional.

`peers_of(game)[name](options, observations, batch, seconds)` measures steps of random legal play a second on
one core, in about that many seconds; it raises ImportError with a reason when the peer isn't installed or
doesn't have such a game. Peers with an environment of their own (`tools/peer.sh`) run there, as
`programs`.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.brings_part import Part

ROOT = Path(__file__).resolve().parents[2]
ON_REQUEST = ("jaxmarl",)  # measured only when named: it compiles for a while
PATIENCE = 600  # seconds for a peer's program


Clock = Callable[[], float]


def windows(
    run: Callable[[], Any], steps: int, seconds: float, clock: Clock = time.thread_time
) -> list[float]:
    """Steps a second of every call of `run`, which makes `steps` steps, for about `seconds`; at least
    three."""
    rates = []
    end = time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < end:
        rates.append(steps / timed(run, clock))
    return rates


def timed(run: Callable[[], Any], clock: Clock = time.thread_time) -> float:
    """Seconds of this thread's processor time, or by another clock, that a call takes."""
    started = clock()
    run()
    return clock() - started


def program(name: str) -> list[str]:
    """The command that runs a peer in its own environment; raises ImportError where it has none."""
    python = ROOT / "var" / "peers" / name / "bin" / "python"
    if not python.exists():
        raise ImportError(f"it isn't installed (tools/peer.sh {name})")
    # -P: a program must not find itself when it imports a package of its name.
    return [str(python), "-P", str(Path(__file__).parent / "programs" / f"{name.replace('-', '_')}.py")]


def ask(name: str, **request: Any) -> dict[str, Any]:
    """One request to a peer's program; raises ImportError with its last words if it fails."""
    done = subprocess.run(
        program(name),
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=tempfile.gettempdir(),  # some leave files where they run
    )
    if done.returncode:
        raise ImportError(f"it failed: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}")
    return json.loads(done.stdout.splitlines()[-1])


class Peers(Part):
    """How quick other implementations of a game's rules are."""

    MODULE, ROOM = "peers", "evaluation"
    PEERS: Mapping[str, Callable[[dict[str, Any], str, int, float], float]] = {}


def peers_of(game: str) -> dict[str, Callable[[dict[str, Any], str, int, float], float]]:
    """{name: measure} of the game's file here, or of the `evaluation/peers.py` of a game that another package
    brings; {} where there is neither.
    """
    name = f"{__name__}.{game}"
    ours = Peers(importlib.import_module(name)) if find_spec(name) else Peers.of(game)
    return dict(ours.PEERS)

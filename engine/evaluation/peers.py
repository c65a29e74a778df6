"""Other implementations of our games, for measuring next to ours; each is optional.

`PEERS[game][name](options, observations, batch, seconds)` measures steps of random legal play a second on one
core, in about that many seconds; it raises ImportError with a reason when the peer isn't installed or doesn't
have such a game. Peers with an environment of their own (`deploy/peer.sh`) run there, as `peer_programs`.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.games.overcooked.kitchen import soup_name
from engine.games.overcooked.layouts import layout_of

ROOT = Path(__file__).resolve().parents[2]
HLE_STEPS = 500
PATIENCE = 600  # seconds for a peer's program


def windows(run: Callable[[], Any], steps: int, seconds: float) -> list[float]:
    """Steps a second of every call of `run`, which makes `steps` steps, for about `seconds`; at least
    three."""
    rates = []
    end = time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < end:
        rates.append(steps / timed(run))
    return rates


def timed(run: Callable[[], Any]) -> float:
    """Seconds of this thread's processor time that a call takes."""
    started = time.thread_time()
    run()
    return time.thread_time() - started


def program(name: str) -> list[str]:
    """The command that runs a peer in its own environment; raises ImportError where it has none."""
    python = ROOT / "var" / "peers" / name / "bin" / "python"
    if not python.exists():
        raise ImportError(f"it isn't installed (deploy/peer.sh {name})")
    # -P: a program must not find itself when it imports a package of its name.
    return [str(python), "-P", str(Path(__file__).parent / "peer_programs" / f"{name.replace('-', '_')}.py")]


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


def hle(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """The Hanabi Learning Environment through its own Python layer; with observations, the seat to move
    encodes.
    """
    try:
        from hanabi_learning_environment import pyhanabi
    except ImportError:
        raise ImportError("the package hanabi-learning-environment isn't installed") from None
    game = pyhanabi.HanabiGame(
        {
            "players": options["players"],
            "colors": options["colors"],
            "ranks": options["ranks"],
            "hand_size": options["hand_size"],
            "max_information_tokens": options["information_tokens"],
            "max_life_tokens": options["lives"],
            "seed": 1,
        }
    )
    encoder = pyhanabi.ObservationEncoder(game, pyhanabi.ObservationEncoderType.CANONICAL)
    choose = random.Random(1).choice

    def run() -> None:
        state = game.new_initial_state()
        steps = 0
        while steps < HLE_STEPS:
            if state.is_terminal():
                state = game.new_initial_state()
            if state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
                state.deal_random_card()
                continue
            if observations != "none":
                encoder.encode(state.observation(state.cur_player()))
            state.apply_move(choose(state.legal_moves()))
            steps += 1

    return max(windows(run, HLE_STEPS, seconds))


def overcooked_ai(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """The published package through its own environment, in the new dynamics, as it has no others; with
    observations, both lossless encodings. One game at a time.
    """
    layout = layout_of(options["layout"])
    if observations != "none" and options["players"] != 2:
        raise ImportError("it encodes kitchens of two cooks only")
    rows = [list(row) for row in layout.grid]
    for seat, (x, y) in enumerate(layout.starts):
        rows[y][x] = str(seat + 1)
    orders = [{"ingredients": soup_name(soup).split()} for soup in layout.orders]
    theirs = {"grid": "\n".join("".join(row) for row in rows), "start_all_orders": orders}
    return ask("overcooked-ai", do="bench", layout=theirs, views=observations != "none")["steps_per_second"]


def jaxmarl(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """JaxMARL's first Overcooked, jitted, at our batch size or at 64, whichever is faster; with observations,
    both.
    """
    layout = layout_of(options["layout"])
    if options["players"] != 2 or options["dynamics"] != "old" or any("T" in row for row in layout.grid):
        raise ImportError("it has two cooks, the old dynamics and onions only")
    kitchen = {"grid": layout.grid, "starts": layout.starts, "horizon": options["horizon"]}
    return max(
        ask("jaxmarl", do="bench", **kitchen, views=observations != "none", batch=size)["steps_per_second"]
        for size in sorted({64, batch})
    )


def vizdoom(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """ViZDoom's deathmatch, one player who sees 160 x 120 pixels: agent-steps of another shooter."""
    return ask("vizdoom", do="bench", scenario="deathmatch", seconds=seconds)["steps_per_second"]


PEERS: dict[str, dict[str, Callable[[dict[str, Any], str, int, float], float]]] = {
    "hanabi": {"hle": hle},
    "overcooked": {"overcooked-ai": overcooked_ai, "jaxmarl": jaxmarl},
    "arena": {"vizdoom": vizdoom},
}
ON_REQUEST = ("jaxmarl",)  # measured only when named: it compiles for a while

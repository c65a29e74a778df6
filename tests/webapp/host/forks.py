"""Processes in which agents think, ready at once: forks of one that has imported what they need and played.

Starting one from nothing takes longer than most games that are played here. A fork does what
`python -m engine.agents.serve` does, from its first line; whoever starts it holds a small process in its
place, which ends when the fork does and the other way round. Not for tests of that start itself, nor for
those that stop (SIGSTOP) the process.
"""

from __future__ import annotations

import array
import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__)
ROOT = HERE.parents[3]
PLAYED = {
    "hanabi": {"players": 2},
    "overcooked": {"layout": "cramped_room"},
    "arena": {"teams": 2, "team_size": 2},
}


@contextmanager
def ready(folder: Path) -> Iterator[list[str]]:
    """The command that starts one; `folder` takes a socket."""
    path = folder / "forks"
    serving = subprocess.Popen(
        [sys.executable, "-m", __name__, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert serving.stdout.readline() == b"ready\n"
    yield [sys.executable, "-S", "-E", str(HERE), "one", str(path)]
    serving.stdin.close()
    serving.wait()


def one(path: str) -> None:
    """Hand pipes and environment on, and live as long as the fork that has them."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        pipes = array.array("i", [0, 1, 2])
        settings = b"\0".join(name + b"=" + value for name, value in os.environb.items())
        line.sendmsg([settings], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, pipes)])
        for number in (0, 1):
            os.close(number)
        line.recv(1)


def serve(path: str) -> None:
    """Fork for whoever connects, until the standard input ends."""
    import gc
    import signal
    import traceback

    warm()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        print("ready", flush=True)
        while True:
            waiting, _, _ = select.select([listening, sys.stdin], [], [])
            if sys.stdin in waiting:
                return
            line, _ = listening.accept()
            settings, pipes, _, _ = socket.recv_fds(line, 1 << 20, 3)
            if len(pipes) == 3 and os.fork() == 0:  # fewer: who asked has been killed already
                try:
                    listening.close()
                    think(line, settings, pipes)
                except Exception:
                    traceback.print_exc()
                finally:
                    os._exit(0)
            for number in (*pipes, line.detach()):
                os.close(number)


def think(line: socket.socket, settings: bytes, pipes: list[int]) -> None:
    """The fork: what a new process does, until its input ends or whoever stands in its place does."""
    import runpy
    import threading

    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    os.environb.clear()
    os.environb.update(pair.split(b"=", 1) for pair in settings.split(b"\0"))
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    threading.Thread(target=lambda: (line.recv(1), os._exit(1)), daemon=True).start()
    del sys.modules["engine.agents.serve"]  # it is run, not imported
    runpy.run_module("engine.agents.serve", run_name="__main__")


def warm() -> None:
    """A move of each game, as `engine.agents.serve` answers."""
    from engine import games
    from engine.agents.serve import Server
    from engine.simulation.simulation import Simulation

    server = Server()
    for game, some in PLAYED.items():
        sim = Simulation(game, games.spec(game).validate(some), 1)
        about = {"game": game, "options": sim.options, "seed": 1, "deck": sim.deck, "actions": []}
        agent = f"{game}/random" if game != "arena" else "arena/middle"
        turn = {"id": 1, "match": f"{game} in turns", "agent": agent, "seat": 0, **about}
        asking = [{"seat": 0, "agent": agent, "programs": []}]
        tick = {"id": 2, "match": game, "from": 0, "ask": asking, **about}
        for asked in (turn, tick):
            [reply] = server.answer([asked])
            assert "error" not in reply, reply


if __name__ == "__main__":
    one(sys.argv[2]) if sys.argv[1] == "one" else serve(sys.argv[1])

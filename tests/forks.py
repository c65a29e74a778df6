"""Programs that are ready at once, for processes that tests start: forks of a process that has imported what
they need.

`ready` starts that process and gives the command of a fork: what follows the command is what
`python -m MODULE ARGUMENTS…` would do, from its first line. Whoever starts one holds a small process in its
place, which gets its signals and ends as it does, and with which it ends. Not for tests of a program's own
start, nor for those that stop (SIGSTOP) the process; forks of the test's own process: forked.py.
"""

from __future__ import annotations

import array
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__)
ROOT = HERE.parents[1]


@contextmanager
def ready(folder: Path, module: str) -> Iterator[list[str]]:
    """The command that starts one, once `module` has been imported and its `warm()` is done; `folder` takes a
    socket.
    """
    path = folder / "forks"
    serving = subprocess.Popen(
        [sys.executable, "-m", __name__, module, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert serving.stdout.readline() == b"ready\n"
    yield [sys.executable, "-S", "-E", str(HERE), "one", str(path)]
    serving.stdin.close()
    serving.wait()


def one(path: str, program: list[str]) -> None:
    """Hand pipes and environment on, live as long as the fork that has them, and end as it does."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        for sign in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sign, lambda number, _: line.send(bytes([number])))
        pipes = array.array("i", [0, 1, 2])
        settings = b"\0".join(name + b"=" + value for name, value in os.environb.items())
        asked = b"\0".join(map(os.fsencode, program)) + b"\0\0" + settings
        line.sendmsg([asked], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, pipes)])
        for number in (0, 1):
            os.close(number)
        status = line.recv(1)
        if not status:  # it was killed
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(status[0])


def serve(module: str, path: str) -> None:
    """Fork for whoever connects, until the standard input ends."""
    import gc
    import importlib

    importlib.import_module(module).warm()
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
            asked, pipes, _, _ = socket.recv_fds(line, 1 << 20, 3)
            if len(pipes) == 3 and os.fork() == 0:  # fewer: who asked has been killed already
                listening.close()
                become(line, asked, pipes)
            for number in (*pipes, line.detach()):
                os.close(number)


def become(line: socket.socket, asked: bytes, pipes: list[int]) -> None:
    """The fork: what a new process does, until its end or that of whoever stands in its place."""
    import runpy
    import threading
    import traceback

    def listen() -> None:
        while sign := line.recv(1):
            os.kill(os.getpid(), sign[0])
        os._exit(1)

    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
            os.close(pipe)
        program, _, settings = asked.partition(b"\0\0")
        os.environb.clear()
        os.environb.update(pair.split(b"=", 1) for pair in settings.split(b"\0"))
        sys.argv = [os.fsdecode(word) for word in program.split(b"\0")]
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
        threading.Thread(target=listen, daemon=True).start()
        sys.modules.pop(sys.argv[0], None)  # it is run, not imported
        runpy.run_module(sys.argv[0], run_name="__main__")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            line.send(bytes([status]))
        finally:
            os._exit(status)


if __name__ == "__main__":
    one(sys.argv[2], sys.argv[3:]) if sys.argv[1] == "one" else serve(*sys.argv[1:])

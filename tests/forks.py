"""Programs as forks of a process that has imported what they need: `python -m MODULE …` and
`python manage.py …` from their first line, without the seconds that an interpreter takes to come there.

`Fork` and `run` fork the test's own process. Where that has threads, which no fork takes along, `ready`
starts a process to fork from and gives the command of a fork: what follows the command is what
`python -m MODULE ARGUMENTS…` would do. Whoever starts one holds a small process in its place, which gets its
signals and ends as it does, and with which it ends. Not for tests of a program's own start or of the leash of
jobs (tests/workers), nor for those that stop (SIGSTOP) the process.
"""

from __future__ import annotations

import array
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

HERE = Path(__file__)
ROOT = HERE.parents[1]


class Fork:
    """What is asked of a `subprocess.Popen` with pipes and `text`."""

    def __init__(self, command: list[str], cwd: Any = ".", env: Any = os.environ, **_: Any) -> None:
        at = max(place for place, word in enumerate(command) if word == sys.executable)  # after any leash
        self.program = command[at + 1 :]
        (out, its_out), (err, its_err) = os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(out)
            os.close(err)
            _leave_connections()
            _become(self.program, [os.open(os.devnull, os.O_RDONLY), its_out, its_err], dict(env), cwd)
        os.close(its_out)
        os.close(its_err)
        self.stdout, self.stderr = (open(end, errors="replace") for end in (out, err))  # noqa: SIM115
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, seconds: float | None = None) -> int:
        """How it ended, if it does in so many seconds (waiting.PATIENCE); else it is killed, and the test
        fails."""
        from tests.waiting import PATIENCE

        seconds = PATIENCE if seconds is None else seconds
        until = time.monotonic() + seconds
        while (status := self.poll()) is None:
            if time.monotonic() > until:
                with suppress(ProcessLookupError):  # not yet a session of its own
                    os.killpg(self.pid, signal.SIGKILL)
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                raise AssertionError(f"`python {' '.join(self.program)}` did not end in {seconds:g} s.")
            time.sleep(0.005)
        return status


def run(command: list[str]) -> subprocess.CompletedProcess:
    """What came of a program that says little."""
    fork = Fork(command)
    said = fork.stdout.read(), fork.stderr.read()
    return subprocess.CompletedProcess(command, fork.wait(), *said)


def _leave_connections() -> None:
    """In a fork: neither use nor close the connections to databases, which are the test's."""
    from django.db import connections

    for one in connections.all(initialized_only=True):
        one.of_the_test, one.connection = one.connection, None


def _become(
    program: list[str],
    pipes: list[int],
    env: dict[str, str],
    cwd: Any = ".",
    ended: Callable[[int], Any] = lambda status: None,
) -> NoReturn:
    """The fork: be `python PROGRAM` in a session of its own, with these pipes for its input, output and
    errors, and end; `ended` hears how."""
    import traceback

    status = 1
    try:
        os.setsid()
        for sign in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(sign, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
            os.close(pipe)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.environ.clear()
        os.environ.update(env)
        os.chdir(cwd)
        status = _run(program)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
            ended(status)
        finally:
            os._exit(status)


def _run(program: list[str]) -> int:
    """The exit status of `python PROGRAM`, run here."""
    import runpy

    try:
        if program[0] == "-m":
            sys.argv = program[1:]
            sys.modules.pop(program[1], None)  # it is run, not imported
            runpy.run_module(program[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = program
            runpy.run_path(program[0], run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    return 0


@contextmanager
def ready(folder: Path, module: str) -> Iterator[list[str]]:
    """The command of a fork of a process in which `module` has been imported and its `warm()` is done;
    `folder` takes a socket.
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
                _stand(line, asked, pipes)
            for number in (*pipes, line.detach()):
                os.close(number)


def _stand(line: socket.socket, asked: bytes, pipes: list[int]) -> NoReturn:
    """The fork: what was asked for, until its end or that of whoever stands in its place."""
    import threading

    def listen() -> None:
        while sign := line.recv(1):
            os.kill(os.getpid(), sign[0])
        os._exit(1)

    threading.Thread(target=listen, daemon=True).start()
    words, _, settings = os.fsdecode(asked).partition("\0\0")
    env = dict(pair.split("=", 1) for pair in settings.split("\0"))
    _become(["-m", *words.split("\0")], pipes, env, ended=lambda status: line.send(bytes([status])))


if __name__ == "__main__":
    one(sys.argv[2], sys.argv[3:]) if sys.argv[1] == "one" else serve(*sys.argv[1:])

"""Programs as forks of the test's own process, which has imported what they need: `python -m MODULE …` and
`python manage.py …` from their first line, without the seconds that an interpreter takes to come there.

Not for tests of that start itself or of the leash of jobs (tests/workers), nor beside threads that use the
database.
"""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import traceback
from typing import Any, NoReturn

from django.db import connections


class Fork:
    """What is asked of a `subprocess.Popen` with pipes and `text`."""

    def __init__(self, command: list[str], cwd: Any = ".", env: Any = os.environ, **_: Any) -> None:
        at = max(place for place, word in enumerate(command) if word == sys.executable)  # after any leash
        pipes = [os.pipe(), os.pipe()]
        self.pid = os.fork()
        if self.pid == 0:
            for end, _ in pipes:
                os.close(end)
            _become(command[at + 1 :], [end for _, end in pipes], cwd, dict(env))
        for _, end in pipes:
            os.close(end)
        self.stdout, self.stderr = (open(end, errors="replace") for end, _ in pipes)  # noqa: SIM115
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        return self._waited(os.WNOHANG)

    def wait(self) -> int | None:
        return self._waited(0)

    def _waited(self, how: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, how)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def run(command: list[str]) -> subprocess.CompletedProcess:
    """What came of a program that says little."""
    fork = Fork(command)
    said = fork.stdout.read(), fork.stderr.read()
    return subprocess.CompletedProcess(command, fork.wait() or 0, *said)


def _become(program: list[str], pipes: list[int], cwd: Any, env: dict[str, str]) -> NoReturn:
    """The fork: be the program in a session of its own, and end."""
    status = 1
    try:
        os.setsid()
        for sign, handler in ((signal.SIGTERM, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
            signal.signal(sign, handler)
        for number, pipe in enumerate(pipes, 1):
            os.dup2(pipe, number)
        sys.stdin, sys.stdout, sys.stderr = open(os.devnull), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.environ.clear()
        os.environ.update(env)
        os.chdir(cwd)
        # Connections are the test's: neither used nor closed here.
        kept = [one.connection for one in connections.all(initialized_only=True)]
        for one in connections.all(initialized_only=True):
            one.connection = None
        status = _run(program)
        del kept
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
        finally:
            os._exit(status)


def _run(program: list[str]) -> int:
    """The exit status of `python PROGRAM`, run here."""
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

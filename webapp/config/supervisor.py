"""Keeps child processes running and ends all of them together. Needs nothing but Python.

A child that dies is started again, after a pause that doubles while it keeps dying. SIGINT, SIGTERM and
SIGHUP stop everything: each child's process group gets SIGTERM, then SIGKILL; the guardian process ends
whatever is left (guardian.py), also when the supervisor itself is killed.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

GUARDIAN = Path(__file__).with_name("guardian.py")
PR_SET_PDEATHSIG = 1
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
# A child that ran this long (seconds) was well: its next restart is quick again.
STEADY_SECONDS = 60.0
PATIENCE_SECONDS = 8.0
LONGEST_LOG = 10_000_000


def die_with_parent() -> None:
    """Have Linux send this process SIGTERM when the one that started it dies."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class Child:
    """A program to keep running, or to run `once` to its end; its output goes to the file `log`."""

    name: str
    command: list[str]
    log: Path
    environment: dict[str, str] = field(default_factory=dict)
    once: bool = False
    process: subprocess.Popen | None = None
    started: float = 0.0
    pause: float = FIRST_PAUSE
    start_at: float = 0.0

    def start(self, tag: str) -> None:
        if self.log.exists() and self.log.stat().st_size > LONGEST_LOG:
            self.log.replace(self.log.with_suffix(".old.log"))
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                env={**os.environ, **self.environment, "COPLAY_RUN": tag},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent,  # safe: the supervisor has no threads
            )
        self.started = time.monotonic()

    def last_line(self) -> str:
        with self.log.open("rb") as f:
            f.seek(max(0, self.log.stat().st_size - 2000))
            lines = f.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "nothing")

    def signal_group(self, number: signal.Signals) -> None:
        if self.process is not None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return


class Supervisor:
    def __init__(self, children: list[Child], say: Callable[[str], None]) -> None:
        self.children = children
        self.say = say
        self.tag = uuid.uuid4().hex
        self.stopping = False
        self.guardian: subprocess.Popen | None = None

    def start(self) -> None:
        """Start the guardian and every child. From here on, `stop` must be called."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self.guardian = subprocess.Popen(
            [sys.executable, "-S", str(GUARDIAN), self.tag], stdin=subprocess.PIPE, start_new_session=True
        )
        for child in self.children:
            child.start(self.tag)

    def add(self, children: list[Child]) -> None:
        """Start more children."""
        self.children += children
        for child in children:
            child.start(self.tag)

    def watch(self, until: Callable[[], bool] = lambda: False) -> None:
        """Restart what dies, until a signal says stop or `until()` is true."""
        while not self.stopping and not until():
            now = time.monotonic()
            for child in self.children:
                self._tend(child, now)
            time.sleep(0.1)

    def _tend(self, child: Child, now: float) -> None:
        if child.process is None:
            if now >= child.start_at:
                child.start(self.tag)
            return
        code = child.process.poll()
        if code is None:
            return
        child.signal_group(signal.SIGKILL)  # what it left behind would be in its successor's way
        child.process = None
        if child.once and code == 0:
            child.start_at = float("inf")
            return
        if now - child.started > STEADY_SECONDS:
            child.pause = FIRST_PAUSE
        child.start_at = now + child.pause
        how = f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
        self.say(f"The {child.name} {how}; starting it again in {child.pause:g} s.")
        self.say(f"  It last said: {child.last_line()} (all of it: {child.log})")
        child.pause = min(2 * child.pause, LONGEST_PAUSE)

    def stop(self) -> None:
        """End every process of this run; returns when none is left."""
        for child in self.children:
            child.signal_group(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE_SECONDS
        for child in self.children:
            if child.process is not None:
                try:
                    child.process.wait(max(0.0, deadline - time.monotonic()))
                except subprocess.TimeoutExpired:
                    self.say(f"The {child.name} did not stop in {PATIENCE_SECONDS:g} s; killing it.")
                child.signal_group(signal.SIGKILL)
                child.process.wait()
        if self.guardian is not None:
            guardian_input: IO[bytes] | None = self.guardian.stdin
            if guardian_input is not None:
                guardian_input.close()
            self.guardian.wait()

    def _on_signal(self, number: int, frame: object) -> None:
        self.stopping = True

"""What an instruction costs that nobody has measured: asked of a child process (engine.evaluation.costs),
which is started when it is first needed and ends with this one. Not for what cards say (costs.py).
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from typing import Any

from django.conf import settings

from engine.games.pages import pages

SECONDS = 120.0
"""An answer may take this long, and so may the one before it: the first about an agent is slow while its game
is compiled, or on a busy machine, as the child makes way for matches; others take tenths of a second."""


class Child:
    """One child process at a time, one question at a time.

    command: the program that answers a line of JSON with another one.
    """

    def __init__(self, *command: str) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str] = queue.Queue()
        self._asking = threading.Lock()

    def ask(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """The answer, after those to earlier questions; None where the child is too slow, or fails."""
        if not self._asking.acquire(timeout=SECONDS):
            return None
        try:
            process = self._running()
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            return json.loads(self._answers.get(timeout=SECONDS))
        except (queue.Empty, OSError, ValueError):
            self.stop()
            return None
        finally:
            self._asking.release()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        process = self._process = subprocess.Popen(self._command, cwd=settings.BASE_DIR, **pipes)
        answers = self._answers = queue.Queue()

        def read() -> None:
            for line in process.stdout:
                answers.put(line)
            answers.put("")  # it has ended

        threading.Thread(target=read, daemon=True).start()
        return process

    def stop(self) -> None:
        """End the child, if there is one."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()
            self._process.wait()


CHILD = Child(sys.executable, "-m", "engine.evaluation.costs")


def points(game: str, agent: str, programs: list[dict[str, Any]]) -> dict[str, Any] | None:
    """{"episodes", "untold": mean score, "points": for each program {firmness: points} or None}; None where
    games aren't played for points, and where nothing is known in time.
    """
    if not programs or not pages(game).score_note:
        return None
    return CHILD.ask({"agent": agent, "game": game, "programs": programs})

"""Which processes use this site's var folder, said by locks that end with them: a restore has it alone.

`taken` is held by each process that serves, works or runs a command, `alone` by a restore. Not for whether
processes are well (health.py).
"""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

NAME = "in-use"
CUT_SHORT = "restore-cut-short"


class Refused(RuntimeError):
    """The folder can't be had now; the message is one sentence."""


def cut_short() -> Path:
    """The file that stands while a restore puts things in their places, and says where they come from."""
    return settings.VAR_DIR / CUT_SHORT


def _lock(kind: int, problem: str) -> IO[str]:
    file = (settings.VAR_DIR / NAME).open("a")
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Refused(problem) from None
    return file


def taken() -> IO[str]:
    """Hold the var folder with others, until the file is closed or the process ends. Raises Refused."""
    file = _lock(fcntl.LOCK_SH, f"A backup is being restored into {settings.VAR_DIR}; wait until it is done.")
    if cut_short().exists():
        file.close()
        folder = cut_short().read_text()
        raise Refused(f"A restore was cut short; do it again: `manage.py restore {folder}`.")
    return file


def serving() -> IO[str]:
    """`taken` for a process that serves or works: it ends with the sentence where it may not start."""
    try:
        return taken()
    except Refused as problem:
        sys.exit(str(problem))


@contextmanager
def alone() -> Iterator[None]:
    """Have the var folder for oneself. Raises Refused."""
    with _lock(
        fcntl.LOCK_EX,
        f"Coplay runs on {settings.VAR_DIR}; stop web, match hosts, workers and commands before a restore.",
    ):
        yield

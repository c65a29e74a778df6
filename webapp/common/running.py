"""Which processes use this site's var folder, said by locks that end with them: a restore has it alone.

`taken` is held by each process that serves, works or runs a command, `alone` by a restore. Not for whether
processes are well (health.py).
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

from engine.refusal import NotNow

NAME = "in-use"
CUT_SHORT = "restore-cut-short"


def cut_short() -> Path:
    """The file that stands while a restore puts things in their places, and says where they come from."""
    return settings.VAR_DIR / CUT_SHORT


def is_gone(process: str) -> bool:
    """Whether no process of this machine that still runs has this number; False for what is no number.

    One that has ended keeps its number until its parent has asked how; on Linux that is told apart.
    """
    if not process.isdigit():
        return False
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return False


def _lock(kind: int, problem: str) -> IO[bytes]:
    path = settings.VAR_DIR / NAME
    try:
        file = _opened(path)
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BaseException:
            file.close()
            raise
    except BlockingIOError:
        raise NotNow(problem) from None
    except OSError as error:
        raise NotNow(f"{path} can't be locked ({error.strerror}); mend that first.") from None
    return file


def _opened(path: Path) -> IO[bytes]:
    """The file of the locks, for reading and writing, which locks over NFS need. Whoever comes first makes
    it, maybe root: it is everybody's, or locked as a file that may only be read.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except PermissionError:
        return path.open("rb", buffering=0)
    if os.fstat(handle).st_uid == os.geteuid():
        os.fchmod(handle, 0o666)
    return os.fdopen(handle, "r+b", buffering=0)


def taken() -> IO[bytes]:
    """Hold the var folder with others, until the file is closed or the process ends. Raises NotNow."""
    file = _lock(fcntl.LOCK_SH, f"A backup is being restored into {settings.VAR_DIR}; wait until it is done.")
    if cut_short().exists():
        file.close()
        folder = cut_short().read_text()
        raise NotNow(f"A restore was cut short; do it again: `./manage.py restore {folder}`.")
    return file


def serving() -> IO[bytes]:
    """`taken` for a process that serves or works: it ends with the sentence where it may not start."""
    try:
        return taken()
    except NotNow as problem:
        sys.exit(str(problem))


@contextmanager
def alone() -> Iterator[None]:
    """Have the var folder for oneself. Raises NotNow."""
    with _lock(
        fcntl.LOCK_EX,
        f"Coplay runs on {settings.VAR_DIR}; stop web, match hosts, workers and commands before a restore.",
    ):
        yield

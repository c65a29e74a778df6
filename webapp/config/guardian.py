"""Ends every process of a run: `python webapp/config/guardian.py TAG`, started by the supervisor.

Waits until its standard input closes, which happens when the supervisor ends in whatever way, kill -9
included. Then it ends all processes that carry COPLAY_RUN=TAG in their environment: children, their children,
and those that moved to a session of their own. Finding them needs Linux's /proc; elsewhere each child of the
supervisor is ended by its process group alone. Needs nothing but Python.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

PATIENCE_SECONDS = 5.0


def tagged(tag: str) -> list[int]:
    """Process ids, this one left out, whose environment has COPLAY_RUN=`tag`."""
    wanted = f"COPLAY_RUN={tag}".encode()
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                pids.append(int(folder.name))
        except OSError:
            continue  # it ended meanwhile, or belongs to someone else
    return [pid for pid in pids if pid != os.getpid() and not is_zombie(pid)]


def is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def end_all(tag: str, patience: float = PATIENCE_SECONDS) -> None:
    """SIGTERM to all processes of the run, `patience` seconds to obey, then SIGKILL to what is left."""
    deadline = time.monotonic() + patience
    asked: set[int] = set()
    while left := tagged(tag):
        if time.monotonic() > deadline:
            send(left, signal.SIGKILL)
        else:
            send([pid for pid in left if pid not in asked], signal.SIGTERM)
            asked.update(left)
        time.sleep(0.1)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    end_all(sys.argv[1])


if __name__ == "__main__":
    main()

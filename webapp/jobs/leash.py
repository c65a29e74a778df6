"""`python -m webapp.jobs.leash PARENT COMMAND…`: become COMMAND, but die with the worker that started it.

A worker killed with SIGKILL can't stop its training, which would then write beside the next attempt. Linux
kills us for it (prctl PR_SET_PDEATHSIG survives exec). A step of its own, because code between fork and exec
in a process with threads may deadlock. Elsewhere than on Linux the child ends at its next write to the
closed pipe.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(argv: list[str]) -> None:
    parent, command = int(argv[0]), argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the call above
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Say in a sentence where this machine or its Python isn't served. Runs on any Python 3, before anything is
installed.
"""

import platform
import sys

FIRST, LAST = (3, 11), (3, 14)


def problem(version, system, machine):
    """Why Coplay can't be installed there, in a sentence; "" if it can."""
    if system == "win32":
        return "Coplay doesn't run on Windows itself; run it in WSL 2 (Ubuntu), where all of it works."
    if system == "darwin" and machine == "x86_64":
        return (
            "Coplay needs a Mac with Apple silicon: there is no PyTorch 2.13 for Macs with Intel processors."
        )
    if not FIRST <= tuple(version[:2]) <= LAST:
        return (
            "Coplay needs Python 3.11 to 3.14; %s is %d.%d. Install one and name it: make up PYTHON=python3.12"
            % (sys.executable, version[0], version[1])
        )
    return ""


if __name__ == "__main__":
    sys.exit(problem(sys.version_info, sys.platform, platform.machine()) or None)

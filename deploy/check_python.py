"""Say in a sentence when this Python is too old. Runs on any Python 3, before anything is installed."""

import sys

if sys.version_info < (3, 11):
    sys.exit(
        "Coplay needs Python 3.11 or newer; %s is %d.%d. Install one and name it: make up PYTHON=python3.12"
        % ((sys.executable,) + sys.version_info[:2])
    )

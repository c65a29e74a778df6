"""How agents learn: one file an algorithm; `programs` finds them, also those in the folders that
COPLAY_ALGORITHMS names, separated as in PATH. Rollouts, returns, checkpoints and reporting are shared.
"""

import os

__path__ += [folder for folder in os.environ.get("COPLAY_ALGORITHMS", "").split(os.pathsep) if folder]

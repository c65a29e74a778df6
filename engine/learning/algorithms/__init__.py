"""What can be chosen: one file an algorithm (engine.learning.run.programs finds them), also those in the
folders that COPLAY_ALGORITHMS names, separated as in PATH.
"""

import os

__path__ += [folder for folder in os.environ.get("COPLAY_ALGORITHMS", "").split(os.pathsep) if folder]

"""How agents learn: `algorithms`, one file each; `parts` that they share; `run`, the programs' shell,
settings and checkpoints.

`python -m engine.learning.NAME` runs an algorithm, because the cards of agents name their commands so. Code
imports it from `engine.learning.algorithms`.
"""

from engine.learning import algorithms

__path__ += algorithms.__path__

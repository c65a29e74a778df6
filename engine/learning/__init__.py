"""How agents learn: `algorithms`, one file each; `parts` that they share; `run`, what runs them.

`python -m engine.learning.NAME` runs an algorithm, wherever its file lies: so say the cards of agents. Code
imports it from `engine.learning.algorithms`.
"""

from engine.learning import algorithms

__path__ += algorithms.__path__

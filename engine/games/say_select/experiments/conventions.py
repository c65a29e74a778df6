"""Alice and Bob as in section 5.1 of the instructRL paper: see engine.experiments.conventions.

At most three balls are good, as in the authors' program. Chosen on seeds 21 to 40: a learning rate from .25
on where the paper has .02, with which fewer seeds came to what the words say; before that on seeds 11 to 20
a sharp prior, for ours is no GPT-J.
"""

from typing import Any


def pairs(**learning: Any) -> dict[str, Any]:
    """The paper's instruction, which Bob alone is told."""
    with_it = {"convention": "I should select the same number as my partner", "told": [1]}
    return {"name": "say_select", "options": {"good": 3}, "learning": {**with_it, **learning}}


SETTINGS = [pairs()]
QUICK = [pairs(episodes=3_200, evaluation_games=50)]

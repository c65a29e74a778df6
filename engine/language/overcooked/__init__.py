"""Instructions in the kitchen: read, told back, and turned into a prior over a cook's actions.

`vocabulary` holds the words, `lexicon` tags them, `clauses` cuts sentences up, `goals` reads what a clause
asks for, `say` tells goals back; `kitchen` is what an obeying cook sees, `tasks` what it does next for a
goal,
`standing` which goals still stand, `follow` the prior in a game.
"""

from engine.language.overcooked.features import NUM_FEATURES, features
from engine.language.overcooked.follow import prior, priors, progress, progresses
from engine.language.overcooked.reader import read
from engine.language.overcooked.table import questions

__all__ = ["NUM_FEATURES", "features", "prior", "priors", "progress", "progresses", "questions", "read"]

"""Instructions about Hanabi conventions: read, told back, and turned into a prior over moves.

`vocabulary` holds the words, `lexicon` tags them, `parse` reads clauses, `phrases` what belongs to one
action, `say` tells a program back, `follow` is the prior in a game, `table` the prior as the instructRL
paper's 3,852 questions.
"""

from engine.language.hanabi.features import NUM_FEATURES, features
from engine.language.hanabi.follow import prior
from engine.language.hanabi.reader import read
from engine.language.hanabi.table import questions

__all__ = ["NUM_FEATURES", "features", "prior", "questions", "read"]

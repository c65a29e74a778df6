"""Instructions to squad mates in Arena: read, told back, and turned into a goal that a policy gets as input.

`vocabulary` and `phrases` hold the words, `lexicon` tags them, `clauses` reads what is asked for, `say` tells
it back; `places` finds where and whom it means in a live match, `standing` which instruction stands and how
far it has got, `follow` the goal of a seat; `subgoals` is the same in the words of Table 7 of OpenContra.
"""

from engine.language.arena.features import NUM_FEATURES, features
from engine.language.arena.follow import goals, prior, priors, progress, progresses
from engine.language.arena.reader import read
from engine.language.arena.subgoals import subgoals
from engine.language.arena.table import questions

__all__ = [
    "NUM_FEATURES",
    "features",
    "goals",
    "prior",
    "priors",
    "progress",
    "progresses",
    "questions",
    "read",
    "subgoals",
]

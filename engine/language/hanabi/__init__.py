"""Instructions about Hanabi conventions: read, told back, and turned into a prior over moves.

`vocabulary` holds the words, the `wording` files the phrases, `spelling` mends typing errors, `lexicon` tags
a text with concepts, `corrections` settles "no wait, I meant". `parts` cuts a sentence, `conditions` and
`phrases` read what its parts say, `sentence` matches them, `parse` goes through a text, `common` has the
commonest wishes in whole clauses, `guess` reads the words where no clause fits, `relevance` refuses what is
about something else. `say` tells a program back, `follow` is the prior in games, from a program's numbers
(`coded`), `chances` that of wishes that take counting, `now` says what can't be done at the moment,
`standing` which of several rules still stand, `table` the prior as the instructRL paper's 3,852 questions,
`asked` which of them a move in a game is an answer to.
"""

from engine.language.hanabi import follow
from engine.language.hanabi.asked import NUM_QUESTIONS, asked_about
from engine.language.hanabi.chances import Following, prior
from engine.language.hanabi.common import is_listed
from engine.language.hanabi.features import NUM_FEATURES, features
from engine.language.hanabi.now import progresses
from engine.language.hanabi.reader import read
from engine.language.hanabi.standing import remaining, softened
from engine.language.hanabi.table import questions

ASKS = follow.STRENGTH / 2
"""Logits of a prior from which on a move is asked for, or forbidden; less is which of several is taken."""

__all__ = [
    "ASKS",
    "NUM_FEATURES",
    "NUM_QUESTIONS",
    "Following",
    "asked_about",
    "features",
    "is_listed",
    "prior",
    "progresses",
    "questions",
    "read",
    "remaining",
    "softened",
]

"""Instructions about Hanabi conventions: read, told back, and turned into a prior over moves.

`vocabulary` holds the words, the `wording` files the phrases, `spelling` mends typing errors, `lexicon` tags
a text with concepts, `corrections` settles "no wait, I meant". `parts` cuts a sentence, `conditions` and
`phrases` read what its parts say, `sentence` matches them, `parse` goes through a text, `common` has the
commonest wishes in whole clauses, `guess` reads the words where no clause fits, `relevance` refuses what is
about something else. `say` tells a program back, `follow` is the prior in games, from a program's numbers
(`coded`), `chances` that of wishes that take counting, `events` what conditions are about and whether it
holds, `now` says what can't be done at the moment, `standing` which of several rules still stand, `table` the
prior as the instructRL paper's 3,852 questions, `asked` which of them a move in a game is an answer to.
"""

from engine.games.hanabi.language import follow
from engine.games.hanabi.language.asked import NUM_QUESTIONS, asked_about
from engine.games.hanabi.language.chances import Following, prior
from engine.games.hanabi.language.common import is_listed
from engine.games.hanabi.language.features import NUM_FEATURES, features
from engine.games.hanabi.language.now import progresses
from engine.games.hanabi.language.reader import read
from engine.games.hanabi.language.standing import remaining, softened

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
    "read",
    "remaining",
    "softened",
]

"""Instructions about Hanabi conventions, carried out and told back.

`declared` is what can be said, `saying` tells it back. `carried` turns it into `programs` of version 1, which
agents follow; `say` tells those back. `follow` is their prior over moves in games, from a program's numbers
(`coded`), `chances` that of wishes that take counting, `events` what conditions are about and whether it
holds, `chain` what is done once, one thing after another, `now` says what can't be done at the moment,
`standing` which of several rules still stand, `table` the prior as the instructRL paper's 3,852 questions,
`asked` which of them a move in a game is an answer to, `features` what networks read of a program.
"""

from engine.games.hanabi.language import follow
from engine.games.hanabi.language.asked import NUM_QUESTIONS, asked_about
from engine.games.hanabi.language.chances import Following, prior
from engine.games.hanabi.language.features import NUM_FEATURES, features
from engine.games.hanabi.language.now import progresses
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
    "prior",
    "progresses",
    "remaining",
    "softened",
]

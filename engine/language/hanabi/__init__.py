"""Instructions about Hanabi conventions: read, told back, and turned into a prior over moves.

`vocabulary` holds the words, the `wording` files the phrases, `spelling` mends typing errors, `lexicon` tags
a text with concepts, `corrections` settles "no wait, I meant". `parts` cuts a sentence, `conditions` and
`phrases` read what its parts say, `sentence` matches them, `parse` goes through a text, `guess` reads the
words where no clause fits, `relevance` refuses what is about something else. `say` tells a program back,
`follow` is the prior in games, from a program's numbers (`coded`), `standing` which of several rules still
stand, `table` the prior as the instructRL paper's 3,852 questions.
"""

from engine.language.hanabi.features import NUM_FEATURES, features
from engine.language.hanabi.follow import Following, prior
from engine.language.hanabi.reader import read
from engine.language.hanabi.standing import remaining
from engine.language.hanabi.table import questions

__all__ = ["NUM_FEATURES", "Following", "features", "prior", "questions", "read", "remaining"]

"""Instructions about Hanabi conventions, carried out and told back.

`declared` is what can be said, `saying` tells it back. `carried` turns it into `programs` of version 1, which
agents follow; `say` tells those back. `follow` is their prior over moves in games, from a program's numbers
(`coded`), `chances` that of wishes that take counting, `events` what conditions are about and whether it
holds, `chain` what is done once, one thing after another, `now` says what can't be done at the moment,
`standing` which of several rules still stand, `table` the prior as the instructRL paper's 3,852 questions,
`asked` which of them a move in a game is an answer to, `features` what networks read of a program.
"""

from engine.simulation.lazy import names_of

__getattr__ = names_of(
    __name__,
    {
        **dict.fromkeys(("NUM_QUESTIONS", "asked_about"), "asked"),
        **dict.fromkeys(("Following", "prior"), "chances"),
        **dict.fromkeys(("remaining", "softened"), "standing"),
        "ASKS": "follow",
        "progresses": "now",
    },
)

"""Instructions in the kitchen: read, told back, and turned into a prior over a cook's actions.

Reading, in this order: `spelling` (plain words), `idioms` and `manners` (whole ways of saying one thing; what
is said around a wish), `phrases` and `vocabulary` (the words), `lexicon` (tags them), `clauses` (cuts
sentences up), `named` and `verbs` (what a clause names and asks for), `intents`, `say` (tells goals back).

Following: `standing` says which goals still stand, `coded` turns them into numbers; `cook` is what an obeying
cook sees, `ends` which goals are done, `tasks`, `counters` and `places` what it does next for one, `ways` how
it gets there, `follow` the prior in games, `sense` what of it is of no use now and rests, `conditions` what
waits for `events`.
"""

from engine.simulation.lazy import names_of

__getattr__ = names_of(
    __name__,
    {
        "Following": "sense",
        "prior": "sense",
        "priors": "sense",
        "progresses": "sense",
        "read": "reader",
        "remaining": "standing",
    },
)

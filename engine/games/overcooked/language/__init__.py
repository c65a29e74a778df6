"""Instructions in the kitchen: what can be said, how it is told back, and how it becomes a prior over a
cook's actions. What a text says is read by a model (engine.language).

Said: `declared` (the language), `saying` (its programs told back), `carried` (as programs of version 1, the
form that is followed and logged), `programs` (that form), `say` (told back).

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
        "remaining": "standing",
    },
)

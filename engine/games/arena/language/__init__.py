"""Instructions to squad mates in Arena: read, told back, and turned into a goal that a policy gets as input.

`vocabulary` and `phrases` hold the words, `lexicon` tags them, `clauses` reads what is asked for, `say` tells
it back; `places` finds where and whom it means in a live match, `standing` which instruction stands and how
far it has got, `follow` the goal of a seat. `wishes` reads the sub-goals of Table 7 of OpenContra, `subgoals`
puts them together with the clauses. Reading needs no numba: what plays a match is imported when it is asked.
"""

from engine.simulation.lazy import later, names_of

goals = later(f"{__name__}.follow", "goals")  # reading asks whether there are goals

__getattr__ = names_of(
    __name__,
    {
        "prior": "follow",
        "priors": "follow",
        "progresses": "follow",
        "read": "reader",
        "remaining": "standing",
    },
)

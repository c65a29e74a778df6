"""Instructions to squad mates in Arena: what can be said (`declared`), and the goals that it becomes.

`carried` turns what was said into a program (`programs`), `say` and `saying` tell it back; `places` finds
where and whom it means in a live match, `events` whether its conditions hold, `standing` which instruction
stands and how far it has got, `follow` the goal of a seat. `subgoals` names what a program asks for in the
sub-goals of Table 7 of OpenContra. What plays a match is imported when it is asked.
"""

from engine.simulation.lazy import later, names_of

goals = later(f"{__name__}.follow", "goals")  # reading asks whether there are goals
LOOK_EVERY = 8  # two looks a second, as decisions hold for 3 ticks

__getattr__ = names_of(
    __name__,
    {
        "prior": "follow",
        "priors": "follow",
        "progresses": "follow",
        "remaining": "standing",
        "defaults": "staying",
    },
)

"""Instructions on the lake. `declared` is what can be said, `say` tells it back, `carried` checks that it can
be carried out, `places` which cells it means, `track` how far a seat has got with it, `follow` the prior over
its next step, `reasons` why it can't be obeyed now. The reader hasn't learned this language: it knows the
texts in phrasings/ and no others.
"""

from engine.simulation.lazy import names_of

__getattr__ = names_of(
    __name__,
    {"prior": "follow", "priors": "follow", "progresses": "follow", "remaining": "follow"},
)

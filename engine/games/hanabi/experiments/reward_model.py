"""Episodes for reward models: see engine.experiments.reward_model."""

from engine.experiments.reward_model import marked

OWN = {
    "name": "hanabi",
    "options": {"players": 2},
    "agent": "hanabi/learner-1",
    "instructions": [
        "If I hint you a colour, play it",
        "If I hint you a rank, play it",
        "save hints",
        "discard your oldest card",
    ],
}

SETTINGS = [{**OWN, **marked(400, 400)}]
QUICK = [{**OWN, **marked(8, 20)}]

"""Episodes for reward models: see engine.experiments.reward_model."""

from engine.experiments.reward_model import marked

OWN = {"name": "arena", "options": {"teams": 2, "team_size": 4}, "agent": "arena/squad", "instructions": []}

SETTINGS = [{**OWN, **marked(60, 300)}]
QUICK = [{**OWN, **marked(8, 20)}]

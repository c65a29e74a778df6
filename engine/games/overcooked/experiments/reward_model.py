"""Episodes for reward models: see engine.experiments.reward_model."""

from engine.experiments.reward_model import marked

OWN = {
    "name": "cramped_room",
    "options": {"layout": "cramped_room"},
    "agent": "overcooked/self_play-cramped_room",
    "instructions": ["plate the soups", "bring onions to the pot", "bring the plates"],
}

SETTINGS = [{**OWN, **marked(200, 300)}]
QUICK = [{**OWN, **marked(8, 20)}]

"""Network agents for tests that remember: random ones, whose moves hang on what they have seen before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from engine import games
from engine.agents.catalogue import write_agent
from engine.agents.features import inputs_for
from engine.agents.network import PolicyValueNet
from engine.learning.parts.made import first_card

GAMES: dict[str, dict[str, Any]] = {
    "hanabi": {"players": 3},
    "overcooked": {"layout": "cramped_room", "horizon": 40},
    "arena": {},
    "say_select": {},
}


def remembering(game: str, folder: Path, hidden: list[int]) -> PolicyValueNet:
    """Write an agent with a memory of 12 numbers that takes its best moves; returns its network."""
    spec = games.spec(game)
    options = spec.validate(GAMES[game])
    inputs = inputs_for(game, options)
    torch.manual_seed(4)
    net = PolicyValueNet(inputs.size, hidden, spec.num_actions(options), memory=12)
    with torch.no_grad():
        net.memory.weight_hh_l0 *= 4
        net.policy.weight *= 4
    card = {**first_card(game, options, inputs), "name": folder.name, "acts": "best"}
    write_agent(folder, {key: value.numpy() for key, value in net.state_dict().items()}, card)
    return net

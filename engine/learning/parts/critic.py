"""A critic that sees more than the policy and values each group of rewards by itself (OpenContra, section
4.2). It learns beside the agent and isn't part of it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from engine import brings
from engine.learning.parts.rollouts import Collector

RATE = 5.0  # the critic's learning rate, in policies'


class Critic(nn.Module):
    """What a seat sees (n, I) and inputs for critics alone (n, P) -> a value for each group of rewards (n,
    groups).
    """

    def __init__(self, size: int, hidden: list[int], groups: int) -> None:
        super().__init__()
        sizes = [size, *hidden]
        layers: list[nn.Module] = []
        for a, b in zip(sizes, sizes[1:], strict=False):
            layers += [nn.Linear(a, b), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Linear(sizes[-1], groups))

    def forward(self, inputs: Tensor, privileged: Tensor) -> Tensor:
        return self.layers(torch.cat([inputs, privileged], 1))


def critic_for(config: Any, games: Collector) -> tuple[Critic | None, list[float]]:
    """The critic that the setting `critic` asks for, None for the agent's own value, and the discount of each
    value.
    """
    discounts = [config.gamma]
    if not config.critic:
        return None, discounts
    by_group = brings.Training.of(config.game).discounts
    gammas = by_group(config.rewards) if by_group else discounts
    size = games.input_size + games.privileged_size
    return Critic(size, config.critic, len(gammas)).to(games.device), gammas

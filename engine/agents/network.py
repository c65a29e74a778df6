"""The network of learned agents, in torch: a trunk of fully connected layers, policy logits and a value.

For training. Shipped agents act through engine.agents.policy, which needs NumPy alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn


class PolicyValueNet(nn.Module):
    """inputs (n, I) -> logits (n, A) before masking, value (n,): the return still to come, in points."""

    def __init__(self, input_size: int, hidden: list[int], num_actions: int) -> None:
        super().__init__()
        sizes = [input_size, *hidden]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:], strict=False))
        self.policy = nn.Linear(sizes[-1], num_actions)
        self.value = nn.Linear(sizes[-1], 1)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        x = inputs
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.policy(x), self.value(x).squeeze(-1)

    @property
    def hidden_sizes(self) -> list[int]:
        return [layer.out_features for layer in self.hidden]


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    """Logits with illegal actions (mask 0) at a finite low, so that softmax and entropy stay finite."""
    return logits.masked_fill(masks == 0, -1e4)


def from_tensors(tensors: Mapping[str, Tensor | np.ndarray]) -> PolicyValueNet:
    """The network that these weights (an agent's safetensors) belong to."""
    sizes = [
        value.shape[0]
        for key, value in sorted(tensors.items())
        if key.startswith("hidden.") and "weight" in key
    ]
    reads = tensors["hidden.0.weight"].shape[1]
    net = PolicyValueNet(reads, sizes, tensors["policy.bias"].shape[0])
    net.load_state_dict({key: torch.as_tensor(value).float() for key, value in tensors.items()})
    return net

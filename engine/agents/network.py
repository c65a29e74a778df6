"""The network of learned agents, in torch: a trunk of fully connected layers, policy logits and a value.

For training. Shipped agents act through engine.agents.policy, which needs NumPy alone.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine.agents.surgery import MAP_FILTERS, MAP_OUTPUTS, PATCH


class MapReader(nn.Module):
    """maps uint8 (n, layers, 64, 64) -> (n, MAP_OUTPUTS): what engine.agents.surgery.add_map_layers adds."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(layers, MAP_FILTERS, PATCH, stride=PATCH)
        self.out = nn.Linear(MAP_FILTERS * (64 // PATCH) ** 2, MAP_OUTPUTS)

    def forward(self, maps: Tensor) -> Tensor:
        found = torch.relu(self.conv(maps.float() / 255.0))
        return torch.relu(self.out(found.flatten(1)))


class PolicyValueNet(nn.Module):
    """inputs (n, I) -> logits (n, A) before masking, value (n,): the return still to come, in points.

    With `map_layers` it reads maps (n, map_layers, 64, 64) as well.
    """

    def __init__(self, input_size: int, hidden: list[int], num_actions: int, map_layers: int = 0) -> None:
        super().__init__()
        self.maps = MapReader(map_layers) if map_layers else None
        sizes = [input_size + (MAP_OUTPUTS if map_layers else 0), *hidden]
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:], strict=False))
        self.policy = nn.Linear(sizes[-1], num_actions)
        self.value = nn.Linear(sizes[-1], 1)

    def forward(self, inputs: Tensor, maps: Tensor | None = None) -> tuple[Tensor, Tensor]:
        x = inputs if self.maps is None else torch.cat([inputs, self.maps(maps)], 1)
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.policy(x), self.value(x).squeeze(-1)

    @property
    def hidden_sizes(self) -> list[int]:
        return [layer.out_features for layer in self.hidden]


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    """Logits with illegal actions (mask 0) at a finite low, so that softmax and entropy stay finite."""
    return logits.masked_fill(masks == 0, -1e4)


def from_tensors(tensors: dict[str, Tensor]) -> PolicyValueNet:
    """The network that these weights (an agent's safetensors) belong to."""
    sizes = [
        value.shape[0]
        for key, value in sorted(tensors.items())
        if key.startswith("hidden.") and "weight" in key
    ]
    reads = tensors["hidden.0.weight"].shape[1]
    layers = tensors["maps.conv.weight"].shape[1] if "maps.conv.weight" in tensors else 0
    reads -= MAP_OUTPUTS if layers else 0
    net = PolicyValueNet(reads, sizes, tensors["policy.bias"].shape[0], layers)
    net.load_state_dict({key: value.float() for key, value in tensors.items()})
    return net

"""The network of learned agents, in torch: fully connected layers, with or without memory, policy logits and
a value.

For training. Shipped agents act through engine.agents.policy, which needs NumPy alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from engine.agents.layers import goal_layers, goal_size, memory_size, told_layers


class PolicyValueNet(nn.Module):
    """inputs (n, I + F), memory (n, M) -> logits (n, A) before masking, value (n,): the expected remaining
    return, in points, and the updated memory (n, M). With a `memory`, a GRU of that size reads the output of
    the first layer, and later layers read both. The last F inputs are the instructions of a seat; they enter
    behind the memory, so that the memory holds only what was seen.

    With a `goal` (how many inputs it reads, the size of its code, its layers) the last inputs are a goal
    vector, and the second layer reads its code too: a residual network without biases (OpenContra, section
    4.2), of which an empty goal's code is zeros. The first layer then reads the first I inputs.
    """

    def __init__(
        self,
        input_size: int,
        hidden: list[int],
        num_actions: int,
        memory: int = 0,
        instruction_size: int = 0,
        goal: tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        super().__init__()
        self.goals, code, count = goal
        apart = bool(memory or self.goals)  # whether the first layer doesn't read all inputs
        reads, *widths = hidden if apart else [input_size + instruction_size, *hidden]
        self.reads = input_size
        first = [nn.Linear(input_size, reads)] if apart else []
        self.memory = nn.GRU(reads, memory) if memory else None
        shapes = [(code if number else self.goals, code) for number in range(count)]
        self.goal = nn.ModuleList([nn.Linear(a, b, bias=False) for a, b in shapes])
        sizes = [reads + memory + instruction_size + code, *widths] if apart else [reads, *widths]
        behind = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:], strict=False)]
        self.hidden = nn.ModuleList([*first, *behind])
        self.policy = nn.Linear(sizes[-1], num_actions)
        self.value = nn.Linear(sizes[-1], 1)

    def forward(
        self, inputs: Tensor, memory: Tensor | None = None, sizes: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One step of every row; or with `sizes`, rows that are sequences, in the order of a PackedSequence
        with these batch sizes, of which each begins with the memory of its first row. No memory: zeros.
        """
        memory = inputs.new_zeros(len(inputs), self.memory_size) if memory is None else memory
        x = inputs
        for index, layer in enumerate(self.hidden):
            if index == 0 and (self.memory is not None or self.goals):
                seen, asked = inputs.tensor_split([self.reads], 1)
                now = torch.relu(layer(seen))
                memory = self._remember(now, memory, sizes)
                code = self._encode(asked[:, -self.goals :]) if self.goals else asked
                x = torch.cat([now, memory, code], 1)
            else:
                x = torch.relu(layer(x))
        return self.policy(x), self.value(x).squeeze(-1), memory

    def _encode(self, goals: Tensor) -> Tensor:
        first, *blocks = self.goal
        x = torch.relu(first(goals))
        for inner, outer in zip(blocks[::2], blocks[1::2], strict=True):
            x = x + outer(torch.relu(inner(x)))
        return x

    def _remember(self, x: Tensor, memory: Tensor, sizes: Tensor | None) -> Tensor:
        if self.memory is None or not len(x):
            return memory
        # Split once for all steps: nn.GRU slices, and a slice's gradient is as large as all steps together.
        reading, recalling, *biases = self.memory.parameters()
        heard = F.linear(x, reading, biases[0])
        steps = heard.split(sizes.tolist()) if sizes is not None else [heard]
        parts, memories = (2 * self.memory_size, self.memory_size), []
        for step in steps:
            memory = memory[: len(step)]
            remembered = F.linear(memory, recalling, biases[1])
            (heard_gates, heard_new), (own_gates, own_new) = step.split(parts, 1), remembered.split(parts, 1)
            reset, keep = (heard_gates + own_gates).sigmoid().chunk(2, 1)
            new = (heard_new + reset * own_new).tanh()
            memory = new + keep * (memory - new)
            memories.append(memory)
        return torch.cat(memories).float()

    @property
    def memory_size(self) -> int:
        """The size of its memory for each seat."""
        return self.memory.hidden_size if self.memory is not None else 0


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    """Logits with a large negative finite value for illegal actions (mask 0), so that softmax and entropy
    stay finite.
    """
    return logits.masked_fill(masks == 0, -1e4)


def from_tensors(tensors: Mapping[str, Tensor | np.ndarray]) -> PolicyValueNet:
    """The network that these weights (an agent's safetensors) belong to."""
    layers = [key for key in sorted(tensors) if key.startswith("hidden.") and "weight" in key]
    memory, goal = memory_size(tensors), (*goal_size(tensors), len(goal_layers(tensors)))
    reads, hidden = tensors[layers[0]].shape[1], [tensors[key].shape[0] for key in layers]
    behind = tensors[told_layers(tensors)[0]].shape[1] - hidden[0] - memory - goal[1] if memory else 0
    net = PolicyValueNet(reads, hidden, tensors["policy.bias"].shape[0], memory, behind, goal)
    net.load_state_dict({key: torch.as_tensor(value).float() for key, value in tensors.items()})
    return net

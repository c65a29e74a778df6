"""What proxies of people learn with: their network in torch, what people did as tensors, and who is in which
part. Not for how they learn (engine.learning.clone_people), nor for acting (engine.agents.people).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engine.agents.people import Shape
from engine.evaluation.imitation import Recorded, steps, together

CONTEXT, MIXED = 128, 96  # widths


class PeopleNet(nn.Module):
    """inputs (n, SIZE), personas (n, P) -> logits (n, A), as PeoplePolicy computes them."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.context = nn.Linear(shape.context, CONTEXT)
        self.item = nn.Linear(shape.item, CONTEXT)
        self.mixed = nn.Linear(CONTEXT, MIXED)
        self.pooled = nn.Linear(CONTEXT, MIXED)
        self.move = nn.Linear(MIXED, 1)
        self.extra = nn.Linear(2 * MIXED, shape.module.EXTRAS)
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: Tensor, personas: Tensor) -> Tensor:
        context, items = self.shape.parts(inputs, personas, torch.cat)
        hidden = self.dropout(torch.relu(self.context(context)[:, None] + self.item(items)))
        hidden = self.dropout(torch.relu(self.mixed(hidden) + self.pooled(hidden.mean(1))[:, None]))
        extra = self.extra(torch.cat([hidden.mean(1), hidden.max(1)[0]], 1))
        return torch.cat([self.move(hidden)[..., 0], extra], 1)


def critic(shape: Shape) -> nn.Module:
    """inputs (n, SIZE) -> values (n, 1): what is still to come."""
    return nn.Sequential(
        nn.Linear(shape.module.SIZE, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)
    )


@dataclass
class Moves:
    """What people did, N moves: what they read, masks, actions, who they were, how much each counts."""

    inputs: Tensor
    masks: Tensor
    actions: Tensor
    personas: Tensor
    weights: Tensor

    def to(self, device: torch.device) -> Moves:
        """The same on a device."""
        return Moves(**{name: column.to(device) for name, column in vars(self).items()})


def moves_of(game: str, found: list[Recorded], most: int) -> Moves:
    """Everything that people did in these games."""
    shape = Shape(game)
    module = shape.module
    memory = np.zeros((len(found), found[0].actions.shape[1], module.MEMORY), np.float32)
    rows: list[tuple[np.ndarray, ...]] = []
    people: list[str | None] = []
    for which, seats, ticks in steps(found):
        own = memory[which, seats]
        at = list(zip(which, ticks, seats, strict=True))
        inputs = shape.read(np.stack([found[g].states[t] for g, t, _ in at]), seats, own)
        memory[which, seats] = own
        persona = [[module.persona(found[g].survey) == one for one in module.PERSONAS] for g, _, _ in at]
        rows.append((
            inputs.astype(np.float16),
            np.stack([found[g].masks[t, s] for g, t, s in at]),
            np.array([found[g].actions[t, s] for g, t, s in at]),
            np.array(persona, np.float32).reshape(len(at), -1),
        ))  # fmt: skip
        people += [found[g].people[s] for g, _, s in at]
    _, number, count = np.unique(np.array(people), return_inverse=True, return_counts=True)
    weights = np.minimum(1.0, most / count)[number].astype(np.float32)
    columns: list[Any] = [torch.from_numpy(np.concatenate(column)) for column in zip(*rows, strict=True)]
    return Moves(*columns, weights=torch.from_numpy(weights / weights.mean()))


def divided(found: list[Recorded], divide: int) -> list[int]:
    """The part of each game: people who ever played together are in one part, in the order of their names."""
    groups = together([one.names for one in found])
    order = {name: index for index, name in enumerate(sorted(set(groups)))}
    return [order[name] % divide for name in groups]

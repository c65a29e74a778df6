"""Parts of the training of human proxies: their network in torch, people's moves as tensors, the split of
people, and the games that proxies play. Not for the algorithm (engine.learning.algorithms.clone_people), nor
for acting (engine.agents.people).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engine.agents.features import Inputs
from engine.agents.network import PolicyValueNet
from engine.agents.people import Plain, Reader, Shape
from engine.evaluation.imitation import Recorded, rows_at, steps
from engine.learning.parts.rollouts import Collector, Rollout
from engine.learning.parts.seating import Seating

CONTEXT, MIXED = 128, 96  # widths
PLAIN = [256, 128]  # of networks that read what agents read


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


class PlainNet(PolicyValueNet):
    """inputs (n, I), personas (n, 0) -> logits (n, A), as NetworkPolicy computes them, without a value."""

    def __init__(self, size: int, actions: int, dropout: float = 0.0) -> None:
        super().__init__(size, PLAIN, actions)
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: Tensor, personas: Tensor) -> Tensor:  # type: ignore[override]
        hidden = inputs
        for layer in self.hidden:
            hidden = self.dropout(torch.relu(layer(hidden)))
        return self.policy(hidden)


def net_of(reader: Reader, actions: int, dropout: float = 0.0) -> nn.Module:
    """The network that reads this: inputs (n, I), personas (n, P) -> logits (n, A)."""
    if isinstance(reader, Plain):
        return PlainNet(reader.size, actions, dropout)
    return PeopleNet(reader, dropout)


def critic(reader: Reader) -> nn.Module:
    """inputs (n, I) -> values (n, 1): what is still to come."""
    return nn.Sequential(
        nn.Linear(reader.size, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)
    )


@dataclass
class Moves:
    """What people did, N moves: what they read, masks, actions (N,) or (N, heads), who they were, how much
    each counts.
    """

    inputs: Tensor
    masks: Tensor
    actions: Tensor
    personas: Tensor
    weights: Tensor

    def to(self, device: torch.device) -> Moves:
        """The same on a device."""
        return Moves(**{name: column.to(device) for name, column in vars(self).items()})


def moves_of(reader: Reader, recorded: list[Recorded], most: int) -> Moves:
    """Everything that people did in these games."""
    seats_of = max(game.who.shape[1] for game in recorded)
    memory = np.zeros((len(recorded), seats_of, reader.memory), np.float32)
    rows: list[tuple[np.ndarray, ...]] = []
    people: list[str] = []
    for which, seats, ticks in steps(recorded):
        remembered = memory[which, seats]
        states, masks, actions, worlds = rows_at(recorded, which, seats, ticks)
        inputs = reader.read(states, seats, remembered, worlds)
        memory[which, seats] = remembered
        persona = [[reader.persona(recorded[g].survey) == known for known in reader.personas] for g in which]
        persona_ = np.array(persona, np.float32).reshape(len(which), -1)
        rows.append((inputs.astype(np.float16), masks, actions.astype(np.int64), persona_))
        people += [str(recorded[g].who[t, s]) for g, t, s in zip(which, ticks, seats, strict=True)]
    _, number, count = np.unique(np.array(people), return_inverse=True, return_counts=True)
    weights = np.minimum(1.0, most / count)[number].astype(np.float32)
    columns: list[Any] = [torch.from_numpy(np.concatenate(column)) for column in zip(*rows, strict=True)]
    return Moves(*columns, weights=torch.from_numpy(weights / weights.mean()))


class Table:
    """`n` games of a variant (complete options), who sits where in them, and what each row has earned in its
    game so far. `partners` are refs of agents, "" for the proxy itself, each in as many games.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any],
        n: int,
        seed: int,
        partners: list[str],
        rng: np.random.Generator,
        memory: int,
        device: torch.device,
    ) -> None:
        nothing = Inputs(game, 0, 0, lambda *arrays: None)  # what proxies read, the training reads itself
        self.collector = Collector(game, options, n, seed, device=device, reads=nothing, memory=memory)
        shares = {ref: partners.count(ref) / len(partners) for ref in partners if ref}
        self.seating = Seating(self.collector, {}, shares, rng)
        self.sums = np.zeros(n * self.collector.rows)

    def follow(self, reached: np.ndarray, ended: np.ndarray) -> dict[str, Tensor]:
        """Which rows have a game behind them, and with the proxy in it; draws who plays in the next ones."""
        rows = self.collector.rows
        learning = ~self.seating.given if rows > 1 else np.ones((len(ended), 1), bool)
        over, counts = np.repeat(ended, rows), (learning & ended[:, None]).reshape(-1)
        self.seating.begin(np.flatnonzero(ended))
        return {"over": self.collector.tensor(over), "counts": self.collector.tensor(counts)}

    def earned(self, rolled: Rollout) -> list[float]:
        """What the proxy's rows earned in each game that ended in a rollout."""
        earned: list[float] = []
        columns = (rolled.rewards.sum(-1), rolled.extras["over"], rolled.extras["counts"])
        for rewards, over, counts in zip(*(column.cpu().numpy() for column in columns), strict=True):
            self.sums += rewards
            earned += self.sums[counts].tolist()
            self.sums[over] = 0.0
        return earned

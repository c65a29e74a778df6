"""Moves in the order in which one seat saw them, for networks with a memory: rollouts as sequences.

A sequence is what one seat saw of one game in a rollout, move by move; it begins with the seat's memory at
that point. Gradients go back to its beginning and no further (truncated backpropagation through time). Not
for networks (engine.agents.network reads these sequences).
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.learning.run.team import Team

Rows = dict[str, Tensor]


def numbered(seats: Tensor, dones: Tensor) -> Tensor:
    """(T, B): the number of each move's sequence, of the seats (T, B) that moved and where games, or a row's
    part in them, ended (T, B).
    """
    rows = torch.arange(seats.shape[1], device=seats.device)
    games_before = dones.long().cumsum(0) - dones.long()
    return (rows * (int(seats.max()) + 1) + seats) * (len(seats) + 1) + games_before


def rows_at(rows: Rows, chosen: Tensor) -> Rows:
    """Rows by their numbers, int64 (n,): `index_select` copies whole rows, faster than an index does."""
    return {key: value.index_select(0, chosen) for key, value in rows.items()}


def minibatches(rows: Rows, order: Tensor, count: int, team: Team) -> list[Rows]:
    """Rows in `count` parts of whole sequences, taken as `order` (a permutation of as many numbers as there
    are rows) has them: each in the order of a PackedSequence, with its batch sizes as "sizes".

    `rows` are in order of time, with their sequences' numbers as "sequences".
    """
    _, sequence, lengths = rows["sequences"].unique(return_inverse=True, return_counts=True)
    by_sequence = sequence.argsort(stable=True)
    starts = lengths.cumsum(0) - lengths
    step = torch.empty_like(sequence)
    step[by_sequence] = torch.arange(len(sequence), device=step.device) - starts.repeat_interleave(lengths)
    parts = []
    for chosen in team.batches(order[order < len(lengths)], count):
        longest_first = chosen[lengths[chosen].argsort(descending=True, stable=True)]
        rank = torch.full_like(lengths, -1)
        rank[longest_first] = torch.arange(len(chosen), device=rank.device)
        mine = (rank[sequence] >= 0).nonzero().squeeze(1)
        mine = mine[(step[mine] * len(lengths) + rank[sequence[mine]]).argsort()]
        parts.append({**rows_at(rows, mine), "sizes": step[mine].bincount().cpu()})
    return parts

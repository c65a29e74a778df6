"""Actions with one head or several, as algorithms see them: log-probabilities, what was chosen, drawing.

`heads` are the choices of each head, () for one action id. Logits and masks have all heads in a row. Not for
networks (engine.agents.network).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from engine.agents.network import masked


def log_probs(logits: Tensor, masks: Tensor, heads: tuple[int, ...] = ()) -> Tensor:
    """The logarithm of every choice's probability within its head, (n, A)."""
    floor = masked(logits, masks)
    if not heads:
        return floor.log_softmax(1)
    return torch.cat([part.log_softmax(1) for part in floor.split(heads, dim=1)], 1)


def chosen(logp: Tensor, actions: Tensor, heads: tuple[int, ...] = ()) -> Tensor:
    """The logarithm of an action's probability, (n,), all heads together; actions (n,) or (n, heads)."""
    if not heads:
        return logp.gather(1, actions[:, None]).squeeze(1)
    parts = logp.split(heads, dim=1)
    return torch.cat([part.gather(1, actions[:, i, None]) for i, part in enumerate(parts)], 1).sum(1)


def draw(logits: Tensor, rng: np.random.Generator, heads: tuple[int, ...] = ()) -> Tensor:
    """Actions drawn by these (masked) logits: int64 (n,) or (n, heads)."""
    noise = torch.from_numpy(rng.gumbel(size=tuple(logits.shape)).astype(np.float32)).to(logits.device)
    return best(logits + noise, heads)


def best(logits: Tensor, heads: tuple[int, ...] = ()) -> Tensor:
    """The likeliest action by these (masked) logits: int64 (n,) or (n, heads)."""
    if not heads:
        return logits.argmax(1)
    return torch.stack([part.argmax(1) for part in logits.split(heads, dim=1)], 1)


def allowing(masks: Tensor, actions: Tensor, heads: tuple[int, ...] = ()) -> Tensor:
    """Masks (n, A) in which these actions are allowed, too."""
    first = [sum(heads[:index]) for index in range(len(heads))] or [0]
    places = actions.reshape(len(masks), -1) + torch.tensor(first).to(actions.device)
    return masks.scatter(1, places, 1)

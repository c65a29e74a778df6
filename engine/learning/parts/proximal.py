"""PPO's gradient steps (Schulman et al. 2017), the same for every learner: one head of actions or several,
one value or several, pulls towards other policies.

Not for collecting rollouts, nor for rewards: those belong to the programs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn

from engine.learning.parts import heads, sequences
from engine.learning.parts.sequences import Rows
from engine.learning.run.team import Team

Forward = Callable[[Rows], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Pull:
    """A divergence from another policy, whose log-probabilities (n, A) are the rows' column `name`:
    KL(policy || other), or KL(other || policy) with `from_other`.
    """

    name: str
    weight: float
    from_other: bool = False


@dataclass
class Proximal:
    """How a policy and its values learn from rows of rollouts.

    `forward(rows)` gives logits (n, A), not masked yet, and values (n,) or (n, V). Rows have "inputs",
    "masks", "actions", "logprobs" (what acting drew), "advantages" (n,), "returns" of the values' shape,
    "values" (what they were, if `clip_values`), a column for each pull, "pulled" (n,) where pulls are on some
    rows alone, and what else `forward` reads. With
    "sequences", minibatches are of whole ones, with "sizes" (engine.learning.parts.sequences).
    """

    forward: Forward
    optimizer: torch.optim.Optimizer
    parts: tuple[int, ...] = ()  # the sizes of the heads of actions; () for one
    clip: float = 0.2
    clip_values: bool = False
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    value_parameters: Iterable[nn.Parameter] = ()  # all that learn while only values do
    extra: Callable[[Rows, Tensor], Tensor] | None = None  # more of the loss, from log-probabilities (n, A)
    normalize: bool = True  # advantages, over all rows
    team: Team = Team()  # who learns together
    check: Callable[[], None] = field(default=lambda: None)  # called before each step; may raise to stop

    def learn(
        self,
        rows: Rows,
        epochs: int,
        minibatches: int,
        rng: np.random.Generator,
        entropy: float,
        pulls: tuple[Pull, ...] = (),
        values_only: bool = False,
        stop_at_kl: float = float("inf"),
    ) -> dict[str, float]:
        """`epochs` passes over all rows in so many minibatches, fewer once the policy of a pass has moved
        further than `stop_at_kl`; returns what CleanRL measures, by its names, the share of passes that were
        left out where any may be ("passes_cut"), and each pull's divergence in the last pass.
        """
        if self.normalize:
            mean, spread = self.team.moments(rows["advantages"])
            rows = {**rows, "advantages": (rows["advantages"] - mean) / (spread + 1e-8)}
        count, passes = len(rows["actions"]), []
        for _ in range(epochs):
            order = torch.from_numpy(rng.permutation(count)).to(rows["actions"].device)
            parts: Iterable[Rows]
            if "sequences" in rows:
                parts = sequences.minibatches(rows, order, minibatches, self.team)
            else:
                batches = self.team.batches(order, minibatches)
                parts = (sequences.rows_at(rows, chosen) for chosen in batches)
            passes.append([self._step(part, entropy, pulls, values_only) for part in parts])
            if np.mean([row["approx_kl"] for row in passes[-1]]) > stop_at_kl:
                break
        every = [row for rows in passes for row in rows]
        means = {key: float(np.mean([row[key] for row in every])) for key in every[0]}
        last = {pull.name: float(np.mean([row[pull.name] for row in passes[-1]])) for pull in pulls}
        cut = {"passes_cut": 1 - len(passes) / epochs} if math.isfinite(stop_at_kl) else {}
        return means | cut | last

    def _step(
        self, rows: Rows, entropy_weight: float, pulls: tuple[Pull, ...], values_only: bool
    ) -> dict[str, float]:
        self.check()
        logits, values = self.forward(rows)
        values = values.float()
        logp = heads.log_probs(logits.float(), rows["masks"], self.parts)
        logratio = heads.chosen(logp, rows["actions"], self.parts) - rows["logprobs"]
        ratio, advantages = logratio.exp(), rows["advantages"]
        lost = policy_loss(ratio, advantages, self.clip)
        far = value_loss(values, rows["returns"], rows["values"] if self.clip_values else None, self.clip)
        entropy = -(logp.exp() * logp).sum(1).mean()
        apart = {
            pull.name: kl(*_turned(logp, rows[pull.name], pull.from_other), rows.get("pulled"))
            for pull in pulls
        }
        loss = self.value_weight * far
        if not values_only:
            loss = loss + lost - entropy_weight * entropy
            loss = loss + sum(pull.weight * apart[pull.name] for pull in pulls)
            if self.extra is not None:
                loss = loss + self.extra(rows, logp)
        self.optimizer.zero_grad()
        loss.backward()
        count = len(rows["actions"])
        self.team.average([p for group in self.optimizer.param_groups for p in group["params"]], count)
        if values_only:
            theirs = {id(parameter) for parameter in self.value_parameters}
            for group in self.optimizer.param_groups:
                for parameter in group["params"]:
                    parameter.grad = parameter.grad if id(parameter) in theirs else None
        for group in self.optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], self.max_grad_norm)
        self.optimizer.step()
        measured = {
            "policy_loss": lost,
            "value_loss": far,
            "entropy": entropy,
            "approx_kl": ((ratio - 1) - logratio).mean(),
            "clipfrac": ((ratio - 1).abs() > self.clip).float().mean(),
            **apart,
        }
        means = {key: value.item() if count else 0.0 for key, value in measured.items()}
        return self.team.mean(means, count)


def policy_loss(ratio: Tensor, advantages: Tensor, clip: float) -> Tensor:
    """The clipped surrogate objective (Schulman et al. 2017, eq. 7), to be made small: -E[min(r A, clip(r)
    A)] of ratios and advantages (n,).
    """
    return -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).mean()


def value_loss(values: Tensor, returns: Tensor, before: Tensor | None, clip: float) -> Tensor:
    """Half the squared error of values (n,) or (n, V), summed over V, on the mean; where it is given what
    they were `before`, at least that of values which have moved no further than `clip`.
    """
    errors = (values - returns).square()
    if before is not None:
        near = before + (values - before).clamp(-clip, clip)
        errors = torch.maximum(errors, (near - returns).square())
    return 0.5 * errors.flatten(1).sum(1).mean() if errors.dim() > 1 else 0.5 * errors.mean()


def _turned(logp: Tensor, logq: Tensor, turn: bool) -> tuple[Tensor, Tensor]:
    return (logq, logp) if turn else (logp, logq)


def kl(logp: Tensor, logq: Tensor, counts: Tensor | None = None) -> Tensor:
    """Mean KL(p || q) of rows of log-probabilities, (n, A), where illegal moves have next to none; of the
    rows that `counts` (n,) says, if it is given.
    """
    apart = (logp.exp() * (logp - logq)).sum(1)
    return apart.mean() if counts is None else (apart * counts).sum() / counts.sum().clamp(min=1)


def bf16(wanted: bool, device: torch.device | str = "cpu") -> AbstractContextManager:
    """Matrix products in bfloat16 (weights stay float32), where that is faster: on GPUs, and on CPUs that
    have instructions for it. Acting and learning must use the same.
    """
    kind = torch.device(device).type
    fast = kind == "cuda" or kind == "cpu" and torch.cpu.get_capabilities().get("avx512_bf16")
    return torch.autocast(kind, torch.bfloat16) if wanted and fast else nullcontext()

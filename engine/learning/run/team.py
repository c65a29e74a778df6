"""Processes that train one network together (torchrun): what they share. A single process is a team of one,
for which all of this does nothing.

    torchrun --nproc-per-node 2 -m engine.learning.ppo --config FILE --out FOLDER

Each process plays its share of the games with its own random numbers. Gradients, spreads and measurements are
averaged over all rows, so that all processes keep the same network. Not for what a process computes
(shell.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor, nn

from engine.refusal import Refusal


@dataclass(frozen=True)
class Team:
    """This process among `size`, which compute on `device`."""

    rank: int = 0
    size: int = 1
    device: torch.device = torch.device("cpu")

    def share(self, count: int, what: str) -> int:
        """How many of `count` games are this process's; raises Refusal where they can't be dealt evenly."""
        if count % self.size:
            raise Refusal(f"{count} {what} can't be dealt evenly to {self.size} processes.")
        return count // self.size

    def total(self, *numbers: float) -> list[float]:
        """The sums of these numbers over all processes."""
        if self.size == 1:
            return list(numbers)
        sums = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        dist.all_reduce(sums)
        return sums.tolist()

    def any(self, flag: bool) -> bool:
        """Whether it is so in any process; all get the same answer."""
        return self.total(float(flag))[0] > 0

    def mean(self, values: dict[str, float], weight: float = 1.0) -> dict[str, float]:
        """Means over all processes, each weighing as much as it says."""
        if self.size == 1:
            return values
        *sums, weights = self.total(*(weight * value for value in values.values()), weight)
        return {name: total / max(weights, 1e-9) for name, total in zip(values, sums, strict=True)}

    def moments(self, values: Tensor) -> tuple[float, float]:
        """Mean and standard deviation of the values of all processes."""
        if self.size == 1:
            return values.mean().item(), values.std().item()
        exact = values.double()
        count, total = self.total(values.numel(), exact.sum().item())
        mean = total / max(count, 1.0)
        (squares,) = self.total((exact - mean).square().sum().item())
        return mean, (squares / max(count - 1.0, 1.0)) ** 0.5

    def batches(self, order: Tensor, count: int) -> Iterable[Tensor]:
        """Rows in `count` parts, in every process as many; some may be empty where there are few rows."""
        return order.chunk(count) if self.size == 1 else order.tensor_split(count)

    def split(self, order: Tensor, rows: int) -> Iterable[Tensor]:
        """Parts that have `rows` rows in all processes together; each has as many rows as any other."""
        return order.split(max(1, rows // self.size))

    def average(self, parameters: Iterable[nn.Parameter], rows: int) -> None:
        """Replace gradients, which are means over this process's rows, by those over all rows."""
        if self.size == 1:
            return
        (count,) = self.total(rows)
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            gradient = parameter.grad * (rows / count) if rows else torch.zeros_like(parameter)
            dist.all_reduce(gradient)
            parameter.grad = gradient


def joined(device: torch.device) -> Team:
    """The team that torchrun made of this process and others, with whom it can talk from now on."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Team(device=device)
    if not dist.is_initialized():
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return Team(int(os.environ["RANK"]), size, device)


def own_device(device: torch.device) -> torch.device:
    """The GPU of this process where each has one, else the device itself."""
    if device.type != "cuda":
        return device
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", device.index or 0)))

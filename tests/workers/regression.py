"""A small but real training program, for tests of the worker: fits a line with torch, checkpoints, resumes,
stops.

`ignore_stop` makes it deaf to SIGTERM, `fail_at` makes it fail, `refuse` makes it refuse its settings: what a
worker has to cope with.
"""

from __future__ import annotations

import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import torch

from engine.learning.run.checkpoints import load_checkpoint, load_module, module_tensors, save_checkpoint
from engine.learning.run.reporting import Reporter, Stopped, run_program
from engine.refusal import Refusal


@dataclass
class Config:
    updates: int = 20
    pause: float = 0.0
    fail_at: int = -1
    refuse: bool = False
    ignore_stop: bool = False


def train(config: Config, out: Path, reporter: Reporter) -> None:
    if config.ignore_stop:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if config.refuse:
        raise Refusal("That can't be learned.")
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 64)[:, None]
    model = torch.nn.Linear(1, 1)
    first = 0
    if checkpoint := load_checkpoint(out):
        load_module("model", model, checkpoint.tensors)
        first = checkpoint.meta["update"]
        reporter.log(f"Resumed at update {first}")
    with (out / "starts.txt").open("a") as file:
        file.write(f"{first}\n")
    for update in range(first, config.updates):
        if update == config.fail_at:
            raise ValueError(f"It broke at update {update}.")
        loss = ((model(x) - (3 * x + 1)) ** 2).mean()
        model.zero_grad()
        loss.backward()
        with torch.no_grad():  # torch's optimisers import its compiler, which takes longer than all this
            for parameter in model.parameters():
                parameter -= 0.3 * parameter.grad
        save_checkpoint(out, module_tensors("model", model), {"update": update + 1})
        reporter.metrics(update, loss=loss.item())
        reporter.progress(update + 1, config.updates)
        if reporter.stopping and not config.ignore_stop:
            raise Stopped
        time.sleep(config.pause)
    reporter.result(weight=model.weight.item(), bias=model.bias.item())


def warm() -> None:
    """What a start imports later than all above (tests/forks.py)."""
    import torch.utils.tensorboard  # noqa: F401


if __name__ == "__main__":
    sys.exit(run_program("regression", Config, train))

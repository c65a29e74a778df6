"""The shell of every training: resume, updates, stop, checkpoints, curves, result, once for all algorithms.

An algorithm is a `Training` with `advance`, one update, and `finish`, which writes the result. Whatever must
survive a stop is named in `parts` and `counters`. Not for how programs are started
(engine.learning.run.reporting).
"""

from __future__ import annotations

import copy
import ctypes
import dataclasses
import math
import os
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from engine.agents.files import sha256_of
from engine.learning.run import checkpoints, devices
from engine.learning.run.reporting import Reporter, Stopped
from engine.learning.run.settings import completed
from engine.learning.run.team import joined, own_device
from engine.refusal import Refusal


def never() -> None:
    """The default of callbacks that are called often and may raise Stopped: does nothing."""


def keep_pages() -> None:
    """Let freed memory stay with this process: minibatches are megabytes, which glibc would take from the
    system and give back at every step, and a page costs time whenever it is new. Nothing where the C library
    has no `mallopt`.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt is not None:
        mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD: bytes at the top before any are given back
        mallopt(-3, 2**30)  # M_MMAP_THRESHOLD: bytes of a block that is always asked of the system


class Training:
    """One training, at a whole number of updates: what all of them have.

    `config` has at least `lr`, `threads`, `device` and `seed`. `check` may be called at any time and raises
    Stopped; an algorithm whose updates take seconds calls it within them, and says so by `stops_within`.
    """

    stops_within = False
    in_teams = False  # whether several processes may train it together (engine.learning.run.team)
    checkpoint_every = 20  # updates
    per_update = 1  # of what curves count, where it isn't updates
    counters: tuple[str, ...] = ()  # attributes that a checkpoint keeps, besides `update` and `seconds`

    def __init__(self, config: Any, check: Callable[[], None] = never) -> None:
        keep_pages()
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config, self.check = config, check
        self.device = own_device(devices.chosen(config.device))
        self.team = joined(self.device)
        if self.team.size > 1 and not self.in_teams:
            raise Refusal("This program trains in one process; start it without torchrun.")
        # Networks begin alike in all processes, games don't.
        self.seed = config.seed if self.team.rank == 0 else config.seed + 7919 * self.team.rank
        self.rng = np.random.default_rng(self.seed)
        self.update, self.updates = 0, 1
        self.seconds = 0.0  # spent on updates, over all starts

    # --- What an algorithm says ------------------------------------------------------------------------

    def advance(self) -> dict[str, float]:
        """Do one update; returns what to draw."""
        raise NotImplementedError

    def finish(self, out: Path) -> dict[str, Any]:
        """Leave what was made in `out`, after the last update; returns the program's result, in which
        "folder" is what was made and "notes" are sentences of warning.
        """
        raise NotImplementedError

    def parts(self) -> Mapping[str, Any]:
        """Modules, optimisers, and games (with `tensors` and `restore`) by name, for checkpoints."""
        raise NotImplementedError

    def start(self, out: Path, reporter: Reporter) -> None:
        """What comes before the updates, after a resume, too."""

    def rate(self, done: float) -> float:
        """The factor of the learning rate when a share `done` of the updates is done: down to a tenth."""
        return 1.0 - 0.9 * done

    def at(self) -> int:
        """Where on its curves the training is."""
        return self.update * self.per_update

    def rates(self) -> dict[str, float]:
        """How fast it goes, to draw; after an update."""
        return {}

    def look(self, out: Path) -> dict[str, float]:
        """Evaluate or keep what is there after this update, if it is time to; returns what to draw."""
        return {}

    def prepare(self, meta: dict[str, Any]) -> None:
        """Make the parts that a checkpoint with this `meta` has and a fresh training has not."""

    @cached_property
    def settings_kept(self) -> dict[str, Any]:
        """The settings, as a checkpoint keeps them."""
        return by_content(dataclasses.asdict(self.config))

    # --- What all do alike -----------------------------------------------------------------------------

    def step(self) -> dict[str, float]:
        """One update; returns what to draw. Raises Stopped, and Refusal where that is no finite number:
        weights that went wrong don't come right again, and are never kept.
        """
        started = time.perf_counter()
        for part in self.parts().values():
            if isinstance(part, torch.optim.Optimizer):
                for group in part.param_groups:
                    factor = self.rate(self.update / self.updates) * group.get("rate", 1.0)
                    group["lr"] = self.config.lr * factor
        values = self.advance()
        if wrong := [name for name, value in values.items() if not math.isfinite(value)]:
            raise Refusal(
                f"The training went wrong at update {self.update + 1} of {self.updates}: "
                f"{', '.join(wrong).replace('_', ' ')} {'is' if len(wrong) == 1 else 'are'} no finite number "
                f"any more. Nothing of it is kept; try a smaller learning rate than {self.config.lr:g}."
            )
        self.update += 1
        self.seconds += time.perf_counter() - started
        return values | self.rates()

    def state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Tensors and JSON of a checkpoint, as they are now."""
        tensors: dict[str, Tensor] = {}
        for name, part in self.parts().items():
            if isinstance(part, nn.Module):
                tensors |= checkpoints.module_tensors(name, part)
            elif isinstance(part, torch.optim.Optimizer):
                tensors |= checkpoints.optimizer_tensors(name, part)
            else:
                tensors |= {f"{name}.{key}": value for key, value in part.tensors().items()}
        kept = copy.deepcopy({name: getattr(self, name) for name in ("update", "seconds", *self.counters)})
        meta = {
            **kept,
            "config": self.settings_kept,
            "random": checkpoints.random_state(self.rng),
        }
        return {key: value.detach().cpu().clone() for key, value in tensors.items()}, meta

    def save(self, out: Path) -> None:
        """Leave a checkpoint in `out`."""
        checkpoints.save_checkpoint(out, *self.state())

    def resume(self, out: Path) -> bool:
        """Go on from the checkpoint in `out`, if any; raises Refusal when it has other settings."""
        saved = checkpoints.load_checkpoint(out)
        # All or none, and all after the same update.
        at = -1 if saved is None else int(saved.meta["update"])
        if self.team.any(self.team.total(at)[0] != self.team.size * at):
            raise Refusal(f"The folder {out} has no checkpoints of these {self.team.size} processes.")
        if saved is None:
            return False
        kept = completed(type(self.config), saved.meta["config"])
        if kept not in (self.settings_kept, dataclasses.asdict(self.config)):
            raise Refusal(f"The folder {out} holds a training with other settings; choose another folder.")
        self.prepare(saved.meta)
        for name, part in self.parts().items():
            if isinstance(part, nn.Module):
                checkpoints.load_module(name, part, saved.tensors)
            elif isinstance(part, torch.optim.Optimizer):
                checkpoints.load_optimizer(name, part, saved.tensors)
            else:
                part.restore(checkpoints.under(name, saved.tensors))
        checkpoints.load_random_state(self.rng, saved.meta["random"])
        for name in ("update", "seconds", *self.counters):
            setattr(self, name, saved.meta[name])
        return True

    def run(self, out: Path, reporter: Reporter) -> dict[str, Any]:
        """The whole training, or the rest of it, in `out`; returns its result. Raises Stopped after leaving a
        checkpoint of the last whole update.
        """
        if self.team.rank:  # each process has games of its own, and the first one's folder is what counts
            out = out / f"process-{self.team.rank}"
            out.mkdir(parents=True, exist_ok=True)
        if self.resume(out):
            reporter.log(f"Going on after update {self.update} of {self.updates}.")
        whole = None
        try:
            self.start(out, reporter)
            while self.update < self.updates:
                if self.team.any(reporter.stopping):
                    raise Stopped
                whole = self.state() if self.stops_within else None
                values = self.step() | self.look(out)
                whole = None
                if self.update % self.checkpoint_every == 0 or self.update == self.updates:
                    self.save(out)
                if values:
                    reporter.metrics(self.at(), **values)
                    reporter.progress(self.update * self.per_update, self.updates * self.per_update)
            return self.finish(out)
        except Stopped:
            # Within an update, games and networks are ahead of the counters.
            checkpoints.save_checkpoint(out, *(whole or self.state()))
            raise

    def on_device(self, array: np.ndarray) -> Tensor:
        """An array as a tensor where this training computes."""
        return torch.from_numpy(array).to(self.device)


def run(
    make: Callable[[Any, Callable[[], None]], Training], config: Any, out: Path, reporter: Reporter
) -> None:
    """A program's `train`: make the training and run it to its end, which stands as the result."""

    def check() -> None:
        # A team stops together, between updates.
        if reporter.stopping and not dist.is_initialized():
            raise Stopped

    try:
        result = make(config, check).run(out, reporter)
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()
    for note in result.get("notes", ()):
        reporter.log(note, "warning")
    reporter.result(**result)


def by_content(settings: dict[str, Any]) -> dict[str, Any]:
    """The same settings with each folder named by what its card or manifest says: a site that moves, or is
    restored elsewhere, goes on with its trainings.
    """

    def named(value: Any) -> Any:
        if not isinstance(value, str) or not value or not Path(value).is_absolute():
            return value
        described = (Path(value) / name for name in ("card.json", "manifest.json"))
        return next((sha256_of(path) for path in described if path.is_file()), value)

    return {name: named(value) for name, value in settings.items()}


def weights(net: nn.Module) -> dict[str, np.ndarray]:
    """A network's weights as agents keep them."""
    return {key: value.detach().cpu().numpy().copy() for key, value in net.state_dict().items()}

"""Inter-temporal Bradley-Terry (IBT) reward model: a utility U(x_<=t) learned from marks of progress and
regression.

Source: "Improving Multimodal Interactive Agents with Reinforcement Learning from Human Feedback" (2022),
section 4 and appendix A.3. A mark at tick t is about the move that led to state t. The program reads a
snapshot (see
`engine.learning.marked`), trains on most episodes, reports accuracy on the held-out ones next to three
controls (signs shuffled, U = t, untrained), and writes `reward-model/` (weights.safetensors and card.json)
under --out.

`python -m engine.learning.ibt --config FILE --out FOLDER`
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn

from engine.agents.files import sha256_of, write_atomically
from engine.evaluation import reward_model as metrics
from engine.learning import checkpoints, marked
from engine.learning.marked import Track
from engine.learning.reporting import BadConfig, Reporter, Stopped, run_program
from engine.learning.utility import RewardModel


@dataclass(frozen=True)
class Settings:
    dataset: str
    """Folder of the snapshot."""
    game: str = "hanabi"
    """The game that the snapshot is of."""
    steps: int = 400
    """Gradient steps."""
    batch: int = 32
    """Windows in a batch (the paper: 96, on accelerators)."""
    window: int = 50
    """Ticks in a window (the paper: 50)."""
    history: int = 50
    """Ticks before the window that the memory reads first: all of a short game, the last of a long one."""
    no_mark_weight: float = 0.1
    """C of Algorithm 1: weight of (U(t2) - U(t1))^2 where nothing was marked (unpublished)."""
    balance: bool = True
    """Weigh progress, regression and unmarked pairs alike, and near pairs more (off: all alike, as in the
    paper)."""
    lr: float = 2e-3
    """Adam's learning rate."""
    weight_decay: float = 1e-4
    """Adam's decoupled weight decay; marks are few."""
    hidden: int = 64
    """Width of the network and of its memory."""
    swap: float = 0.33
    """Probability of a negative example: another episode's instruction, under which progress is none."""
    held_out: float = 0.2
    """Share of episodes (by id) that are kept for evaluation."""
    mark_window: int = 1
    """Ticks on both sides of a mark over which U's gain is compared (dAUC)."""
    controls: bool = True
    """Whether to train the control with shuffled signs too, which doubles the time."""
    seed: int = 0
    """Seed of initial weights, batches and intervals."""

    def __post_init__(self) -> None:
        for name, low in (("steps", 1), ("batch", 1), ("window", 2), ("history", 0), ("hidden", 1)):
            if getattr(self, name) < low:
                raise BadConfig(f"The setting {name!r} must be at least {low}, but is {getattr(self, name)}.")
        for name in ("swap", "held_out"):
            if not 0 <= getattr(self, name) < 1:
                raise BadConfig(
                    f"The setting {name!r} must be from 0 to below 1, but is {getattr(self, name)}."
                )


def ibt_loss(
    utilities: Tensor,
    positive: Tensor,
    negative: Tensor,
    valid: Tensor,
    no_mark_weight: float,
    balance: bool = False,
) -> Tensor:
    """Algorithm 1 over all pairs t1 < t2 of each window.

    `utilities` (B, T), marks at each tick `positive`, `negative` (B, T), `valid` (B, T) bool. Marks between
    t1 and t2 are those at t1+1 .. t2, by prefix sums; pairs with marks of both signs between them are
    ignored. The paper's loss is the mean over pairs. With `balance`, pairs after progress, after regression
    and without marks are three means, and a pair counts 1 / (t2 - t1): otherwise the many long pairs of
    mostly progressing episodes teach little more than that time goes by.
    """
    size = utilities.shape[1]
    ticks = torch.arange(size, device=utilities.device)
    gap = ticks[None, :] - ticks[:, None]
    usable = (gap > 0) & valid[:, :, None] & valid[:, None, :]
    p, n = positive.cumsum(1), negative.cumsum(1)
    ups = (p[:, None, :] - p[:, :, None]) > 0
    downs = (n[:, None, :] - n[:, :, None]) > 0
    gain = utilities[:, None, :] - utilities[:, :, None]  # U(t2) - U(t1)
    progress, regress = usable & ups & ~downs, usable & downs & ~ups
    unmarked = usable & ~ups & ~downs
    up_loss, down_loss = -nn.functional.logsigmoid(gain), -nn.functional.logsigmoid(-gain)
    still_loss = no_mark_weight * gain.square()
    if balance:
        weight = 1 / gap.clamp(min=1).to(gain.dtype)
        up_mean, down_mean = mean_over(up_loss, progress * weight), mean_over(down_loss, regress * weight)
        return (up_mean + down_mean) / 2 + mean_over(still_loss, unmarked * weight)
    total = up_loss * progress + down_loss * regress + still_loss * unmarked
    return total.sum() / (progress | regress | unmarked).sum().clamp(min=1)


def mean_over(values: Tensor, weights: Tensor) -> Tensor:
    """Weighted mean; 0 where there is no weight."""
    return (values * weights).sum() / weights.sum().clamp(min=1e-9)


def split(tracks: list[Track], held_out: float) -> tuple[list[Track], list[Track]]:
    """(training, held-out) by episode, the same whenever the snapshot is the same; each gets at least one
    episode."""
    episodes = sorted({t.episode for t in tracks}, key=lambda e: hashlib.sha256(e.encode()).hexdigest())
    count = min(len(episodes) - 1, max(1, round(held_out * len(episodes)))) if held_out else 0
    kept = set(episodes[:count])
    return [t for t in tracks if t.episode not in kept], [t for t in tracks if t.episode in kept]


def shuffled_signs(tracks: list[Track], rng: np.random.Generator) -> list[Track]:
    """The same marks at the same ticks with their signs dealt anew, in the same proportion: the control."""
    total = sum(t.marks for t in tracks)
    signs = np.zeros(total, bool)
    signs[: sum(int(t.positive.sum()) for t in tracks)] = True
    rng.shuffle(signs)
    out, at = [], 0
    for track in tracks:
        ticks = np.repeat(np.arange(len(track.positive)), track.positive + track.negative)
        dealt = signs[at : at + len(ticks)]
        at += len(ticks)
        positive, negative = np.zeros((2, len(track.positive)), np.int16)
        np.add.at(positive, ticks[dealt], 1)
        np.add.at(negative, ticks[~dealt], 1)
        out.append(dataclasses.replace(track, positive=positive, negative=negative))
    return out


def make_batch(tracks: list[Track], settings: Settings, rng: np.random.Generator) -> dict[str, Tensor]:
    """A random window of some episodes and the `history` before it, padded; `valid` marks its ticks."""
    chosen = [tracks[i] for i in rng.integers(len(tracks), size=settings.batch)]
    starts = [int(rng.integers(max(1, len(t.positive) - settings.window + 1))) for t in chosen]
    firsts = [max(0, start - settings.history) for start in starts]
    sizes = [
        min(len(track.positive), start + settings.window) - first
        for track, start, first in zip(chosen, starts, firsts, strict=True)
    ]
    length, wide = max(sizes), len(chosen)
    observations = np.zeros((wide, length, chosen[0].observations.shape[1]), np.float32)
    instructions = np.zeros((wide, length, chosen[0].instructions.shape[1]), np.float32)
    positive, negative, valid = np.zeros((3, wide, length), np.float32)
    for i, (track, start, first, size) in enumerate(zip(chosen, starts, firsts, sizes, strict=True)):
        part = slice(first, first + size)
        observations[i, :size], instructions[i, :size] = track.observations[part], track.instructions[part]
        positive[i, :size], negative[i, :size] = track.positive[part], track.negative[part]
        valid[i, start - first : size] = 1
        other = chosen[int(rng.integers(wide))].instructions[-1]
        if (
            rng.random() < settings.swap
            and track.instructions[-1].any()
            and (other != track.instructions[-1]).any()
        ):
            # Section 4: under another's instruction the same behaviour is an example of what was not asked
            # for.
            instructions[i, :size] = other
            negative[i] += positive[i]
            positive[i] = 0
    batch = {
        "observations": observations,
        "instructions": instructions,
        "positive": positive,
        "negative": negative,
    }
    return {**{k: torch.from_numpy(v) for k, v in batch.items()}, "valid": torch.from_numpy(valid).bool()}


@torch.no_grad()
def utilities(model: RewardModel, tracks: list[Track]) -> list[np.ndarray]:
    """U (T+1,) of each track's episode."""
    out = []
    for track in tracks:
        observations = torch.from_numpy(track.observations[None].astype(np.float32))
        out.append(model(observations, torch.from_numpy(track.instructions[None]))[0].numpy().astype(float))
    return out


def judge(
    tracks: list[Track], values: list[np.ndarray], settings: Settings
) -> dict[str, dict[str, float | None]]:
    """Held-out metrics of one utility, each with its interval."""
    judged = [
        metrics.Judged(t.episode, u, t.positive, t.negative) for t, u in zip(tracks, values, strict=True)
    ]
    found = metrics.report(judged, np.random.default_rng(settings.seed), settings.mark_window)
    return {name: estimate.as_json() for name, estimate in found.items()}


def train(settings: Settings, out: Path, reporter: Reporter) -> None:
    """The program; see the module's first lines."""
    torch.set_num_threads(1)

    def check() -> None:
        if reporter.stopping:
            raise Stopped

    tracks = marked.load(Path(settings.dataset), settings.game, check)
    training, held_out = split(tracks, settings.held_out)
    reporter.log(
        f"{sum(t.marks for t in tracks)} marks of {len({t.annotator for t in tracks})} annotators on "
        f"{len({t.episode for t in tracks})} episodes; {len({t.episode for t in held_out})} are held out."
    )
    if not training:
        raise BadConfig("One episode is not enough: some have to be held out.")
    phases = ["marks", "shuffled"] if settings.controls else ["marks"]
    rng = np.random.default_rng(settings.seed)
    data = {"marks": training, "shuffled": shuffled_signs(training, rng)}
    sizes = (training[0].observations.shape[1], training[0].instructions.shape[1], settings.hidden)
    models = {}
    for name in ["untrained", *phases]:
        torch.manual_seed(settings.seed)
        models[name] = RewardModel(*sizes)
    done = _resume(out, models, settings, rng, reporter)
    total = len(phases) * settings.steps
    for index, phase in enumerate(phases):
        first = min(max(done - index * settings.steps, 0), settings.steps)
        optimizer = torch.optim.AdamW(
            models[phase].parameters(), settings.lr, weight_decay=settings.weight_decay
        )
        if first == settings.steps:
            continue
        if first:
            saved = checkpoints.load_checkpoint(out)
            checkpoints.load_optimizer("optimizer", optimizer, saved.tensors if saved else {})
        for step in range(first, settings.steps):
            batch = make_batch(data[phase], settings, rng)
            u = models[phase](batch["observations"], batch["instructions"])
            marks = (batch["positive"], batch["negative"], batch["valid"])
            loss = ibt_loss(u, *marks, settings.no_mark_weight, settings.balance)
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(models[phase].parameters(), 1.0)
            optimizer.step()
            done = index * settings.steps + step + 1
            if done % 10 == 0 or step + 1 == settings.steps:
                reporter.progress(done, total)
                names = ("loss", "grad_norm") if phase == "marks" else ("control_loss", "control_grad_norm")
                reporter.metrics(step + 1, **dict(zip(names, (loss.item(), norm.item()), strict=True)))
            if reporter.stopping or done % 100 == 0 or done == total:
                _save(out, models, optimizer, settings, rng, done)
            if reporter.stopping:
                raise Stopped
    judged = {name: judge(held_out, utilities(model, held_out), settings) for name, model in models.items()}
    judged["clock"] = judge(held_out, [np.arange(len(t.positive), dtype=float) for t in held_out], settings)
    judged["model"] = judged.pop("marks")
    folder = out / "reward-model"
    sha256 = write(folder, models["marks"], settings, tracks, judged)
    for name, values in judged.items():
        reporter.log(f"Held out, {name}: " + ", ".join(f"{k} {v['value']}" for k, v in values.items()))
    reporter.result(folder=str(folder), sha256=sha256, held_out=judged, counts=counts(tracks, held_out))


def counts(tracks: list[Track], held_out: list[Track]) -> dict[str, Any]:
    """What the model was trained on and judged on."""
    return {
        "episodes": len({t.episode for t in tracks}),
        "held_out_episodes": len({t.episode for t in held_out}),
        "marks": sum(t.marks for t in tracks),
        "positive": sum(int(t.positive.sum()) for t in tracks),
        "negative": sum(int(t.negative.sum()) for t in tracks),
        "annotators": len({t.annotator for t in tracks}),
        "simulated_marks": sum(t.marks for t in tracks if t.simulated),
    }


def _save(
    out: Path,
    models: dict[str, RewardModel],
    optimizer: torch.optim.Optimizer,
    settings: Settings,
    rng: np.random.Generator,
    done: int,
) -> None:
    tensors = checkpoints.optimizer_tensors("optimizer", optimizer)
    for name, model in models.items():
        tensors |= checkpoints.module_tensors(name, model)
    meta = {"done": done, "settings": dataclasses.asdict(settings), "random": checkpoints.random_state(rng)}
    checkpoints.save_checkpoint(out, tensors, meta)


def _resume(
    out: Path,
    models: dict[str, RewardModel],
    settings: Settings,
    rng: np.random.Generator,
    reporter: Reporter,
) -> int:
    """Steps already done by an earlier start; 0 to begin. Raises BadConfig when that had other settings."""
    saved = checkpoints.load_checkpoint(out)
    if saved is None:
        return 0
    if saved.meta["settings"] != dataclasses.asdict(settings):
        raise BadConfig(f"The folder {out} holds a training with other settings; choose another folder.")
    for name, model in models.items():
        checkpoints.load_module(name, model, saved.tensors)
    checkpoints.load_random_state(rng, saved.meta["random"])
    reporter.log(f"Going on from step {saved.meta['done']}.")
    return int(saved.meta["done"])


def write(
    folder: Path, model: RewardModel, settings: Settings, tracks: list[Track], judged: dict[str, Any]
) -> str:
    """Write the reward model's folder and return the sha256 of its weights."""
    weights = folder / "weights.safetensors"
    write_atomically(weights, save({k: v.contiguous() for k, v in model.state_dict().items()}))
    digest = sha256_of(weights)
    card = {
        "kind": "reward-model",
        "game": settings.game,
        "algorithm": "ibt",
        "network": model.sizes,
        "settings": dataclasses.asdict(settings),
        "data": counts(tracks, split(tracks, settings.held_out)[1]),
        "held_out": judged,
        "sha256": digest,
    }
    write_atomically(folder / "card.json", (json.dumps(card, indent=1, sort_keys=True) + "\n").encode())
    return digest


if __name__ == "__main__":
    raise SystemExit(run_program("ibt", Settings, train))

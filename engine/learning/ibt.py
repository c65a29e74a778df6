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
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn

from engine.agents.files import sha256_of, write_atomically
from engine.agents.utility import RewardModel
from engine.evaluation import reward_model as metrics
from engine.learning import marked, shell
from engine.learning.marked import Track
from engine.learning.reporting import BadConfig, Reporter, run_program
from engine.learning.settings import Device, Range, Rate, Seed, Share, Threads, Weight

MAKES = "reward_model"
USUAL = True
FOREMOST = ("steps", "no_mark_weight", "controls", "held_out")
SIZES = {
    "tiny": {"steps": 40, "batch": 16, "hidden": 32},
    "thorough": {"steps": 1500, "hidden": 128},
}


@dataclass(frozen=True)
class Settings:
    dataset: str
    """Folder of the snapshot."""
    game: str
    """The game that the snapshot is of."""
    steps: Annotated[int, Range(1, 1_000_000)] = 400
    """Gradient steps."""
    batch: Annotated[int, Range(1, 1024)] = 32
    """Windows in a batch (the paper: 96, on accelerators)."""
    window: Annotated[int, Range(2, 400)] = 50
    """Ticks in a window (the paper: 50)."""
    history: Annotated[int, Range(0, 2000)] = 400
    """Ticks before the window that the memory reads first, without learning from them: as it will read games
    from their beginning, so it must have done."""
    no_mark_weight: Weight = 0.1
    """C of Algorithm 1: weight of (U(t2) - U(t1))^2 where nothing was marked (unpublished)."""
    balance: bool = True
    """Weigh progress, regression and unmarked pairs alike, and near pairs more (off: all alike, as in the
    paper)."""
    lr: Rate = 2e-3
    """Adam's learning rate."""
    weight_decay: Share = 1e-4
    """Adam's decoupled weight decay; marks are few."""
    hidden: Annotated[int, Range(1, 1024)] = 64
    """Width of the network and of its memory."""
    swap: Annotated[float, Range(0, 1, below=True)] = 0.33
    """Probability of a negative example: another one's instruction, under which progress is none."""
    held_out: Annotated[float, Range(0, 1, above=True, below=True)] = 0.2
    """Share of episodes (by id) that are kept for evaluation."""
    mark_window: Annotated[int, Range(0, 200)] = 1
    """Ticks on both sides of a mark over which U's gain is compared (dAUC)."""
    controls: bool = True
    """Whether to train the control with shuffled signs too, which doubles the time."""
    threads: Threads = 1
    """threads for torch"""
    device: Device = "auto"
    """where to compute: auto (a GPU where there is one), cpu, cuda, cuda:1"""
    seed: Seed = 0
    """Seed of initial weights, batches and intervals."""


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
    marked episode, marks of both signs where there are two episodes with each, and its share of those that
    were reviewed without a mark. Raises BadConfig for one marked episode.
    """
    every = sorted({t.episode for t in tracks}, key=lambda e: hashlib.sha256(e.encode()).hexdigest())
    marked_ones = {t.episode for t in tracks if t.marks}
    episodes = [episode for episode in every if episode in marked_ones]
    others = [episode for episode in every if episode not in marked_ones]
    if len(episodes) < 2:
        raise BadConfig(
            f"{len(episodes)} episode of the snapshot is marked; at least 2 are needed, one to learn from "
            "and one that is held out to judge the reward model by."
        )
    kept = set(episodes[: min(len(episodes) - 1, max(1, round(held_out * len(episodes))))])
    kept |= set(others[: round(held_out * len(others))])
    for sign in ("positive", "negative"):
        signed = {t.episode for t in tracks if getattr(t, sign).any()}
        if len(signed) > 1 and not signed & kept:
            kept.add(next(episode for episode in episodes if episode in signed))
    return [t for t in tracks if t.episode not in kept], [t for t in tracks if t.episode in kept]


def notes_on(held_out: list[Track], judged: dict[str, dict[str, float | None]]) -> list[str]:
    """Why some of the metrics of any utility can't be had from the held-out episodes, in sentences."""
    found = []
    if missing := [name.replace("_", " ") for name, one in judged.items() if one["value"] is None]:
        up, down = (sum(int(getattr(t, sign).sum()) for t in held_out) for sign in ("positive", "negative"))
        found.append(
            f"The held-out episodes have {up} marks of progress and {down} of regression, from which "
            f"{', '.join(missing)} can't be measured; both kinds are needed, in more episodes."
        )
    if len({t.episode for t in held_out}) == 1:
        found.append("One episode is held out, so the metrics have no intervals; mark more episodes.")
    return found


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
    """A random window of some tracks: "observations" (B, W, D), "instructions" (B, W, F), "positive" and
    "negative" (B, W), padded, with "valid" where it isn't; and what came before it, "before" (B, H, D) and
    "before_instructions" (B, H, F), of which "lengths" (B,) are not padding.
    """
    chosen = [tracks[i] for i in rng.integers(len(tracks), size=settings.batch)]
    starts = [int(rng.integers(max(1, len(t.positive) - settings.window + 1))) for t in chosen]
    windows = [
        slice(start, min(len(track.positive), start + settings.window))
        for track, start in zip(chosen, starts, strict=True)
    ]
    befores = [slice(max(0, start - settings.history), start) for start in starts]
    instructions = [track.instructions for track in chosen]
    positive = [track.positive[window] for track, window in zip(chosen, windows, strict=True)]
    negative = [track.negative[window] for track, window in zip(chosen, windows, strict=True)]
    for i, (track, window) in enumerate(zip(chosen, windows, strict=True)):
        asked = track.instructions[window].any(1)
        if not asked.any() or rng.random() >= settings.swap:
            continue
        other = other_instruction(track, chosen[int(rng.integers(len(chosen)))], rng)
        if other is not None:
            # Section 4: under another's instruction the same behaviour is an example of what was not asked
            # for. What was done while nothing was asked stays as it is.
            instructions[i] = np.where(track.instructions.any(1)[:, None], other, track.instructions)
            negative[i] = negative[i] + positive[i] * asked
            positive[i] = positive[i] * ~asked
    observed = [track.observations for track in chosen]
    sizes = [window.stop - window.start for window in windows]
    lengths = [before.stop - before.start for before in befores]
    return {
        "observations": _padded([row[part] for row, part in zip(observed, windows, strict=True)]),
        "instructions": _padded([row[part] for row, part in zip(instructions, windows, strict=True)]),
        "positive": _padded(positive),
        "negative": _padded(negative),
        "valid": torch.arange(max(sizes)) < torch.tensor(sizes)[:, None],
        "before": _padded([row[part] for row, part in zip(observed, befores, strict=True)]),
        "before_instructions": _padded([row[part] for row, part in zip(instructions, befores, strict=True)]),
        "lengths": torch.tensor(lengths),
    }


def other_instruction(track: Track, other: Track, rng: np.random.Generator) -> np.ndarray | None:
    """(F,) that `other` was asked at some time and `track` never was; None if there is none."""
    asked = other.instructions[other.instructions.any(1)]
    new = [row for row in asked if not (track.instructions == row).all(1).any()]
    return new[int(rng.integers(len(new)))] if new else None


def _padded(rows: list[np.ndarray]) -> Tensor:
    """float32 (B, longest, …): rows of unlike lengths, with zeros behind them."""
    out = np.zeros((len(rows), max(len(row) for row in rows), *rows[0].shape[1:]), np.float32)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return torch.from_numpy(out)


def window_utilities(model: RewardModel, batch: dict[str, Tensor]) -> Tensor:
    """U at every tick of the windows, (B, W), but for what it was before them."""
    memory = model.remember(batch["before"], batch["before_instructions"], batch["lengths"])
    return model.gains(batch["observations"], batch["instructions"], memory)[0].cumsum(1)


@torch.no_grad()
def utilities(model: RewardModel, tracks: list[Track]) -> list[np.ndarray]:
    """U (T+1,) of each track's episode."""
    out, device = [], model.embed.weight.device
    for track in tracks:
        seen = torch.from_numpy(track.observations[None].astype(np.float32)).to(device)
        told = torch.from_numpy(track.instructions[None]).to(device)
        out.append(model(seen, told)[0].cpu().numpy().astype(float))
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


class Fitting(shell.Training):
    """The state of one training: the model, and the control with shuffled signs, one after the other."""

    checkpoint_every = 100

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        self.tracks = marked.load(Path(config.dataset), config.game, check)
        training, self.held_out = split(self.tracks, config.held_out)
        self.phases = ["marks", "shuffled"] if config.controls else ["marks"]
        self.data = {"marks": training, "shuffled": shuffled_signs(training, self.rng)}
        sizes = (training[0].observations.shape[1], training[0].instructions.shape[1], config.hidden)
        self.models: dict[str, RewardModel] = {}
        for name in ["untrained", *self.phases]:
            torch.manual_seed(config.seed)
            self.models[name] = RewardModel(*sizes).to(self.device)
        self.optimizers = {
            name: torch.optim.AdamW(self.models[name].parameters(), weight_decay=config.weight_decay)
            for name in self.phases
        }
        self.updates = len(self.phases) * config.steps

    def parts(self) -> dict[str, Any]:
        adams = {f"adam-{name}": optimizer for name, optimizer in self.optimizers.items()}
        return {**self.models, **adams}

    def rate(self, done: float) -> float:
        return 1.0

    def at(self) -> int:
        """The curves of the control lie over those of the model."""
        return (self.update - 1) % self.config.steps + 1

    def start(self, out: Path, reporter: Reporter) -> None:
        """Say what there is to learn from."""
        annotators, episodes = {t.annotator for t in self.tracks}, {t.episode for t in self.tracks}
        reporter.log(
            f"{sum(t.marks for t in self.tracks)} marks of {len(annotators)} annotators on {len(episodes)} "
            f"episodes; {len({t.episode for t in self.held_out})} are held out."
        )

    def advance(self) -> dict[str, float]:
        """A gradient step; every tenth is drawn."""
        config, phase = self.config, self.phases[self.update // self.config.steps]
        model, optimizer = self.models[phase], self.optimizers[phase]
        batch = {k: v.to(self.device) for k, v in make_batch(self.data[phase], config, self.rng).items()}
        u = window_utilities(model, batch)
        marks = (batch["positive"], batch["negative"], batch["valid"])
        loss = ibt_loss(u, *marks, config.no_mark_weight, config.balance)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done = self.update + 1
        if done % 10 and done % config.steps:
            return {}
        head = "" if phase == "marks" else "control_"
        return {f"{head}loss": loss.item(), f"{head}grad_norm": norm.item()}

    def finish(self, out: Path) -> dict[str, Any]:
        """The reward model in `out`/reward-model, and how well it and its controls tell marks."""
        config, held_out = self.config, self.held_out
        judged = {
            name: judge(held_out, utilities(model, held_out), config) for name, model in self.models.items()
        }
        ticks = [np.arange(len(t.positive), dtype=float) for t in held_out]
        judged["clock"] = judge(held_out, ticks, config)
        judged["model"] = judged.pop("marks")
        sha256 = write(out / "reward-model", self.models["marks"], config, self.tracks, judged)
        return {
            "folder": str(out / "reward-model"),
            "sha256": sha256,
            "held_out": judged,
            "notes": notes_on(held_out, judged["clock"]),
            "counts": counts(self.tracks, held_out),
        }


def counts(tracks: list[Track], held_out: list[Track]) -> dict[str, Any]:
    """What the model was trained on and judged on."""
    return {
        "episodes": len({t.episode for t in tracks}),
        "reviewed_without_a_mark": len({t.episode for t in tracks} - {t.episode for t in tracks if t.marks}),
        "held_out_episodes": len({t.episode for t in held_out}),
        "marks": sum(t.marks for t in tracks),
        "positive": sum(int(t.positive.sum()) for t in tracks),
        "negative": sum(int(t.negative.sum()) for t in tracks),
        "annotators": len({t.annotator for t in tracks}),
        "simulated_marks": sum(t.marks for t in tracks if t.simulated),
    }


def write(
    folder: Path, model: RewardModel, settings: Settings, tracks: list[Track], judged: dict[str, Any]
) -> str:
    """Write the reward model's folder and return the sha256 of its weights."""
    weights = folder / "weights.safetensors"
    write_atomically(weights, save({k: v.cpu().contiguous() for k, v in model.state_dict().items()}))
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


train = partial(shell.run, Fitting)

if __name__ == "__main__":
    raise SystemExit(run_program("ibt", Settings, train))

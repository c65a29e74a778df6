"""The training that all reward models share: the model, then its shuffled-sign control, each from a
behavioural clone if the settings say so, with auxiliary losses, evaluated on held-out episodes and written to
a folder.

An algorithm is a `Fitting` with `network`, `losses` and its own settings (engine.learning.algorithms.ibt,
ar). Not for data and batches (engine.learning.parts.utilities).
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn

from engine import brings, games
from engine.agents.files import sha256_of, write_atomically
from engine.agents.utility import RewardModel, TickModel
from engine.learning.parts import lateness, marked, ridge, utilities
from engine.learning.parts.beside import Beside, clone_loss, match_loss
from engine.learning.run import shell
from engine.learning.run.reporting import Reporter

LATEST = 2.5
"""Seconds by which marks may be late; where nobody plays in real time, MOVES."""
MOVES = 3


def suiting(program: str, given: dict[str, Any]) -> dict[str, Any]:
    """Settings as somebody gives them, before them what the game says suits a program, as in rounds."""
    settings = brings.Training.of(str(given.get("game", ""))).SETTINGS.get(program, {})
    return {**settings.get("usual", {}), **given}


def latest(game: str) -> int:
    """Entries of a track by which marks may be late."""
    spec = games.spec(game)
    per_second = spec.ticks_per_second
    return math.ceil(LATEST * per_second / spec.decision_ticks) if per_second else MOVES


class Fitting(shell.Training):
    """The state of one training: "clone", "marks" and "shuffled", one after the other."""

    algorithm = ""  # its program's name
    checkpoint_every = 100

    def __init__(self, config: Any, check: Callable[[], None] = shell.never) -> None:
        super().__init__(config, check)
        tracks = marked.load(Path(config.dataset), config.game, check, config.reads)
        training, _ = utilities.split(tracks, config.held_out)
        utilities.check_enough(training)
        self.late = self.lateness(training)
        self.tracks = lateness.corrected(tracks, self.late)
        training, self.held_out = utilities.split(self.tracks, config.held_out)
        shuffled = utilities.shuffled_signs(training, self.rng)
        self.data = {"clone": training, "marks": training, "shuffled": shuffled}
        names = sorted({track.annotator for track in training})
        self.raters = {name: index for index, name in enumerate(names, 1)}  # 0 is nobody
        self.rater_of = np.array([self.raters[track.annotator] for track in training])
        self.choices = games.spec(config.game).heads
        moves = all(track.moves is not None for track in training)
        self.acts = training[0].moves.masks.shape[1] if moves and training[0].moves else 0
        clone_steps = config.clone_steps if self.acts else 0
        lasts = {"clone": clone_steps, "marks": config.steps, "shuffled": config.controls * config.steps}
        self.ends = {name: sum(list(lasts.values())[: i + 1]) for i, name in enumerate(lasts) if lasts[name]}
        self.lasts = lasts
        self.updates = sum(lasts.values())
        sizes = (training[0].observations.shape[1], training[0].instructions.shape[1])
        self.models: dict[str, Any] = {}
        self.besides: dict[str, Beside] = {}
        for name in ["untrained", *self.ends]:
            torch.manual_seed(config.seed)
            self.models[name] = self.network(*sizes).to(self.device)
            self.besides[name] = Beside(config.hidden, 1 + len(names), self.acts).to(self.device)
        self.optimizers = {
            name: torch.optim.AdamW(
                [*self.models[name].parameters(), *self.besides[name].parameters()],
                weight_decay=config.weight_decay,
            )
            for name in self.ends
        }

    # --- What an algorithm says ------------------------------------------------------------------------

    def network(self, observation_size: int, instruction_size: int) -> RewardModel:
        """A fresh model, to be read by engine.agents.utility.load under the algorithm's name."""
        raise NotImplementedError

    def losses(self, phase: str, read: Tensor, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """What is to be made small, by name, with what was read (B, W, 2H) of a batch: "loss" first."""
        raise NotImplementedError

    def more(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """What a batch needs besides, to be drawn here, before it goes to the device."""
        return {}

    # --- What all do alike -----------------------------------------------------------------------------

    def lateness(self, training: list[marked.Track]) -> dict[str, lateness.Lateness]:
        """How late each rater is: as set, or as these tracks say."""
        config = self.config
        if config.lag < 0:
            most = latest(config.game)
            return lateness.estimated(training, most, np.random.default_rng(config.seed))
        names = {track.annotator for track in training}
        return {name: lateness.Lateness(config.lag, 0) for name in names}

    def parts(self) -> dict[str, Any]:
        adams = {f"adam-{name}": optimizer for name, optimizer in self.optimizers.items()}
        besides = {f"beside-{name}": self.besides[name] for name in self.ends}
        return {**self.models, **besides, **adams}

    @property
    def phase(self) -> str:
        """What the next update belongs to."""
        return next(name for name, end in self.ends.items() if self.update < end)

    def rate(self, done: float) -> float:
        """Down to a tenth within each phase."""
        return super().rate(1 - (self.ends[self.phase] - self.update) / self.lasts[self.phase])

    def at(self) -> int:
        """The curves of all phases lie over each other."""
        name = next(name for name, end in self.ends.items() if self.update <= end)
        return self.update - (self.ends[name] - self.lasts[name])

    def start(self, out: Path, reporter: Reporter) -> None:
        """Say what there is to learn from, and who marks late."""
        episodes = {t.episode for t in self.tracks}
        reporter.log(
            f"{sum(t.marks for t in self.tracks)} marks of {len(self.raters)} annotators on {len(episodes)} "
            f"episodes; {len({t.episode for t in self.held_out})} are held out."
        )
        each = games.spec(self.config.game).decision_ticks
        for name, part in sorted(self.late.items()):
            if part.lag:
                reporter.log(f"{name} marks {part.lag * each} ticks late; these marks are moved back.")

    def advance(self) -> dict[str, float]:
        """A gradient step; every tenth is drawn."""
        config, phase = self.config, self.phase
        if phase != "clone" and "clone" in self.ends and self.update == self.ends[phase] - self.lasts[phase]:
            self.models[phase].read_as(self.models["clone"])
            self.besides[phase].load_state_dict(self.besides["clone"].state_dict())
        model, beside, optimizer = self.models[phase], self.besides[phase], self.optimizers[phase]
        drawn = utilities.make_batch(self.data[phase], config, self.rng)
        if phase != "clone":
            drawn |= self.more(drawn)
        batch = {name: self.on_device(value) for name, value in drawn.items()}
        batch |= {name: batch[name].float() for name in ("observations", "before")}
        memory = model.remember(batch["before"], batch["before_instructions"], batch["lengths"])
        read, _ = model.read(batch["observations"], batch["instructions"], memory)
        batch["remembered"] = memory
        losses = {} if phase == "clone" else self.losses(phase, read, batch)
        if self.acts and (phase == "clone" or config.clone_weight):
            weight = 1.0 if phase == "clone" else config.clone_weight
            losses["cloning"] = weight * clone_loss(beside, read, batch, self.choices)
        if config.match_weight and phase != "clone":
            losses["matching"] = config.match_weight * match_loss(beside, read, batch)
        optimizer.zero_grad()
        torch.stack(list(losses.values())).sum().backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done = self.update + 1
        if done % 10 and done != self.ends[phase]:
            return {}
        head = {"marks": "", "shuffled": "control_", "clone": "before_"}[phase]
        drawn_values = {f"{head}{name}": loss.item() for name, loss in losses.items()}
        return {**drawn_values, f"{head}grad_norm": norm.item()}

    def finish(self, out: Path) -> dict[str, Any]:
        """The reward model in `out`/reward-model, and how well it and its controls tell marks. It is the
        trained one, or the memoryless one (engine.learning.parts.ridge) where that is clearly better.
        """
        config, held_out = self.config, self.held_out
        kept = utilities.held(Path(config.dataset), held_out, config.seed, self.check)
        trained = self.models["marks"]
        simple = ridge.reward_model(self.data["marks"], np.random.default_rng([config.seed, 3]))
        simple = simple.to(self.device).eval()
        apart = utilities.apart(kept, (simple, trained), config)
        told = any(track.asked.any() for track in self.tracks)
        used = config.simple_model and apart.low > 0 and not told
        models = {"model": simple, "trained": trained} if used else {"model": trained, "simple": simple}
        models |= {name: self.models[name] for name in ("shuffled", "untrained") if name in self.models}
        judged = {
            name: utilities.judge(kept, partial(utilities.utilities, model), config)
            for name, model in models.items()
        }
        judged["clock"] = utilities.judge(kept, utilities.clock, config)
        parts: dict[str, Any] = {
            part: {name: judgement[part] for name, judgement in judged.items()} for part in judged["clock"]
        }
        parts |= {"raters": self.raters_found(), "skill": utilities.skill(judged["model"]["held_out"])}
        parts["simple_model"] = {"used": used, "auc_above_trained": apart.as_json()}
        sha256 = self.write(out / "reward-model", models["model"], parts)
        return {
            "folder": str(out / "reward-model"),
            "sha256": sha256,
            **parts,
            "notes": [
                *utilities.notes_on(held_out, judged["clock"]["held_out"]),
                *utilities.notes_on_simple(apart, used, told),
            ],
            "counts": utilities.counts(self.tracks, held_out),
        }

    def raters_found(self) -> dict[str, dict[str, float]]:
        """By rater: marks to learn from, by how many ticks they are late, and the rater's temperature
        and bias."""
        each = games.spec(self.config.game).decision_ticks
        factor, bias = self.besides["marks"].rater(torch.arange(1 + len(self.raters)).to(self.device))
        return {
            name: {
                "marks": sum(t.marks for t in self.data["marks"] if t.annotator == name),
                "late_ticks": self.late[name].lag * each,
                "temperature": round(1 / factor[number].item(), 4),
                "bias": round(bias[number].item(), 4),
            }
            for name, number in self.raters.items()
        }

    def write(self, folder: Path, model: RewardModel, judgement: dict[str, Any]) -> str:
        """Write the reward model's folder and return the sha256 of its weights."""
        weights = folder / "weights.safetensors"
        write_atomically(weights, save({k: v.cpu().contiguous() for k, v in model.state_dict().items()}))
        digest = sha256_of(weights)
        card = {
            "kind": "reward-model",
            "game": self.config.game,
            "algorithm": "ridge" if isinstance(model, TickModel) else self.algorithm,
            "network": model.sizes,
            "variant": marked.variant_of(Path(self.config.dataset), self.config.game),
            "settings": dataclasses.asdict(self.config),
            "data": utilities.counts(self.tracks, self.held_out),
            **judgement,
            "sha256": digest,
        }
        write_atomically(folder / "card.json", (json.dumps(card, indent=1, sort_keys=True) + "\n").encode())
        return digest

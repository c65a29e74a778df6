"""Inter-temporal Bradley-Terry (IBT) reward model: a utility U(x_<=t) learned from marks of progress and
regression.

Source: "Improving Multimodal Interactive Agents with Reinforcement Learning from Human Feedback" (2022),
section 4 and appendix A.3. A mark at tick t is about the move that led to state t. The program reads a
snapshot (see `engine.learning.parts.marked`), trains on most of its episodes, reports accuracy on the
held-out ones with three controls (shuffled signs, U = t, untrained) and with a memoryless model, and writes
`reward-model/` (weights.safetensors and card.json) under --out. Gradients go back through the whole window. A
window holds a whole episode unless the episode is longer, so the memory is trained as far back as it is used
in games.

`python -m engine.learning.ibt --config FILE --out FOLDER`; settings that FILE leaves out are the game's
(`SETTINGS` in its training.py), then those below.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import softplus

from engine.agents.utility import RewardModel
from engine.learning.parts import fitting, pairs
from engine.learning.run import shell
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import Range, Weight
from engine.learning.run.shared import Marked, Run

LITTLE = 0.1
"""A tick's gain that is next to nothing, beside those of about 1 that marks tell."""
NEAR = "near "
"""What begins the names of neighbouring ticks in a batch."""
MAKES = "reward_model"
USUAL = True
FOREMOST = ("steps", "no_mark_weight", "controls", "simple_model", "held_out")
SIZES = {
    "tiny": {"steps": 40, "batch": 16, "hidden": 32},
    "thorough": {"steps": 1500, "hidden": 128},
}


@dataclass(frozen=True, kw_only=True)
class Settings(Run, Marked):
    pairs: Annotated[int, Range(0, 64)] = 4
    """Pairs of moments drawn for every tick, which is the later moment of the pair: so many with marks in
    between and so many without (the paper uses all pairs, at a cost that is quadratic in the window). 0: only
    neighbouring ticks are compared, which makes it a regression of each tick's mark, to be compared with."""
    tick_weight: Weight = 0.0
    """Weight of the same loss over neighbouring ticks alone, beside that over pairs, which leave open at
    which of the ticks in between U rose or fell."""
    reach: Annotated[int, Range(0, 100)] = 0
    """Ticks that the memory reaches back, the present one included; 0: to the beginning. With 1 it is a
    network without memory, with 3 one that reads three ticks, to be compared with."""
    no_mark_weight: Weight = 0.1
    """C of Algorithm 1: weight of the penalty (U(t2) - U(t1))^2 for pairs without a mark in between (the
    paper doesn't give its value)."""
    sparse_weight: Weight = 0.0
    """Weight of log(1 + (gain / .1)^2) of every tick. It makes a few ticks gain much and the others
    nothing, instead of a little that an agent could collect without end."""
    level: bool = False
    """Whether U is computed from the memory, as in the paper, instead of as a sum of gains of single
    ticks."""
    renew: bool = False
    """Whether the memory starts again after each window, in games as in training. Without this, a U
    computed from the memory doesn't rise beyond what it was in training."""
    balance: bool = True
    """Whether pairs with progress, with regression and without marks have equal weight in total, and near
    pairs more weight (off: all pairs alike, as in the paper)."""
    heads: Annotated[int, Range(1, 32)] = 4
    """Members of the ensemble: small heads on one memory. U is their mean, their spread is its
    uncertainty."""
    rater_pull: Weight = 0.1
    """Weight that keeps each annotator's temperature and bias near 1 and 0; they are learned if there are
    several annotators; 1000: they are not learned."""


def ibt_loss(
    utilities: Tensor,
    drawn: dict[str, Tensor],
    no_mark_weight: float,
    balance: bool = False,
    counted: Tensor | None = None,
    raters: tuple[Tensor, Tensor] | None = None,
) -> Tensor:
    """Algorithm 1, with equation 1 for the marked pairs, over pairs (t1, t2) that were drawn
    (engine.learning.parts.pairs), so that it is an unbiased estimate over all pairs; the mean over members.
    `utilities` (K, B, T); "first" (t1), "second" (t2), "sign" (of the marks between) and "weight" (B, N);
    `counted` (K, B): how often a window counts for a member, by default once. `raters`: factor and summand
    (B,) of a gain, by the window's annotator, by default 1 and 0. The paper's loss is the mean over pairs.
    With `balance`, pairs after progress, after regression and without marks are three means: otherwise the
    many long pairs of mostly progressing episodes teach little more than that time passes.
    """
    sign, weight = drawn["sign"], drawn["weight"]
    members = len(utilities)
    gain = utilities.gather(2, drawn["second"].expand(members, -1, -1)) - utilities.gather(
        2, drawn["first"].expand(members, -1, -1)
    )  # U(t2) - U(t1)
    logit = gain if raters is None else raters[0][:, None] * gain + raters[1][:, None]
    lost = torch.where(sign == 0, no_mark_weight * gain.square(), softplus(-sign * logit))
    kinds = weight * torch.stack([sign > 0, sign < 0, sign == 0]).to(weight.dtype)[:, None]  # (3, 1, B, N)
    sums, sizes = (kinds * lost).sum(-1), kinds.sum(-1).expand(-1, members, -1)  # (3, K, B)
    if counted is not None:
        sums, sizes = sums * counted, sizes * counted
    sums, sizes = sums.sum(-1), sizes.sum(-1)  # (3, K)
    if balance:
        up, down, still = sums / sizes.clamp(min=1e-9)
        return ((up + down) / 2 + still).mean()
    return (sums.sum(0) / sizes.sum(0).clamp(min=1e-9)).mean()


class Fitting(fitting.Fitting):
    """IBT's part of the training: pairs, their loss, and which windows count how often for a member."""

    algorithm = "ibt"
    config: Settings

    def __init__(self, config: Settings, check: Callable[[], None] = shell.never) -> None:
        if config.renew:
            config = dataclasses.replace(config, history=0)
        super().__init__(config, check)
        # What one rater said of one episode counts as one, of random weight (Rubin 1981).
        groups = [(track.episode, track.annotator) for track in self.data["marks"]]
        number = {group: index for index, group in enumerate(sorted(set(groups)))}
        weights = np.random.default_rng(config.seed).exponential(size=(config.heads, len(number)))
        if config.heads == 1:
            weights[:] = 1
        self.weights = weights[:, [number[group] for group in groups]].astype(np.float32)  # (K, tracks)

    def network(self, observation_size: int, instruction_size: int) -> RewardModel:
        """With a head for each member."""
        config = self.config
        span = (config.window - 1) * config.renew
        return RewardModel(
            observation_size, instruction_size, config.hidden, config.heads, config.level, span, config.reach
        )

    def more(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The pairs, how often each window counts for a member, and whose marks they are: those that swapping
        made are nobody's."""
        config, marks = self.config, (batch["positive"], batch["negative"], batch["valid"])
        near = pairs.neighbours(*marks)
        drawn = pairs.drawn(*marks, config.pairs, config.balance, self.rng) if config.pairs else near
        if config.pairs and config.tick_weight:
            drawn |= {f"{NEAR}{name}": value for name, value in near.items()}
        raters = np.where(batch["swapped"], 0, self.rater_of[batch["chosen"]])
        return {**drawn, "counted": self.weights[:, batch["chosen"]], "raters": raters}

    def losses(self, phase: str, read: Tensor, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """IBT's, and what holds raters together."""
        config, beside = self.config, self.besides[phase]
        gains = self.models[phase].added(read, batch["remembered"])
        u = gains.cumsum(1).movedim(-1, 0)
        several = len(self.raters) > 1 and config.rater_pull < 1000
        raters = beside.rater(batch["raters"]) if several else None
        more = (config.no_mark_weight, config.balance, batch["counted"], raters)
        losses = {"loss": ibt_loss(u, batch, *more)}
        if near := {name.removeprefix(NEAR): batch[name] for name in batch if name.startswith(NEAR)}:
            losses["ticks"] = config.tick_weight * ibt_loss(u, near, *more)
        if config.sparse_weight:
            losses["sparse"] = config.sparse_weight * (gains[batch["valid"]] / LITTLE).square().log1p().mean()
        if several:
            losses["pull"] = config.rater_pull * beside.pull()
        return losses


train = partial(shell.run, Fitting)

if __name__ == "__main__":
    raise SystemExit(run_program("ibt", Settings, train, suiting=partial(fitting.suiting, "ibt")))

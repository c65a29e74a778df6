"""U(x_<=t) of a recorded episode for one seat, as pages show it: its mean over the members of an ensemble,
their spread, and U under another instruction (IBT paper, figure 3C).

Not for training on it (engine.learning.algorithms.ibt), nor for games that are being played
(engine.agents.utility.OnlineUtility).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from engine import games, language
from engine.agents.features import reward_inputs_for
from engine.agents.utility import RewardModel, can_read
from engine.learning.parts.marked import observe
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog


@dataclass(frozen=True)
class Curve:
    """U at each of `ticks`, as gains since tick 0: the members' `mean`, and with two `members` or more their
    standard deviation (`spread`); one member can't say how sure it is, so its spread is None.
    """

    ticks: list[int]
    mean: list[float]
    spread: list[float] | None
    members: int

    def as_json(self) -> dict[str, Any]:
        """The curve as plain JSON."""
        return {"ticks": self.ticks, "mean": self.mean, "spread": self.spread, "members": self.members}


def check_fits(model: RewardModel, log: EpisodeLog, seat: int) -> None:
    """Raises Refusal where the model can't read this episode from that seat."""
    game, seats = log.header["game"], len(log.header["seats"])
    if not 0 <= seat < seats:
        raise Refusal(f"There is no seat {seat}: this episode has {seats} seats, 0 to {seats - 1}.")
    size = reward_inputs_for(game, log.header["options"], model.reads).size
    wanted = model.sizes["observation_size"]
    if not can_read(model, game, log.header["options"]):
        raise Refusal(
            f"This reward model reads {wanted} numbers a tick, and a seat of this episode sees {size}: it "
            "was made for another number of players or another layout, or by an earlier version."
            if wanted != size
            else "This reward model was made for another layout than this episode's."
        )
    if model.sizes["instruction_size"] != language.num_features(game):
        raise Refusal(
            f"This reward model reads instructions as {model.sizes['instruction_size']} numbers, and this "
            f"version of Coplay writes them as {language.num_features(game)}: make a new one with a round."
        )


@torch.no_grad()
def utility_curve(
    model: RewardModel, log: EpisodeLog, seat: int, program: dict[str, Any] | None = None
) -> Curve:
    """U of a seat at every tick at which it decides, and at the last one. With a `program` (what
    `engine.language.read` made of an instruction), as if it had been in force from tick 0 on, in place of
    all that the seat was told. Raises Refusal.
    """
    check_fits(model, log, seat)
    game = log.header["game"]
    observations, instructions = observe(log, [seat], model.reads)[seat]
    if program is not None:
        instructions = np.tile(language.together(game, [program]), (len(observations), 1))
    seen = torch.from_numpy(observations[None].astype(np.float32))
    features = torch.from_numpy(instructions[None].astype(np.float32))
    members = model.members(seen, features)[:, 0].cpu().numpy().astype(float)  # (K, T)
    gained = members - members[:, :1]
    if not np.isfinite(gained).all():
        raise Refusal("This reward model gives no number for some ticks; its training went wrong.")
    each, last = games.spec(game).decision_ticks, len(log.steps)
    ticks = [tick for tick in range(last + 1) if tick % each == 0 or tick == last]
    spread = gained.std(0, ddof=1).round(5).tolist() if len(gained) > 1 else None
    return Curve(ticks, gained.mean(0).round(5).tolist(), spread, len(gained))

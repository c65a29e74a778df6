"""Auxiliary losses of a reward model, whose heads are thrown away after training: how each annotator marks,
what the seat did next (behavioural cloning), whether an episode goes with its instruction (contrastive).

IBT paper, section 4 and appendix A.7: the two further losses, on the same memory, made its reward model
better. Annotators differ in how freely they mark either sign: each has a temperature and a bias in the logit
of equation 1. Not for utility itself (engine.agents.utility).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from engine.learning.parts import heads


class Beside(nn.Module):
    """For a model with a memory of `hidden` numbers: `raters`, of whom number 0 is unknown, and `actions`
    choices, all heads of an action together.
    """

    def __init__(self, hidden: int, raters: int, actions: int) -> None:
        super().__init__()
        self.raters = nn.Parameter(torch.zeros(raters, 2))  # the logarithm of the temperature, the bias
        self.policy = nn.Linear(2 * hidden, max(1, actions))
        self.match = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def rater(self, number: Tensor) -> tuple[Tensor, Tensor]:
        """(B,) -> the factor and the summand of a gain in U before the sigmoid, (B,) each; 1 and 0 for an
        unknown annotator.
        """
        known = (number > 0).to(self.raters.dtype)
        return (self.raters[number, 0] * known).exp(), self.raters[number, 1] * known

    def pull(self) -> Tensor:
        """How far annotators' temperatures and biases are from their mean: squared, summed."""
        return self.raters[1:].square().sum()


def clone_loss(
    beside: Beside, read: Tensor, batch: dict[str, Tensor], choices: tuple[int, ...] = ()
) -> Tensor:
    """Mean negative log-probability of the seat's next action (IBT paper, A.7), where it moved under its own
    instruction: `read` (B, W, 2H); "actions" (B, W, heads), "masks" (B, W, A), "moved" (B, W).
    """
    rows = (batch["moved"] > 0) & batch["valid"] & ~batch["swapped"][:, None]
    masks, actions = batch["masks"][rows], batch["actions"][rows].long()
    if not len(actions):
        return read.new_zeros(())
    masks = heads.allowing(masks.to(torch.int8), actions, choices)
    logp = heads.log_probs(beside.policy(read[rows]), masks, choices)
    return -heads.chosen(logp, actions if choices else actions[:, 0], choices).mean()


def match_loss(beside: Beside, read: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """Whether a window has its own instruction or another one's (IBT paper, A.7), at each tick with an
    instruction in force; both answers weigh alike. `read` (B, W, 2H).
    """
    asked = batch["instructions"].any(2) & batch["valid"]
    fits = ~batch["swapped"][:, None] & asked
    other = batch["swapped"][:, None] & asked
    if not fits.any() or not other.any():
        return read.new_zeros(())
    says = beside.match(read).squeeze(2)
    lost = binary_cross_entropy_with_logits(says, fits.to(says.dtype), reduction="none")
    return (lost[fits].mean() + lost[other].mean()) / 2

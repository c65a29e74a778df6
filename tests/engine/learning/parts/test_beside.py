"""What reward models learn besides utility: raters, cloning, matching."""

import numpy as np
import pytest
import torch

from engine.learning.algorithms.ibt import ibt_loss
from engine.learning.parts.beside import Beside, clone_loss, match_loss


def batch(rows: int = 2, ticks: int = 3, actions: int = 4) -> dict[str, torch.Tensor]:
    return {
        "valid": torch.ones(rows, ticks, dtype=torch.bool),
        "swapped": torch.zeros(rows, dtype=torch.bool),
        "moved": torch.ones(rows, ticks, dtype=torch.bool),
        "masks": torch.ones(rows, ticks, actions, dtype=torch.bool),
        "actions": torch.zeros(rows, ticks, 1, dtype=torch.int16),
        "instructions": torch.ones(rows, ticks, 2),
    }


def test_cloning_is_the_log_probability_of_what_was_done_among_what_was_legal():
    torch.manual_seed(0)
    beside, read, seen = Beside(3, 1, 4), torch.rand(2, 3, 6), batch()
    seen["masks"][..., 3] = False
    seen["moved"][1] = False
    logits = beside.policy(read)[0, :, :3]
    assert clone_loss(beside, read, seen).item() == pytest.approx(-logits.log_softmax(1)[:, 0].mean().item())
    seen["swapped"][0] = True  # nobody was told that
    assert clone_loss(beside, read, seen).item() == 0


def test_an_action_of_several_heads_is_cloned_head_by_head():
    torch.manual_seed(0)
    beside, read, seen = Beside(3, 1, 5), torch.rand(2, 3, 6), batch(actions=5)
    seen["actions"] = torch.tensor([1, 2], dtype=torch.int16).expand(2, 3, 2)
    logits = beside.policy(read)
    wanted = -(logits[..., :2].log_softmax(2)[..., 1] + logits[..., 2:].log_softmax(2)[..., 2]).mean()
    assert clone_loss(beside, read, seen, (2, 3)).item() == pytest.approx(wanted.item(), rel=1e-5)


def test_matching_tells_windows_with_their_own_instruction_from_others():
    torch.manual_seed(0)
    beside, seen = Beside(3, 1, 4), batch(rows=6)
    assert match_loss(beside, torch.rand(6, 3, 6), seen).item() == 0, "nothing was swapped"
    seen["swapped"][4:] = True
    read = torch.rand(6, 3, 6)
    read[4:] -= 2.0
    optimizer = torch.optim.Adam(beside.parameters(), 0.05)
    first = match_loss(beside, read, seen).item()
    for _ in range(30):
        optimizer.zero_grad()
        match_loss(beside, read, seen).backward()
        optimizer.step()
    assert match_loss(beside, read, seen).item() < 0.3 * first


def test_a_rater_whose_marks_say_less_gets_a_higher_temperature():
    """Both mark the same gains; one of them is wrong four times in ten, and marks what is bad but rarely."""
    rng, beside = np.random.default_rng(0), Beside(3, 3, 1)
    gains = rng.normal(scale=2, size=(4000, 1)) * np.array([0, 1])
    sure = rng.random(4000) < np.where(np.arange(4000) % 2, 0.2, 1.0)
    signs = np.where(sure, np.sign(gains[:, 1]), rng.choice([-1, 1], 4000))
    drawn = {
        "first": torch.zeros(4000, 1, dtype=torch.long),
        "second": torch.ones(4000, 1, dtype=torch.long),
        "sign": torch.tensor(signs[:, None]),
        "weight": torch.ones(4000, 1, dtype=torch.float64),
    }
    number = torch.tensor(1 + np.arange(4000) % 2)
    optimizer = torch.optim.Adam(beside.parameters(), 0.05)
    for _ in range(60):
        loss = ibt_loss(torch.tensor(gains[None]), drawn, 0.0, raters=beside.rater(number))
        optimizer.zero_grad()
        (loss + 0.001 * beside.pull()).backward()
        optimizer.step()
    factor, _ = beside.rater(torch.tensor([0, 1, 2]))
    assert factor[0] == 1 and factor[1] > 2 * factor[2]

"""PPO's losses on numbers laid out by hand, and one step with them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import tensor

from engine.learning.parts.proximal import Proximal, Pull, policy_loss, value_loss


def test_the_clipped_loss_gains_no_more_than_the_clip_allows_and_loses_all():
    """min(r A, clip(r) A) is 1, 1.2 of 1.5, all of -1.5, all of .5, and -.8 of -.5: .4 in all, .08 on the
    mean.
    """
    ratio = tensor([1.0, 1.5, 1.5, 0.5, 0.5], requires_grad=True)
    advantages = tensor([1.0, 1.0, -1.0, 1.0, -1.0])
    loss = policy_loss(ratio, advantages, clip=0.2)
    assert loss.item() == pytest.approx(-0.08)
    loss.backward()
    # Where the clipped term counts, a policy that moves further earns nothing.
    assert ratio.grad.tolist() == pytest.approx([-0.2, 0.0, 0.2, -0.2, 0.0])


def test_the_value_loss_is_half_the_squared_error_summed_over_values():
    one = value_loss(tensor([1.0, 2.0]), tensor([3.0, 1.0]), None, 0.2)
    assert one.item() == pytest.approx((4 + 1) / 2 / 2)
    two = value_loss(tensor([[1.0, 2.0], [0.0, 0.0]]), tensor([[3.0, 1.0], [1.0, 1.0]]), None, 0.2)
    assert two.item() == pytest.approx(((4 + 1) + (1 + 1)) / 2 / 2)


def test_a_value_that_moved_further_than_the_clip_is_taken_at_its_worse():
    """From 0 to 1, where 1 came: no error, but .2 from 0 is .8 away; from 0 to -.1: 1.1 away as it is."""
    values = tensor([1.0, -0.1], requires_grad=True)
    loss = value_loss(values, tensor([1.0, 1.0]), tensor([0.0, 0.0]), 0.2)
    assert loss.item() == pytest.approx((0.64 + 1.21) / 2 / 2)
    loss.backward()
    assert values.grad.tolist() == pytest.approx([0.0, -0.55])


def learner(**more) -> tuple[Proximal, torch.nn.Parameter, torch.nn.Parameter]:
    """Of one row: two moves, of which the second has 3 of 4 in the policy, and a value of 1."""
    logits = torch.nn.Parameter(tensor([[0.0, math.log(3)]]))
    value = torch.nn.Parameter(tensor([[1.0]]))
    adam = torch.optim.SGD([logits, value], lr=1.0)
    how = {"normalize": False, "max_grad_norm": 100.0, "value_parameters": [value], **more}
    return Proximal(lambda rows: (logits, value), adam, **how), logits, value


def row() -> dict[str, torch.Tensor]:
    """The second move was made at even odds, which was good for 2 more than was expected; 3 came."""
    return {
        "actions": tensor([1]),
        "masks": tensor([[1, 1]]),
        "logprobs": tensor([math.log(0.5)]),
        "advantages": tensor([2.0]),
        "returns": tensor([[3.0]]),
    }


def test_a_step_measures_what_it_says_and_moves_what_it_may():
    proximal, logits, value = learner()
    found = proximal.learn(row(), 1, 1, np.random.default_rng(0), entropy=0.0)
    assert found["policy_loss"] == pytest.approx(-1.2 * 2)  # r = .75 / .5, clipped to 1.2
    assert found["value_loss"] == pytest.approx(2.0)
    assert found["entropy"] == pytest.approx(-0.25 * math.log(0.25) - 0.75 * math.log(0.75))
    assert found["approx_kl"] == pytest.approx(0.5 - math.log(1.5))
    assert found["clipfrac"] == 1.0
    assert logits[0].tolist() == pytest.approx([0.0, math.log(3)]), "beyond the clip nothing pulls"
    assert value.item() == pytest.approx(1 + 0.5 * 2)  # weight .5, error 2


def test_a_pull_is_a_divergence_from_another_policy_in_either_direction():
    """KL(p || q) and KL(q || p) of p = (1/4, 3/4) and q even."""
    other = {"there": tensor([[0.5, 0.5]]).log(), "back": tensor([[0.5, 0.5]]).log()}
    pulls = (Pull("there", 0.0), Pull("back", 0.0, from_other=True))
    proximal, *_ = learner()
    found = proximal.learn(row() | other, 1, 1, np.random.default_rng(0), 0.0, pulls)
    assert found["there"] == pytest.approx(0.25 * math.log(0.5) + 0.75 * math.log(1.5))
    assert found["back"] == pytest.approx(0.5 * math.log(2) + 0.5 * math.log(2 / 3))


def test_while_only_values_learn_the_policy_stays():
    proximal, logits, value = learner(clip=10.0)
    proximal.learn(row(), 1, 1, np.random.default_rng(0), entropy=1.0, values_only=True)
    assert logits[0].tolist() == pytest.approx([0.0, math.log(3)]) and value.item() == pytest.approx(2.0)

"""Returns and GAE against hand-made numbers and the definitions."""

import torch

from engine.learning.returns import discounted, gae


def batch(seed=0, t=7, b=3):
    torch.manual_seed(seed)
    rewards, values = torch.randn(t, b), torch.randn(t, b)
    discounts = 0.9 * (torch.rand(t, b) > 0.3).float()
    return rewards, values, discounts, torch.randn(b)


def test_discounted_returns_match_a_worked_example():
    rewards = torch.tensor([[1.0], [2.0], [3.0]])
    discounts = torch.tensor([[0.5], [0.0], [0.5]])
    out = discounted(rewards, discounts, torch.tensor([4.0]))
    assert out.squeeze(1).tolist() == [2.0, 2.0, 5.0]


def test_gae_with_lambda_one_is_the_return_minus_the_value():
    rewards, values, discounts, bootstrap = batch()
    expected = discounted(rewards, discounts, bootstrap) - values
    torch.testing.assert_close(gae(rewards, values, discounts, bootstrap, lam=1.0), expected)


def test_gae_with_lambda_zero_is_the_one_step_error():
    rewards, values, discounts, bootstrap = batch()
    following = torch.cat([values[1:], bootstrap[None]])
    torch.testing.assert_close(
        gae(rewards, values, discounts, bootstrap, lam=0.0), rewards + discounts * following - values
    )

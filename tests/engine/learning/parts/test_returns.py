"""Returns, GAE and V-trace against hand-made numbers and the definitions."""

import torch

from engine.learning.parts.returns import discounted, gae
from engine.learning.parts.vtrace import vtrace


def batch(seed=0, t=7, b=3):
    torch.manual_seed(seed)
    rewards, values, log_ratios = torch.randn(t, b), torch.randn(t, b), 0.5 * torch.randn(t, b)
    discounts = 0.9 * (torch.rand(t, b) > 0.3).float()
    return rewards, values, discounts, torch.randn(b), log_ratios


def test_discounted_returns_match_a_worked_example():
    rewards = torch.tensor([[1.0], [2.0], [3.0]])
    discounts = torch.tensor([[0.5], [0.0], [0.5]])
    out = discounted(rewards, discounts, torch.tensor([4.0]))
    assert out.squeeze(1).tolist() == [2.0, 2.0, 5.0]


def test_gae_with_lambda_one_is_the_return_minus_the_value():
    rewards, values, discounts, bootstrap, _ = batch()
    expected = discounted(rewards, discounts, bootstrap) - values
    torch.testing.assert_close(gae(rewards, values, discounts, bootstrap, lam=1.0), expected)


def test_gae_with_lambda_zero_is_the_one_step_error():
    rewards, values, discounts, bootstrap, _ = batch()
    following = torch.cat([values[1:], bootstrap[None]])
    torch.testing.assert_close(
        gae(rewards, values, discounts, bootstrap, lam=0.0), rewards + discounts * following - values
    )


def test_vtrace_on_policy_is_the_n_step_return():
    rewards, values, discounts, bootstrap, _ = batch()
    out = vtrace(torch.zeros_like(rewards), rewards, values, discounts, bootstrap)
    torch.testing.assert_close(out.vs, discounted(rewards, discounts, bootstrap))
    torch.testing.assert_close(out.advantages, discounted(rewards, discounts, bootstrap) - values)


def test_vtrace_off_policy_is_the_sum_of_the_papers_equation_one():
    rewards, values, discounts, bootstrap, log_ratios = batch()
    steps, width = rewards.shape
    rho, c = log_ratios.exp().clamp(max=1.5), log_ratios.exp().clamp(max=0.8)
    following = torch.cat([values[1:], bootstrap[None]])
    out = vtrace(log_ratios, rewards, values, discounts, bootstrap, rho_clip=1.5, c_clip=0.8)
    for b in range(width):
        for s in range(steps):
            total, weight = values[s, b].clone(), 1.0
            for t in range(s, steps):
                delta = rho[t, b] * (rewards[t, b] + discounts[t, b] * following[t, b] - values[t, b])
                total += weight * delta
                weight = weight * discounts[t, b] * c[t, b]
            torch.testing.assert_close(out.vs[s, b], total)

"""U as a level of the memory: what is read online adds up to it, and what comes back has gained nothing."""

import pytest
import torch

from engine.agents.utility import RewardModel


@pytest.mark.parametrize("level", [False, True])
def test_what_is_read_tick_by_tick_adds_up_to_the_whole(level):
    torch.manual_seed(1)
    model = RewardModel(5, 2, 8, heads=3, level=level)
    seen, told = torch.randn(4, 9, 5), torch.randn(4, 9, 2)
    whole, memory, parts = model(seen, told), None, []
    for tick in range(9):
        gains, memory = model.gains(seen[:, tick : tick + 1], told[:, tick : tick + 1], memory)
        parts.append(gains)
    assert torch.allclose(torch.cat(parts, 1).cumsum(1), whole, atol=1e-5)
    assert torch.allclose(model.members(seen, told).mean(0), whole, atol=1e-5)


def test_a_level_is_not_collected_by_standing_still_and_a_sum_is():
    torch.manual_seed(2)
    gained = {}
    for level in (False, True):
        model = RewardModel(5, 2, 8, level=level)
        u = model(torch.ones(1, 2000, 5), torch.zeros(1, 2000, 2))[0]
        gained[level] = abs((u[-1] - u[1000]).item())
    assert gained[True] < 1e-4 < 1 < gained[False]

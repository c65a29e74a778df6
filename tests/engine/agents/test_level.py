"""U as a level of the memory: what is read online adds up to it, and what comes back has gained nothing."""

import pytest
import torch

from engine.agents.utility import RewardModel


@pytest.mark.parametrize(
    "level, span, reach",
    [(False, 0, 0), (True, 0, 0), (True, 4, 0), (False, 0, 1), (True, 0, 3), (True, 4, 3)],
)
def test_what_is_read_tick_by_tick_adds_up_to_the_whole(level, span, reach):
    torch.manual_seed(1)
    model = RewardModel(5, 2, 8, heads=3, level=level, span=span, reach=reach)
    seen, told = torch.randn(4, 9, 5), torch.randn(4, 9, 2)
    whole, memory, parts = model(seen, told), None, []
    for tick in range(9):
        gains, memory = model.gains(seen[:, tick : tick + 1], told[:, tick : tick + 1], memory)
        parts.append(gains)
    assert torch.allclose(torch.cat(parts, 1).cumsum(1), whole, atol=1e-5)
    assert torch.allclose(model.members(seen, told).mean(0), whole, atol=1e-5)


@torch.no_grad()
def test_what_lies_beyond_the_reach_of_a_memory_changes_nothing():
    torch.manual_seed(5)
    seen, told = torch.randn(1, 9, 5), torch.zeros(1, 9, 2)
    other = seen.clone()
    other[:, 4] += 1
    for reach, differ in ((1, [4]), (3, [4, 5, 6]), (0, [4, 5, 6, 7, 8])):
        model = RewardModel(5, 2, 8, reach=reach)
        changed = model.gains(seen, told)[0] != model.gains(other, told)[0]
        assert changed[0].nonzero()[:, 0].tolist() == differ


@torch.no_grad()
def test_a_window_goes_on_from_what_was_read_before_it_also_within_reach():
    torch.manual_seed(6)
    model = RewardModel(5, 2, 8, reach=3)
    seen, told = torch.randn(2, 9, 5), torch.zeros(2, 9, 2)
    memory = model.remember(seen[:, :4], told[:, :4], torch.tensor([4, 1]))
    for row, lasts in ((0, 4), (1, 1)):
        read, _ = model.read(seen[row : row + 1], told[row : row + 1])
        later, _ = model.read(
            seen[row : row + 1, lasts:], told[row : row + 1, lasts:], memory[:, row : row + 1]
        )
        assert torch.allclose(later, read[:, lasts:], atol=1e-6)


def test_a_level_is_not_collected_by_standing_still_and_a_sum_is():
    torch.manual_seed(2)
    gained = {}
    for level in (False, True):
        model = RewardModel(5, 2, 8, level=level)
        u = model(torch.ones(1, 2000, 5), torch.zeros(1, 2000, 2))[0]
        gained[level] = abs((u[-1] - u[1000]).item())
    assert gained[True] < 1e-4 < 1 < gained[False]


def test_with_a_span_each_part_of_a_game_is_read_as_a_game_of_its_own():
    torch.manual_seed(3)
    spans, whole = (RewardModel(5, 2, 8, heads=3, level=True, span=span) for span in (10, 0))
    whole.load_state_dict(spans.state_dict())
    seen, told = torch.randn(4, 37, 5), torch.randn(4, 37, 2)
    u = spans(seen, told)
    for part in (slice(0, 11), slice(10, 21), slice(20, 31), slice(30, 37)):
        alone = whole(seen[:, part], told[:, part])
        assert torch.allclose(u[:, part] - u[:, part][:, :1], alone - alone[:, :1], atol=1e-5)
    assert not torch.allclose(u, whole(seen, told), atol=1e-2)


@torch.no_grad()
def test_games_that_began_at_other_times_are_read_together():
    torch.manual_seed(4)
    model = RewardModel(5, 2, 8, level=True, span=6)
    seen, told = torch.randn(2, 20, 5), torch.zeros(2, 20, 2)
    late = torch.zeros(1, 2, model.memory_size)
    alone = [model.gains(seen[:1], told[:1])[0], model.gains(seen[1:, :15], told[1:, :15])[0]]
    for tick in range(20):
        if tick == 5:
            late[:, 1] = 0
        at = torch.stack([seen[0, tick], seen[1, tick - 5]])[:, None]
        gains, late = model.gains(at, told[:, :1], late)
        assert gains[0, 0] == pytest.approx(alone[0][0, tick].item(), abs=1e-5)
        assert tick < 5 or gains[1, 0] == pytest.approx(alone[1][0, tick - 5].item(), abs=1e-5)

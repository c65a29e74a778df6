"""What moves earn by a reward model's U."""

from types import SimpleNamespace

import pytest
import torch

from engine.learning.parts.earnings import Earnings
from engine.learning.run.team import Team


def rollout(gains: list[float], scores: float = 0.0) -> SimpleNamespace:
    found, score = torch.tensor(gains)[:, None], torch.zeros(len(gains), 1, 1)
    score[0] = scores
    return SimpleNamespace(extras={"gains": found}, rewards=score, shaped=torch.zeros(len(gains), 1))


@pytest.mark.parametrize("first, lifted", [([-3.0, 1.0, -1.0], True), ([3.0, -1.0, 1.0], False)])
def test_a_game_that_costs_utility_is_not_better_ended_early(first, lifted):
    earnings = Earnings(1.0, 0.0, 1.0, False, Team(), utility=object())
    total = earnings.of(rollout(first), 0.0).sum().item()
    assert total == pytest.approx(0.0, abs=1e-5) if lifted else total > 0
    kept = earnings.tensors()
    again = Earnings(1.0, 0.0, 1.0, False, Team(), utility=object())
    again.restore(kept)
    still = torch.zeros(3)[:, None].tolist()
    later = again.of(rollout([row[0] for row in still]), 0.0)
    assert (later > 0).all() if lifted else (later == 0).all()


@pytest.mark.parametrize("score_weight, scores, share", [(1.0, 2.0, 0.1), (1.0, 0.0, 1.0), (0.0, 2.0, 1.0)])
def test_what_little_is_known_counts_little_where_there_is_a_score_to_lose(score_weight, scores, share):
    def by_utility(skill: float) -> float:
        earnings = Earnings(1.0, score_weight, 1.0, False, Team(), utility=SimpleNamespace(skill=skill))
        earned = earnings.of(rollout([3.0, -1.0, 1.0], scores), 0.0).sum().item()
        assert earnings.counted == (skill if share < 1 else 1)
        return earned - score_weight * scores

    assert by_utility(0.1) == pytest.approx(share * by_utility(1.0))

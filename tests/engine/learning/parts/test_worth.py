"""What an episode is worth being marked: members that are apart, U that doesn't change."""

from __future__ import annotations

import numpy as np
import pytest

from engine.learning.parts.utility_curve import Curve, utility_curve
from engine.learning.parts.worth import CHOICES, disagreement, least_sure, worth
from engine.refusal import Refusal
from tests.engine.learning.parts.test_utility_curve import log_of, model_for


def test_episodes_on_which_members_are_far_apart_are_worth_more():
    near, far = Curve([0, 1], [0.0, 1.0], [0.0, 0.1], 4), Curve([0, 1], [0.0, 1.0], [0.0, 0.8], 4)
    assert disagreement(far) == pytest.approx(0.4) and disagreement(far) > disagreement(near)


def test_episodes_in_which_u_changes_little_are_worth_more():
    flat, steep = Curve([0, 1, 2], [0.0, 0.1, 0.0], None, 1), Curve([0, 1, 2], [0.0, 1.0, -1.0], None, 1)
    assert least_sure(flat) == pytest.approx(-0.1) and least_sure(flat) > least_sure(steep)


@pytest.mark.parametrize("choice", CHOICES)
def test_it_is_the_mean_over_the_seats(choice):
    log = log_of(players=3)
    model = model_for(log, heads=3)
    each = [CHOICES[choice](utility_curve(model, log, seat)) for seat in range(3)]
    assert worth(model, log, *CHOICES)[choice] == pytest.approx(np.mean(each)) and len(set(each)) == 3


def test_one_member_alone_cannot_disagree():
    log = log_of()
    with pytest.raises(Refusal, match="has one member"):
        worth(model_for(log), log, "disagreement")

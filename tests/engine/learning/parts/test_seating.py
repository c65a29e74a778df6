"""Who plays with a learner, and whom it learns to answer like in whose company."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.agents.catalogue import load
from engine.agents.network import masked
from engine.learning.algorithms.ppo import Ppo, Settings
from engine.learning.run.reporting import config_from
from engine.refusal import Refusal

# Base, partner, who teaches to play with that partner.
COMPANY = {
    "hanabi": ("hanabi/learner-1", "hanabi/random", "hanabi/grounded-bot"),
    "overcooked": ("overcooked/partner-cramped_room", "overcooked/stay", "overcooked/greedy"),
}


def training(game: str, **more: object) -> Ppo:
    base, partner, teacher = COMPANY[game]
    given = {"game": game, "base": base, "partners": {partner: 0.5}, "teachers": {partner: teacher}}
    given |= {"envs": 64, "steps": 8, "kl_weight": 0.0, "anchor": 1.0, "base_partner": 0.0}
    return Ppo(config_from(Settings, given | more))


@pytest.mark.parametrize("game", COMPANY)
def test_it_stays_near_the_teacher_in_that_company_and_near_the_base_else(game: str) -> None:
    learner = training(game)
    view = learner.collector.view()
    teacher = load(COMPANY[game][2], game, learner.options)
    liked = teacher.logits_many(view.states, view.seats.astype(np.int32), view.masks)
    near, with_partner = learner.act(view)["base"], learner.seating.given.any(1)
    with_partner = np.repeat(with_partner, learner.collector.rows)
    assert with_partner.any() and not with_partner.all()
    where = learner.collector.tensor(np.flatnonzero(with_partner))
    own, _ = learner.logits(learner.base, view.inputs, view.memory)
    own = masked(own, learner.on_device(view.masks)).log_softmax(1)
    theirs = masked(torch.tensor(liked / 0.1), learner.on_device(view.masks)).float().log_softmax(1)
    assert torch.allclose(near[where], theirs[where], atol=1e-4)
    others = learner.collector.tensor(np.flatnonzero(~with_partner))
    assert torch.allclose(near[others], own[others], atol=1e-4)


def test_it_comes_to_answer_as_its_teacher_does() -> None:
    learner = training("hanabi", partners={"hanabi/random": 1.0}, lr=1e-3, score_weight=0.0)
    apart = []
    for learner.update in range(12):
        apart.append(learner.advance()["anchor_kl"])
    assert apart[-1] < 0.4 * apart[0], apart


def test_an_anchor_fades_to_what_is_left_of_it() -> None:
    learner = training("hanabi", anchor_left=0.5, moves=512 * 4, value_warmup=0)
    weights = []
    for learner.update in range(4):
        learner.advance()
        weights.append(learner.pulls.anchor)
    assert weights == [1.0, 0.875, 0.75, 0.625]


@pytest.mark.parametrize("wrong", [{"partners": {}}, {"anchor": 0.0}])
def test_a_teacher_for_nobody_and_without_a_weight_is_refused(wrong: dict) -> None:
    with pytest.raises(Refusal, match="needs a share in 'partners', and an 'anchor' above 0"):
        training("hanabi", **wrong)


def test_a_partner_does_as_it_is_told_and_others_do_not_hear_it() -> None:
    told = "hanabi/convention-bot | never play a card"
    learner = training("hanabi", partners={told: 0.5}, teachers={}, anchor=0.0, steps=40)
    rollout = learner.collect()
    played = (rollout.actions >= 5) & (rollout.actions < 10)
    mine = rollout.extras["mine"]
    assert (~mine).any() and not played[~mine].any() and played[mine].any()
    assert learner.seating.name_of(told) == told


@pytest.mark.parametrize(
    ("ref", "why"),
    [
        ("hanabi/convention-bot | sing a song", "can't be told that"),
        ("hanabi/nobody | never play a card", "no agent 'hanabi/nobody'"),
    ],
)
def test_a_partner_who_cannot_be_told_that_is_refused_with_a_sentence(ref: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        training("hanabi", partners={ref: 0.5}, teachers={}, anchor=0.0)

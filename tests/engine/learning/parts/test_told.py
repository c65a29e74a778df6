"""Learners under an instruction: they are measured as they were trained, told."""

from __future__ import annotations

from engine.agents.catalogue import load
from engine.evaluation.reward_return import measured
from engine.learning.algorithms import ppo
from engine.learning.run.reporting import config_from


def test_who_learns_under_an_instruction_is_measured_under_it():
    scores = []
    for instruction in ("", "never play a card"):
        given = {"game": "hanabi", "options": {"bomb": "keep"}, "envs": 8, "steps": 4, "hidden": [8]}
        given |= {"instruction": instruction, "evaluation_games": 32}
        training = ppo.Ppo(config_from(ppo.Settings, given))
        scores.append(training.evaluate(training.net)["score"])
    assert scores[0] > 0.5 and scores[1] == 0


def test_only_the_seats_of_the_policy_hear_it():
    cooks, options = [load("overcooked/greedy", "overcooked") for _ in range(2)], {"horizon": 100}
    scores = [
        measured(cooks[0], table, options, 4, told="stop")["score"]
        for table in ([cooks[0], cooks[1]], [cooks[0], cooks[0]])
    ]
    assert scores[0] > scores[1] == 0

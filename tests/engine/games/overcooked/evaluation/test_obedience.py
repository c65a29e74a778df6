"""Obedience of cooks: sub-goals are completed when they are asked for, and not otherwise."""

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.evaluation.obedience import TASKS, obedience, table
from engine.language import bank


class Aimless:
    """A cook that does anything at all, the same whenever it is asked again."""

    name, game, players, memory = "aimless", "overcooked", (2, 3, 4), 0
    card = {"game": "overcooked"}

    def logits_many(
        self, states, seats, masks, worlds=None, goals=None, instructions=None, memory=None
    ) -> np.ndarray:
        draws = [
            np.random.default_rng([int(state[rules.TICK]), int(seat)]).uniform(-5, 5, 6)
            for state, seat in zip(states, seats, strict=True)
        ]
        return np.array(draws, np.float32)


def test_a_cook_completes_what_it_is_told_and_not_what_it_is_not():
    found = obedience(Aimless(), Aimless(), {"layout": "cramped_room"}, episodes=4, seed=1)
    assert found["true"]["completed"] > 0.8
    assert found["none"]["completed"] < found["true"]["completed"] - 0.4
    assert found["opposite"]["completed"] < 0.3
    assert found["random"]["completed"] < found["true"]["completed"] - 0.4
    assert found["changed"]["within_two"] == 1
    assert "sub-goals completed" in "\n".join(table(found))


def test_what_cannot_be_done_in_a_kitchen_is_not_asked_for():
    found = obedience(Aimless(), Aimless(), {"layout": "forced_coordination"}, episodes=1, seed=1)
    assert "serve a soup" not in found["instructions"]
    assert "bring me a plate" in found["instructions"]


def test_what_every_instruction_and_its_contrary_mean_is_known():
    for task in TASKS:
        for text in (task.text, task.opposite):
            assert bank.known("overcooked", text), text

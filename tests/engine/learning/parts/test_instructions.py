"""Instructions that end: each seat's own, done as a live game's checker says, rewarded, and learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine import language
from engine.agents import fresh
from engine.learning.algorithms.instruct_ppo import InstructPpo, Settings
from engine.learning.parts.instructions import Drawn, program
from engine.learning.parts.rollouts import Collector
from engine.refusal import Refusal
from engine.simulation.life import State
from engine.simulation.simulation import Simulation

KITCHEN = {"layout": "cramped_room"}
STEPS = ["fill what=onion times=1", "fetch what=onion times=1", "lay what=onion times=1", "stay by the pot"]
SMALL = {"envs": 32, "steps": 32, "minibatches": 4, "evaluation_games": 2, "evaluate_every": 1000}


@pytest.fixture(scope="module")
def beginner(tmp_path_factory) -> Path:
    """A cook that knows nothing yet."""
    folder = tmp_path_factory.mktemp("agents") / "beginner"
    fresh.fresh("overcooked", KITCHEN, folder)
    return folder


def settings(base: Path, **more) -> Settings:
    how = {"game": "overcooked", "base": str(base), "instructions": STEPS, "moves": 1_000_000, **SMALL}
    return Settings(**{**how, "instruction_moves": 30, "done_reward": 5.0, **more})


def test_each_seat_has_a_step_of_its_own_until_a_live_checker_calls_it_done():
    collector = Collector("overcooked", {**KITCHEN, "horizon": 120}, 6, 3)
    programs = [program("overcooked", text) for text in STEPS]
    drawn = Drawn(collector, programs, 0.2, 0.3, [1.0], np.random.default_rng(5), lasts=25)
    batch, games, rng = collector.batch, np.arange(6), np.random.default_rng(1)
    sims = [Simulation.at("overcooked", batch.options, state) for state in batch.states]
    drawn.begin(batch.states, games)
    hears = drawn.knows.copy()
    assert (drawn.which[~hears] < 0).all() and len(set(drawn.which[hears])) > 1
    ends = 0
    for tick in range(1, 120):
        drawn.tell()
        before, since = drawn.which.copy(), drawn.since.copy()
        # They do as they are told, and anything where nothing is asked.
        wishes = drawn.priors + np.where(rng.random(drawn.priors.shape) < 0.3, 200.0, rng.random((12, 6)))
        moves = wishes.argmax(1).reshape(batch.actions.shape)
        collector.step(moves, [])
        done = drawn.follow(collector.reached)
        for row, sim in enumerate(sims):
            sim.step(moves[row].tolist())
            for seat in (0, 1):
                if before[row, seat] < 0:
                    assert not done[row, seat]
                    continue
                told = {**programs[before[row, seat]], "since_tick": int(since[row, seat])}
                state = language.progress("overcooked", told, sim, seat)["state"]
                assert done[row, seat] == (state == State.DONE), (tick, row, seat, told["means"])
        ends += int(done.sum())
        assert (drawn.since[done] == tick).all()
        assert (drawn.moves[hears] < 25).all() and (drawn.knows == hears).all()
    assert ends > 10 and (before[:, 0] != before[:, 1]).any()


def test_what_is_done_already_or_asks_for_nothing_is_not_drawn():
    collector = Collector("overcooked", KITCHEN, 64, 3)
    batch = collector.batch
    told = [program("overcooked", text) for text in ("take what=onion times=1", "go on", STEPS[0])]
    drawn = Drawn(collector, told, 0.0, 0.0, [1.0], np.random.default_rng(5), lasts=25)
    drawn.begin(batch.states, np.arange(64))
    # Nothing lies on counters: only the last one makes sense; a few seats drew none that does.
    assert set(drawn.which.ravel()) <= {2, -1} and (drawn.which == 2).mean() > 0.5


def test_a_seat_earns_the_points_in_the_move_that_does_its_step(beginner):
    training = InstructPpo(settings(beginner, steps=40))
    training.earnings.score_weight = 0.0
    rollout = training.collect()
    told = rollout.extras["told"]
    assert set(told.unique().tolist()) == {0.0, 5.0}
    assert training.taught.drawn.ends["done"] == int((told > 0).sum())
    assert np.allclose(training.rewards(rollout)[..., 0], training.earnings.unit * told)


def test_it_learns_steps_by_their_reward_alone(beginner):
    texts = ["fetch what=onion times=1", "fetch what=dish times=1", "lay what=onion times=1"]
    how = {"instructions": texts, "instruction_weight": 0.0, "lr": 3e-3, "reward_scale": 0.2}
    training = InstructPpo(settings(beginner, **how, instruction_moves=20))
    training.updates, training.earnings.score_weight = 1000, 0.0  # the rate stays, the game pays nothing
    done = [training.step()["steps_done"] for _ in range(16)]
    assert np.mean(done[-4:]) > np.mean(done[:4]) + 0.2


def test_what_cannot_be_a_step_is_refused_with_a_sentence(beginner):
    with pytest.raises(Refusal, match="set 'instruction_moves' above 0"):
        InstructPpo(settings(beginner, instruction_moves=0))
    with pytest.raises(Refusal, match="what=bread is not allowed"):
        InstructPpo(settings(beginner, instructions=["fetch what=bread times=1", "you serve"]))

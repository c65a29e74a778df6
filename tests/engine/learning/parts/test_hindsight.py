"""Windows of games under the goals that they met."""

import numpy as np
import pytest
import torch

from engine.games.arena import features, lessons, wanted
from engine.games.arena import goals as g
from engine.games.arena.subgoal_table import COUNT
from engine.learning.parts.hindsight import SHORTEST, towards
from engine.learning.parts.rollouts import Collector
from engine.learning.run.shared import Goals

SQUADS = {"teams": 2, "team_size": 2, "pace": "short", "monsters": 0, "map_seed": 3}
STEPS = 60


@pytest.fixture(scope="module")
def played():
    """(games, the states of each step, a rollout) of matches whose players do anything."""
    games = Collector("arena", SQUADS, 6, seed=4, asked=Goals(goal_share=1e-9))
    rng, states = np.random.default_rng(1), []

    def act(view):
        states.append(games.batch.states.copy())
        heads = [rng.integers(0, size, len(view.seats)) for size in games.spec.heads]
        return {"actions": torch.from_numpy(np.stack(heads, 1)), "number": torch.arange(len(view.seats))}

    return games, states, games.collect(STEPS, act)


def test_the_goals_of_a_window_are_met_at_its_end_and_not_at_its_start(played):
    games, states, _ = played
    who = np.array([0, 1, 2, 3, 0, 1], np.int32)
    begun, ended = states[0], states[50]
    goals = games.asking.came_to(begun, ended, games.world, who, 7)
    met = [goal for goal in goals if goal[g.KIND]]
    assert len(met) >= 4
    for row, goal in enumerate(goals):
        if goal[g.KIND]:
            rooms = np.zeros(COUNT, np.int8), np.zeros(COUNT, np.int8), np.zeros(2, np.int32)
            unmet = wanted.unmet.py_func
            assert unmet(ended[row], games.world, int(who[row]), goal, *rooms) == 0.0
            assert unmet(begun[row], games.world, int(who[row]), goal, *rooms) > 0.0
            assert 1 <= (goal[g.VECTOR : g.START] > 0).sum() <= lessons.MOST_DIMENSIONS
            assert not lessons.held_out(goal)


def test_rows_are_the_moves_of_whole_windows_of_those_games_with_their_goal_as_input(played):
    games, states, rollout = played
    only = np.array([True, False, False, True, False, False])
    columns = {"inputs": rollout.inputs, "number": rollout.extras["number"]}
    rows = towards(games, np.stack(states), rollout, only, np.random.default_rng(3), columns)
    assert len(rows["inputs"]) == len(rows["number"]) >= SHORTEST
    assert set((rows["number"] // games.seats).tolist()) <= {0, 3}
    assert (rows["inputs"][:, -features.GOAL_SIZE :] != 0).any(1).all(), "each has a goal"
    seen = rollout.inputs[..., : features.SEEN]
    for number, row in zip(rows["number"].tolist()[::40], rows["inputs"][::40], strict=True):
        assert (seen[:, number] == row[: features.SEEN]).all(1).any(), "what the seat saw in one of the steps"


def test_nothing_comes_of_a_rollout_that_is_too_short(played):
    games, states, _ = played
    short = games.collect(3, lambda view: {"actions": torch.zeros(len(view.seats), 6, dtype=torch.int64)})
    rows = towards(
        games,
        np.stack(states[:3]),
        short,
        np.ones(6, bool),
        np.random.default_rng(3),
        {"inputs": short.inputs},
    )
    assert rows == {}

"""What training asks of Arena: goals to obey, who is out, what critics are told, what learners make of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.games.arena import goals, training
from engine.games.arena import state as s
from engine.learning.parts.rollouts import Collector

SQUADS = {"teams": 2, "team_size": 2, "pace": "short", "monsters": 0, "map_seed": 3}


def collector(n: int = 2, **more) -> Collector:
    return Collector("arena", SQUADS, n, seed=4, **more)


def still(rows: int) -> torch.Tensor:
    """Everybody stands and waits."""
    heads = torch.zeros(rows, 6, dtype=torch.int64)
    heads[:, s.PITCH_HEAD], heads[:, s.BODY], heads[:, s.BASIC], heads[:, s.SWITCH] = (
        1,
        s.B_STOP,
        s.PICK,
        s.KEEP,
    )
    return heads


def wait(games: Collector, steps: int):
    return games.collect(steps, lambda view: {"actions": still(len(view.seats))})


@pytest.mark.parametrize(("share", "least", "most"), [(0.0, 0.0, 0.0), (0.25, 0.05, 0.5), (1.0, 0.85, 1.0)])
def test_seats_have_a_goal_for_about_a_share_of_the_time(share, least, most):
    games, asked = collector(16, goal_share=share), []
    for _ in range(20):
        wait(games, 5)
        asked.append((games.goals[..., goals.KIND] != goals.NONE).mean())
    assert least <= np.mean(asked) <= most


def test_obeying_is_rewarded_in_its_group_at_every_decision():
    games = collector(2, goal_share=1e-9, weights={"goal": 2.0})
    place = games.batch.states[0, s.player(0) + s.X], games.batch.states[0, s.player(0) + s.Y]
    goals.give(games.batch.states[0], 0, goals.HOLD, -1, *map(int, place), 30_000, 0, games.goals[0, 0])
    rewards = wait(games, 4).rewards
    assert (rewards[:, 0, 2] >= 1.0).all() and (rewards[:, 1:, 2] == 0).all()
    assert training.discounts({}) == pytest.approx([0.995, 0.92, 0.993])


def test_who_is_out_plays_no_longer_and_earns_nothing_more():
    games = collector()
    games.batch.states[0, s.player(1) + s.LIFE] = s.OUT
    assert training.out(games.batch.states).tolist() == [[False, True, False, False], [False] * 4]
    games.batch.look()
    rollout = wait(games, 2)
    gone = torch.arange(8) == 1
    assert (rollout.playing == ~gone).all() and (rollout.dones == gone.float()).all()
    assert (
        rollout.discounts([0.9, 0.5])[0] == torch.where(gone[:, None], 0.0, torch.tensor([0.9, 0.5]))
    ).all()


def test_critics_alone_are_told_of_the_nearest_enemy_out_of_sight():
    games = collector(privileged=True)
    told = games.view().privileged
    assert told.shape == (8, training.PRIVILEGED) and told.abs().max() <= 1 and told.any(dim=1).all()
    states = games.batch.states
    for seat in (2, 3):
        states[:, s.player(seat) + s.LIFE] = s.OUT
    assert not games.view().privileged.reshape(2, 4, -1)[:, :2].any(), "no enemies are left"
    assert collector().view().privileged.shape == (8, 0)


def test_matches_go_on_after_a_checkpoint_with_their_goals():
    games = collector(goal_share=0.8)
    wait(games, 30)
    again = collector(goal_share=0.8)
    again.restore(games.tensors())
    assert torch.equal(wait(games, 10).inputs, wait(again, 10).inputs)

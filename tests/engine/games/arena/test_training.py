"""What training asks of Arena: goals to obey, who is out, what critics are told, what learners make of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.games.arena import goals, lessons, training
from engine.games.arena import state as s
from engine.learning.parts.rollouts import Collector
from engine.learning.run.shared import Goals
from engine.refusal import Refusal

SQUADS = {"teams": 2, "team_size": 2, "pace": "short", "monsters": 0, "map_seed": 3}


def collector(
    n: int = 2, share: float = 0.0, kinds: dict | None = None, whole: bool = False, **more
) -> Collector:
    asked = Goals(goal_share=share, goals=kinds or {}, whole_goals=whole)
    return Collector("arena", SQUADS, n, seed=4, asked=asked, **more)


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
    games, asked = collector(16, share), []
    for _ in range(20):
        wait(games, 5)
        asked.append((games.goals[..., goals.KIND] != goals.NONE).mean())
    assert least <= np.mean(asked) <= most


def asked_to_hold(games: Collector, x: int) -> None:
    at = s.player(0)
    place = int(games.batch.states[0, at + s.X]) + x, int(games.batch.states[0, at + s.Y])
    goals.give(games.batch.states[0], 0, goals.HOLD, -1, *place, 30_000, 0, games.goals[0, 0])


def test_coming_nearer_to_a_goal_is_rewarded_in_its_group_and_going_away_costs_as_much():
    games = collector(share=1e-9, weights={"goal": 2.0})
    asked_to_hold(games, 5 * s.UNIT)  # three of the eight metres of "Nearby", where "Touch" is wanted
    assert not wait(games, 2).rewards[..., 2].any(), "who stands still earns nothing"
    at = s.player(0)
    for metres, earned in ((5, 0.55), (-1, 0.0), (-1, -0.4), (-3, -0.15)):
        games.batch.states[0, at + s.X] += metres * s.UNIT
        rewards = wait(games, 1).rewards[0, :, 2]
        assert rewards[0] == pytest.approx(earned, abs=1e-3) and not rewards[1:].any()
    assert training.discounts({}) == pytest.approx([0.995, 0.92, 0.993])


def test_only_a_goal_that_is_met_as_a_whole_is_rewarded_where_that_is_asked():
    games = collector(share=1e-9, weights={"goal": 2.0}, whole=True)
    asked_to_hold(games, 0)
    assert (wait(games, 3).rewards[:, 0, 2] == 2.0).all()
    asked_to_hold(games, 5 * s.UNIT)
    assert not wait(games, 3).rewards[:, 0, 2].any()


def test_drawn_goals_are_of_few_sub_goals_none_of_which_is_met_and_never_of_a_kept_combination():
    games, seen = collector(16, 1.0, {"random": 0.5, "hindsight": 0.5}), []
    for _ in range(20):
        wait(games, 5)
        for row in games.goals.reshape(-1, goals.GOAL_SIZE):
            if row[goals.KIND] == goals.FREE:
                assert not lessons.held_out(row)
                seen.append(int((row[goals.VECTOR : goals.START] > 0).sum()))
    assert {1, 2, 3, 4} == set(seen)
    figures = games.asked_figures()
    assert figures["goals_dimensions"] == lessons.STEP and 0 <= figures["goals_met"] <= 1


def test_more_sub_goals_are_drawn_once_goals_are_met_as_often_as_they_will_be():
    games = collector(share=0.5, kinds={"random": 1.0})
    none, asking = (games.batch.states[:0], games.batch.world, games.goals[:0], 0), games.asking
    for ended, met, dimensions in ((100, 2000, 5), (2500, 2050, 10), (2600, 1000, 10), (4400, 1050, 10)):
        asking.tally[lessons.ENDED], asking.tally[lessons.LATELY] = ended, met
        asking.renew(*none)
        assert asking.figures() == {"dimensions": dimensions, "met": met / 10_000}


def test_goals_that_there_arent_are_refused():
    with pytest.raises(Refusal, match="no goals 'wishes'; there are orders, random, hindsight"):
        collector(share=0.5, kinds={"wishes": 1.0})


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
    games = collector(share=0.8, kinds={"orders": 0.4, "random": 0.3, "hindsight": 0.3})
    wait(games, 30)
    again = collector(share=0.8, kinds={"orders": 0.4, "random": 0.3, "hindsight": 0.3})
    again.restore(games.tensors())
    assert torch.equal(wait(games, 10).inputs, wait(again, 10).inputs)


def test_a_checkpoint_from_when_goals_had_fewer_numbers_is_taken_up_with_new_goals():
    kinds = {"hindsight": 1.0}
    games = collector(share=0.8, kinds=kinds)
    wait(games, 10)
    older = {name: tensor for name, tensor in games.tensors().items() if name not in ("windows", "tally")}
    older["goals"] = older["goals"][..., :20]
    again = collector(share=0.8, kinds=kinds)
    again.restore(older)
    assert np.array_equal(again.batch.states, games.batch.states) and not again.goals.any()
    assert wait(again, 2).inputs.isfinite().all()

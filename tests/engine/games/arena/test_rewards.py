"""The rows of Table 5 as rewards of three value heads."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from engine.games.arena import rewards
from engine.games.arena import state as s
from engine.games.arena.rewards import RewardSettings, reward_groups, settings_from
from engine.refusal import Refusal
from tests.engine.games.arena.acts import Acts, duel

# As the paper prints them, but for the sign of the obstacle row.
TABLE_5 = [
    *(0.02, -0.002, 0.0001, -0.0002, 0.015, 0.03, -2.5, -3.5, 0.1, 4.5, 3.5, 0.001, 0.8, -0.5, 0.00015),
    *(-0.00005, -0.012, 0.03, 0.6, 4, -0.05, -0.012, 1),
]


def earned(field: Acts, seat: int, **weights: float) -> list[float]:
    return reward_groups(field.state[None], settings_from(weights))[0, seat].tolist()


def test_every_row_of_the_table_has_a_weight_and_is_counted() -> None:
    fields = [field.default for field in dataclasses.fields(RewardSettings)]
    assert fields[:23] == pytest.approx(TABLE_5)
    assert fields[23:] == pytest.approx([0.995, 0.92, 0.993])
    assert sorted(row.row for row in rewards.ROWS) == list(range(s.ROWS))
    assert [row.group for row in rewards.ROWS].count(rewards.OBSTACLE) == 1
    assert RewardSettings().groups()[s.ROWS] == rewards.GOAL


@pytest.mark.parametrize("row", rewards.ROWS, ids=lambda row: row.name)
def test_each_row_earns_its_weight_for_its_unit_in_its_group(row: rewards.Row) -> None:
    field = Acts()
    field.state[s.ROW : s.MEMORY] = 0
    count = round(row.unit * 100)
    field.state[s.ROW + s.ROWS + row.row] = count
    weight = TABLE_5[rewards.ROWS.index(row)]
    if row.row == s.R_INTERRUPT:
        weight -= 0.8  # it gives back what beginning to help earned
    expected = [0.0, 0.0, 0.0]
    expected[row.group] = weight * count / row.unit
    assert earned(field, 1) == pytest.approx(expected, rel=1e-5)
    assert earned(field, 0) == [0, 0, 0]


def test_a_shot_rewards_the_shooter_its_mates_and_punishes_the_victim() -> None:
    field = duel(team_size=2)
    field.put(1, 80, 60)
    field.tick(p0={"basic": s.FIRE, "pitch": -1200})
    assert field.get(2, "hp") == 80
    only = {"scout": 0, "no_op": 0, "discover_enemy": 0, "be_discovered_by_enemy": 0}
    assert earned(field, 0, **only)[0] == pytest.approx(0.1 * 4 + 0.015)
    assert earned(field, 1, **only)[0] == pytest.approx(0.03 * 4)
    assert earned(field, 2, **only)[0] == pytest.approx(-0.03 * 4)


def test_standing_idle_scouting_and_walking_against_a_wall() -> None:
    field = Acts()
    field.put(0, 60, 60, 0)
    field.tick()
    assert field.row(0, s.R_NO_OP) == 1 and field.row(0, s.R_SCOUT) == 0
    field.tick(p0={"body": s.B_NONE})
    assert field.row(0, s.R_NO_OP) == 0 and field.row(0, s.R_SCOUT) == 1
    assert field.row(0, s.R_OBSTACLE) == 0
    field.wall(58, 58, 5)
    field.tick(30, p0={"body": s.B_NONE})
    assert earned(field, 0)[1] == pytest.approx(-0.012)


def test_approaching_a_downed_mate_and_going_away_cancel_out() -> None:
    field = Acts(teams=2, team_size=2)
    field.put(0, 60, 60, 90)
    field.put(1, 70, 60)
    field.knock(1)
    field.tick(p0={"body": s.B_NONE})
    there = field.row(0, s.R_APPROACH)
    assert there == pytest.approx(51, abs=2)
    field.tick(p0={"body": s.B_NONE, "move": 8})
    assert field.row(0, s.R_APPROACH) == pytest.approx(-there, abs=2)


def test_letting_go_and_beginning_again_to_help_earns_nothing() -> None:
    field = Acts(teams=2, team_size=2)
    field.put(0, 60, 60)
    field.put(1, 61, 60)
    field.knock(1)
    only = {"no_op": 0, "scout": 0, "approach_downed_teammate": 0}
    total = 0.0
    for _ in range(10):
        field.tick(p0={"body": s.B_RESCUE})
        total += earned(field, 0, **only)[0]
        field.tick()
        total += earned(field, 0, **only)[0]
    assert total == pytest.approx(-0.05 * 10, abs=1e-4)


def test_goals_come_from_outside() -> None:
    states = np.stack([Acts(seed=seed).state for seed in (1, 2)])
    goals = np.zeros((2, 4), np.float32)
    goals[1, 3] = 1
    found = reward_groups(states, RewardSettings(goal=2), goals)
    assert found.shape == (2, 4, 3) and found[1, 3, 2] == 2 and found[:, :, 2].sum() == 2
    with pytest.raises(Refusal, match=r"goals must be \(2, 4\)"):
        reward_groups(states, goals=np.zeros((2, 3)))


def test_a_new_match_leaves_the_last_rows_of_the_one_before() -> None:
    from engine.games.arena import rules

    field = duel()
    field.set(1, hp=20)
    field.tick(p0={"basic": s.FIRE, "pitch": -1200})
    assert field.state[s.OVER] == 1
    rules.new_game(field.state, field.world)
    assert field.row(0, s.R_KILL) == 1 and field.row(1, s.R_DEAD) == 1
    field.tick()
    assert field.row(0, s.R_KILL) == field.row(1, s.R_DEAD) == 0


def test_bad_settings_are_refused_with_a_sentence() -> None:
    with pytest.raises(Refusal, match="no reward 'win'; the rewards are discover_enemy"):
        settings_from({"win": 1})
    with pytest.raises(Refusal, match="dead must be a number, not 'much'"):
        RewardSettings(dead="much")  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="dead must be a number, not nan"):
        RewardSettings(dead=float("nan"))
    with pytest.raises(Refusal, match="kill_enemy is a weight of -100 to 100"):
        RewardSettings(kill_enemy=1000)
    with pytest.raises(Refusal, match="discount_goal is at least 0 and less than 1"):
        RewardSettings(discount_goal=1)

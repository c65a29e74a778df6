"""Goals of Arena: every kind begins, is obeyed, and ends as its name says."""

import numpy as np
import pytest

from engine.games.arena import goals as g
from engine.games.arena import state as s
from engine.games.arena.features import GOAL_INPUTS, encode_goal
from engine.games.arena.subgoal_table import COUNT
from tests.engine.games.arena.fields import Field


@pytest.fixture
def field():
    return Field()


def test_a_goal_is_numbers_that_say_when_it_was_given(field):
    field.state[s.TICK] = 77
    field.state[s.player(0) + s.LOOTS] = 3
    field.give(0, g.LOOT)
    assert field.goals[0, : g.START].tolist() == [g.LOOT, -1, 0, 0, 0, 0, 77, 3, *[0] * (12 + COUNT)]
    assert field.goals[0, g.START : g.LEFT].any() and field.goals[0, g.LEFT] == 0
    assert len(g.NAMES) == g.KINDS == g.FREE == 16


def test_networks_read_what_they_were_trained_on(field):
    """No number for what they never heard of: a goal that asks for that alone is none."""
    read = np.zeros((3, GOAL_INPUTS), np.float32)
    field.give(1, g.FOLLOW, who=0, flags=g.CROUCHED)
    plain = field.goals[1].copy()
    field.give(1, g.FOLLOW, who=0, flags=g.CROUCHED | g.SLOWLY)
    field.goals[1, g.WITHIN : g.VECTOR] = 7
    field.give(0, g.FREE)
    field.goals[0, g.LOOK] = 1
    for row, goal in enumerate((plain, field.goals[1], field.goals[0])):
        encode_goal(field.state, 1, goal, read[row])
    assert np.array_equal(read[0], read[1]) and read[2].nonzero()[0].tolist() == [g.NONE]


def test_no_goal_waits(field):
    assert field.progress(0) == g.WAITING


def test_a_goal_ends_with_its_tick_and_with_its_player(field):
    field.give(0, g.PRONE, until=100)
    assert field.progress(0) == g.WAITING
    field.state[s.TICK] = 100
    assert field.progress(0) == g.DONE
    field.give(1, g.PRONE)
    field.state[s.player(1) + s.LIFE] = s.OUT
    assert field.progress(1) == g.DONE


def test_going_somewhere_is_obeyed_on_the_way_and_done_there(field):
    field.give(0, g.GO, x=40, y=10)
    assert field.progress(0) == g.WAITING
    field.state[s.player(0) + s.VX] = 51
    assert field.progress(0) == g.OBEYING
    field.state[s.player(0) + s.VX] = -51
    assert field.progress(0) == g.WAITING
    field.put(0, 39, 10)
    assert field.progress(0) == g.DONE


def test_holding_and_following_go_on_until_somebody_says_otherwise(field):
    field.give(0, g.HOLD, x=10, y=10)
    assert field.progress(0) == g.OBEYING
    field.give(0, g.FOLLOW, who=1)
    assert field.progress(0) == g.OBEYING
    field.put(1, 60, 60)
    assert field.progress(0) == g.WAITING
    field.state[s.player(1) + s.LIFE] = s.OUT
    assert field.progress(0) == g.DONE


def test_an_attack_is_done_when_the_enemy_is_down(field):
    field.give(0, g.ATTACK, who=2)
    assert field.progress(0) == g.WAITING
    field.state[s.TICK] = 20
    field.state[s.player(0) + s.SHOT_TICK] = 15
    assert field.progress(0) == g.OBEYING
    field.knock(2)
    assert field.progress(0) == g.DONE


def test_healing_and_looting_count_what_was_done_since(field):
    at = s.player(0)
    field.state[at + s.HP] = 40
    field.give(0, g.HEAL)
    assert field.progress(0) == g.WAITING
    field.state[at + s.TREAT] = 5
    assert field.progress(0) == g.OBEYING
    field.state[at + s.HEALS] += 1
    assert field.progress(0) == g.DONE
    field.give(0, g.LOOT)
    assert field.progress(0) == g.WAITING
    field.state[at + s.LOOTS] += 1
    assert field.progress(0) == g.DONE


def test_a_rescue_is_done_when_the_mate_is_up(field):
    field.knock(1)
    field.give(0, g.RESCUE, who=1)
    assert field.progress(0) == g.WAITING
    field.state[s.player(0) + s.RESCUED] = 2
    assert field.progress(0) == g.OBEYING
    field.state[s.player(1) + s.LIFE] = s.UP
    assert field.progress(0) == g.DONE


@pytest.mark.parametrize(("kind", "stance"), [(g.PRONE, s.PRONE), (g.CROUCH, s.CROUCH)])
def test_stances_are_obeyed_as_long_as_they_are_kept(field, kind, stance):
    field.give(0, kind)
    assert field.progress(0) == g.WAITING
    field.state[s.player(0) + s.STANCE] = stance
    assert field.progress(0) == g.OBEYING


def test_holding_fire_is_broken_by_a_shot(field):
    field.state[s.TICK] = 50
    field.give(0, g.HOLD_FIRE)
    assert field.progress(0) == g.OBEYING
    field.state[s.TICK] = 60
    field.state[s.player(0) + s.SHOT_TICK] = 58
    assert field.progress(0) == g.WAITING


def test_rotating_regrouping_and_retreating_end_where_they_lead(field):
    field.state[s.WHITE_X : s.WHITE_X + 3] = 100 * 256, 100 * 256, 10 * 256
    field.give(0, g.ROTATE)
    assert field.progress(0) == g.WAITING
    field.put(0, 100, 95)
    assert field.progress(0) == g.DONE
    field.give(0, g.REGROUP)
    assert field.progress(0) == g.WAITING
    field.put(1, 100, 99)
    assert field.progress(0) == g.DONE
    field.give(0, g.RETREAT)
    assert field.progress(0) == g.DONE  # from nobody
    field.put(2, 100, 80)
    field.look()
    assert field.progress(0) == g.WAITING

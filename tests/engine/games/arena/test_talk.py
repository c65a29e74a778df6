"""What squad mates say: only what has changed and their squad knows, seldom, and never twice."""

import numpy as np
import pytest

from engine.games.arena import state as s
from engine.games.arena.talk import AGAIN, BREATH, LOOK_EVERY, PAUSE, Talk, to_say
from tests.engine.games.arena.acts import duel


def name(seat: int) -> str:
    return f"Squad {seat + 1}"


def said(before: np.ndarray, field, seat: int = 0) -> list[str]:
    return [text for _, _, text in to_say(before, field.state, seat, name)]


@pytest.fixture
def field():
    """Seats 0 and 1 against 2 and 3, who are far away behind their backs."""
    field = duel(50, team_size=2)
    field.put(0, 60, 60, 180)
    field.put(1, 62, 60, 180)
    field.put(2, 60, 10, 180)
    field.put(3, 100, 110, 0)
    field.look()
    return field


def test_nothing_new_is_no_reason_to_speak(field):
    assert said(field.state.copy(), field) == []


def test_an_enemy_who_comes_into_view_is_told_with_the_way_and_once(field):
    field.state[s.MEMORY : s.SUPPLY] = -2000
    before = field.state.copy()
    field.put(2, 60, 90, 0)
    field.look()
    assert said(before, field) == ["Enemy 30 m to the south."]
    field.state[s.TICK] += 4
    assert said(field.state.copy(), field) == []


def test_enemies_whom_nobody_sees_are_never_told(field):
    before = field.state.copy()
    field.put(2, 60, 40, 0)  # near, and behind
    field.look()
    assert said(before, field) == []


def test_who_is_hit_says_from_where_and_how_they_are(field):
    before = field.state.copy()
    field.set(0, hp=62, hit_by=3, hit_tick=int(field.state[s.TICK]), hit_yaw=-16384)
    assert said(before, field) == ["I’m hit from the west and see nobody. 62 health left."]


def test_who_goes_down_asks_for_help_and_thanks_who_gave_it(field):
    before = field.state.copy()
    field.set(0, life=s.DOWNED, hp=100)
    assert said(before, field) == ["I’m down. Help me up!"]
    field.set(0, helped_by=2)
    before = field.state.copy()
    field.set(0, life=s.UP, hp=30, helped_by=0)
    assert said(before, field) == ["I’m up again. Thanks, Squad 2."]


@pytest.mark.parametrize(
    ("had", "has", "sentence"),
    [
        ({"weapon": s.PISTOL}, {"weapon": s.RIFLE}, "I take a rifle for my pistol."),
        ({"weapon_2": 0}, {"weapon_2": s.SHOTGUN}, "I take a shotgun."),
        ({"medkits": 0}, {"medkits": 1}, "I take a medical kit, I had none."),
        ({"medkits": 2}, {"medkits": 3}, "I take a medical kit, that makes 3."),
        ({"armour": 0}, {"armour": 60}, "I put a vest on, I had none."),
        ({"ammo": 5}, {"ammo": 80}, "I found bullets, I was running out."),
    ],
)
def test_what_is_picked_up_is_told_with_its_reason(field, had, has, sentence):
    field.set(0, magazine=12, **had)
    before = field.state.copy()
    field.set(0, loots=1, **has)
    assert said(before, field) == [sentence]


def test_deeds_are_told_as_they_are_counted(field):
    before = field.state.copy()
    field.set(0, knocks=1)
    assert said(before, field) == ["I knocked one down."]
    before = field.state.copy()
    field.set(0, rescued=2)
    assert said(before, field) == ["I’m helping Squad 2 up. Cover us!"]


def test_who_is_out_says_nothing(field):
    before = field.state.copy()
    field.set(0, life=s.OUT)
    assert said(before, field) == []


def test_a_squad_speaks_seldom_and_repeats_nothing_but_a_cry_for_help_is_heard(field):
    talk = Talk()

    def pass_by(ticks: int, **change: int) -> list[tuple[int, str]]:
        field.state[s.TICK] += ticks
        field.set(0, **change)
        return talk.look(field.state, [0, 1], name)

    assert pass_by(0) == []
    assert pass_by(LOOK_EVERY - 1, knocks=1) == []  # nobody looks yet
    assert pass_by(1) == [(0, "I knocked one down.")]
    assert pass_by(BREATH, knocks=2) == []  # the same seat has just spoken
    assert pass_by(LOOK_EVERY, life=s.DOWNED, hp=100)[0][1].startswith("I’m down")
    assert pass_by(PAUSE, life=s.UP, knocks=3) != []
    assert talk.may(int(field.state[s.TICK]), 0, 1, 1, "down 0") is False, "the same again, too soon"
    assert talk.may(int(field.state[s.TICK]) + AGAIN, 0, 1, 1, "down 0")


def test_an_instruction_is_answered_when_it_is_done(field):
    talk, done = Talk(), {"state": "done", "text": "done"}
    assert talk.answer(field.state, 1, "a", "loot", done) == "Done: “loot”."
    assert talk.answer(field.state, 0, "a", "loot", done) == "", "one of the squad has said it"
    on_the_way = {"state": "obeying", "text": "on the way"}
    assert talk.answer(field.state, 0, "c", "go there", on_the_way) == ""

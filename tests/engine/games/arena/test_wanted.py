"""What goals come to as sub-goals, how much of them isn't met, and what networks read of them."""

import numpy as np
import pytest

from engine.games.arena import features, wanted
from engine.games.arena import goals as g
from engine.games.arena import state as s
from engine.games.arena.subgoal_table import COUNT, SUBGOALS, encode
from tests.engine.games.arena.fields import Field


def asked(field: Field, seat: int = 0) -> dict[str, str]:
    out = np.zeros(COUNT, np.int8)
    count = wanted.wanted(field.state, seat, field.goals[seat], out)
    assert count == (out >= 0).sum()
    return {one.name: one.values[out[number]] for number, one in enumerate(SUBGOALS) if out[number] >= 0}


def read(field: Field, seat: int = 0) -> dict[str, float]:
    """The inputs on a seat's goal vector that aren't 0, by name."""
    out = np.zeros((1, features.input_size(field.state)), np.float32)
    features.encode_many(field.state[None], field.world, np.array([seat], np.int32), field.goals[[seat]], out)
    vector = dict(zip(wanted.NAMES, out[0, -features.GOAL_SIZE :].tolist(), strict=True))
    return {name: value for name, value in vector.items() if value}


def unmet(field: Field, seat: int = 0) -> float:
    rooms = np.zeros(COUNT, np.int8), np.zeros(COUNT, np.int8), np.zeros(2, np.int32)
    return float(wanted.unmet.py_func(field.state, field.world, seat, field.goals[seat], *rooms))


def test_every_kind_of_goal_asks_for_something_and_none_for_nothing():
    field = Field(team_size=4)
    for kind in range(1, g.KINDS):
        field.give(0, kind, who=1 if kind in (g.FOLLOW, g.COVER) else -1, x=20, y=20)
        assert asked(field), g.NAMES[kind]
    field.give(0, g.NONE)
    assert asked(field) == {} and unmet(field) == 0.0 and read(field) == {}
    field.give(0, g.FREE)
    assert asked(field) == {}


def test_a_goal_asks_for_its_kind_its_manner_and_what_is_to_be_left():
    field = Field()
    field.give(0, g.GO, x=40, y=40, flags=g.QUIETLY | g.HURRYING)
    field.goals[0, g.BARS] = g.NO_LOOT
    field.goals[0, g.LOOK] = 1 + 16384 // 4  # east
    assert asked(field) == {
        "Distance with point": "Touch",
        "Whether have shot": "False",
        "Average velocity": "Fast",
        "Number of supplies picked up": "Zero",
        "Horizontal direction of view": "East",
    }


def test_a_mate_is_followed_by_name_and_beyond_the_third_by_place():
    field = Field(teams=2, team_size=6)
    field.give(2, g.FOLLOW, who=0)
    assert asked(field, 2) == {"Distance with teammate 1": "Nearby"}
    field.give(2, g.FOLLOW, who=5)
    assert asked(field, 2) == {"Distance with point": "Nearby"}
    field.goals[2, g.WITHIN] = 2 * s.UNIT
    assert asked(field, 2) == {"Distance with point": "Touch"}


def test_what_a_vector_names_itself_goes_before_its_kind():
    field = Field()
    field.give(0, g.PRONE)
    vector = encode({"Whether prone position": "False", "Whether have shot": "True"})
    field.goals[0, g.VECTOR : g.START] = 1 + vector
    assert asked(field) == {"Whether prone position": "False", "Whether have shot": "True"}


@pytest.mark.parametrize(("metres", "left"), [(0.5, 0.0), (5, 0.2), (15, 0.4), (80, 1.0)])
def test_what_isnt_met_falls_on_the_way_to_a_point(metres, left):
    field = Field()
    field.put(0, 20, 20)
    field.give(0, g.GO, x=20 + metres, y=20)
    assert unmet(field) == pytest.approx(left)


def test_a_network_reads_the_value_the_gap_and_the_way():
    field = Field()
    field.put(0, 20, 20, yaw=0)
    field.give(0, g.GO, x=30, y=20, until=200)
    found = read(field)
    assert found["wanted/Distance with point/asked"] == 1 and found["wanted/Distance with point/value"] == -1
    assert found["wanted/Distance with point/gap"] == pytest.approx(-0.4)
    assert found["way/point/right"] == pytest.approx(1, abs=1e-3) and "way/point/forward" not in found
    assert found["way/point/straight"] == 1 and found["wanted/time left"] == 0.5
    assert {name for name in found if name.startswith("way/")} <= {f"way/point/{part}" for part in
        ("known", "right", "forward", "far", "within 8 m", "straight")}  # fmt: skip


def test_the_way_leads_round_a_wall():
    field = Field()
    field.put(0, 20, 20, yaw=90)
    field.wall(25, 14, depth=12)
    field.give(0, g.GO, x=30, y=20)
    found = read(field)
    assert "way/point/straight" not in found and abs(found["way/point/right"]) > 0.5


def test_rows_that_differ_in_their_goals_alone_read_as_each_does_by_itself():
    """They share what is seen and the way to a point, and rows of other seats or records don't."""
    field = Field(team_size=4)
    field.wall(25, 14, depth=12)
    field.put(0, 20, 20, yaw=90)
    field.put(1, 20, 24, yaw=90)
    field.put(2, 30, 20)
    field.give(0, g.GO, x=30, y=20)
    field.give(1, g.FOLLOW, who=2)  # the same point
    go, follow, nothing = field.goals[0].copy(), field.goals[1].copy(), np.zeros_like(field.goals[0])
    before = field.state.copy()
    field.put(1, 20, 17, yaw=90)
    rows = [(before, 0, go), (before, 0, follow), (before, 0, nothing), (before, 0, go)]
    rows += [(before, 1, follow), (field.state, 1, follow), (field.state, 1, go)]
    states, seats, wished = (np.array(column) for column in zip(*rows, strict=True))
    many = np.zeros((len(rows), features.input_size(before)), np.float32)
    alone = np.zeros_like(many)
    features.encode_many(states, field.world, seats.astype(np.int32), wished, many)
    for row, out in enumerate(alone):
        part = slice(row, row + 1)
        features.encode_many(states[part], field.world, seats[part].astype(np.int32), wished[part], out[None])
    assert np.array_equal(many, alone)
    ways = alone[:, [features.INPUT_NAMES.index(f"way/point/{way}") for way in ("right", "forward")]]
    assert len(np.unique(ways, axis=0)) == 4, "of each place another one, and none without a goal"


def test_only_enemies_that_the_squad_knows_of_are_led_to():
    field = Field()
    field.give(0, g.ATTACK)
    assert "way/enemy/known" not in read(field)
    field.put(0, 20, 20, yaw=90)
    field.put(2, 40, 20)
    field.look()
    found = read(field)
    assert found["way/enemy/known"] == 1 and found["way/enemy/forward"] == pytest.approx(1, abs=1e-3)


def test_directions_are_read_from_where_the_seat_looks():
    field = Field()
    for yaw, right, forward in ((0, 1, 0), (90, 0, 1), (180, -1, 0)):
        field.put(0, 20, 20, yaw=yaw)
        field.give(0, g.FREE)
        field.goals[0, g.VECTOR : g.START] = 1 + encode({"Horizontal direction of movement": "East"})
        found = read(field)
        name = "wanted/Horizontal direction of movement"
        assert found.get(f"{name}/value", 0) == pytest.approx(right, abs=1e-3)
        assert found.get(f"{name}/gap", 0) == pytest.approx(forward, abs=1e-3)


def test_the_zone_supplies_and_mates_are_led_to_where_they_are_asked_for():
    field = Field(team_size=4)
    field.lay(0, 1, 1, 14, 10)
    field.give(0, g.ROTATE)
    assert {name.split("/")[1] for name in read(field) if name.startswith("way/")} == {"zone"}
    field.give(0, g.REGROUP)
    assert {name.split("/")[1] for name in read(field) if name.startswith("way/")} == {"mate"}
    field.knock(2)
    field.give(0, g.RESCUE)
    assert {name.split("/")[1] for name in read(field) if name.startswith("way/")} == {"mate"}
    field.give(0, g.LOOT)
    assert {name.split("/")[1] for name in read(field) if name.startswith("way/")} <= {"supply"}

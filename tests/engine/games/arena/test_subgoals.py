"""The 68 sub-goals: what each says of windows made by hand, how far values are apart, what contradicts."""

from itertools import product

import numpy as np
import pytest

from engine.games.arena import abstraction, aim, rules, subgoals, subgoals_printed
from engine.games.arena import state as s
from engine.games.arena import subgoal_table as table
from engine.games.arena import world as w
from engine.simulation.linking import Compiled
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.acts import Acts

TICKS = 100  # of a window made by hand
NAMES = [subgoal.name for subgoal in table.SUBGOALS]
EDGE = 32767


def opened(state, seat=0):
    out = np.zeros(subgoals.OPENED, np.int16)
    subgoals.opened(state, seat, out)
    return out


def measure(before, field, seat=0, point=(-1, -1)):
    out = np.full(subgoals.COUNT, 99, np.int8)
    subgoals.measure(before, field.state, field.world, seat, *point, out)
    return out


def squad(**where) -> Acts:
    """Seat 0 looks north at (60, 60); mates to the west and south look away; nobody knows of an enemy."""
    field = Acts(teams=2, team_size=4)
    for seat, (x, y, yaw) in enumerate([(60, 60, 0), (55, 60, 270), (60, 75, 180), (60, 90, 180)]):
        field.put(seat, x, y, yaw)
        field.put(4 + seat, 112 + seat, 112, 180)
    field.set(0, weapon=s.PISTOL, magazine=12, ammo=60, medkits=1)
    field.state[s.MEMORY : s.SUPPLY] = -2000
    for seat in range(8):
        field.set(seat, ever=0, ever_2=0)
    field.lay(3, s.VEST, 60, 60, 52)
    field.door(75, 60)
    field.state[s.WHITE_X : s.WHITE_X + 3] = 100 * s.UNIT, 60 * s.UNIT, 10 * s.UNIT
    field.look()
    return field


def enemy(x, y, yaw=180, **values):
    """A change: the first enemy stands there."""

    def change(field):
        field.put(4, x, y, yaw)
        field.set(4, **values)

    return change


def me(x=60.0, y=60.0, yaw=0.0, **values):
    def change(field):
        field.put(0, x, y, yaw)
        field.set(0, **values)

    return change


def mate(number, x, y, yaw=270, **values):
    def change(field):
        field.put(number, x, y, yaw)
        field.set(number, **values)

    return change


def match(place, value):
    return lambda field: field.state.__setitem__(place, value)


def both(*changes):
    return lambda field: [change(field) for change in changes]


def same(field):
    pass


PAIR = both(enemy(60, 50), lambda field: field.put(5, 62, 40, 180))
EMPTY = {"ammo": 0, "magazine": 0, "magazine_2": 0}
MATES = {
    f"{name} {number}{rest}": cases
    for number, far, way, x in (
        (1, "Nearby", "West", 57),
        (2, "Moderate", "South", 60),
        (3, "Far", "South", 60),
    )
    for name, rest, cases in (
        ("Distance with teammate", "", [(same, far), (mate(number, 61, 60), "Touch")]),
        ("Position of teammate", " relative to agent", [(same, way), (mate(number, 70, 50), "NorthEast")]),
        ("Whether closer with teammate", "", [(same, "False"), (mate(number, x, 62), "True")]),
        ("Whether teammate", " on feet", [(same, "True"), (mate(number, 55, 60, life=s.DOWNED), "False")]),
    )
}
CASES = {
    "Damage to enemy": [(same, "Zero"), (me(dealt=60), "Medium")],
    "Whether knock down enemy": [(same, "False"), (me(knocks=1), "True")],
    "Whether kill enemy": [(same, "False"), (me(kills=2), "True")],
    "Whether seen enemy": [(same, "False"), (enemy(60, 50), "True")],
    "Whether seen by enemy": [(enemy(60, 50, 0), "False"), (enemy(60, 50, 180), "True")],
    "Number of enemies have ever seen": [(same, "0"), (PAIR, "2"), (me(ever=1023, ever_2=1023), "15")],
    "Length of distance moved": [(same, "No movement"), (me(60, 30), "Long")],
    "Average velocity": [(same, "Static"), (me(60, 30), "Fast"), (me(airborne=1, vz=-9), "Falling")],
    "Horizontal direction of movement": [(same, None), (me(60, 30), "North"), (me(70, 60), "East")],
    "Horizontal direction of view": [(same, "North"), (me(yaw=225), "Southwest")],
    "Pitch direction of view": [(same, "Medium"), (me(pitch=3000), "Little high"), (me(pitch=-9000), "Low")],
    "Health level": [(same, "Full"), (me(hp=50), "Medium"), (me(life=s.DOWNED), "Empty")],
    "Whether to restore health": [(same, "False"), (me(heals=1), "True"), (me(treat=3), "True")],
    "Whether the health is damaged": [(me(hit_tick=-1), "False"), (me(hit_tick=0), "True")],
    "Whether rescued teammate": [(same, "False"), (me(rescues=1), "True")],
    "Whether be knocked down": [(same, "False"), (me(life=s.DOWNED), "True"), (me(life=s.OUT), "True")],
    "Whether prone position": [(same, "False"), (me(stance=s.PRONE), "True")],
    "Whether have a gun": [(same, "True"), (me(weapon=0), "False")],
    "Whether have bullets": [(same, "True"), (me(**EMPTY), "False")],
    "Whether have medical kits": [(same, "True"), (me(medkits=0), "False")],
    "Distance with nearest enemy": [(same, "Extreme Far"), (enemy(60, 50), "Moderate")],
    "Whether closer with nearest enemy": [(same, "False"), (enemy(60, 50), "True")],
    "Whether crouch position": [(same, "False"), (me(stance=s.CROUCH), "True")],
    "Whether hold a gun": [(same, "True"), (me(slot=1), "False")],
    "Length of distance from agent to teammate": [(same, "Nearby"), (mate(1, 10, 60), "Moderate")],
    "Whether seen by teammate": [(same, "False"), (mate(1, 55, 60, 90), "True")],
    "Teammate’s position relative to agent": [(same, "West"), (mate(1, 65, 60), "East")],
    "Whether follow with the views of teammate": [(same, "False"), (mate(1, 55, 60, 20), "True")],
    "Whether target the same enemy as teammate": [
        (enemy(60, 50), "False"),
        (both(enemy(60, 50), mate(1, 55, 60, 20)), "True"),
    ],
    "Whether follow with the movement direction of teammate": [
        (me(vx=50), "False"),
        (both(me(vx=50), mate(1, 55, 60, vx=50, vy=20)), "True"),
    ],
    "Horizontal direction of movement of enemy": [(same, "None"), (enemy(60, 50, vy=50), "South")],
    "Velocity of enemy": [(same, "None"), (enemy(60, 50, vy=77), "Fast"), (enemy(60, 50), "Static")],
    "Enemy’s position relative to agent": [(same, "None"), (enemy(60, 50), "North")],
    **MATES,
    "Distance with known enemy 1": [(same, None), (PAIR, "Moderate")],
    "Position of known enemy 1 relative to agent": [(same, None), (enemy(50, 50), "Northwest")],
    "Whether aim at known enemy 1": [(same, None), (PAIR, "True"), (both(PAIR, me(yaw=5.7)), "False")],
    "Distance with known enemy 2": [(enemy(60, 50), None), (PAIR, "Moderate")],
    "Position of known enemy 2 relative to agent": [(enemy(60, 50), None), (PAIR, "North")],
    "Whether aim at known enemy 2": [(same, None), (PAIR, "False"), (both(PAIR, me(yaw=5.7)), "True")],
    "Whether have shot": [(me(shot_tick=-1), "False"), (me(shot_tick=0), "True")],
    "Distance with middle of squad": [(same, "Moderate"), (me(59, 75), "Touch")],
    "Distance with white circle": [(same, "Far"), (me(95, 60), "Touch"), (me(87, 60), "Nearby")],
    "Position of white circle relative to agent": [(same, "East"), (me(100, 90), "North")],
    "Whether inside white circle": [(same, "False"), (me(95, 60), "True")],
    "Whether inside blue circle": [(same, "True"), (match(s.BLUE_R, 100), "False")],
    "Whether closer with middle of white circle": [(me(60.4, 60), "False"), (me(61, 60), "True")],
    "Number of supplies picked up": [(same, "Zero"), (me(loots=1), "One"), (me(loots=3), "Several")],
    "Distance with nearest supply": [(same, "Nearby"), (lambda field: field.lay(3, 0, 0, 0, 0), None)],
    "Whether closer with nearest supply": [(me(60, 59.6), "False"), (me(60, 59), "True")],
    "Whether nearest door open": [(same, "False"), (match(s.DOOR, 1), "True")],
    "Distance with nearest door": [(same, "Moderate"), (me(75, 60), "Touch")],
    "Whether in a building": [(same, "False"), (me(75.5, 60.5), "True")],
    "Distance with point": [(same, "Moderate"), (me(60, 5), "Far")],
    "Position of point relative to agent": [(same, "North"), (me(60, 20), "South"), (me(60, 40), None)],
    "Whether closer with point": [(same, "False"), (me(60, 55), "True")],
    "Whether face point": [(same, "True"), (me(yaw=31), "False"), (me(60, 40), None)],
}


@pytest.mark.parametrize("name", NAMES)
def test_every_sub_goal_says_what_a_window_brought(name):
    values = []
    for change, value in CASES[name]:
        field = squad()
        before = opened(field.state)
        field.state[s.TICK] += TICKS
        change(field)
        field.look()
        found = table.decode(measure(before, field, 0, (60 * s.UNIT, 40 * s.UNIT)))
        assert found[name] == value, value
        values.append(value)
    assert len(set(values)) > 1


def test_nearer_and_farther_are_told_apart():
    """With everything known at the start, and with start and end exchanged."""
    field = squad()
    enemy(60, 20)(field)
    field.look()
    early, before = field.state.copy(), opened(field.state)
    field.state[s.TICK] += TICKS
    both(me(60, 55, dealt=30), mate(2, 60, 90))(field)
    field.look()
    point = (60 * s.UNIT, 40 * s.UNIT)
    there = table.decode(measure(before, field, 0, point))
    after = opened(field.state)
    field.state[:] = early
    back = table.decode(measure(after, field, 0, point))
    for name in ("Whether closer with nearest enemy", "Whether closer with point"):
        assert (there[name], back[name]) == ("True", "False")
    assert (there["Whether closer with teammate 2"], back["Whether closer with teammate 2"]) == (
        "False",
        "True",
    )
    assert (there["Damage to enemy"], back["Damage to enemy"]) == ("Little low", "Zero")
    assert (there["Length of distance moved"], back["Length of distance moved"]) == ("Short", "Short")
    way = "Horizontal direction of movement"
    assert (there[way], back[way]) == ("North", "South")


def test_the_printed_ones_are_table_7_in_its_order():
    printed = table.SUBGOALS[: table.PRINTED]
    assert {one.name: one.values for one in printed} == abstraction.SUBGOALS and len(printed) == 33
    assert sum(len(one.values) for one in printed) == 140
    assert not any(one.ours for one in printed) and all(one.ours for one in table.SUBGOALS[33:])
    assert len(set(NAMES)) == table.COUNT == 68 and list(CASES) == NAMES


def test_the_numbers_of_compiled_code_are_those_of_the_table():
    named = {
        subgoals_printed.DAMAGE: "Damage to enemy",
        subgoals_printed.SPEED: "Average velocity",
        subgoals_printed.CROUCH: "Whether crouch position",
        subgoals_printed.ENEMY_WAY: "Enemy’s position relative to agent",
        subgoals.EACH_MATE: "Distance with teammate 1",
        subgoals.EACH_ENEMY: "Distance with known enemy 1",
        subgoals.SHOT: "Whether have shot",
        subgoals.POINT_FACED: "Whether face point",
    }
    assert {NAMES[index]: index for index in named} == {name: index for index, name in named.items()}


def test_every_value_has_a_sentence_of_its_own():
    said = [table.sentence(one.name, value) for one in table.SUBGOALS for value in one.values]
    assert len(said) == len(set(said)) == 293
    assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in said)
    nearby = table.sentence("Length of distance from agent to teammate", "Nearby")
    assert nearby == "I stay 2 to 10 metres from my nearest mate."
    assert table.sentence("Damage to enemy", "Low") == "I take 1 to 20 points of health from enemies."
    with pytest.raises(ValueError):
        table.sentence("Damage to enemy", "Huge")


def test_what_others_do_is_nothing_to_plan():
    """Table 10, rule 5."""
    others = {
        "Whether seen by enemy",
        "Whether the health is damaged",
        "Whether be knocked down",
        "Whether seen by teammate",
        "Horizontal direction of movement of enemy",
        "Velocity of enemy",
        *(f"Whether teammate {number} on feet" for number in (1, 2, 3)),
    }
    assert {name for name, own in zip(NAMES, table.CONTROLLABLE, strict=True) if not own} == others


def test_goals_become_numbers_and_numbers_goals():
    row = table.encode(
        {"Whether crouch position": "True", "Health level": None, "Whether face point": "False"}
    )
    assert row.dtype == np.int8 and (row >= 0).sum() == 2
    named = {name: value for name, value in table.decode(row).items() if value is not None}
    assert named == {"Whether crouch position": "True", "Whether face point": "False"}


# --- Matches ---------------------------------------------------------------------------------------------


def brawl(seed: int, teams: int, team_size: int, ticks: int = 600) -> tuple[list[np.ndarray], np.ndarray]:
    """The states of a match every 20 ticks in which everybody runs about, shoots and picks up at random."""
    sim = Simulation("arena", {"teams": teams, "team_size": team_size, "map_seed": 5}, seed)
    state, random = np.array(sim.state), np.random.default_rng(seed)
    # Everybody begins within 20 m, else few would meet.
    for seat in range(sim.seats):
        at = s.player(seat)
        for field in (s.X, s.Y):
            state[at + field] = 64 * s.UNIT + (int(state[at + field]) - 64 * s.UNIT) // 3
    records, heads = np.zeros((sim.seats, s.RECORD), np.int32), np.zeros((sim.seats, 6), np.int32)
    states = [state.copy()]
    for tick in range(ticks):
        if tick % 6 == 0:
            heads[:] = random.integers(0, s.HEADS, (sim.seats, 6))
            heads[random.random(sim.seats) < 0.5, 4:] = s.ADJUST_FIRE, s.KEEP
        for seat in range(sim.seats):
            aim.resolve(state, sim.world, seat, heads[seat], records[seat])
        rules.step(state, sim.world, records)
        if tick % 20 == 19:
            states.append(state.copy())
    return states, sim.world


@pytest.fixture(scope="module")
def windows():
    """(start, end, world, seat, x, y) of windows of 5 to 20 seconds in four matches."""
    random, found = np.random.default_rng(3), []
    for seed, (teams, size) in enumerate(((2, 1), (2, 2), (3, 3), (5, 4))):
        states, world = brawl(seed, teams, size)
        for _ in range(500):
            start = int(random.integers(0, len(states) - 5))
            end = min(len(states) - 1, start + int(random.integers(5, 21)))
            x, y = (int(place) for place in random.integers(-8000, EDGE, 2))
            found.append(
                (states[start], states[end], world, int(random.integers(teams * size)), x, max(0, y))
            )
    return found


def row_of(window) -> np.ndarray:
    start, end, world, seat, x, y = window
    out = np.zeros(subgoals.COUNT, np.int8)
    subgoals.measure(opened(start, seat), end, world, seat, x, y, out)
    return out


def test_measuring_changes_nothing_and_gives_the_same_again(windows):
    for start, end, world, seat, x, y in windows[::40]:
        before = opened(start, seat)
        kept = [array.copy() for array in (before, start, end)]
        first, again = np.full(68, 9, np.int8), np.full(68, -9, np.int8)
        subgoals.measure(before, end, world, seat, x, y, first)
        subgoals.measure(before, end, world, seat, x, y, again)
        assert np.array_equal(first, again)
        assert all(np.array_equal(*pair) for pair in zip(kept, (before, start, end), strict=True))
        assert np.array_equal(table.encode(abstraction.subgoals(start, end, seat))[:33], first[:33])


def test_plain_python_measures_the_same(windows):
    for start, end, world, seat, x, y in windows[::25]:
        before, row = np.zeros(subgoals.OPENED, np.int16), np.zeros(subgoals.COUNT, np.int8)
        subgoals.opened.py_func(start, seat, before)
        subgoals.measure.py_func(before, end, world, seat, x, y, row)
        assert np.array_equal(before, opened(start, seat))
        assert np.array_equal(row, row_of((start, end, world, seat, x, y)))


def test_every_function_is_compiled_once_for_whole_values_and_once_for_finer_ones(windows):
    row_of(windows[0])
    compiled = [
        one
        for module in (subgoals, subgoals_printed)
        for one in vars(module).values()
        if isinstance(one, Compiled) and one.py_func.__module__ == module.__name__
    ]
    assert len(compiled) > 25
    assert [one.__name__ for one in compiled if len(one.signatures) > 2 and not one.has_door] == []


# --- Squads of all sizes, numbers of all sizes -----------------------------------------------------------

_OF_MATES = [name for name in NAMES if "teammate" in name or name == "Distance with middle of squad"]


def test_who_is_alone_has_no_mates():
    field = Acts(teams=2, team_size=1)
    found = table.decode(measure(opened(field.state), field))
    assert {name: found[name] for name in _OF_MATES if found[name] is not None} == {
        "Whether rescued teammate": "False",
        "Whether seen by teammate": "False",
    }


def test_mates_are_the_first_of_the_squad_without_oneself():
    field = Acts(teams=1, team_size=10)
    for seat in range(10):
        field.put(seat, 20 + 4 * seat, 60)
    found = table.decode(measure(opened(field.state, 1), field, 1))
    ways = [found[f"Position of teammate {number} relative to agent"] for number in (1, 2, 3)]
    assert ways == ["West", "East", "East"]
    assert [found[f"Distance with teammate {number}"] for number in (1, 2, 3)] == [
        "Nearby",
        "Nearby",
        "Nearby",
    ]
    field.set(0, life=s.OUT)
    found = table.decode(measure(opened(field.state, 1), field, 1))
    assert found["Distance with teammate 1"] is None and found["Whether closer with teammate 1"] is None
    assert found["Whether teammate 1 on feet"] == "False" and found["Distance with teammate 2"] == "Nearby"


def test_twenty_squads_of_one_have_enemies_alone():
    sim = Simulation("arena", {"teams": 20, "team_size": 1, "map_seed": 5}, 1)
    state = np.array(sim.state)
    state[s.MEMORY : s.SUPPLY : 3] = 0
    row = np.zeros(subgoals.COUNT, np.int8)
    subgoals.measure(opened(state, 19), state, sim.world, 19, -1, -1, row)
    assert (row[subgoals.EACH_MATE : subgoals.EACH_ENEMY] == -1).all()
    assert (row[subgoals.EACH_ENEMY : subgoals.SHOT] >= 0).all()


def test_no_number_is_too_large_for_its_type():
    """Plain Python would raise."""
    field = squad()
    field.world[0, w.DOOR_SPOTS : w.DOOR_SPOTS + 2] = 127, 127
    corners = list(product((0, EDGE), repeat=2))
    for (x, y), (to_x, to_y), tick in product(corners, corners, (0, EDGE)):
        high = {"dealt": EDGE, "knocks": EDGE, "kills": EDGE, "heals": EDGE, "loots": EDGE, "rescues": EDGE}
        start, end = field.state.copy(), field.state.copy()
        for state, places in ((start, (x, y, to_x, to_y)), (end, (to_x, to_y, x, y))):
            state[s.TICK] = tick if state is end else 0
            state[s.MEMORY : s.SUPPLY : 3] = state[s.TICK]
            state[s.MEMORY + 1 : s.SUPPLY : 3], state[s.MEMORY + 2 : s.SUPPLY : 3] = places[2:]
            for seat in range(8):
                at = s.player(seat)
                state[at + s.X], state[at + s.Y] = places[:2] if seat % 4 == 0 else places[2:]
                for name, value in high.items():
                    state[at + getattr(s, name.upper())] = value if state is end else 0
                state[at + s.YAW], state[at + s.PITCH] = -32768, -16000
        before, plain, fast = (np.zeros(68, kind) for kind in (np.int16, np.int8, np.int8))
        subgoals.opened.py_func(start, 0, before)
        subgoals.measure.py_func(before, end, field.world, 0, EDGE, EDGE, plain)
        subgoals.measure(before, end, field.world, 0, EDGE, EDGE, fast)
        assert np.array_equal(plain, fast)
        found = table.decode(fast)
        assert found["Damage to enemy"] == "High" and found["Number of supplies picked up"] == "Several"
        far = "Touch" if (x, y) == (to_x, to_y) else "Extreme Far"
        assert found["Distance with teammate 1"] == found["Distance with known enemy 1"] == far


# --- Goals -----------------------------------------------------------------------------------------------


def test_gaps_are_distances():
    """0 for the same and only for it, the same there and back, never longer than by a third value."""
    for index, one in enumerate(table.SUBGOALS):
        numbers = range(len(one.values))
        gaps = np.array([[subgoals.gap(index, a, b) for b in numbers] for a in numbers])
        assert ((gaps == 0) == np.eye(len(gaps), dtype=bool)).all() and gaps.max() == 1.0
        assert np.array_equal(gaps, gaps.T)
        assert (gaps[:, None, :] <= gaps[:, :, None] + gaps[None, :, :] + 1e-12).all()
        assert all(subgoals.gap(index, a, -1) == 1.0 for a in numbers)


@pytest.mark.parametrize(
    ("name", "wanted", "value", "gap"),
    [
        ("Damage to enemy", "Zero", "High", 1.0),
        ("Damage to enemy", "Medium", "Low", 0.4),
        ("Horizontal direction of view", "West", "Southwest", 0.25),
        ("Horizontal direction of view", "West", "East", 1.0),
        ("Whether crouch position", "True", "False", 1.0),
        ("Velocity of enemy", "Static", "Fast", 0.75),
        ("Velocity of enemy", "Static", "None", 1.0),
        ("Enemy’s position relative to agent", "West", "Southwest", 0.25),
        ("Enemy’s position relative to agent", "None", "Southwest", 1.0),
    ],
)
def test_a_gap_goes_by_the_scale(name, wanted, value, gap):
    values = table.SUBGOALS[table.INDEX[name]].values
    assert subgoals.gap(table.INDEX[name], values.index(wanted), values.index(value)) == pytest.approx(gap)


def test_how_far_a_goal_is_is_the_mean_over_what_it_selects():
    wanted = table.encode({"Damage to enemy": "Medium", "Whether crouch position": "True"})
    value = table.encode({"Damage to enemy": "Low", "Whether crouch position": "True", "Health level": "Low"})
    assert subgoals.distance(wanted, value) == pytest.approx(0.2)
    assert subgoals.distance(wanted, table.encode({})) == 1.0
    assert subgoals.distance(wanted, wanted) == 0.0 and subgoals.distance(table.encode({}), value) == 0.0
    assert isinstance(subgoals.distance.py_func(wanted, value), np.float32)


def test_contradictions_are_found_and_told_in_words():
    for one, other in table.CONTRADICTIONS:
        for a, b in product(one[1], other[1]):
            row = table.encode({one[0]: a, other[0]: b})
            text = f"“{table.sentence(one[0], a)}” and “{table.sentence(other[0], b)}” don’t go together."
            assert subgoals.contradicts(row) and text in table.contradictions(row)
            row[table.INDEX[other[0]]] = -1
            assert not subgoals.contradicts(row) and table.contradictions(row) == []


@pytest.mark.parametrize(
    ("goal", "contradicts"),
    [
        ({}, False),
        ({"Whether prone position": "True", "Whether crouch position": "True"}, True),
        ({"Whether prone position": "True", "Whether crouch position": "False"}, False),
        ({"Average velocity": "Fast", "Whether prone position": "True"}, True),
        ({"Average velocity": "Fast", "Length of distance moved": "No movement"}, True),
        ({"Average velocity": "Fast", "Length of distance moved": "Very long"}, False),
        ({"Whether have a gun": "False", "Whether hold a gun": "True"}, True),
        ({"Whether seen enemy": "True", "Distance with nearest enemy": "Extreme Far"}, True),
        ({"Whether seen enemy": "False", "Distance with nearest enemy": "Touch"}, False),
        ({"Distance with known enemy 1": "Far", "Distance with known enemy 2": "Nearby"}, True),
    ],
)
def test_goals_that_no_window_ends_with_contradict_themselves(goal, contradicts):
    assert subgoals.contradicts(table.encode(goal)) == contradicts


def test_nothing_measured_contradicts_itself(windows):
    unlikely = table.contradictions(table.encode({name: values[0] for name, values in table.RUN_AND_LIE}))
    rows = np.array([row_of(window) for window in windows])
    told = [line for row in rows for line in table.contradictions(row)]
    assert [line for line in told if line not in unlikely] == []
    # The matches bring most values, and none that the table hasn't.
    assert (rows >= -1).all() and (rows < table.SIZES).all()
    assert sum(len(set(column.tolist()) - {-1}) for column in rows.T) > 190

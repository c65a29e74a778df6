"""Arena in words, and in the sub-goals of Table 7."""

import numpy as np
import pytest

from engine.games.arena import abstraction, words
from engine.games.arena import state as s
from engine.simulation.simulation import Simulation

OPTIONS = {"teams": 2, "team_size": 2, "map_seed": 3, "monsters": 0}


@pytest.fixture
def sim() -> Simulation:
    return Simulation("arena", OPTIONS, seed=9)


def put(sim: Simulation, seat: int, **fields: int) -> None:
    for name, value in fields.items():
        sim._state[int(s.player(seat)) + getattr(s, name.upper())] = value


def tell(sim: Simulation, kind: int, seat: int, other: int, value: int = 0) -> None:
    at = int(s.player(max(seat, other, 0)))
    sim._state[s.EVENTS_BEFORE] = sim._state[s.EVENT_COUNT]
    s.tell(sim._state, kind, seat, other, *(int(sim._state[at + f]) for f in (s.X, s.Y, s.Z)), value)


@pytest.mark.parametrize(
    ("event", "reader", "text"),
    [
        ((s.HIT, 0, 2, 23), 0, "You hit Player 3 for 23 points."),
        ((s.HIT, 0, 2, 23), None, "Player 1 hit Player 3 for 23 points."),
        ((s.KNOCK, 2, 1), None, "Player 3 knocked Player 2 down."),
        ((s.KILL, 2, 0), 0, "Player 3 put you out."),
        ((s.KILL, -1, 1), 0, "Bleeding put Player 2 out."),
        ((s.RESCUED_EVENT, 1, 0), 0, "Player 2 helped you up."),
        ((s.PICKED, 0, -1, s.RIFLE), 0, "You picked up a rifle."),
        ((s.PICKED, 0, -1, s.BULLETS), 1, "Player 1 picked up bullets."),
        ((s.DROPPED, 0, -1, s.PISTOL), 0, "You dropped a pistol."),
        ((s.TREATED, 0, -1, 45), 0, "You got 45 points of health back."),
        ((s.RELOADED, 1, -1, 12), 0, "Player 2 reloaded."),
        ((s.DOOR_EVENT, 0, 3, 1), 0, "You opened a door."),
        ((s.MONSTER_BITES, -1, 0), 0, "A monster bit you."),
        ((s.ZONE_MOVES, -1, -1, 1), 3, "The zone begins to close."),
        ((s.WIN, -1, -1, 1), None, "Team 2 has won."),
        ((s.STEP, 0, -1, 1), 0, ""),
    ],
)
def test_what_happened_is_one_sentence(sim, event, reader, text):
    tell(sim, *event)
    assert words.last_move_text(sim.state, reader) == text


def test_nobody_is_told_what_they_neither_see_nor_hear(sim):
    tell(sim, s.PICKED, 3, -1, s.RIFLE)
    assert words.last_move_text(sim.state, 0) == ""
    assert words.last_move_text(sim.state, None) == "Player 4 picked up a rifle."


def test_a_seat_says_what_it_sees_without_numbers(sim):
    text = words.observation_text(sim.state, 0)
    assert text.startswith("I am standing, not moving, and look ")
    assert "My health is full. I have a loaded pistol in my hands" in text
    assert "My teammate Player 2 is" in text and text.endswith("2 teams are left.")
    put(sim, 0, life=s.DOWNED)
    assert words.observation_text(sim.state, 0).startswith("I have been knocked down and wait for help.")
    put(sim, 0, life=s.OUT)
    assert words.observation_text(sim.state, 0) == "I am out. 2 teams are left."


@pytest.mark.parametrize(
    ("heads", "text"),
    [
        ([0, 0, 1, s.B_RUN, s.PICK, 0], "run ahead"),
        ([4, 4, 1, s.B_NONE, s.FIRE, 2], "walk to the right, turn to the right and fire"),
        ([0, 15, 1, s.B_STOP, s.RELOADING, 2], "stand still, turn a little to the left and reload"),
        ([0, 0, 1, s.B_STOP, s.ADJUST_FIRE, 2], "stop, aim and fire"),
        ([0, 0, 1, s.B_PRONE, s.PICK, 0], "lie down or get up"),
    ],
)
def test_actions_are_told_from_heads_and_from_records(sim, heads, text):
    assert words.action_text(sim.state, 0, heads) == text
    assert words.action_text(sim.state, 0, sim.resolve(0, heads)).startswith(
        text.split(",")[0].split(" and")[0]
    )


def test_why_an_action_is_refused(sim):
    def why(body: int = s.B_STOP, basic: int = s.PICK, switch: int = 2) -> str:
        return words.why_illegal(sim.state, 0, [0, 0, 1, body, basic, switch])

    assert why() == ""
    assert why(body=s.B_RESCUE) == "There is nobody to help up within reach."
    assert why(body=s.B_SLIDE) == "You can slide only while you walk or run."
    assert why(basic=s.TREATING) == "You are in full health."
    assert why(basic=s.RELOADING) == "Your magazine is full."
    assert why(switch=1) == "There is no weapon in that slot."
    assert "6 heads or 9 numbers" in words.why_illegal(sim.state, 0, [1])
    assert "it is 0 to 15" in words.why_illegal(sim.state, 0, [16, 0, 1, 1, 3, 2])
    put(sim, 0, life=s.DOWNED)
    assert why(basic=s.FIRE).startswith("You have been knocked down")
    put(sim, 0, life=s.OUT)
    assert why() == "You are out."


def test_every_refused_choice_of_a_match_has_a_reason(sim):
    mask, at = sim.legal(0), 0
    for head, size in enumerate(s.HEADS):
        for choice in range(size):
            heads = [0, 0, 1, s.B_STOP, s.PICK, 2]
            heads[head] = choice
            assert bool(words.why_illegal(sim.state, 0, heads)) == (not mask[at + choice])
        at += size


def test_table_7_is_spelled_as_printed():
    table = abstraction.SUBGOALS
    assert len(table) == 33
    assert sum(len(values) for values in table.values()) == 140
    assert table["Damage to enemy"] == ("Zero", "Low", "Little low", "Medium", "Little high", "High")
    assert "NorthEast" in table["Horizontal direction of view"]
    assert table["Velocity of enemy"][-1] == "None"


def test_sub_goals_come_from_two_states_and_are_values_of_the_table(sim):
    start = np.array(sim.state)
    for _ in range(40):
        sim.step([sim.resolve(0, [0, 0, 1, s.B_RUN, s.PICK, 0]), *(sim.idle(seat) for seat in (1, 2, 3))])
    for seat in range(4):
        found = abstraction.subgoals(start, sim.state, seat)
        assert list(found) == list(abstraction.SUBGOALS)
        assert all(value is None or value in abstraction.SUBGOALS[name] for name, value in found.items())
    mine, other = (abstraction.subgoals(start, sim.state, seat) for seat in (0, 1))
    assert (other["Length of distance moved"], other["Average velocity"]) == ("No movement", "Static")
    assert mine["Length of distance moved"] in ("Short", "Medium")
    assert mine["Damage to enemy"] == "Zero" and mine["Health level"] == "Full"


def test_sub_goals_follow_what_a_player_does(sim):
    start = np.array(sim.state)
    at = int(s.player(0))
    x, y = int(start[at + s.X]), int(start[at + s.Y])
    put(sim, 1, x=x - 5 * s.UNIT, y=y)
    put(sim, 0, stance=s.PRONE, dealt=60, knocks=1, hp=50, heals=1, yaw=16384, pitch=3000, medkits=0)
    sim._state[s.TICK] = 100
    found = abstraction.subgoals(start, sim.state, 0)
    wanted = {
        "Damage to enemy": "Medium",
        "Whether knock down enemy": "True",
        "Whether kill enemy": "False",
        "Whether prone position": "True",
        "Whether crouch position": "False",
        "Health level": "Medium",
        "Whether to restore health": "True",
        "Horizontal direction of view": "East",
        "Pitch direction of view": "Little high",
        "Whether have medical kits": "False",
        "Whether have a gun": "True",
        "Length of distance from agent to teammate": "Nearby",
        "Teammate’s position relative to agent": "West",
        "Horizontal direction of movement": None,
        "Enemy’s position relative to agent": found["Enemy’s position relative to agent"],
    }
    assert {name: found[name] for name in wanted} == wanted
    entry = s.MEMORY + 3 * 2
    sim._state[entry : entry + 3] = [100, x, y - 20 * s.UNIT]
    found = abstraction.subgoals(start, sim.state, 0)
    assert found["Distance with nearest enemy"] == "Moderate"
    assert found["Enemy’s position relative to agent"] == "North"

"""What agents do for people of their squad until they are told something: they stay, cover and help up."""

from engine import language
from engine.games.arena import goals
from engine.games.arena import state as s
from engine.simulation.simulation import Simulation

OPTIONS = {"teams": 2, "team_size": 4, "monsters": 0, "map_seed": 3, "pace": "calm"}


def begun() -> tuple[Simulation, dict]:
    sim = Simulation("arena", OPTIONS, seed=4)
    return sim, language.defaults("arena", sim.options, [0])


def put(sim, seat, **fields):
    for name, value in fields.items():
        sim._state[s.player(seat) + getattr(s, name)] = value


def goal(sim, *programs, seat=1):
    asked = language.goals("arena", list(programs), sim, seat)
    return goals.NAMES[asked[goals.KIND]], int(asked[goals.WHO])


def test_agents_stay_with_the_people_of_their_squad_alone():
    options = Simulation("arena", OPTIONS, seed=1).options
    assert sorted(language.defaults("arena", options, [0])) == [1, 2, 3]
    several = language.defaults("arena", options, [0, 1, 5])
    first = {seat: [one["who"] for one in program["clauses"]] for seat, program in several.items()}
    assert first == {2: [0, 1], 3: [1, 0], 4: [5], 6: [5], 7: [5]}
    assert language.defaults("arena", options, []) == language.defaults("hanabi", {}, [0]) == {}
    assert several[2]["reading"].startswith("I stay with you")


def test_they_cover_and_help_up_whom_they_stay_with_and_leave_what_kills_them():
    sim, defaults = begun()
    assert goal(sim, defaults[1]) == ("cover", 0)
    x, y = (int(sim.state[s.player(0) + field]) for field in (s.X, s.Y))
    put(sim, 1, X=x + 64, Y=y)
    put(sim, 0, LIFE=s.DOWNED)
    assert goal(sim, defaults[1]) == ("rescue", 0)
    put(sim, 0, LIFE=s.UP)
    assert goal(sim, defaults[1]) == ("cover", 0)
    sim._state[s.BLUE_R] = sim._state[s.WHITE_R] = 256
    assert goal(sim, defaults[1])[0] == "rotate"


def test_they_take_what_lies_at_hand_while_no_enemy_is_about():
    sim, defaults = begun()
    x, y = (int(sim.state[s.player(0) + field]) for field in (s.X, s.Y))
    for supply in range(s.SUPPLIES):
        sim._state[s.SUPPLY + 4 * supply] = 0
    for metres, kind in ((15, "cover"), (6, "loot")):
        put(sim, 1, X=x + metres * s.UNIT - 64, Y=y)
        sim._state[s.SUPPLY : s.SUPPLY + 4] = s.RIFLE, 30, x + metres * s.UNIT, y
        assert goal(sim, defaults[1])[0] == kind, metres
    team, enemy = int(sim.state[s.player(1) + s.TEAM]), 5
    sim._state[s.MEMORY + 3 * (s.MAX_SEATS * team + enemy)] = sim.tick
    assert goal(sim, defaults[1]) == ("cover", 0)


def test_who_is_out_is_followed_no_longer_and_the_next_one_is():
    sim, _ = begun()
    two = language.defaults("arena", sim.options, [0, 1])[2]
    put(sim, 0, LIFE=s.OUT)
    assert goal(sim, two, seat=2) == ("cover", 1)
    put(sim, 1, LIFE=s.OUT)
    assert goal(sim, two, seat=2)[0] == "none"


def test_an_instruction_replaces_it_for_as_long_as_it_is_in_force():
    sim, defaults = begun()
    told = {**language.read("arena", "hold here", {"seat": 0}).program, "since_tick": 0, "from_seat": 0}
    quiet = {**language.read("arena", "hold your fire", {"seat": 0}).program, "since_tick": 0, "from_seat": 0}
    assert goal(sim, defaults[1], told)[0] == "hold"
    assert goal(sim, defaults[1]) == ("cover", 0)
    asked = language.goals("arena", [defaults[1], quiet], sim, 1)
    assert goals.NAMES[asked[goals.KIND]] == "cover" and asked[goals.FLAGS] & goals.QUIETLY

"""What a squad can do next, for planners: by what it knows, in programs that are carried out whole."""

import time
from dataclasses import replace

import pytest

from engine import language
from engine.games.arena import planning
from engine.games.arena import state as s
from engine.games.arena.language.declared import DECLARED
from engine.games.plans import Wanted
from engine.language.declared import parse
from engine.planning.planners.search import plan
from engine.planning.running import Running
from engine.planning.steps import carried
from engine.simulation.simulation import Simulation

OPTIONS = {"teams": 2, "team_size": 4, "monsters": 0, "map_seed": 3, "pace": "calm"}
SQUAD = Wanted((0, 1, 2, 3))


def match(**options) -> Simulation:
    """A match in which no squad knows of another and nothing lies about."""
    sim = Simulation("arena", {**OPTIONS, **options}, seed=4)
    sim._state[s.TICK] = 2000
    sim._state[s.MEMORY : s.SUPPLY] = 0
    sim._state[s.SUPPLY : s.SUPPLY + 4 * s.SUPPLIES] = 0
    for seat in range(sim.seats):
        put(sim, seat, SIGHT=0, SIGHT_2=0, SEES=0, SEES_2=0)
    return sim


def put(sim, seat, **fields):
    for name, value in fields.items():
        sim._state[s.player(seat) + getattr(s, name)] = value


def spot(sim, seat):
    return tuple(int(sim.state[s.player(seat) + field]) for field in (s.X, s.Y))


def lies(sim, kind, seat, metres):
    """Something lies so many metres to the east of a seat."""
    x, y = spot(sim, seat)
    sim._state[s.SUPPLY : s.SUPPLY + 4] = kind, 30, x + metres * s.UNIT, y


def seen(sim, team, enemy, seat, metres, ago=0):
    """A team saw an enemy so many metres to the east of a seat."""
    x, y = spot(sim, seat)
    entry = s.MEMORY + 3 * (s.MAX_SEATS * team + enemy)
    sim._state[entry : entry + 3] = int(sim.state[s.TICK]) - ago, x + metres * s.UNIT, y


def arm(sim, *seats):
    for seat in seats:
        put(sim, seat, WEAPON=s.RIFLE, MAGAZINE=30, AMMO=120)


def offered(sim, seat=0, wanted=SQUAD):
    """The programs that a seat can do next in a plan for it alone, with their options."""
    world = planning.world(sim, replace(wanted, seats=(seat,)))
    assert world.turn() == seat
    return {option.program: option for option in world.options()}


def steps(sim, wanted=SQUAD):
    return [(step.seat, step.program) for step in plan(sim, wanted).steps]


# --- What can be done ------------------------------------------------------------------------------------


def test_who_lacks_a_gun_takes_the_nearest_that_lies_about():
    sim = match()
    arm(sim, 0, 1, 3)
    lies(sim, s.RIFLE, 2, 8)
    option = offered(sim, 2)["loot what=gun"]
    x, y = spot(sim, 2)
    assert option.place == (round(x / s.UNIT) + 8, round(y / s.UNIT))
    assert 30 < option.ticks < 90
    assert "loot what=gun" in [program for seat, program in steps(sim) if seat == 2]


def test_what_a_nearer_mate_wants_is_left_to_it():
    sim = match()
    lies(sim, s.RIFLE, 2, 1)
    assert [seat for seat in range(4) if "loot what=gun" in offered(sim, seat)] == [2]


def test_who_knows_of_no_gun_looks_in_a_house():
    sim = match()
    option = offered(sim, 1)["loot at=house"]
    assert list(option.place) in [
        thing["place"] for thing in planning.things(sim) if thing["name"] == "house"
    ]
    arm(sim, 1)
    assert "loot at=house" not in offered(sim, 1)


def test_one_looks_for_enemies_and_the_others_cover_it():
    sim = match()
    arm(sim, 0, 1, 2, 3)
    put(sim, 3, HP=40)
    firsts = dict(reversed(steps(sim)))
    scouts = [seat for seat, program in firsts.items() if program == "scout"]
    assert len(scouts) == 1
    assert scouts != [3]
    assert f"cover whom={scouts[0] + 1} seconds=10" in firsts.values()


def test_an_enemy_near_by_is_fought_before_all_else():
    sim = match()
    lies(sim, s.RIFLE, 0, 3)
    seen(sim, 0, 5, 0, 20)
    programs = offered(sim)
    assert "attack" in programs
    assert "loot what=gun" not in programs
    assert "scout" not in programs
    assert {program for _, program in steps(sim)} >= {"attack"}


def test_an_enemy_whom_the_squad_did_not_see_changes_nothing():
    sim = match()
    arm(sim, 0)
    before = offered(sim)
    x, y = spot(sim, 0)
    put(sim, 5, X=x + 512, Y=y)
    seen(sim, 1, 0, 0, 0)  # the others' memory
    after = offered(sim)
    assert {name: (one.ticks, one.place) for name, one in after.items()} == {
        name: (one.ticks, one.place) for name, one in before.items()
    }


def test_what_lies_out_of_sight_is_not_known():
    sim = match()
    lies(sim, s.RIFLE, 0, 40)
    assert "loot what=gun" not in offered(sim)


def test_who_is_nearest_helps_up_who_is_down_and_nothing_else():
    sim = match()
    x, y = spot(sim, 0)
    for seat, metres in ((1, 3), (2, 12), (3, 15)):
        put(sim, seat, X=x + metres * s.UNIT, Y=y)
    put(sim, 0, LIFE=s.DOWNED, HP=80)
    world = planning.world(sim, SQUAD)
    assert world.turn() == 1
    assert [option.program for option in world.options()] == ["rescue whom=1"]
    made = plan(sim, SQUAD).steps
    rescues = [step for step in made if step.program.startswith("rescue")]
    assert [(step.seat, step.place) for step in rescues] == [(1, (round(x / s.UNIT), round(y / s.UNIT)))]


def test_who_was_helped_up_treats_itself_after_that():
    sim = match()
    x, y = spot(sim, 0)
    put(sim, 1, X=x + 512, Y=y)
    put(sim, 0, LIFE=s.DOWNED, HP=80, MEDKITS=1)
    made = plan(sim, SQUAD).steps
    heals = [step for step in made if (step.seat, step.program) == (0, "heal")]
    assert [made[index].program for step in heals for index in step.after] == ["rescue whom=1"]


def test_who_is_out_of_the_white_circle_goes_there_in_time():
    sim = match()
    sim._state[s.WHITE_X : s.WHITE_R + 1] = 64 * s.UNIT, 64 * s.UNIT, 5 * s.UNIT
    sim._state[s.PHASE_LEFT] = 60
    option = offered(sim)["rotate"]
    assert abs(option.place[0] - 64) <= 5
    assert abs(option.place[1] - 64) <= 5
    sim._state[s.WHITE_R] = 90 * s.UNIT
    assert "rotate" not in offered(sim)


def test_who_is_far_from_the_others_comes_back_to_them():
    sim = match()
    arm(sim, 0, 1, 2, 3)
    x, y = spot(sim, 0)
    for seat in (1, 2, 3):
        put(sim, seat, X=x - 30 * s.UNIT if x > 64 * s.UNIT else x + 30 * s.UNIT, Y=y)
    assert "regroup" in offered(sim, 0)
    assert "regroup" not in offered(match(), 0)


# --- What is wanted --------------------------------------------------------------------------------------


def test_what_somebody_is_told_to_keep_from_is_not_offered():
    sim = match()
    arm(sim, 0, 1)
    banned = {0: tuple(parse(DECLARED, "cover whom=2 ; scout"))}
    programs = offered(sim, 0, replace(SQUAD, banned=banned))
    assert "cover whom=2 seconds=10" not in programs
    assert "scout" not in programs
    assert "cover whom=3 seconds=10" in programs
    assert "scout" in offered(sim, 1, replace(SQUAD, banned=banned))


def test_what_was_asked_of_all_comes_first():
    sim = match()
    goal = tuple(parse(DECLARED, "go at=house"))
    made = plan(sim, replace(SQUAD, goal=goal))
    assert {step.seat for step in made.steps if step.program == "go at=house"} == {0, 1, 2, 3}
    there = next(step.place for step in made.steps if (step.seat, step.program) == (0, "go at=house"))
    put(sim, 0, X=there[0] * s.UNIT, Y=there[1] * s.UNIT)
    assert "go at=house" not in offered(sim, 0, replace(SQUAD, goal=goal))  # it would be over at once
    lasting = replace(SQUAD, goal=tuple(parse(DECLARED, "crouch ; fire")))
    assert "crouch seconds=10" in offered(sim, 0, lasting)
    assert "fire" not in offered(sim, 0, lasting)


def test_ways_take_as_many_times_as_long_as_they_took_so_far():
    sim = match()
    arm(sim, 0, 1, 3)
    lies(sim, s.RIFLE, 2, 8)
    slow = offered(sim, 2, replace(SQUAD, pace={"loot": 2.0}))["loot what=gun"]
    assert slow.ticks == pytest.approx(2 * offered(sim, 2)["loot what=gun"].ticks)
    person = offered(sim, 2, replace(SQUAD, slow={2: 2.0}))["loot what=gun"]
    assert person.ticks == slow.ticks


def test_what_others_are_busy_with_is_not_planned():
    sim = match()
    wanted = replace(SQUAD, seats=(1, 3), busy=frozenset({0, 2}), people=frozenset({1}))
    assert {seat for seat, _ in steps(sim, wanted)} == {1, 3}


# --- Every match -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("teams", "size"), [(2, 4), (5, 4), (3, 2), (2, 1), (20, 1)])
def test_every_program_is_carried_out_whole_in_squads_of_every_size(teams, size):
    sim = Simulation("arena", {**OPTIONS, "teams": teams, "team_size": size}, seed=teams)
    for side in (0, teams - 1):
        seats = tuple(range(side * size, side * size + size))
        world = planning.world(sim, Wanted(seats))
        depth = 0
        while world.turn() is not None:
            options = world.options()
            assert 1 <= len(options) <= 8
            assert all(option.ticks > 0 for option in options)
            for option in options:
                assert option.program or depth  # at first, everybody has something to do
                assert not option.program or carried("arena", option.program)
            assert hash(world.key()) is not None
            world = options[depth % len(options)].then
            depth += 1
        assert 0 < depth < 60


def test_a_plan_goes_on_through_a_match():
    sim = Simulation("arena", OPTIONS, seed=9)
    defaults = language.defaults("arena", sim.options, [0])
    seats = [{"kind": "person" if seat == 0 else "agent"} for seat in range(sim.seats)]
    header = {"game": "arena", "options": sim.options, "seats": seats}
    running = Running(header | {"defaults": {str(seat): one for seat, one in defaults.items()}})
    running.note({"type": "plan_edit", "tick": 0, "seat": 0, "side": 0, "do": "on"})
    records = []
    for _ in range(60):
        records += running.look(sim)
        goals = [language.goals("arena", running.told.programs(seat), sim, seat) for seat in (1, 2, 3)]
        assert all(goal.any() for goal in goals)
        sim.step([sim.idle(seat) for seat in range(sim.seats)])
    made = [record for record in records if record["type"] == "plan"]
    assert 1 <= len(made) < 20
    assert {step["seat"] for step in made[0]["steps"]} == {0, 1, 2, 3}


def test_it_is_quick():
    sim = Simulation("arena", {**OPTIONS, "teams": 5}, seed=2)
    world = planning.world(sim, SQUAD)
    world.options()
    took = []
    for work in (lambda: planning.world(sim, SQUAD), world.options):
        begin = time.process_time()
        for _ in range(20):
            work()
        took.append((time.process_time() - begin) / 20)
    assert took[0] < 0.02
    assert took[1] < 0.002


def test_things_are_those_that_every_squad_knows_of():
    sim = match()
    things = planning.things(sim)
    assert [thing["name"] for thing in things[:2]] == ["white circle", "house"]
    lies(sim, s.RIFLE, 0, 3)
    put(sim, 5, X=0, Y=0)
    assert planning.things(sim) == things
    assert all(0 <= place < s.SIDE for thing in things for place in thing["place"])

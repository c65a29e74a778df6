"""Squad instructions obeyed in live matches by scripted mates, against the same mates untold."""

import weakref

import numpy as np
import pytest

from engine import language
from engine.agents.catalogue import load
from engine.agents.policy import choose
from engine.games.arena import goals
from engine.games.arena import state as s
from engine.games.arena.language.carried import carried
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.language.kept import KNOWN
from engine.games.arena.language.places import point
from engine.games.arena.language.programs import clause
from engine.games.arena.language.standing import order
from engine.games.arena.world import FLOOR, KINDS
from engine.language.declared import parse
from engine.simulation.simulation import Simulation

OPTIONS = {"teams": 2, "team_size": 4, "map_seed": 3, "monsters": 0, "pace": "long"}
EVERY = 4


@pytest.fixture(scope="module")
def strong():
    return load("arena/strong", "arena", OPTIONS)


def match(seed: int = 9) -> Simulation:
    return Simulation("arena", OPTIONS, seed=seed)


def program(asked: str | dict, sim: Simulation, aim: dict | None = None, **more) -> dict:
    """The program of what is asked: in notation, or one clause of a program."""
    if isinstance(asked, dict):
        own = {"game": "arena", "version": 1, "clauses": [asked], "reading": ""}
    else:
        own = carried(parse(DECLARED, asked), aim).program
    return {**own, "since_tick": sim.tick, "from_seat": 0, **more}


def field(sim: Simulation, seat: int, name: int) -> int:
    return int(sim.state[int(s.player(seat)) + name])


def put(sim: Simulation, seat: int, **fields: int) -> None:
    for name, value in fields.items():
        sim._state[int(s.player(seat)) + getattr(s, name.upper())] = value


def place(sim: Simulation, seat: int) -> np.ndarray:
    return np.array([field(sim, seat, s.X), field(sim, seat, s.Y)])


def metres(sim: Simulation, a: int, b: int) -> float:
    return float(np.linalg.norm(place(sim, a) - place(sim, b))) / s.UNIT


def play(sim: Simulation, policy, programs: list[dict], ticks: int, seats=(1, 2, 3), until=None) -> list[str]:
    """Step with seat 0 and the enemies idle; the states of the first instruction for seat 1 on the way."""
    states = []
    for tick in range(ticks):
        if tick % EVERY == 0:
            if programs:
                states.append(language.progress("arena", programs[0], sim, 1)["state"])
            asked = np.stack([language.goals("arena", programs, sim, seat) for seat in seats])
            masks = np.stack([sim.legal(seat) for seat in seats])
            rows = np.repeat(sim.state[None], len(seats), axis=0)
            logits = policy.logits_many(rows, np.array(seats, np.int32), masks, sim.world, asked)
            chosen = dict(zip(seats, choose(logits, heads=sim.spec.heads), strict=True))
        joint = [sim.resolve(i, chosen[i]) if i in chosen else sim.idle(i) for i in range(sim.seats)]
        sim.step(joint)
        if until is not None and until(sim):
            break
    return states


def goal(asked: str, sim: Simulation, seat: int = 1, **more) -> dict[str, int]:
    record = language.goals("arena", [program(asked, sim, **more)], sim, seat)
    names = ("kind", "who", "x", "y", "until", "flags")
    return dict(zip(names, (int(n) for n in record), strict=False))


# --- What becomes of an instruction ----------------------------------------------------------------------


def test_nothing_asked_is_no_goal():
    assert not language.goals("arena", [], match(), 1).any()


@pytest.mark.parametrize(
    ("asked", "kind", "who"),
    [
        ("follow whom=me", goals.FOLLOW, 0),
        ("follow whom=4", goals.FOLLOW, 3),
        ("hold at=here", goals.HOLD, -1),
        ("go at=there", goals.GO, -1),
        ("go whom=me", goals.GO, 0),
        ("attack", goals.ATTACK, -1),
        ("attack whom=6", goals.ATTACK, 5),
        ("cover whom=me", goals.COVER, 0),
        ("cover whom=3", goals.COVER, 2),
        ("help whom=me", goals.COVER, 0),
        ("take_cover", goals.TAKE_COVER, -1),
        ("loot", goals.LOOT, -1),
        ("heal", goals.HEAL, -1),
        ("prone", goals.PRONE, -1),
        ("hold_fire", goals.HOLD_FIRE, -1),
        ("rotate", goals.ROTATE, -1),
        ("regroup", goals.REGROUP, -1),
        ("retreat", goals.RETREAT, -1),
        ("crouch", goals.CROUCH, -1),
        ("take_cover behind=rock", goals.HOLD, -1),
    ],
)
def test_every_kind_of_wish_becomes_a_goal_of_the_match(asked, kind, who):
    sim = match()
    if kind == goals.HEAL:
        put(sim, 1, hp=40)
    if kind == goals.REGROUP:
        put(sim, 1, x=field(sim, 1, s.X) + 40 * s.UNIT)
    if kind == goals.RETREAT:
        entry = s.MEMORY + 3 * 5  # team 0 knows of seat 5, nearby
        sim._state[entry : entry + 3] = [0, *place(sim, 1)]
    if asked == "go whom=me":
        put(sim, 0, x=field(sim, 0, s.X) + 10 * s.UNIT)
    if kind == goals.ROTATE:
        sim._state[s.WHITE_X], sim._state[s.WHITE_R] = 2000, 1000
    found = goal(asked, sim)
    assert (found["kind"], found["who"]) == (kind, who)


def test_helping_up_is_answered_at_once_where_nobody_is_down_and_waits_for_it():
    sim = match()
    ours = program("rescue whom=mate", sim)

    def told(seat: int = 1) -> dict:
        return language.progress("arena", ours, sim, seat)

    assert told() == {"state": "waiting", "text": "nobody is down"}
    assert not language.goals("arena", [ours], sim, 1).any(), "it goes on as it sees fit"
    mine = program("rescue whom=me", sim)
    assert language.progress("arena", mine, sim, 1) == {"state": "waiting", "text": "you are not down"}
    put(sim, 3, life=s.DOWNED)
    assert goal("rescue whom=mate", sim)["kind"] == goals.RESCUE
    assert told()["text"] in ("on the way to help", "can't help yet")
    put(sim, 1, life=s.DOWNED)
    assert told() == {"state": "unable", "text": "down"}
    put(sim, 2, life=s.OUT)
    assert told(2) == {"state": "out", "text": "out"}


@pytest.mark.parametrize(
    ("asked", "doing"),
    [
        ("by=2 hold", {1}),
        ("by=2 by=4 hold", {1, 3}),
        (clause("hold", to="mate 2"), {1}),  # number 2 of the squad
        ("hold", {1, 2, 3}),
    ],
)
def test_an_instruction_is_for_exactly_those_who_are_named(asked, doing):
    sim = match()
    told = program(asked, sim)
    left = {seat for seat in (1, 2, 3) if language.remaining("arena", [told], sim, seat)[0]}
    assert left == doing


def test_ways_of_doing_are_flags():
    sim = match()
    assert goal("follow whom=me ; hold_fire", sim)["flags"] == goals.QUIETLY
    assert goal("hold ; crouch", sim)["flags"] == goals.CROUCHED
    assert goal("go at=there how=lying", sim)["flags"] == goals.LYING
    assert goal("go at=house how=hurrying", sim)["flags"] == goals.HURRYING


def test_time_runs_out():
    sim = match()
    told = [program("hold seconds=2", sim)]
    assert language.goals("arena", told, sim, 1)[goals.UNTIL] == 40
    for _ in range(41):
        sim.step([sim.idle(seat) for seat in range(sim.seats)])
    assert not language.goals("arena", told, sim, 1).any()
    assert language.progress("arena", told[0], sim, 1)["state"] == "done"


def test_there_is_where_the_speaker_looks_or_what_they_clicked():
    sim = match()
    put(sim, 0, yaw=16384, pitch=0)  # east
    there = goal("go at=there", sim)
    assert there["x"] > field(sim, 0, s.X) + s.UNIT
    assert abs(there["y"] - field(sim, 0, s.Y)) <= 6 * s.UNIT
    put(sim, 0, yaw=-16384)
    assert goal("go at=there", sim, since_tick=1)["x"] < field(sim, 0, s.X)
    clicked = program("go at=there", sim, {"x": 16000, "y": 16000, "seat": None})
    record = language.goals("arena", [clicked], sim, 1)
    assert np.abs(record[goals.X : goals.Y + 1] - 16000).max() < 6 * s.UNIT


def test_directions_and_houses_are_points_where_one_can_stand():
    sim = match()
    kinds = sim.world[0, KINDS : KINDS + s.CELLS]
    north = goal("go at=north metres=10", sim)
    assert field(sim, 1, s.Y) - north["y"] > 5 * s.UNIT
    house = goal("go at=house", sim)
    assert kinds[(house["y"] >> 8) * s.SIDE + (house["x"] >> 8)] == FLOOR
    for name in ("rock", "wall", "bush", "water", "door", "hill"):
        for asked in (f"go at={name}", f"take_cover behind={name}"):
            x, y = point(sim, 1, 0, program(asked, sim)["clauses"][0])
            assert 0 < x < 32768 and 0 < y < 32768


def test_that_one_is_the_enemy_whom_the_speaker_looks_at():
    sim = match()
    for enemy, east in ((5, 10), (6, -10)):
        entry = s.MEMORY + 3 * enemy
        sim._state[entry : entry + 3] = [0, field(sim, 0, s.X) + east * s.UNIT, field(sim, 0, s.Y)]
    put(sim, 0, yaw=16384)
    assert goal("attack whom=aim", sim)["who"] == 5
    put(sim, 0, yaw=-16384)
    assert goal("attack whom=aim", sim, since_tick=1)["who"] == 6
    put(sim, 0, hit_by=8)
    assert goal("attack whom=shooter", sim)["who"] == 7


def test_help_is_to_get_up_who_is_down_and_else_to_cover():
    sim = match()
    told = [program("help whom=me", sim)]
    assert language.goals("arena", told, sim, 1)[goals.KIND] == goals.COVER
    put(sim, 0, life=s.DOWNED)
    assert language.goals("arena", told, sim, 1)[goals.KIND] == goals.RESCUE


def test_only_those_who_are_meant_do_it():
    sim = match()
    F = goals.FOLLOW

    def kinds(asked: str | dict) -> list[int]:
        return [int(language.goals("arena", [program(asked, sim)], sim, seat)[0]) for seat in range(8)]

    assert kinds("follow whom=me") == [0, F, F, F, 0, 0, 0, 0]
    assert kinds("by=3 follow whom=me") == [0, 0, F, 0, 0, 0, 0, 0]
    assert kinds(clause("follow", to="mate 4", who="me")) == [0, 0, 0, F, 0, 0, 0, 0]
    assert sum(kind == F for kind in kinds("by=two follow whom=me")) == 2
    assert sum(kind == F for kind in kinds("by=one follow whom=me")) == 1
    assert kinds("by=2 hold ; by=3 follow whom=me")[1:4] == [goals.HOLD, F, 0]
    progress = language.progress("arena", program("follow whom=me", sim), sim, 5)
    assert progress == {"state": "done", "text": "meant for others"}


# --- Several instructions --------------------------------------------------------------------------------


def kind_and_flags(several: list[str | dict], sim: Simulation, seat: int = 1) -> tuple[int, int]:
    told = [program(asked, sim, since_tick=i) for i, asked in enumerate(several)]
    record = language.goals("arena", told, sim, seat)
    return int(record[goals.KIND]), int(record[goals.FLAGS])


ME = "follow whom=me"


@pytest.mark.parametrize(
    ("several", "wanted"),
    [
        ([ME, "hold"], (goals.HOLD, 0)),
        ([ME, "hold_fire"], (goals.FOLLOW, goals.QUIETLY)),
        (["hold_fire", ME], (goals.FOLLOW, goals.QUIETLY)),
        (["hold_fire", ME, "fire"], (goals.FOLLOW, 0)),
        (["hold_fire", "attack"], (goals.ATTACK, 0)),
        ([ME, clause("crouch", adds=True)], (goals.FOLLOW, goals.CROUCHED)),
        ([ME, "hurry"], (goals.FOLLOW, goals.HURRYING)),
        ([ME, "cancel"], (goals.NONE, 0)),
        ([ME, f"not {ME}"], (goals.NONE, 0)),
        (["hold", f"not {ME}"], (goals.HOLD, 0)),
        (["prone", "stand"], (goals.NONE, 0)),
        ([f"{ME} how=crouched", "stand"], (goals.FOLLOW, 0)),
        (["hold_fire", "cancel"], (goals.NONE, 0)),
        ([ME, "by=3 hold"], (goals.FOLLOW, 0)),
    ],
)
def test_later_instructions_replace_earlier_ones_unless_they_add(several, wanted):
    assert kind_and_flags(several, match()) == wanted


def test_what_was_replaced_says_so():
    sim = match()
    told = [program(asked, sim) for asked in ("follow whom=me", "hold", "hold_fire")]
    found = language.progresses("arena", told, sim, 1)
    assert [one["state"] for one in found] == ["replaced", "obeying", "obeying"]
    assert found[0]["text"] == "replaced by a later instruction"


def test_one_thing_comes_after_the_other(strong):
    sim = match()
    told = [program("go at=north metres=10 then prone", sim)]
    assert language.goals("arena", told, sim, 1)[goals.KIND] == goals.GO
    at_last = lambda sim: field(sim, 1, s.STANCE) == s.PRONE  # noqa: E731
    play(sim, strong, told, 300, until=at_last)
    assert language.goals("arena", told, sim, 1)[goals.KIND] == goals.PRONE
    assert at_last(sim)


def test_priors_are_nothing_and_the_vector_of_a_program_is_something():
    sim = match()
    told = program("follow whom=me ; hold_fire", sim)
    assert not language.priors("arena", [told], sim, 1).any()
    assert language.features("arena", told).sum() == 2
    assert language.features("arena", None).shape == (language.num_features("arena"),)
    assert len(language.questions("arena")) == 15


# --- Seen in the match -----------------------------------------------------------------------------------


def test_a_mate_follows_and_holds_as_told(strong):
    told, untold = match(), match()
    for sim in (told, untold):
        put(sim, 0, x=field(sim, 1, s.X), y=field(sim, 1, s.Y))
    play(told, strong, [program("hold", told)], 160)
    play(untold, strong, [], 160)
    moved = [float(np.linalg.norm(place(sim, 1) - place(match(), 1))) / s.UNIT for sim in (told, untold)]
    assert moved[0] < 3 < moved[1]
    # Called from where it is, it comes.
    put(told, 0, x=field(told, 1, s.X) + 12 * s.UNIT)
    play(told, strong, [program("go whom=me", told)], 160, until=lambda sim: metres(sim, 0, 1) < 4)
    assert metres(told, 0, 1) < 4


@pytest.mark.parametrize(("asked", "stance"), [("prone", s.PRONE), ("crouch", s.CROUCH)])
def test_a_mate_lies_down_or_crouches_when_told(strong, asked, stance):
    for told in (True, False):
        sim = match()
        states = play(sim, strong, [program(asked, sim)] if told else [], 24)
        assert (field(sim, 1, s.STANCE) == stance) == told
        assert not told or states[-1] == "obeying"


def test_a_mate_goes_into_the_circle_loots_and_heals_when_told(strong):
    sim = match()
    sim._state[s.WHITE_X], sim._state[s.WHITE_Y] = place(sim, 1) + [0, 0]
    put(sim, 1, hp=30, medkits=1)
    told = [program("heal", sim)]
    play(sim, strong, told, 100, until=lambda sim: field(sim, 1, s.HEALS) > 0)
    assert field(sim, 1, s.HEALS) == 1
    assert language.progress("arena", told[0], sim, 1)["state"] == "done"
    supply = s.SUPPLY
    sim._state[supply : supply + 4] = [s.VEST, 60, *(place(sim, 1) + [2 * s.UNIT, 0])]
    told = [program("loot", sim)]
    play(sim, strong, told, 120, seats=(1,), until=lambda sim: field(sim, 1, s.LOOTS) > 0)
    assert field(sim, 1, s.LOOTS) == 1


def test_a_mate_helps_up_when_told(strong):
    sim = match()
    put(sim, 0, life=s.DOWNED, stance=s.DOWN, hp=100)
    told = [program("rescue whom=me", sim)]
    play(sim, strong, told, 200, seats=(1,), until=lambda sim: field(sim, 0, s.LIFE) == s.UP)
    assert field(sim, 0, s.LIFE) == s.UP and field(sim, 1, s.RESCUES) == 1


def test_a_mate_shoots_at_whom_it_is_told_and_holds_fire_when_told(strong):
    for asked, shoots in (("attack", True), ("hold_fire", False)):
        sim = match()
        x, y = place(sim, 1)
        for enemy in range(4, 8):
            put(sim, enemy, x=x, y=y - 8 * s.UNIT, z=field(sim, 1, s.Z))
        put(sim, 1, yaw=0)
        play(sim, strong, [program(asked, sim)], 60, seats=(1,))
        assert (field(sim, 1, s.SHOTS) > 0) == shoots


def test_a_rule_whose_first_clause_is_done_already_goes_on_to_its_next_one():
    sim, told = match(), {"when": ["clear"]}
    sim._state[s.MEMORY :][: 3 * s.MAX_SEATS * s.MAX_SEATS : 3] = -1000  # nobody knows of an enemy
    rule = {
        "game": "arena",
        "version": 1,
        "clauses": [
            {**clause("go", at="rock"), "if": told, "beside": True},
            {**clause("loot"), "beside": True},
        ],
        "reading": "",
        "since_tick": sim.tick,
        "from_seat": 0,
    }
    for one in rule["clauses"]:
        one["beside"] = True
    rock = point(sim, 1, 0, rule["clauses"][0])
    put(sim, 1, x=int(rock[0]), y=int(rock[1]))
    goal = language.goals(sim.game, [rule], sim, 1)
    assert goal[goals.KIND] == goals.LOOT


class Held(dict):
    """A program of which can be seen whether anything still holds it."""


def test_what_stands_is_never_that_of_a_program_which_nothing_holds():
    """It is found by the identity of its programs: a later one at the same address would get it, too."""
    sim = match()
    programs = [Held(program("prone", sim)) for _ in range(KNOWN + 2)]  # more than are known at a time
    order(programs, sim, 1)
    first = weakref.ref(programs[0])
    del programs
    assert first() is not None

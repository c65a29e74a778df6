"""Events of conditions told from a match, and agents that heed them: only when, not while, until."""

import numpy as np
import pytest

from engine import language
from engine.agents.catalogue import load
from engine.agents.policy import choose
from engine.games.arena import goals
from engine.games.arena import state as s
from engine.games.arena.language import carried as carrying
from engine.games.arena.language import events, places, say
from engine.games.arena.language.declared import DECLARED
from engine.language.declared import parse
from engine.simulation.simulation import Simulation

OPTIONS = {"teams": 2, "team_size": 4, "map_seed": 3, "monsters": 0, "pace": "long"}
ME, AGENT, ENEMY = 0, 1, 5
TICKS = 160


def match(seed: int = 9) -> Simulation:
    sim = Simulation("arena", OPTIONS, seed=seed)
    wait(sim)
    return sim


def wait(sim: Simulation, ticks: int = 1) -> None:
    for _ in range(ticks):
        sim.step([sim.idle(seat) for seat in range(sim.seats)])


def put(sim: Simulation, seat: int, **fields: int) -> None:
    for name, value in fields.items():
        sim._state[int(s.player(seat)) + getattr(s, name.upper())] = value


def see(sim: Simulation, enemy: int = ENEMY, east: float = 10) -> None:
    """Let the agent's team know of an enemy so many metres east of the agent."""
    x, y = places.spot(sim, AGENT)
    put(sim, enemy, x=x + int(east * s.UNIT), y=y)
    entry = s.MEMORY + 3 * enemy
    sim._state[entry : entry + 3] = [sim.tick, x + int(east * s.UNIT), y]


def in_sight(sim: Simulation, east: float = 10) -> None:
    see(sim, ENEMY, east)
    put(sim, AGENT, sight=1 << ENEMY)


def tell(sim: Simulation, kind: str, seat: int | None, other: int | None = None, **more) -> None:
    x, y = places.spot(sim, AGENT)
    place = {"x": x / s.UNIT, "y": y / s.UNIT, "z": 0.0}
    event = {"kind": kind, "tick": sim.tick, "seat": seat, "other": other, "value": 0}
    sim.events.append({**event, **place, **more})


def told(text: str, sim: Simulation, **more) -> dict:
    found = carrying.carried(parse(DECLARED, text))
    assert found.program and not found.left, found.left
    return {**found.program, "since_tick": sim.tick, "from_seat": ME, **more}


def kind(sim: Simulation, *programs: dict, seat: int = AGENT) -> str:
    """The goal now: "follow", with its flags "follow 3"."""
    goal = language.goals("arena", list(programs), sim, seat)
    name = goals.NAMES[goal[goals.KIND]]
    return f"{name} {goal[goals.FLAGS]}" if goal[goals.FLAGS] else name


def progress(sim: Simulation, *programs: dict) -> list[tuple[str, str]]:
    found = language.progresses("arena", list(programs), sim, AGENT)
    return [(str(one["state"]), one["text"]) for one in found]


# --- Events ----------------------------------------------------------------------------------------------

HOLDING = {
    "seen": in_sight,
    "close": lambda sim: see(sim, east=9),
    "down": lambda sim: (see(sim), put(sim, ENEMY, life=s.DOWNED)),
    "hurt": lambda sim: put(sim, AGENT, hp=40),
    "empty": lambda sim: put(sim, AGENT, magazine=0, ammo=0),
    "armed": lambda sim: put(sim, AGENT, weapon_2=s.RIFLE),
    "mate_down": lambda sim: put(sim, 2, life=s.DOWNED),
    "alone": lambda sim: [put(sim, mate, life=s.OUT) for mate in (0, 2, 3)],
    "i_down": lambda sim: put(sim, ME, life=s.DOWNED),
    "i_hurt": lambda sim: put(sim, ME, hp=40),
    "i_move": lambda sim: put(sim, ME, vx=20),
    "i_heal": lambda sim: put(sim, ME, treat=5),
    "i_reload": lambda sim: put(sim, ME, reload=5),
    "i_rescue": lambda sim: put(sim, ME, rescued=3),
    "zone": lambda sim: sim._state.__setitem__(s.SHRINKING, 1),
    "shot_at": lambda sim: tell(sim, "hit", ENEMY, 2),
    "i_attack": lambda sim: tell(sim, "shot", ME),
    "i_loot": lambda sim: tell(sim, "picked", ME),
}
ENDING = {
    "clear": in_sight,
    "healthy": HOLDING["hurt"],
    "i_stop": HOLDING["i_move"],
}


def holds(name: str, sim: Simulation, known: events.Since | None = None) -> bool:
    return events.holds(name, sim, AGENT, ME, known or events.Since(sim.tick))


def test_every_event_but_the_speakers_word_is_told():
    assert events.EVENTS == {*DECLARED.events} - {"signal"} == {*carrying.EVENTS}
    assert {*HOLDING, *ENDING, "there", "i_back"} == events.EVENTS


@pytest.mark.parametrize("name", [*HOLDING, *ENDING])
def test_an_event_holds_and_does_not(name):
    sim = match()
    assert holds(name, sim) == (name in ENDING)
    {**HOLDING, **ENDING}[name](sim)
    assert holds(name, sim) == (name in HOLDING)


@pytest.mark.parametrize("name", [*events.HAPPENS])
def test_what_happens_is_told_since_then_and_for_a_while(name):
    sim = match()
    if name == "down":
        tell(sim, "knock", ME, ENEMY)
    else:
        HOLDING[name](sim)
    before = events.Since(sim.tick)
    assert events.happened(name, sim, AGENT, ME, before) and holds(name, sim)
    wait(sim, events.RECENT + 1)
    assert events.happened(name, sim, AGENT, ME, before)
    assert not events.happened(name, sim, AGENT, ME, events.Since(sim.tick))
    assert not holds(name, sim)


def test_what_nobody_of_the_squad_could_know_is_not_told():
    sim = match()
    tell(sim, "kill", None, ENEMY)  # out of sight
    tell(sim, "shot", ENEMY, x=1.0, y=1.0)  # at somebody else
    tell(sim, "hit", ME, 2)  # by a mate
    assert not any(holds(name, sim) for name in events.HAPPENS)
    tell(sim, "shot", ENEMY)
    assert holds("shot_at", sim)
    see(sim)
    tell(sim, "kill", None, ENEMY)
    assert holds("down", sim)


def test_to_be_back_one_has_to_have_been_away():
    sim = match()
    program = told("hold until=i_back", sim)
    x, y = places.spot(sim, AGENT)
    for far, wanted in ((2, "hold"), (20, "hold"), (2, "none"), (20, "none")):
        put(sim, ME, x=x + far * s.UNIT, y=y)
        assert kind(sim, program) == wanted
    assert progress(sim, program) == [("done", "done")]


# --- Conditions ------------------------------------------------------------------------------------------


def test_a_rule_is_followed_before_the_rest_each_time():
    sim = match()
    program = told("follow whom=me ; attack when=seen", sim)
    for _ in range(2):
        assert kind(sim, program) == "follow"
        in_sight(sim)
        assert kind(sim, program) == "attack"
        wait(sim, 30)
        put(sim, AGENT, sight=0)
    assert language.remaining("arena", [program], sim, AGENT) == [program]


def test_conditions_are_told():
    sim = match()
    programs = [
        told("attack when=seen when=close", sim),
        told("heal unless=i_stop", sim),
        told("rotate after=9", sim),
    ]
    assert progress(sim, programs[0]) == [("waiting", "until an enemy is in sight or an enemy comes close")]
    assert progress(sim, programs[1]) == [("waiting", "not while you stop")]
    assert progress(sim, programs[2]) == [("waiting", "in 9 s")]
    assert say.sentence(programs[0]) == "I attack when an enemy is in sight or an enemy comes close."
    follow = told("follow whom=me ; hold_fire until=close ; heal when=hurt", sim)
    sentence = "I follow you; I hold fire until an enemy comes close; I treat my wounds when I am wounded."
    assert sorted(say.sentence(follow).lower().strip(".").split("; ")) == sorted(
        sentence.lower().strip(".").split("; ")
    )


def test_unless_pauses_and_until_ends_for_good():
    sim = match()
    paused, ended = told("follow whom=me unless=i_hurt", sim), told("follow whom=me until=i_hurt", sim)
    assert kind(sim, paused) == kind(sim, ended) == "follow"
    put(sim, ME, hp=30)
    assert kind(sim, paused) == kind(sim, ended) == "none"
    put(sim, ME, hp=100)
    assert (kind(sim, paused), kind(sim, ended)) == ("follow", "none")
    assert progress(sim, ended) == [("done", "done")]


def test_one_after_the_other_waits_for_its_event():
    sim = match()
    program = told("hold until=i_hurt then attack when=seen then loot", sim)
    assert kind(sim, program) == "hold"
    put(sim, ME, hp=30)
    assert kind(sim, program) == "none"
    assert progress(sim, program) == [("waiting", "until an enemy is in sight")]
    in_sight(sim)
    assert kind(sim, program) == "attack"
    put(sim, AGENT, sight=0, knocks=1)
    assert kind(sim, program) == "loot"


def test_flags_hold_beside_the_rest():
    sim = match()
    program = told("follow whom=me ; hold_fire until=i_attack ; crouch seconds=2 ; hurry unless=i_hurt", sim)
    all_of_them = goals.QUIETLY | goals.CROUCHED | goals.HURRYING
    assert kind(sim, program) == f"follow {all_of_them}"
    tell(sim, "shot", ME)
    assert kind(sim, program) == f"follow {goals.CROUCHED | goals.HURRYING}"
    wait(sim, 41)
    put(sim, ME, hp=30)
    assert kind(sim, program) == "follow"


def test_weapons_are_free_while_the_condition_holds():
    sim = match()
    program = told("hold_fire ; fire when=close", sim)
    assert kind(sim, program) == "hold_fire"
    see(sim)
    assert kind(sim, program) == "none"
    assert language.remaining("arena", [program], sim, AGENT) == [program]
    wait(sim, events.RECENT + 1)
    assert kind(sim, program) == "hold_fire"


def test_a_later_instruction_comes_before_a_rule_until_it_comes_to_hold_again():
    sim = match()
    rule = told("attack when=seen", sim)
    in_sight(sim)
    assert kind(sim, rule) == "attack"
    wait(sim)
    later = told("follow whom=me", sim)
    assert kind(sim, rule, later) == "follow"
    assert progress(sim, rule, later)[0] == ("waiting", "next time")
    put(sim, AGENT, sight=0)
    assert kind(sim, rule, later) == "follow"
    in_sight(sim)
    assert kind(sim, rule, later) == "attack"
    assert progress(sim, rule, later)[1][0] == "waiting"
    assert kind(sim, rule, later, told("cancel", sim)) == "none"


def test_seconds_from_now():
    sim = match()
    program = told("follow whom=me ; hold after=2", sim)
    assert kind(sim, program) == "follow"
    wait(sim, 41)
    assert kind(sim, program) == "hold"
    assert kind(sim, program, {**told("regroup", sim), "since_tick": sim.tick + 1}) == "hold"


def test_there_is_where_it_was_sent():
    sim = match()
    x, y = places.spot(sim, AGENT)
    program = told("go at=here ; hold_fire until=there ; crouch when=there", sim)
    put(sim, ME, x=x + 30 * s.UNIT, y=y)
    assert kind(sim, program) == f"go {goals.QUIETLY}"
    put(sim, AGENT, x=x + 30 * s.UNIT, y=y)
    kind(sim, program)
    assert kind(sim, program) == "crouch"


def test_a_match_taken_up_in_the_middle_goes_on():
    sim = match()
    ended, lasts = told("follow whom=me until=i_attack", sim), told("crouch when=i_hurt", sim)
    wait(sim, 20)
    tell(sim, "shot", ME)
    wait(sim, 100)
    put(sim, ME, hp=30)
    again = sim.copy()
    assert kind(again, ended) == "none"
    assert kind(again, ended, lasts) == "crouch"
    follower = Simulation.at("arena", OPTIONS, sim.state.copy())
    assert kind(follower, {**told("crouch when=i_hurt", sim), "since_tick": 0}) == "crouch"


# --- Acts of existing goals ------------------------------------------------------------------------------


def goal(sim: Simulation, text: str) -> np.ndarray:
    return language.goals("arena", [told(text, sim)], sim, AGENT)


def test_an_enemy_is_approached_avoided_and_looked_for():
    sim = match()
    near = told("approach", sim)
    assert progress(sim, near) == [("waiting", "nobody knows where they are")]
    scouting = told("scout", sim)
    assert kind(sim, scouting) == "attack"
    assert progress(sim, scouting)[0][1] in ("scouting", "looking for enemies")
    avoiding = told("avoid far=near", sim)
    assert kind(sim, avoiding) == "none"
    in_sight(sim, 8)
    asked = goal(sim, "approach")
    assert asked[:4].tolist() == [goals.GO, ENEMY, *places.spot(sim, ENEMY)]
    assert kind(sim, scouting) == "none", "somebody was found"
    assert kind(sim, avoiding) == "retreat"
    see(sim, east=30)
    assert kind(sim, avoiding) == "none"
    assert progress(sim, avoiding) == [("waiting", "on guard")]
    see(sim, east=5)
    assert kind(sim, avoiding) == "retreat"


def test_mine_is_whom_the_speaker_hit_last():
    sim = match()
    tell(sim, "hit", ME, 6)
    tell(sim, "hit", 2, 7)
    assert goal(sim, "attack whom=mine")[goals.WHO] == 6


def test_an_attack_to_kill_goes_on_until_they_are_out():
    sim = match()
    in_sight(sim)
    down, kill = told("attack", sim), told("attack result=kill", sim)
    assert kind(sim, down) == kind(sim, kill) == "attack"
    put(sim, AGENT, knocks=1)
    put(sim, ENEMY, life=s.DOWNED)
    assert (kind(sim, down), kind(sim, kill)) == ("none", "attack")
    assert progress(sim, kill) == [("obeying", "attacking")]
    put(sim, ENEMY, life=s.OUT)
    assert kind(sim, kill) == "none"


def test_loot_goes_on_until_all_that_was_named_is_found():
    sim = match()
    program = told("loot what=gun what=medkit", sim)
    for number, (found, wanted) in enumerate([(s.BULLETS, "loot"), (s.MEDKIT, "loot"), (s.SMG, "none")], 1):
        assert kind(sim, program) == "loot"
        wait(sim)
        put(sim, AGENT, loots=number)
        tell(sim, "picked", AGENT, value=found)
        assert kind(sim, program) == wanted


# --- Seen in the match -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["strong", "squad"])
@pytest.mark.parametrize(
    ("text", "lies"),
    [
        ("prone when=i_hurt", [False, True, False]),
        ("prone unless=i_hurt", [True, False, True]),
        ("prone until=i_hurt", [True, False, False]),
    ],
)
def test_a_mate_lies_only_when_it_should(name, text, lies):
    policy, sim = load(f"arena/{name}", "arena", OPTIONS), match()
    program = told(text, sim)
    for hp, wanted in zip((100, 30, 100), lies, strict=True):
        lain = []
        for tick in range(TICKS):
            put(sim, ME, hp=hp)
            if tick % 4 == 0:
                asked = language.goals("arena", [program], sim, AGENT)[None]
                logits = policy.logits_many(
                    sim.state[None], np.array([AGENT], np.int32), sim.legal(AGENT)[None], sim.world, asked
                )
                heads = choose(logits, heads=sim.spec.heads)[0]
            joint = [sim.idle(seat) for seat in range(sim.seats)]
            joint[AGENT] = sim.resolve(AGENT, heads)
            sim.step(joint)
            lain.append(places.at(sim, AGENT, s.STANCE) == s.PRONE)
        assert (np.mean(lain[-16:]) > 0.5) == wanted, (hp, lain)

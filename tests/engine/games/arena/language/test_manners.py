"""What is asked of squad mates in whatever they do, in live matches, told and untold: look somewhere, keep
apart, and what they aren't to do.
"""

import numpy as np
import pytest

from engine import language
from engine.agents.catalogue import load
from engine.agents.policy import choose
from engine.games.arena import goals
from engine.games.arena import state as s
from engine.games.arena.angles import wrap
from engine.games.arena.language import places
from engine.games.arena.language.carried import carried
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.language.programs import clause
from engine.games.arena.language.reasons import why_not
from engine.games.arena.world import FLOOR, KINDS, STEP_HEIGHT
from engine.language.declared import parse
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.fields import Field

OPTIONS = {"teams": 2, "team_size": 4, "map_seed": 3, "monsters": 0, "pace": "long"}
EVERY, TOLD = 4, (1, 2, 3)
AWRY = 8192  # turn units


@pytest.fixture(scope="module")
def strong():
    return load("arena/strong", "arena", OPTIONS)


def match(seed: int = 9, **options) -> Simulation:
    return Simulation("arena", OPTIONS | options, seed=seed)


def told(text: str, sim: Simulation, **more) -> dict:
    found = carried(parse(DECLARED, text))
    assert found.program and not found.left, found.left
    return {**found.program, "since_tick": sim.tick, "from_seat": 0, **more}


def field(sim: Simulation, seat: int, name: int) -> int:
    return int(sim.state[int(s.player(seat)) + name])


def put(sim: Simulation, seat: int, **fields: int) -> None:
    for name, value in fields.items():
        sim._state[int(s.player(seat)) + getattr(s, name.upper())] = value


def stand(sim: Simulation, seat: int, x: int, y: int) -> None:
    """Put a player on the ground at a point."""
    put(
        sim,
        seat,
        x=x,
        y=y,
        z=STEP_HEIGHT * int(sim.world[int(sim.state[s.MAP]), (y >> 8) * s.SIDE + (x >> 8)]),
    )


def metres(sim: Simulation, a: int, b: int) -> float:
    return places.apart(sim, a, b) / s.UNIT


def play(
    sim: Simulation, policy, programs: list[dict], ticks: int, seats=TOLD, each=lambda sim: None
) -> list:
    """Step with the other seats idle; what `each` tells of every tick."""
    seen = []
    for tick in range(ticks):
        if tick % EVERY == 0:
            asked = np.stack([language.goals("arena", programs, sim, seat) for seat in seats])
            masks = np.stack([sim.legal(seat) for seat in seats])
            rows = np.repeat(sim.state[None], len(seats), axis=0)
            logits = policy.logits_many(rows, np.array(seats, np.int32), masks, sim.world, asked)
            chosen = dict(zip(seats, choose(logits, heads=sim.spec.heads), strict=True))
        sim.step([sim.resolve(i, chosen[i]) if i in chosen else sim.idle(i) for i in range(sim.seats)])
        seen.append(each(sim))
    return seen


def goal(sim: Simulation, *programs: dict, seat: int = 1) -> np.ndarray:
    return language.goals("arena", list(programs), sim, seat)


def see(sim: Simulation, enemy: int, x: int, y: int) -> None:
    """Let the first team know where an enemy is."""
    sim._state[s.MEMORY + 3 * enemy : s.MEMORY + 3 * enemy + 3] = [sim.tick, x, y]


def states(sim: Simulation, *programs: dict, seat: int = 1) -> list[tuple[str, str]]:
    found = language.progresses("arena", list(programs), sim, seat)
    return [(str(one["state"]), one["text"]) for one in found]


def watching(yaw: int):
    """The share of the told who look within 45 degrees of a yaw."""
    off = lambda sim, seat: abs(int(wrap(yaw - field(sim, seat, s.YAW))))  # noqa: E731
    return lambda sim: np.mean([off(sim, seat) <= AWRY for seat in TOLD])


# --- Look ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "yaw"), [("north", 0), ("southwest", 5 * 8192)])
def test_who_is_told_to_look_somewhere_looks_there_in_whatever_they_do(strong, place, yaw):
    shares = {}
    for asked in (f"look at={place}", f"look at={place} ; follow whom=me how=crouched", None):
        sim = match()
        programs = [told(asked, sim)] if asked else []
        shares[asked] = np.mean(play(sim, strong, programs, 240, each=watching(yaw)))
    *looks, untold = shares.values()
    assert min(looks) > 0.9 and untold < 0.4


def test_sides_are_those_of_the_speakers_view_and_turn_with_it():
    sim = match()
    put(sim, 0, yaw=16384)
    back, left = (told(f"look at={side}", sim) for side in ("back", "left"))
    yaw = lambda program: (int(goal(sim, program)[goals.LOOK]) - 1) * 4  # noqa: E731
    assert (yaw(back), yaw(left)) == (49152, 0)
    put(sim, 0, yaw=-16384)
    assert (yaw(back), yaw(left)) == (16384, 32768)


def test_somebody_or_a_place_is_looked_at_where_they_are_now():
    sim = match()
    x, y = places.spot(sim, 1)
    put(sim, 0, x=x + 10 * s.UNIT, y=y)
    see(sim, 5, x, y + 9 * s.UNIT)
    for asked, yaw in (("whom=me", 16384), ("whom=6", 32768), ("whom=enemy", 32768)):
        assert (int(goal(sim, told(f"look {asked}", sim))[goals.LOOK]) - 1) * 4 == yaw
    put(sim, 0, x=x - 10 * s.UNIT)
    assert (int(goal(sim, told("look whom=me", sim))[goals.LOOK]) - 1) * 4 == 49152
    door = told("look at=door", sim)
    assert goal(sim, door)[goals.LOOK] and goal(sim, door)[goals.KIND] == goals.FREE
    assert not goal(match(), told("look whom=enemy", sim))[goals.LOOK]
    nobody = told("look whom=2", sim)
    assert states(sim, nobody) == [("waiting", "there is nobody whom that could mean")]


def test_who_was_sent_somewhere_to_look_stays_there(strong):
    sim = match()
    programs = [told("go at=east metres=8 then hold ; look at=south", sim)]
    seen = play(sim, strong, programs, 300, each=watching(32768))
    assert np.mean(seen[200:]) > 0.9
    assert goal(sim, *programs)[goals.KIND] == goals.HOLD
    assert states(sim, *programs) == [("obeying", "watching")]


def test_an_enemy_in_view_is_shot_at_by_who_watches_elsewhere(strong):
    sim = match()
    x, y = places.spot(sim, 1)
    stand(sim, 5, x, y - 8 * s.UNIT)
    put(sim, 1, yaw=0)
    play(sim, strong, [told("look at=east", sim)], 60, seats=(1,))
    assert field(sim, 1, s.SHOTS) > 0


# --- Keep apart ------------------------------------------------------------------------------------------


def test_who_is_told_to_spread_keeps_apart(strong):
    def nearest(sim: Simulation) -> float:
        return np.mean([min(metres(sim, a, b) for b in range(4) if b != a) for a in TOLD])

    found = {}
    for asked in ("spread", "spread ; follow whom=me", "follow whom=me", None):
        sim = match()
        programs = [told(asked, sim)] if asked else []
        found[asked] = np.mean(play(sim, strong, programs, 400, each=nearest)[200:])
    apart, following, close, untold = found.values()
    assert min(apart, following) > 8 > 5 > max(close, untold)


def test_a_follower_keeps_the_distance_that_it_is_told(strong):
    found = []
    for far in ("touch", "near", "medium", "far"):
        sim = match()
        put(sim, 0, x=field(sim, 0, s.X) + 25 * s.UNIT)
        programs = [told(f"follow whom=me far={far}", sim)]
        found += [play(sim, strong, programs, 300, (1,), lambda sim: metres(sim, 0, 1))[-1]]
        assert states(sim, *programs) == [("obeying", "following")]
    assert found == sorted(found) and found[0] < 2.5 and found[3] > 15


def test_who_is_told_to_go_slowly_walks(strong):
    fast = []
    for how in ("", " how=slowly"):
        sim = match()
        speed = lambda sim: np.hypot(field(sim, 1, s.VX), field(sim, 1, s.VY))  # noqa: E731
        fast.append(max(play(sim, strong, [told(f"go at=east metres=25{how}", sim)], 60, (1,), speed)))
    assert fast[0] > 70 and fast[1] < 60


# --- Keep out --------------------------------------------------------------------------------------------


def shun(sim: Simulation, text: str) -> list[int]:
    return goal(sim, told(text, sim))[goals.SHUN : goals.SHUN + goals.SHUN_SIZE].tolist()


def ground(sim: Simulation, seat: int) -> int:
    x, y = places.spot(sim, seat)
    return int(sim.world[int(sim.state[s.MAP]), KINDS + (y >> 8) * s.SIDE + (x >> 8)])


def test_who_is_told_not_to_go_into_a_house_leaves_its_things_there(strong):
    shares = []
    for asked in ("loot", "loot ; not go at=house"):
        sim = match(seed=1)
        x, y = places.point(sim, 1, 0, clause("go", place="house"))
        sim._state[s.SUPPLY : s.SUPPLY + 4 * s.SUPPLIES] = 0
        sim._state[s.SUPPLY : s.SUPPLY + 4] = [s.VEST, 60, x, y]
        stand(sim, 1, *places.standing_place(sim, x, y - 8 * s.UNIT))  # nearer than mates are
        within = play(sim, strong, [told(asked, sim)], 200, (1,), lambda sim: ground(sim, 1) == FLOOR)
        shares.append((sum(within) > 0, field(sim, 1, s.LOOTS)))
    assert shares == [(True, 1), (False, 0)]


@pytest.mark.parametrize("place", ["house", "hill", "bush", "water", "there"])
def test_who_is_told_not_to_be_somewhere_leaves_and_stays_out(strong, place):
    sim = match()
    put(sim, 0, pitch=-3000)
    x, y = places.point(sim, 1, 0, clause("go", place=place))
    stand(sim, 1, x, y)
    programs = [told(f"not go at={place}", sim)]
    zone = goal(sim, *programs)[goals.SHUN : goals.SHUN + goals.SHUN_SIZE]
    assert places.within(sim, x, y, *zone)
    assert states(sim, *programs) == [("waiting", "on the way out")]
    within = lambda sim: places.within(sim, *places.spot(sim, 1), *zone)  # noqa: E731
    seen = play(sim, strong, programs, 360, (1,), within)
    assert seen[0] and not any(seen[-200:])
    assert states(sim, *programs) == [("obeying", "keeping out")]


def test_who_is_told_not_to_close_in_keeps_the_distance(strong):
    nearest = []
    for asked in ("attack", "attack ; not approach"):
        sim = match()
        x, y = places.spot(sim, 1)
        for enemy in range(4, 8):
            stand(sim, enemy, x - 30 * s.UNIT, y)
        see(sim, 5, x - 30 * s.UNIT, y)
        put(sim, 1, yaw=-16384)
        nearest.append(min(play(sim, strong, [told(asked, sim)], 200, (1,), lambda sim: metres(sim, 1, 5))))
    assert nearest[0] < 20 and nearest[1] > 26


# --- Leave alone -----------------------------------------------------------------------------------------


def facing(*enemies: int) -> Simulation:
    """A match in which enemies stand before a squad mate, the others far off."""
    sim = match()
    x, y = places.spot(sim, 1)
    for place, enemy in enumerate(enemies):
        stand(sim, enemy, x + (2 * place - 1) * 3 * s.UNIT, y - 8 * s.UNIT)
    put(sim, 1, yaw=0)
    return sim


def test_nobody_shoots_at_whom_they_are_to_spare(strong):
    hurt = {}
    for asked in ("not attack whom=6", None):
        for enemies in ((5,), (5, 6)):
            sim = facing(*enemies)
            play(sim, strong, [told(asked, sim)] if asked else [], 60, (1,))
            hurt[asked, enemies] = [field(sim, enemy, s.HP) < 100 for enemy in (5, 6)]
    assert hurt["not attack whom=6", (5,)] == [False, False]
    assert hurt["not attack whom=6", (5, 6)] == [False, True]
    assert hurt[None, (5,)] == [True, False] and any(hurt[None, (5, 6)])


def test_who_is_down_is_left_where_nobody_is_to_be_killed():
    asked = told("not attack result=kill", match())
    for told_so in (True, False):
        meadow = Field()
        meadow.put(0, 50, 50)
        meadow.put(2, 50, 42)
        meadow.knock(2)
        if told_so:
            meadow.goals[0] = goal(match(), asked)
        meadow.play(60, [0])
        assert (meadow.player(0, s.SHOTS) > 0) == (not told_so)


def test_the_one_looked_at_is_spared_and_nobody_where_nobody_is():
    sim = match()
    asked = told("not attack whom=aim", sim)
    assert states(sim, asked) == [("waiting", "there is nobody whom that could mean")]
    see(sim, 5, field(sim, 0, s.X) + 9 * s.UNIT, field(sim, 0, s.Y))
    put(sim, 0, yaw=16384)
    assert goal(sim, asked)[goals.SPARED] == 6
    assert states(sim, asked) == [("obeying", "sparing them")]


def wounded() -> Simulation:
    sim = match()
    put(sim, 1, hp=20, medkits=1)
    return sim


def beside_a_vest() -> Simulation:
    sim = match()
    x, y = places.spot(sim, 1)
    sim._state[s.SUPPLY : s.SUPPLY + 4] = [s.VEST, 60, x + 3 * s.UNIT, y]
    return sim


def mate_down() -> Simulation:
    sim = match()
    put(sim, 0, life=s.DOWNED, stance=s.DOWN, hp=100)
    return sim


@pytest.mark.parametrize(
    ("act", "begin", "count"),
    [("heal", wounded, s.HEALS), ("loot", beside_a_vest, s.LOOTS), ("rescue", mate_down, s.RESCUES)],
)
def test_what_somebody_is_told_not_to_do_isnt_done_of_their_own_accord(strong, act, begin, count):
    done = []
    for asked in (None, f"not {act}", f"not {act} when=close", f"not {act} until=clear"):
        sim = begin()
        play(sim, strong, [told(asked, sim)] if asked else [], 240, (1,))
        done.append(field(sim, 1, count) > 0)
    assert done == [True, False, True, True]


# --- Several instructions --------------------------------------------------------------------------------

HELD = {
    "look at=north": lambda goal: goal[goals.LOOK] == 1,
    "spread": lambda goal: goal[goals.BARS] & goals.APART,
    "not go at=house": lambda goal: goal[goals.SHUN + 2],
    "not attack whom=6": lambda goal: goal[goals.SPARED] == 6,
    "not loot": lambda goal: goal[goals.BARS] & goals.NO_LOOT,
    "not heal": lambda goal: goal[goals.BARS] & goals.NO_HEAL,
    "not rescue": lambda goal: goal[goals.BARS] & goals.NO_RESCUE,
    "not attack result=kill": lambda goal: goal[goals.BARS] & goals.NO_FINISHING,
}


@pytest.mark.parametrize("asked", HELD)
def test_it_stands_beside_what_is_asked_before_and_after(asked):
    sim = match()
    for several in ([asked, "follow whom=me"], ["follow whom=me", asked], ["hold_fire", asked, "follow"]):
        found = goal(sim, *(told(text, sim) for text in several))
        assert found[goals.KIND] == goals.FOLLOW and HELD[asked](found)
    others = [text for text in HELD if "attack" not in text]
    everything = goal(sim, *(told(text, sim) for text in {*others, asked}))
    assert everything[goals.KIND] == goals.FREE and HELD[asked](everything)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("look at=north", "look at=south"),
        ("look at=north", "not look"),
        ("spread", "regroup"),
        ("spread", "not spread"),
        ("not go at=house", "go at=house"),
        ("not go at=house", "loot at=house"),
        ("not go at=house", "hold at=house"),
        ("not attack whom=6", "attack whom=6"),
        ("not attack whom=6", "not attack whom=7"),
        ("not attack result=kill", "attack result=kill"),
        ("not loot", "loot"),
        ("not heal", "heal"),
        ("not rescue", "rescue whom=me"),
        ("not rescue", "help whom=me"),
        *((asked, "cancel") for asked in HELD),
    ],
)
def test_what_says_otherwise_ends_it(before, after):
    sim = match()
    programs = [told(before, sim), told(after, sim)]
    assert not HELD[before](goal(sim, *programs))
    assert states(sim, *programs)[0] == ("replaced", "replaced by a later instruction")
    assert language.remaining("arena", programs, sim, 1)[0] is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("go at=house", "not go at=house"),
        ("approach", "not approach"),
        ("attack whom=6", "not attack whom=6"),
        ("loot", "not loot"),
        ("regroup", "spread"),
    ],
)
def test_it_ends_what_says_otherwise(before, after):
    sim = match()
    x, y = places.spot(sim, 1)
    stand(sim, 1, x - 30 * s.UNIT, y)
    see(sim, 5, x - 50 * s.UNIT, y)
    programs = [told(before, sim)]
    assert goal(sim, *programs)[goals.KIND] != goals.FREE
    assert goal(sim, *programs, told(after, sim))[goals.KIND] == goals.FREE


def test_what_goes_together_stands():
    sim = match()
    for before, after in (
        ("go at=rock", "not go at=house"),
        ("attack whom=7", "not attack whom=6"),
        ("attack", "not approach"),
    ):
        see(sim, 5, field(sim, 1, s.X) + 20 * s.UNIT, field(sim, 1, s.Y))
        found = goal(sim, told(before, sim), told(after, sim))
        assert found[goals.KIND] in (goals.GO, goals.ATTACK) and found[goals.LOOK :].any()
    both = goal(sim, told("not go at=house", sim), told("not go at=rock", sim))
    assert both[goals.SHUN + 2] and both[goals.SHUN + goals.SHUN_SIZE + 2]


def test_it_holds_under_its_condition_and_for_its_time():
    sim = match()
    moves = told("look at=left when=i_move", sim)
    assert not goal(sim, moves).any()
    put(sim, 0, vx=20)
    assert goal(sim, moves)[goals.LOOK]
    put(sim, 0, vx=0)
    assert not goal(sim, moves).any()
    short = told("not loot seconds=2", sim)
    assert goal(sim, short)[goals.BARS] == goals.NO_LOOT
    for _ in range(41):
        sim.step([sim.idle(seat) for seat in range(sim.seats)])
    assert not goal(sim, short).any()
    assert states(sim, short) == [("done", "done")]


def test_a_mate_says_why_it_looks_elsewhere():
    sim = match()
    put(sim, 1, yaw=16384)
    program = told("look at=north", sim)
    [progress] = language.progresses("arena", [program], sim, 1)
    assert progress == {"state": "waiting", "text": "looking elsewhere"}
    assert why_not(program, sim, 1, progress) == ("Something else needs my eyes", False)
    stand(sim, 2, *places.spot(sim, 1))
    [progress] = language.progresses("arena", [told("spread", sim)], sim, 1)
    assert why_not(program, sim, 1, progress) == ("I can’t get away from our mates yet", False)


@pytest.mark.parametrize(("teams", "size"), [(2, 1), (2, 2), (5, 3), (5, 4), (10, 2), (20, 1)])
def test_squads_of_every_size_heed_it(strong, teams, size):
    sim = Simulation("arena", OPTIONS | {"teams": teams, "team_size": size}, seed=4)
    seats = tuple(range(size))
    texts = ("look at=north ; spread", "not go at=house ; not approach ; not heal", "not attack whom=aim")
    programs = [told(text, sim, from_seat=0) for text in texts]
    play(sim, strong, programs, 80, seats)
    assert all(goal(sim, *programs, seat=seat)[goals.KIND] == goals.FREE for seat in seats)
    assert all(goal(sim, *programs, seat=seat)[goals.LOOK] == 1 for seat in seats)

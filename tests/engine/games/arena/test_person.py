"""Leaders like people: they react and aim as late and as badly as the figures that they are made from say."""

import numpy as np
import pytest

from engine import games
from engine.agents.acting import Player
from engine.agents.catalogue import load
from engine.agents.live import LiveGames
from engine.games.arena import bots, navigation, person
from engine.games.arena import state as s
from engine.games.arena.angles import bearing, wrap
from engine.games.arena.evaluation.squads import squads
from engine.simulation.simulation import Simulation
from tests.engine.games.arena.fields import Field

LEADERS = ["leader-novice", "leader-casual", "leader-skilled"]
EVERY = games.spec("arena").decision_ticks


@pytest.fixture
def field():
    return Field()


def ready(seed, strength):
    """Seat 0 stands still and looks north; what it has in mind (scratch)."""
    field = Field(seed=seed)
    field.put(0, 60, 60, 0)
    field.arm(0)
    field.look()
    scratch = navigation.new_scratch()
    scratch[person.SKILL] = strength - person.PEOPLE + 1
    return field, scratch


def reaction(seed, strength, degrees, enemies=1):
    """Ticks from when enemies come into view, 20 m away, until the seat may act upon the first of them."""
    field, scratch = ready(seed, strength)
    appear = EVERY * 4 + seed % EVERY
    for tick in range(200):
        if tick == appear:
            for k in range(enemies):
                turn = np.radians(degrees)
                field.put(2 + k, 60 + 20 * np.sin(turn) + k, 60 - 20 * np.cos(turn), 180)
            field.look()
        if tick % EVERY == 0:
            person.observe(field.state, 0, False, scratch)
            if tick >= appear and person.noticed(scratch, 2):
                return tick - appear
        field.state[s.TICK] += 1
    raise AssertionError("nobody was noticed")


def milliseconds(strength, degrees=0, enemies=1, trials=300):
    ticks = [reaction(seed, strength, degrees, enemies) for seed in range(1, trials + 1)]
    return person.TICK_MS * np.array(ticks)


# --- Eyes ------------------------------------------------------------------------------------------------


def test_reactions_take_as_long_as_people_do_on_average():
    found = [milliseconds(strength) for strength in (person.NOVICE, person.CASUAL, person.SKILLED)]
    means = [times.mean() for times in found]
    assert means == pytest.approx(person.REACTION, abs=15)
    assert means[0] > means[1] > means[2]
    assert min(times.min() for times in found) >= 100, "nobody foresees what comes"


def test_choosing_between_two_takes_longer_by_a_bit():
    one, two = milliseconds(person.CASUAL).mean(), milliseconds(person.CASUAL, enemies=2).mean()
    assert two - one == pytest.approx(150, abs=40)


def test_who_appears_at_the_edge_of_the_view_is_found_later():
    centre, edge = milliseconds(person.CASUAL), milliseconds(person.CASUAL, degrees=45)
    assert edge.mean() > centre.mean() + 200
    assert (edge <= centre.max()).mean() > 0.2, "but sometimes at once"


def test_who_was_noticed_stays_so_behind_a_tree_and_not_for_long(field):
    field, scratch = ready(1, person.CASUAL)
    field.put(2, 60, 40, 180)
    for _ in range(8):
        field.look()
        person.observe(field.state, 0, False, scratch)
        field.state[s.TICK] += EVERY
    assert person.noticed(scratch, 2)
    field.put(2, 60, 80, 0)
    for after, still in ((12, True), (30, False)):
        for _ in range(0, after, EVERY):
            field.look()
            person.observe(field.state, 0, False, scratch)
            field.state[s.TICK] += EVERY
        assert (scratch[person.NOTICED + 2] != 0) == still


def test_what_is_not_noticed_changes_nothing(field):
    """An enemy who came into view this very tick is no reason to do anything else."""
    field.put(0, 60, 60, 0)
    field.arm(0)
    field.look()

    def heads():
        field.look()
        out, memory = np.zeros((1, 6), np.int32), np.zeros((1, person.MEMORY), np.float32)
        seats, values = np.zeros(1, np.int32), np.zeros((1, 54), np.float32)
        bots.BOTS_MANY["leader-skilled"](
            field.state[None], field.world, seats, field.goals[:1], values, out, memory
        )
        return out.tolist()

    before = heads()
    field.put(2, 60, 50, 180)
    assert heads() == before and s.sees(field.state, 0, 2)
    assert field.heads(0).tolist() != before[0], "a bot would act at once"


# --- Hands -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strength", [person.NOVICE, person.CASUAL, person.SKILLED])
def test_an_aim_reaches_its_target_in_the_time_of_fitts_law(strength):
    _, scratch = ready(1, strength)
    angle, width = 16384, person.width(20 * s.UNIT)
    scratch[person.SINCE] = 1
    error, ticks = angle, 0
    while error > width:
        error, ticks = person.left(error, scratch), ticks + 1
    law = np.log2(angle / width) / person.THROUGHPUT[strength - person.PEOPLE]
    assert ticks / s.TICKS_PER_SECOND == pytest.approx(law, abs=0.06)


def test_96_percent_hit_where_the_error_is_as_large_as_the_target():
    field, _ = ready(1, person.CASUAL)
    shots = []
    for tick in range(4000):
        field.state[s.TICK] = tick
        shots.append(person.stray(field.state, 0, 1000))
    assert (np.abs(shots) <= 500).mean() == pytest.approx(0.96, abs=0.01)
    assert np.mean(shots) == pytest.approx(0, abs=15)


def test_aim_falls_behind_who_runs_across_and_settles_on_who_stands():
    errors = {}
    for metres in (0.0, 0.2):
        field, scratch = ready(1, person.CASUAL)
        for step in range(30):
            person.observe(field.state, 0, False, scratch)
            yaw = int(step * metres * EVERY / 20 * 10430)
            errors[metres] = person.aim(field.state, 0, yaw, scratch)
            field.state[s.TICK] += EVERY
    assert errors[0.0] < 20
    assert person.width(20 * s.UNIT) < errors[0.2] < 4 * person.width(20 * s.UNIT)


# --- In matches ------------------------------------------------------------------------------------------


def played(ticks, seed=5, name="leader-casual", options=None, each_tick=None):
    """What all seats chose, played by one agent, decision by decision, and the match."""
    sim = Simulation("arena", {"pace": "short", "team_size": 2, **(options or {})}, seed=seed)
    player = Player(load(f"arena/{name}", "arena"), 1, sim.seats)
    rows, seats = np.zeros(sim.seats, int), np.arange(sim.seats)
    chosen = []
    while not sim.over and sim.tick < ticks:
        if sim.tick % EVERY == 0:
            states = np.stack([sim.state] * sim.seats)
            masks = np.stack([sim.legal(seat) for seat in seats])
            chosen.append(player.act(rows, states, seats, masks, None, [sim.world] * sim.seats))
        if each_tick is not None:
            each_tick(sim, player.memory[0])
        sim.step([sim.resolve(seat, chosen[-1][seat]) for seat in seats])
    return chosen, sim


def reactions_in_a_match(name, seed):
    """Milliseconds until a seat acts upon the only enemy in its view, who came into the middle of it."""
    began, found = {}, []

    def watch(sim, memory):
        for seat in range(sim.seats):
            own = memory[seat]
            seen = [other for other in range(sim.seats) if s.sees(sim.state, seat, other)]
            for other in range(sim.seats):
                noticed = own[person.NOTICED - person.CLOCK + other]
                if seen != [other]:
                    began.pop((seat, other), None)
                elif (seat, other) in began and 0 < noticed <= own[0]:
                    found.append(person.TICK_MS * (sim.tick - began.pop((seat, other))))
                elif noticed == 0 and (seat, other) not in began and in_the_middle(sim.state, seat, other):
                    began[seat, other] = sim.tick

    played(2400, seed, name, {"team_size": 4}, watch)
    return found


def in_the_middle(state, seat, other):
    at, op = s.player(seat), s.player(other)
    way = bearing(int(state[op + s.X]) - int(state[at + s.X]), int(state[op + s.Y]) - int(state[at + s.Y]))
    return abs(wrap(way - int(state[at + s.YAW]))) <= person.CENTRE


def test_they_react_in_matches_as_they_should():
    times = [ms for seed in range(12) for ms in reactions_in_a_match("leader-casual", seed)]
    assert len(times) > 15 and np.median(times) == pytest.approx(231, abs=40)


def test_leaders_differ_in_skill():
    wins, hits = [], []
    for name in LEADERS:
        against = load(f"arena/{name}", "arena"), load("arena/middle", "arena")
        found = squads(*against, {"pace": "short"}, matches=60, seed=1)
        wins.append(found["wins"])
        hits.append(found["rates"]["a"]["accuracy"])
    assert wins[0] + 0.1 < wins[2] and hits[0] + 0.05 < hits[2]
    assert all(0.15 < share < 0.55 for share in hits)


# --- What they remember ----------------------------------------------------------------------------------


def test_a_match_is_the_same_again_and_the_same_for_one_seat_alone():
    chosen, sim = played(300)
    assert chosen == played(300)[0]
    policy = load("arena/leader-casual", "arena")
    again = Simulation("arena", sim.options, seed=5)
    player = Player(policy, 1, 1)
    for step, joint in enumerate(sim.actions):
        if step % EVERY == 0:
            seen = again.state[None], np.zeros(1, int), again.legal(0)[None]
            alone = player.act(np.zeros(1, int), *seen, None, [again.world])
            assert list(alone[0]) == list(chosen[step // EVERY][0])
        again.step(joint)


def test_live_play_carries_what_a_leader_remembers():
    chosen, sim = played(240)
    policy = load("arena/leader-casual", "arena")
    live, kept = LiveGames(lambda agent, game: policy), {"id": 1, "match": "m"}
    ask = [{"seat": 1, "agent": "arena/leader-casual", "programs": []}]
    request = {"game": "arena", "options": sim.options, "seed": 5, "deck": [], "from": 0, "actions": []}
    for step, joint in enumerate(chosen):
        (reply,) = live.answer([{**kept, **request, "ask": ask}])
        assert reply["errors"] == {} and list(reply["actions"]["1"]) == list(joint[1])
        request = {"from": EVERY * step, "actions": sim.actions[EVERY * step : EVERY * (step + 1)]}

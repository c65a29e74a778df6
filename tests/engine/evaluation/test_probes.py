"""Probe tasks: what they ask is understood, who does it succeeds, who doesn't does not."""

from __future__ import annotations

import numpy as np
import pytest

from engine import games, language
from engine.agents.catalogue import load
from engine.agents.policy import NetworkPolicy
from engine.agents.surgery import hearing
from engine.evaluation import measures, probes
from engine.evaluation.reward_return import play_rewarded
from engine.games.arena import state as s
from engine.games.arena.evaluation import probes as arena
from engine.games.arena.world import FLOOR, KINDS, WALL, world_of
from engine.games.hanabi import rules as cards
from engine.games.hanabi.evaluation import probes as hanabi
from engine.games.overcooked import rules
from engine.simulation.batch import Batch

ROOM = {"layout": "cramped_room", "horizon": 60, "start": "random"}
WITH_PROBES = [name for name in games.names() if games.brings(name, "probes", "evaluation")]


@pytest.mark.parametrize("game", WITH_PROBES)
def test_a_game_has_at_least_four_that_are_understood_and_told_apart(game):
    own = probes.probes_of(game)
    wishes = {language.features(game, language.meant(game, one.text).program).tobytes() for one in own}
    assert len(wishes) == len(own) == len({one.name for one in own}) >= 4
    assert sum(one.arrange is None for one in own) >= 4


def test_three_games_have_them_and_others_say_that_they_do_not():
    assert len(WITH_PROBES) >= 3
    with pytest.raises(ValueError, match="has no probes"):
        probes.probes_of(next(name for name in games.names() if name not in WITH_PROBES))
    with pytest.raises(ValueError, match="no probe 'fly'; it has go, bring"):
        probes.probes_of("overcooked", "fly")


@pytest.mark.parametrize("game", WITH_PROBES)
def test_success_is_no_measure_that_anybody_could_be_trained_on(game):
    known = list(measures.measures(game).values())
    assert measures.measures(game)[probes.ASKED].told is not None
    assert not any(one.succeeded in known for one in probes.probes_of(game))


def deaf(ref: str):
    """A cook that hears by reading alone, and can't read."""
    cook = load(ref, "overcooked", ROOM)
    cook.card = {**cook.card, "hears": "reading"}
    return cook


@pytest.mark.parametrize("name", ["go", "bring", "place"])
def test_a_cook_who_is_told_succeeds_and_the_same_cook_untold_does_not(name):
    [probe] = probes.probes_of("overcooked", name)
    cook = load("overcooked/self_play-cramped_room", "overcooked", ROOM)
    told, untold = (probes.probed(cook, probe, ROOM, 8, 3, told=said) for said in (True, False))
    assert told["share"] > 0.8 > 0.5 > untold["share"]
    assert told["trials"] == untold["trials"] == 8
    assert probes.probed(deaf("overcooked/stay"), probe, ROOM, 4, 3)["share"] < 0.3


def test_a_sequence_counts_in_its_order_alone():
    [probe] = probes.probes_of("overcooked", "sequence")
    room = {**ROOM, "horizon": 100}
    cook = load("overcooked/greedy", "overcooked", room)
    assert probes.probed(cook, probe, room, 6, 3)["share"] > 0.5

    state = np.zeros((1, rules.STATE_SIZE), rules.STATE_DTYPE)
    memory, sums = np.zeros((1, 2, 1)), []
    put, pot = rules.PLACE_COUNTER, rules.PUT_POT
    done = [(put, rules.DISH), (pot, rules.ONION), (put, rules.DISH)]
    for event, item in done:
        state[0, rules.EVENT + 1], state[0, rules.EVENT_ITEM + 1] = event, item
        sums.append(probe.succeeded.gains(state, state, memory)[0, 1])
    assert sums == [0, 0, 1]


def test_who_cannot_reach_what_it_takes_is_not_asked():
    room = {**ROOM, "layout": "forced_coordination", "start": "fixed"}
    cook = load("overcooked/stay", "overcooked", room)
    own = probes.probes_of("overcooked")
    able = {one.name: probes.probed(cook, one, room, 2, 1)["trials"] for one in own}
    assert able == {"go": 2, "bring": 2, "place": 2, "sequence": 0}


def test_hints_of_a_kind_count_three_times_as_much_against_as_for():
    judge = hanabi.hints_of(cards.HINT_COLOR, cards.HINT_RANK)
    measure, memory = hanabi.enough(judge), np.zeros((1, 2, 1))
    state = np.zeros((1, cards.STATE_SIZE), cards.STATE_DTYPE)
    state[0, cards.LAST_SEAT] = 1

    def gained(kind: int) -> list[float]:
        state[0, cards.LAST_KIND] = kind
        return measure.gains(state, state, memory)[0].tolist()

    assert gained(cards.HINT_COLOR) == [0, 0.5]
    assert gained(cards.HINT_RANK) == [0, -1.5]
    assert gained(cards.DISCARD) == [0, 0]


def test_a_hint_is_followed_with_the_next_move_or_not_at_all():
    memory = np.zeros((1, 2, 1))
    state = np.zeros((1, cards.STATE_SIZE), cards.STATE_DTYPE)

    def moved(seat: int, kind: int, slot: int = -1, target: int = -1, touched: int = 0) -> float:
        state[0, cards.LAST_SEAT], state[0, cards.LAST_KIND] = seat, kind
        state[0, cards.LAST_SLOT], state[0, cards.LAST_TARGET] = slot, target
        state[0, cards.LAST_TOUCHED] = touched
        return float(hanabi.plays_hinted(state, state, memory)[0, 1])

    assert moved(0, cards.HINT_RANK, target=1, touched=0b110) == 0
    assert moved(1, cards.PLAY, slot=2) == 1
    assert moved(1, cards.PLAY, slot=1) == 0  # nothing is due any more
    moved(0, cards.HINT_COLOR, target=1, touched=0b001)
    assert moved(1, cards.DISCARD, slot=0) == -1


def test_conventions_are_kept_by_who_is_told():
    player = load("hanabi/learner-1", "hanabi")
    for name in ("colours", "oldest"):
        [probe] = probes.probes_of("hanabi", name)
        told, untold = (probes.probed(player, probe, {}, 12, 1, told=said)["share"] for said in (True, False))
        assert told > 0.6 > 0.4 > untold


def test_progress_is_that_of_what_a_seat_is_told():
    cook, own = load("overcooked/greedy", "overcooked", ROOM), measures.measure("overcooked", probes.ASKED)
    how = ([cook, cook], "overcooked", ROOM, 6, 3, own)
    told = play_rewarded(*how, told="put an onion on a counter", hearers=[1], ticks=40).utilities[:, 1]
    assert told.mean() > 0.5
    assert not play_rewarded(*how, told="stop", hearers=[1], ticks=40).utilities.any()
    assert not play_rewarded(*how, ticks=40).utilities.any()


def test_games_are_left_when_their_time_is_up():
    cook, clock = load("overcooked/stay", "overcooked", ROOM), measures.measure("overcooked", measures.CLOCK)
    played = play_rewarded([cook, cook], "overcooked", ROOM, 2, 1, clock, ticks=17)
    assert (played.utilities == 17).all()


def reader(ref: str, game: str, options: dict) -> NetworkPolicy:
    """An agent that hears by reading alone, and hasn't learned to."""
    policy = load(ref, game, options)
    tensors = {}
    for number, (weight, bias) in enumerate(policy._layers):
        key = "policy" if number == len(policy._layers) - 1 else f"hidden.{number}"
        tensors |= {f"{key}.weight": weight.T, f"{key}.bias": bias}
    tensors, card = hearing(tensors, policy.card)
    return NetworkPolicy("reader", game, tensors, policy._inputs, {**card, "hears": "reading"})


def test_an_agent_that_hears_by_reading_alone_gets_no_prior():
    agent = reader("overcooked/self_play-cramped_room", "overcooked", ROOM)
    [probe] = probes.probes_of("overcooked", "place")
    told, untold = (probes.probed(agent, probe, ROOM, 6, 1, told=said) for said in (True, False))
    assert told["share"] == untold["share"] < 0.5
    agent.card = {name: value for name, value in agent.card.items() if name != "hears"}
    assert probes.probed(agent, probe, ROOM, 6, 1)["share"] > 0.7


def test_a_leader_is_down_and_mates_are_hurt_where_that_is_the_situation():
    options = games.spec("arena").validate({"teams": 2, "team_size": 2, "pace": "short"})
    states = Batch(games.spec("arena"), options, 2, observations="none", seed=1).states
    arena.leader_down(states)
    arena.hurt(states)
    lives = states[:, [s.player(seat) + s.LIFE for seat in range(4)]]
    assert lives[:, 0].tolist() == [s.DOWNED] * 2 and (lives[:, 1:] == s.UP).all()
    hp = states[:, [s.player(seat) + s.HP for seat in range(4)]]
    assert (hp[:, 1] == arena.HURT).all() and (hp[:, 2:] == 100).all()


def test_a_match_counts_a_rescue_lying_down_and_a_house():
    after = np.zeros((1, s.STATE_SIZE), s.STATE_DTYPE)
    after[0, s.TEAM_SIZE], after[0, s.SEATS] = 2, 4
    before = after.copy()
    for state, life in ((before, s.DOWNED), (after, s.UP)):
        state[0, [s.player(seat) + s.LIFE for seat in range(4)]] = s.UP
        state[0, s.player(0) + s.LIFE] = life
    assert arena.rescued(before, after, np.zeros((1, 4, 0))).tolist() == [[1, 1, 0, 0]]
    memory = np.zeros((1, 4, 1))
    after[0, s.player(1) + s.STANCE] = s.PRONE
    found = sum(arena.lay(after, after, memory) for _ in range(arena.LYING + 5))
    assert found.tolist() == [[0, 1, 0, 0]]
    after[0, [s.player(seat) + s.X for seat in range(4)]] = 0, 9 * s.UNIT, 0, 0
    memory = np.zeros((1, 4, 1))
    near = sum(arena.regrouped(after, after, memory) for _ in range(arena.TOGETHER))
    assert near.tolist() == [[0, 0, 1, 1]]  # the first squad's two are too far from one another
    after[0, s.player(2) + s.VX] = 1
    memory = np.zeros((1, 4, 1))
    still = sum(arena.held(after, after, memory) for _ in range(arena.STILL))
    assert still.tolist() == [[1, 1, 0, 1]]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_squad_is_scattered_where_it_has_to_regroup(size):
    options = games.spec("arena").validate({"teams": 2, "team_size": size, "pace": "short"})
    states = Batch(games.spec("arena"), options, 3, observations="none", seed=1).states
    others = states[:, s.player(size) + s.X].copy()
    arena.scattered(states)
    near, far = arena.APART
    metres = arena.to_leader(states, 2 * size)
    assert (metres[:, 0] == 0).all() and (metres[:, 1:size] > near - 1).all()
    assert (metres[:, 1:size] < far + 1).all() and (metres[:, size:] < near).all()
    assert (arena.to_mates(states, 2 * size)[:, 1:size] > arena.CLOSE + 2).all()
    assert (states[:, s.player(size) + s.X] == others).all()


def test_a_house_is_as_far_as_it_is_on_foot():
    options = games.spec("arena").validate({"teams": 2, "team_size": 2, "map_seed": 3})
    states = Batch(games.spec("arena"), options, 1, observations="none", seed=1).states
    world = world_of((3,))[0, KINDS : KINDS + s.CELLS]
    inside = np.flatnonzero(world == FLOOR)

    def metres(cell: int) -> float:
        states[0, s.player(0) + s.X], states[0, s.player(0) + s.Y] = (
            (at * s.UNIT + s.UNIT // 2) for at in (cell % s.SIDE, cell // s.SIDE)
        )
        return float(arena.to_house(states, 4)[0, 0])

    assert metres(inside[0]) == 0
    walls = [
        cell
        for cell in inside
        if world[cell - s.SIDE] == WALL and world[cell - 2 * s.SIDE] not in (WALL, FLOOR)
    ]
    behind = [metres(cell - 2 * s.SIDE) for cell in walls]
    assert all(far >= 2 for far in behind) and max(behind) > 5


def test_a_mate_who_is_told_to_stays_or_comes_together():
    options = {"teams": 2, "team_size": 4}
    squad = load("arena/squad", "arena", options)
    for name in ("hold", "regroup"):
        [probe] = probes.probes_of("arena", name)
        told, untold = (
            probes.probed(squad, probe, options, 6, 1, told=said)["share"] for said in (True, False)
        )
        assert told > 0.7 and told > untold


def test_a_table_has_a_row_a_probe():
    found = probes.evaluate_probes(deaf("overcooked/stay"), ROOM, 2, 1, "bring")
    assert list(found["probes"]) == ["bring"] and found["probes"]["bring"]["told"]["share"] == 0
    assert "bring" in probes.table(found)[-1] and "0%" in probes.table(found)[-1]

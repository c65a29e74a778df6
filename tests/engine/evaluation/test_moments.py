"""The moments that decided a game: which, how far apart, about whom, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.evaluation import moments
from engine.games.arena import state as s
from engine.games.arena.angles import bearing
from engine.games.arena.evaluation import moments as arena
from engine.games.hanabi import rules
from engine.games.hanabi.evaluation import moments as hanabi
from engine.games.overcooked import rules as kitchen
from engine.simulation.log import EpisodeLog, header_of
from engine.simulation.simulation import Simulation


def logged(sim: Simulation, movers) -> EpisodeLog:
    """The log of a game whose next joint action `movers` says, until it says None or the game is over."""
    log = EpisodeLog(header_of(sim, "made", [{"kind": "person", "name": "p"}] * sim.seats))
    while not sim.over and (joint := movers(sim)) is not None:
        tick = sim.tick
        sim.step(joint)
        log.append({"type": "step", "tick": tick, "actions": sim.actions[-1]})
    return log


def turn(sim: Simulation, action: int) -> list[int]:
    joint = [sim.no_op] * sim.seats
    joint[sim.current] = action
    return joint


def bombed(players: int = 2) -> tuple[EpisodeLog, Simulation]:
    """Hanabi: two cards that fit are played, then cards that don't until the last life is gone."""
    sim = Simulation("hanabi", {"players": players}, seed=4)

    def moves(sim):
        seat, want = sim.current, sim.score < 2
        for slot in range(rules.hand_size(sim.state, seat)):
            card = rules.card_of(sim.state, rules.key_at(sim.state, seat, slot))
            if bool(rules.is_playable(sim.state, card)) is want:
                play = next(
                    action
                    for action in np.flatnonzero(sim.legal(seat))
                    if int(rules.action_kind(sim.state, action)) == rules.PLAY
                    and int(rules.action_detail(sim.state, action)[0]) == slot
                )
                return turn(sim, int(play))
        return turn(sim, int(np.flatnonzero(sim.legal(seat))[-2 if sim.score < 2 else -1]))

    return logged(sim, moves), sim


def test_the_last_life_of_a_bombed_game_is_its_largest_moment() -> None:
    log, sim = bombed()
    assert sim.over and sim.score == 0
    found, last = moments.decisive(log, range(2))
    assert (last == sim.state).all()
    worst = min(found, key=lambda one: one.change)
    assert worst.tick == sim.tick
    assert worst.effect == "The last life went, and 2 points with it."
    assert "didn't fit" in worst.text and worst.text.startswith("Player ")
    assert worst.seat == sim.movers[-1]
    assert [one.tick for one in found] == sorted(one.tick for one in found)
    assert all(one.picture.dtype == np.uint8 and one.picture.shape[1] == moments.WIDTH for one in found)


def test_no_two_moments_are_neighbours_and_equal_ones_are_spread() -> None:
    equal = [(tick, 0, 1.0) for tick in range(1, 61)]
    assert sorted(moments.chosen(equal)) == [1, 30, 60] or sorted(moments.chosen(equal)) == [1, 31, 60]
    peak = [(tick, 0, 5.0 if tick in (20, 21, 22) else 0.5) for tick in range(1, 41)]
    kept = sorted(moments.chosen(peak))
    assert len(kept) == 3 and sum(tick in (20, 21, 22) for tick in kept) == 1
    assert min(b - a for a, b in zip(kept, kept[1:], strict=False)) >= 4
    assert moments.chosen([]) == {}


def test_a_last_copy_costs_the_points_that_end_with_it() -> None:
    sim = Simulation("hanabi", {"players": 2}, seed=1)
    before = sim.state.copy()
    after = before.copy()
    assert hanabi.within_reach(before) == 25
    after[rules.DISCARDED] = rules.copies(0, 5)  # every red 1
    after[rules.LAST_SEAT], after[rules.LAST_KIND], after[rules.LAST_CARD] = 1, rules.DISCARD, 0
    assert hanabi.within_reach(after) == 20
    assert hanabi.weighed(before, after, np.array([0.0, -1.0])).tolist() == [0.0, -5.0]
    assert "5 points can’t be made any more." in hanabi.effect(before, after, 1, -5.0)
    assert hanabi.effect(before, before, 1, -1.0) == "No point came of it."


FOUR_COOKS = "XXPXXX\nO1234O\nX    X\nXDXSXX\n"


@pytest.mark.parametrize(("cooks", "layout"), [(2, "cramped_room"), (4, FOUR_COOKS)])
def test_a_kitchen_without_a_soup_has_moments_too(cooks: int, layout: str) -> None:
    sim = Simulation("overcooked", {"players": cooks, "layout": layout, "horizon": 200}, seed=1)
    found, last = moments.decisive(logged(sim, lambda sim: [kitchen.STAY] * cooks), range(cooks))
    assert (last == sim.state).all() and found
    assert all("brought no soup closer for 60 steps" in one.effect and one.text == "" for one in found)


def test_what_one_did_oneself_comes_first_but_whoever_won_by_waiting_sees_the_others_go() -> None:
    options = {"teams": 2, "team_size": 2, "pace": "short", "monsters": 0, "map_seed": 3}
    sim = Simulation("arena", options, seed=5)

    def outwards(sim, seat):
        at = s.player(seat)
        x, y = int(sim.state[at + s.X] - sim.state[s.BLUE_X]), int(sim.state[at + s.Y] - sim.state[s.BLUE_Y])
        return [0, 0, 1, s.B_RUN, s.PICK, int(sim.state[at + s.SLOT]), bearing(x, y), 0, sim.tick]

    log = logged(sim, lambda sim: [sim.idle(0), sim.idle(1), outwards(sim, 2), outwards(sim, 3)])
    assert sim.over and sim.view(None)["winner"] == 0
    lost, _ = moments.decisive(log, (2, 3))
    won, _ = moments.decisive(log, (0, 1))
    assert lost and won and all(one.seat in (2, 3) for one in lost)
    assert all(one.change < 0 for one in lost if one.tick > 100)
    assert {one.seat for one in won} & {2, 3}, "nothing befell who waited"
    steps, _ = moments.changes(log, (0, 1))
    assert max(abs(one.change) for one in steps if one.seat > 1) <= moments.OTHERS * 2
    before, after = sim.state.copy(), sim.state.copy()
    after[s.player(1) + s.LIFE] = s.DOWNED
    assert arena.effect(before, after, 1, -0.6) == "1 of 2 of the squad left standing."
    assert arena.weighed(before, after, np.array([0.1, -0.6, 0.0, 2.0])).tolist() == [0, -0.6, 0, 2.0]


def test_a_game_with_none_of_its_own_parts_goes_by_its_score() -> None:
    sim = Simulation("say_select", {}, seed=2)
    log = logged(sim, lambda sim: turn(sim, int(np.flatnonzero(sim.legal(sim.current))[0])))
    found, last = moments.decisive(log, range(2))
    assert len(found) <= 3
    for one in found:
        assert one.text and ("more: " in one.effect or "fewer: " in one.effect)
    assert (last == sim.state).all()


def test_a_game_in_which_nothing_changed_has_none() -> None:
    sim = Simulation("hanabi", {"players": 2}, seed=1)
    assert moments.decisive(logged(sim, lambda sim: None), range(2))[0] == []

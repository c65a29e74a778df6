"""The scripted progress of cooks: what helps, what harms, and that nothing is gained by going in circles."""

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.annotators import Annotator, Watched, annotate
from engine.evaluation.simulated_episodes import play_logs
from engine.games.overcooked import rules
from engine.games.overcooked.evaluation.progress import worth
from engine.language import read
from engine.simulation.log import EpisodeLog, header_of, verify
from engine.simulation.simulation import Simulation

# cramped_room: XXPXX / O  2O / X1  X / XDXSX; seat 0 begins at the bottom left, seat 1 at the top right.
NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)
FETCH_ONION = [NORTH, WEST, INTERACT]


def played(moves: list[int], layout: str = "cramped_room", seat: int = 0, told: str = "") -> EpisodeLog:
    """A game in which one seat makes these moves and the other stays."""
    sim = Simulation("overcooked", {"layout": layout})
    log = EpisodeLog(header_of(sim, "e", [{"kind": "agent", "name": "test"}] * 2))
    if told:
        said = {
            "type": "instruction",
            "tick": 0,
            "seat": 1 - seat,
            "target_seat": seat,
            "id": "i",
            "text": told,
        }
        log.append({**said, "status": "confirmed", "reading": read("overcooked", told).as_json()})
    for action in moves:
        joint, tick = [STAY, STAY], sim.tick
        joint[seat] = action
        sim.step(joint)
        log.append({"type": "step", "tick": tick, "actions": joint})
    return log


def gains(*args, **kwargs) -> np.ndarray:
    return np.diff(Watched(played(*args, **kwargs)).progress(kwargs.get("seat", 0)))


def test_fetching_and_potting_an_onion_is_progress_and_walking_is_none():
    found = gains([*FETCH_ONION, EAST, NORTH, INTERACT])
    assert found[2] > 0 < found[5]
    assert (found[[0, 1, 3, 4]] == 0).all()


def test_a_dish_that_no_pot_needs_is_regression():
    assert gains([SOUTH, INTERACT])[1] < 0


def test_a_dish_is_progress_once_something_is_in_the_pot():
    found = gains([*FETCH_ONION, EAST, NORTH, INTERACT, WEST, SOUTH, SOUTH, INTERACT])
    assert found[-1] > 0


def test_dropping_what_is_needed_is_regression_and_picking_it_up_again_adds_up_to_nothing():
    found = gains([*FETCH_ONION, NORTH, INTERACT, INTERACT, INTERACT, INTERACT])
    assert found[4] < 0 < found[5]
    assert found[4:8].sum() == pytest.approx(0)


def test_progress_belongs_to_the_seat_that_made_it():
    log = played([*FETCH_ONION, EAST, NORTH, INTERACT])
    assert Watched(log).progress(1)[-1] == 0


def test_a_whole_soup_adds_up_and_delivering_is_the_last_of_it():
    bring = [WEST, INTERACT, EAST, NORTH, INTERACT]
    soup = [NORTH, *bring, *bring, *bring]
    dish = [WEST, SOUTH, SOUTH, INTERACT]
    serve = [*[STAY] * 20, NORTH, EAST, NORTH, INTERACT, SOUTH, EAST, SOUTH, INTERACT]
    moves = [*soup, *dish, *serve]
    found = gains(moves)
    assert (found >= 0).all()
    assert found[-1] > 0
    assert (found > 0).sum() == 9  # three onions taken and put, a dish, the soup, the delivery


def test_handing_over_a_counter_is_progress_where_nobody_reaches_both_ends():
    # forced_coordination: seat 1 has onions and dishes, seat 0 the pots.
    found = gains([NORTH, WEST, INTERACT, EAST, INTERACT], "forced_coordination", seat=1)
    assert found[2] > 0 < found[4]


def test_a_soup_that_nobody_ordered_is_spoiled():
    sim = Simulation("overcooked", {"layout": "name: t\norders: onion onion onion\n\nXXPXX\nO12 T\nXDXSX"})
    before = worth(sim.state)
    state = sim.state.copy()
    state[rules.ITEM + 2] = rules.SOUP + 1  # a tomato
    assert worth(state) < before


def test_doing_as_told_is_progress():
    text = "hand me onions"
    walk = [NORTH, WEST]
    assert Watched(played(walk, told=text)).progress(0)[-1] > Watched(played(walk)).progress(0)[-1]
    assert Watched(played([EAST, EAST], told=text)).progress(0)[-1] < 0


def test_marks_of_a_kitchen_say_that_they_are_simulated():
    marks = annotate(Watched(played([*FETCH_ONION, NORTH, INTERACT])), "e", 0, Annotator())
    assert [(m["tick"], m["sign"]) for m in marks] == [(3, 1), (5, -1)]
    assert all(m["simulated"] and m["annotator"] == "simulated:careful" for m in marks)


def test_simulated_episodes_differ_and_can_be_repeated():
    greedy, crew = load("overcooked/greedy", "overcooked"), [load("overcooked/stay", "overcooked")]

    def make() -> list[EpisodeLog]:
        options = {"horizon": 60, "start": "random"}
        return list(play_logs(greedy, 6, options, mistakes=0.2, seed=5, partners=crew))

    logs = make()
    assert [log.steps for log in make()] == [log.steps for log in logs]
    assert len({str(log.steps) for log in logs}) == 6
    assert {seat["agent"] for log in logs for seat in log.header["seats"]} > {"overcooked/greedy"}
    assert all(verify(log) == [] for log in logs)

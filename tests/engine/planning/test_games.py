"""What every game keeps to that says how work is planned in it (engine.games.plans)."""

from __future__ import annotations

import pickle

import pytest

from engine import brings, language
from engine.games.plans import Wanted
from engine.language.declared import parse
from engine.planning.fitting import ahead
from engine.planning.planners import search
from engine.planning.steps import carried
from engine.simulation.simulation import Simulation

GAMES = brings.Planning.games()


def begun(game: str) -> tuple[Simulation, Wanted]:
    sim = Simulation(game, {}, 3)
    side = [seat for seat in range(sim.seats) if sim.spec.side_of(sim.options, seat) == 0]
    return sim, Wanted(tuple(side))


@pytest.mark.parametrize("game", GAMES)
def test_an_option_is_an_order_in_its_one_form_that_is_carried_out_whole(game: str) -> None:
    options = ahead(search.world(*begun(game)))
    assert options
    for option in options:
        if option.program:
            assert carried(game, option.program)["means"] == option.program
        assert option.ticks >= 0 and (option.place is None or len(option.place) == 2)


@pytest.mark.parametrize("game", GAMES)
def test_a_world_is_a_value_and_time_goes_on_in_it(game: str) -> None:
    world = search.world(*begun(game))
    seat, key, worth = world.turn(), world.key(), world.value()
    options = world.options()
    assert seat is not None and len(options) == len(world.options())
    assert all(option.then.value() == option.then.value() for option in options)
    later = world.later(10_000.0)
    assert later.turn() != seat or later.turn() is None
    assert (world.turn(), world.key(), world.value()) == (seat, key, worth)
    hash(key)


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_that_is_banned_from_something_is_not_offered_it(game: str) -> None:
    sim, wanted = begun(game)
    first = search.world(sim, wanted)
    seat, option = first.turn(), next(one for one in first.options() if one.program)
    assert seat is not None
    declared = brings.Language.of(game).DECLARED
    ban = parse(declared, search.alike(option.program))
    banned = search.world(sim, Wanted(wanted.seats, banned={seat: tuple(ban)}))
    for _ in range(20):
        if banned.turn() == seat or banned.turn() is None:
            break
        banned = banned.later(5.0)
    programs = [search.alike(one.program) for one in banned.options()] if banned.turn() == seat else []
    assert search.alike(option.program) not in programs


@pytest.mark.parametrize("game", GAMES)
def test_what_is_done_at_the_end_of_a_plan_can_be_checked(game: str) -> None:
    sim, wanted = begun(game)
    for step in search.plan(sim, wanted).steps:
        program = {**carried(game, step.program), "since_tick": 0, "from_seat": step.seat}
        assert language.progress(game, program, sim, step.seat)["state"]


@pytest.mark.parametrize("game", GAMES)
def test_nobody_who_is_busy_is_planned_for(game: str) -> None:
    sim, wanted = begun(game)
    left = wanted.seats[1:]
    made = search.plan(sim, Wanted(left, busy=frozenset(wanted.seats[:1])))
    assert {step.seat for step in made.steps} <= set(left)
    pickle.dumps(made)

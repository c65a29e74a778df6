"""What planners are told of kitchens: that every step can be carried out, takes as long as is thought, and
counts as it should.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine import language
from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.evaluation.episodes import Logged, play_on
from engine.games.overcooked import planning, rules
from engine.games.overcooked.layouts import CLASSIC
from engine.games.overcooked.planning.kitchen import Kitchen
from engine.games.plans import Option, Wanted
from engine.language.declared import parse
from engine.planning.planners import search
from engine.planning.running import Running
from engine.planning.steps import carried
from engine.simulation.life import State
from engine.simulation.simulation import Simulation
from tests.engine.games.overcooked import kitchen as by_hand
from tests.engine.games.overcooked.kitchen import THREE_ONIONS, soup

DECLARED = language.brings.Language.of("overcooked").DECLARED
TOMATOES = """
orders: onion onion tomato; tomato tomato
bonus_orders: tomato tomato

XXPXX
O  2T
X1  X
XDXSX"""
SERVED_BEYOND = """
XXXXXXXX
O1 P2  S
X  X   X
XDXXXDXX"""
FOUR = """
XXPXXPXXX
O 1   2 O
X  XXX  X
D 3   4 S
XXXDXSXXX"""
BEYOND = """
XXXXXXXX
O1XX 2PX
O X  3 S
D X   PX
XXXXXXXX"""
KITCHENS = {
    **{name: {"layout": name} for name in CLASSIC},
    "pots to be switched on": {"layout": "coordination_ring", "dynamics": "new"},
    "tomatoes": {"layout": TOMATOES, "dynamics": "new"},
    "four cooks": {"layout": FOUR},
    "three cooks, one of them alone": {"layout": BEYOND},
    "a drawn one": {"layout": "new 3"},
    "a drawn one in parts": {"layout": "new 0"},
}


def begun(seed: int = 1, **options: object) -> Simulation:
    return Simulation("overcooked", {"dynamics": "old", "horizon": 400, **options}, seed=seed)


def world(sim: Simulation, **wanted: object) -> Kitchen:
    return planning.world(sim, Wanted(tuple(range(sim.seats)), **wanted))


def set_up(given: by_hand.Kitchen) -> Simulation:
    return Simulation.at("overcooked", given.options, given.state)


def said(*notations: str) -> tuple[dict, ...]:
    return tuple(clause for one in notations for clause in parse(DECLARED, one))


def programs(kitchen: Kitchen) -> list[str]:
    return [option.program for option in kitchen.options()]


def option(kitchen: Kitchen, begins: str) -> Option:
    return next(one for one in kitchen.options() if one.program.startswith(begins) and one.program)


def turn_of(kitchen: Kitchen, seat: int) -> Kitchen:
    """The kitchen once it is this seat's turn, others leaving things to it."""
    while kitchen.turn() != seat:
        kitchen = kitchen.later(1.0)
    return kitchen


@pytest.mark.parametrize("name", KITCHENS)
def test_every_step_is_a_program_that_cooks_carry_out_whole(name: str) -> None:
    draw, seen = np.random.default_rng(1), set()
    for _ in range(6):
        kitchen = world(begun(**KITCHENS[name]))
        for _ in range(24):
            choices = kitchen.options()
            if not choices:
                break
            assert len(choices) <= 9
            seen |= {one.program for one in choices}
            kitchen = choices[draw.integers(len(choices))].then
    assert len(seen) > 2
    for program in seen - {""}:
        assert carried("overcooked", program)["goals"]


@pytest.mark.parametrize("name", KITCHENS)
def test_a_plan_by_search_ends_with_a_soup_on_its_way(name: str) -> None:
    sim = begun(**KITCHENS[name])
    plan = search.plan(sim, Wanted(tuple(range(sim.seats))))
    assert any(step.program.startswith(("fill", "fetch", "lay")) for step in plan.steps)
    assert not plan.lost


def carried_out(sim: Simulation, seat: int, program: str, most: int) -> int:
    """Ticks until a scripted cook, alone among cooks who stand still, has done a step."""
    cook, start = load("overcooked/greedy", "overcooked"), sim.tick
    told = {**carried("overcooked", program), "since_tick": start, "from_seat": seat}
    while language.progress("overcooked", told, sim, seat)["state"] != State.DONE:
        assert sim.tick - start < most, f"“{program}” isn't done after {most} ticks."
        joint = [rules.STAY] * sim.seats
        joint[seat] = act(cook, [sim], [seat], None, [[told]])[0]
        sim.step(joint)
    return sim.tick - start


@pytest.mark.parametrize(
    ("layout", "seat", "begins"),
    [
        ("asymmetric_advantages", 0, "fill what=onion side=top times=3"),
        ("asymmetric_advantages", 1, "fill what=onion side=bottom times=1"),
        ("coordination_ring", 0, "fill what=onion side=left times=3"),
        ("forced_coordination", 1, "fetch what=onion to=me times=3"),
        ("counter_circuit_o_1order", 0, "fill what=onion side=right times=3"),
        ("counter_circuit_o_1order", 1, "fetch what=onion to=me times=1"),
    ],
)
def test_a_step_is_done_after_about_the_ticks_that_were_thought(layout: str, seat: int, begins: str) -> None:
    sim = begun(layout=layout)
    step = option(turn_of(world(sim), seat), begins)
    taken = carried_out(sim, seat, step.program, int(3 * step.ticks) + 10)
    assert abs(taken - step.ticks) <= 2 + step.ticks / 4


def test_to_serve_means_to_get_a_plate_wait_scoop_and_go_to_the_window() -> None:
    given = by_hand.Kitchen("asymmetric_advantages")
    given.put((4, 2), THREE_ONIONS, timer=2)
    sim = set_up(given)
    step = option(turn_of(world(sim), 1), "serve")
    assert step.ticks >= 18
    assert abs(carried_out(sim, 1, step.program, 60) - step.ticks) <= 4
    assert sim.score == 20


def test_soup_that_is_served_beyond_is_handed_over_and_served_there() -> None:
    given = by_hand.Kitchen(SERVED_BEYOND)
    given.put((3, 1), THREE_ONIONS, timer=20)
    given.cook(0, (2, 1), held=rules.DISH)
    kitchen = turn_of(world(set_up(given)), 0)
    handed = option(kitchen, "plate to=me")
    assert "soup on the counter" in handed.gives
    assert carried_out(set_up(given), 0, handed.program, 40) <= handed.ticks + 4
    served = option(turn_of(handed.then, 1), "serve")
    assert served.needs == ("soup on the counter",)
    assert served.then.value() > handed.then.value() - 20


def test_things_are_handed_over_only_to_those_who_get_them_later_themselves() -> None:
    for name in ("cramped_room", "asymmetric_advantages"):
        for seat in range(2):
            assert not [one for one in programs(turn_of(world(begun(layout=name)), seat)) if "to=me" in one]
    kitchen = world(begun(layout="forced_coordination"))
    assert kitchen.turn() == 1  # who hands over chooses first
    assert "fetch what=onion to=me times=3" in programs(kitchen)
    assert programs(turn_of(kitchen, 0)) == [""]


def test_what_was_laid_on_a_counter_is_put_into_pots_and_no_more_than_that() -> None:
    kitchen = world(begun(layout="forced_coordination"))
    kitchen = turn_of(option(kitchen, "fetch what=onion to=me times=1").then, 0)
    fills = [one for one in programs(kitchen) if one.startswith("fill")]
    assert fills
    assert all(one.endswith("times=1") for one in fills)


def test_in_the_new_dynamics_somebody_starts_the_pot_and_only_then_it_is_scooped() -> None:
    given = by_hand.Kitchen("cramped_room", "new")
    given.put((2, 0), soup(3))
    kitchen = world(set_up(given))
    assert "start" in programs(kitchen)
    assert not [one for one in programs(kitchen) if one.startswith("serve")]
    started = option(kitchen, "start").then
    assert [one for one in programs(turn_of(started, 1)) if one.startswith("serve")]


def test_pots_get_what_the_best_paid_order_lacks() -> None:
    kitchen = world(begun(layout=TOMATOES, dynamics="new"))
    assert "fill what=tomato times=2" in programs(kitchen)
    assert not [one for one in programs(kitchen) if "onion" in one]


def test_nothing_is_planned_that_comes_too_late() -> None:
    given = by_hand.Kitchen("cramped_room", horizon=12)
    given.put((2, 0), THREE_ONIONS, timer=5)
    assert programs(world(set_up(given))) == [""]


def test_a_goal_with_a_number_is_met_by_so_many_and_a_side_says_which_pots() -> None:
    given = by_hand.Kitchen("cramped_room")
    given.put((2, 0), THREE_ONIONS, timer=20)
    kitchen = world(set_up(given), goal=said("serve times=1"))
    served = option(kitchen, "serve").then
    assert served.counted == (1,)
    assert served.turn() is None
    assert served.points > 0
    ring = world(begun(layout="coordination_ring"), goal=said("fill what=onion side=left"))
    assert all("side=left" in one for one in programs(ring) if one.startswith("fill"))


def test_who_is_asked_for_what_makes_no_soup_gets_it_as_a_step() -> None:
    goal = said("go at=pot")
    kitchen = world(begun(layout="cramped_room"), goal=goal, people=frozenset({0}))
    assert "go at=pot" not in programs(turn_of(kitchen, 0))
    gone = option(turn_of(kitchen, 1), "go at=pot").then
    assert gone.counted == (1,)
    assert gone.turn() is None


@pytest.mark.parametrize(
    ("banned", "begins"),
    [
        ("fetch what=dish", "serve"),
        ("plate", "serve"),
        ("serve", "serve"),
        ("fill what=onion", "fill"),
        ("fetch what=onion", "fill"),
    ],
)
def test_a_seat_isnt_given_what_it_is_not_to_do(banned: str, begins: str) -> None:
    given = by_hand.Kitchen("coordination_ring")
    given.put((3, 0), THREE_ONIONS, timer=20)
    sim = set_up(given)
    for seat in range(2):
        kitchen = turn_of(world(sim, banned={1: said(banned)}), seat)
        has = any(one.startswith(begins) for one in programs(kitchen))
        assert has == (seat == 0)


def test_a_ban_on_handing_over_leaves_who_reaches_the_pots_alone() -> None:
    kitchen = world(begun(layout="counter_circuit_o_1order"), banned={1: said("fetch what=onion to=me")})
    own = programs(turn_of(kitchen, 1))
    assert [one for one in own if one.startswith("fill")]
    assert not [one for one in own if "to=me" in one]


def test_only_the_seats_that_are_wanted_have_turns() -> None:
    kitchen = planning.world(begun(layout="cramped_room"), Wanted((1,), busy=frozenset({0})))
    for _ in range(5):
        assert kitchen.turn() == 1
        kitchen = kitchen.options()[0].then


def test_the_pace_of_an_act_makes_its_steps_longer() -> None:
    sim = begun(layout="cramped_room")
    usual = option(world(sim), "fill what=onion times=3").ticks
    assert option(world(sim, pace={"fill": 2.0}), "fill what=onion times=3").ticks == 2 * usual
    assert option(world(sim, slow={0: 3.0}), "fill what=onion times=3").ticks == 3 * usual
    assert option(world(sim, slow={1: 3.0}), "fill what=onion times=3").ticks == usual


def test_a_soup_is_worth_more_the_sooner_it_is_served_and_work_more_than_none() -> None:
    given = by_hand.Kitchen("cramped_room")
    given.put((2, 0), THREE_ONIONS, timer=20)
    kitchen = world(set_up(given))
    at_once = option(kitchen, "serve").then
    assert at_once.value() > option(kitchen.later(10.0)._replace(free=(10.0, 10.0)), "serve").then.value()
    assert at_once.value() > kitchen.later(option(kitchen, "serve").ticks).value()


def test_a_step_in_progress_is_still_among_the_options() -> None:
    given = by_hand.Kitchen("cramped_room")
    given.put((2, 0), soup(1))
    given.cook(0, (1, 1), held=rules.ONION)
    assert "fill what=onion times=2" in programs(world(set_up(given)))
    given.cook(0, (2, 1), held=THREE_ONIONS)
    assert programs(world(set_up(given))) == ["serve times=1", ""]


def test_things_are_named_with_what_is_in_them_and_who_holds_what() -> None:
    given = by_hand.Kitchen("coordination_ring")
    given.put((3, 0), soup(2))
    given.put((4, 1), THREE_ONIONS, timer=5)
    given.put((2, 2), rules.DISH)
    given.cook(1, (1, 3), held=rules.ONION)
    now = {one["name"]: one for one in planning.things(set_up(given))}
    assert now["left pot"] == {"name": "left pot", "place": [3, 0], "now": "2 onions in it"}
    assert now["right pot"]["now"] == "cooks 3 onions, 15 ticks left"
    assert now["counter in column 3, row 3"]["now"] == "a dish on it"
    assert now["{1}"]["now"] == "holds an onion"


def test_two_cooks_in_a_divided_kitchen_carry_their_plan_out() -> None:
    sim, cook = begun(layout="forced_coordination", horizon=150), load("overcooked/greedy", "overcooked")
    game = Logged.begun(sim, [cook, cook], "planned")
    running = Running(game.log.header)
    turned_on = {"type": "plan_edit", "tick": 0, "seat": 0, "side": 0, "do": "on"}
    game.write(turned_on)
    running.note(turned_on)

    def look(games: list[Logged]) -> None:
        for record in running.look(sim):
            game.write(record)

    play_on([game], np.random.default_rng(1), before=look)
    states = [record["state"] for record in game.log.records if record["type"] == "planned"]
    assert sim.score >= 80
    assert states.count("done") >= 0.9 * states.count("doing") > 20

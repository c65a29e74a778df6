"""The rules of Overcooked, fact by fact: order within a step, collisions, pots, orders, shaping.

In most cases the kitchen is the cramped room, where everything is one or two cells away:

    XXPXX      seat 0 starts at (1, 2), seat 1 at (3, 1)
    O  2O
    X1  X
    XDXSX
"""

from __future__ import annotations

import pytest

from engine.games.overcooked import rules
from engine.games.overcooked.rules import DISH, IDLE, NOTHING, ONION, TOMATO, cook_time, pot_ready
from tests.engine.games.overcooked.kitchen import (
    EAST,
    INTERACT,
    NORTH,
    SOUTH,
    STAY,
    THREE_ONIONS,
    WEST,
    Kitchen,
    soup,
)

POT, ONIONS, DISHES, WINDOW, COUNTER = (2, 0), (0, 1), (1, 3), (3, 3), (0, 2)
both = pytest.mark.parametrize("dynamics", ["old", "new"])
TOMATOES = """dish_reward: 7
values: onion onion tomato 11; tomato 4
times: onion onion tomato 6; tomato 3
orders: {orders}
bonus_orders: {bonus}

XXPXX
O  2T
X1  X
XDXSX
"""


# --- Where cooks go -----------------------------------------------------------------------------------------


@both
def test_both_cooks_begin_at_their_start_cells_facing_north(dynamics: str) -> None:
    kitchen = Kitchen(dynamics=dynamics)
    assert (kitchen.at(0), kitchen.at(1)) == ((1, 2), (3, 1))
    assert kitchen.facing(0) == kitchen.facing(1) == NORTH


@both
def test_a_move_goes_one_cell_and_turns(dynamics: str) -> None:
    kitchen = Kitchen(dynamics=dynamics)
    for action, there in ((EAST, (2, 2)), (NORTH, (2, 1)), (WEST, (1, 1)), (SOUTH, (1, 2))):
        kitchen.step(action, STAY)
        assert kitchen.at(0) == there and kitchen.facing(0) == action
    assert kitchen.at(1) == (3, 1)


def test_moving_against_a_counter_turns_without_moving() -> None:
    kitchen = Kitchen()
    kitchen.step(WEST, EAST)
    assert (kitchen.at(0), kitchen.facing(0)) == ((1, 2), WEST)
    assert (kitchen.at(1), kitchen.facing(1)) == ((3, 1), EAST)


def test_staying_and_interacting_do_not_turn() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 2), WEST)
    kitchen.step(STAY, STAY)
    kitchen.step(INTERACT, STAY)
    assert kitchen.facing(0) == WEST


def test_two_who_want_one_cell_both_stay_and_both_turn() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 1))
    kitchen.cook(1, (3, 1))
    kitchen.step(EAST, WEST)
    assert (kitchen.at(0), kitchen.at(1)) == ((1, 1), (3, 1))
    assert (kitchen.facing(0), kitchen.facing(1)) == (EAST, WEST)


def test_two_who_want_to_swap_both_stay_and_both_turn() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 1))
    kitchen.cook(1, (2, 1))
    kitchen.step(EAST, WEST)
    assert (kitchen.at(0), kitchen.at(1)) == ((1, 1), (2, 1))
    assert (kitchen.facing(0), kitchen.facing(1)) == (EAST, WEST)


@pytest.mark.parametrize("idle", [STAY, INTERACT, NORTH])
def test_nobody_walks_into_a_cook_who_stays(idle: int) -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (2, 1))
    kitchen.cook(1, (3, 1))
    kitchen.step(EAST, idle)
    assert (kitchen.at(0), kitchen.at(1), kitchen.facing(0)) == ((2, 1), (3, 1), EAST)


def test_a_cell_that_the_other_leaves_can_be_entered() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 1))
    kitchen.cook(1, (2, 1))
    kitchen.step(EAST, EAST)
    assert (kitchen.at(0), kitchen.at(1)) == ((2, 1), (3, 1))


RING = """
XPXXXX
O12 TX
X43  S
XXDXXX
"""


def test_four_cooks_can_go_round_in_a_circle() -> None:
    kitchen = Kitchen(RING)
    kitchen.step(EAST, SOUTH, WEST, NORTH)
    assert [kitchen.at(seat) for seat in range(4)] == [(2, 1), (2, 2), (1, 2), (1, 1)]


def test_when_any_two_of_four_collide_all_stay_where_they_are() -> None:
    """As in overcooked_ai, whose rule is about the joint position."""
    kitchen = Kitchen(RING)
    kitchen.cook(1, (3, 1))
    kitchen.cook(2, (4, 2))
    kitchen.cook(3, (1, 2))
    kitchen.step(EAST, WEST, NORTH, EAST)
    assert [kitchen.at(seat) for seat in range(4)] == [(1, 1), (3, 1), (4, 2), (1, 2)]
    assert [kitchen.facing(seat) for seat in range(4)] == [EAST, WEST, NORTH, EAST]


# --- What comes first ---------------------------------------------------------------------------------------


def test_an_interaction_uses_the_direction_faced_before_the_step() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 1), WEST)
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == ONION
    kitchen.cook(0, (1, 1), NORTH)
    kitchen.step(WEST, STAY)
    assert kitchen.facing(0) == WEST and kitchen.held(0) == NOTHING
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == ONION


def test_seat_0_interacts_before_seat_1() -> None:
    kitchen = Kitchen("coordination_ring")
    counter = (2, 2)
    kitchen.cook(0, (1, 2), EAST, ONION)
    kitchen.cook(1, (3, 2), WEST)
    kitchen.step(INTERACT, INTERACT)
    assert kitchen.held(0) == NOTHING and kitchen.held(1) == ONION and kitchen.item(*counter) == NOTHING
    # The other way round, seat 0 finds the counter empty and seat 1 only then puts its onion there.
    kitchen.step(INTERACT, INTERACT)
    assert kitchen.held(0) == NOTHING and kitchen.held(1) == NOTHING and kitchen.item(*counter) == ONION


def test_interactions_come_before_movement() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 1), WEST)
    kitchen.cook(1, (2, 1), WEST)
    kitchen.step(INTERACT, SOUTH)
    assert kitchen.held(0) == ONION and kitchen.at(1) == (2, 2)


# --- Dispensers, counters, the window -----------------------------------------------------------------------


@both
def test_dispensers_give_to_empty_hands_only(dynamics: str) -> None:
    for layout, at, facing, item in (
        ("cramped_room", (1, 1), WEST, ONION),
        ("cramped_room", (1, 2), SOUTH, DISH),
        (RING, (3, 1), EAST, TOMATO),
    ):
        kitchen = Kitchen(layout, dynamics, players=2)
        kitchen.cook(1, (3, 2))
        kitchen.cook(0, at, facing)
        kitchen.step(INTERACT, STAY)
        assert kitchen.held(0) == item
        for held in (ONION, DISH, THREE_ONIONS):
            kitchen.cook(0, at, facing, held)
            kitchen.step(INTERACT, STAY)
            assert kitchen.held(0) == held


def test_a_counter_holds_one_thing_and_nothing_is_swapped() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 2), WEST, ONION)
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == NOTHING and kitchen.item(*COUNTER) == ONION
    kitchen.cook(0, (1, 2), WEST, DISH)
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == DISH and kitchen.item(*COUNTER) == ONION
    kitchen.cook(0, (1, 2), WEST)
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == ONION and kitchen.item(*COUNTER) == NOTHING
    kitchen.cook(0, (1, 2), WEST)
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == NOTHING


def test_a_soup_can_wait_on_a_counter() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 2), WEST, THREE_ONIONS)
    kitchen.step(INTERACT, STAY)
    kitchen.wait(3)
    assert kitchen.item(*COUNTER) == THREE_ONIONS and kitchen.timer(*COUNTER) == IDLE
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == THREE_ONIONS and kitchen.shaped() == [0, 0]


def test_facing_the_other_cook_or_the_floor_does_nothing() -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (1, 1), EAST, ONION)
    kitchen.cook(1, (2, 1), WEST)
    kitchen.step(INTERACT, INTERACT)
    assert kitchen.held(0) == ONION and kitchen.held(1) == NOTHING
    kitchen.cook(1, (3, 2))
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == ONION


@pytest.mark.parametrize("held", [NOTHING, ONION, DISH])
def test_the_window_takes_soups_only_and_there_is_no_trash(held: int) -> None:
    kitchen = Kitchen()
    kitchen.cook(0, (3, 2), SOUTH, held)
    assert kitchen.step(INTERACT, STAY) == 0 and kitchen.held(0) == held


@both
def test_a_delivered_soup_is_gone_and_everybody_shares_the_points(dynamics: str) -> None:
    kitchen = Kitchen(dynamics=dynamics)
    kitchen.cook(0, (3, 2), SOUTH, THREE_ONIONS)
    assert kitchen.step(INTERACT, STAY) == 20
    assert kitchen.held(0) == NOTHING and kitchen.shaped() == [0, 0] and int(rules.score(kitchen.state)) == 20
    assert kitchen.step(INTERACT, STAY) == 0


def test_two_deliveries_in_one_step_both_count() -> None:
    kitchen = Kitchen("XXPXX\nO  2S\nX1  S\nXDXSX\n")
    kitchen.cook(0, (3, 2), EAST, THREE_ONIONS)
    kitchen.cook(1, (3, 1), EAST, THREE_ONIONS)
    assert kitchen.step(INTERACT, INTERACT) == 40


@pytest.mark.parametrize(
    ("served", "points"),
    [(soup(2, 1), 22), (soup(0, 1), 4), (soup(1, 0), 20), (soup(1, 1), 0), (soup(3, 0), 0), (soup(0, 3), 0)],
)
def test_a_soup_is_worth_its_value_twice_for_a_bonus_and_nothing_if_not_ordered(
    served: int, points: int
) -> None:
    layout = TOMATOES.format(orders="onion onion tomato; tomato; onion", bonus="tomato onion onion")
    kitchen = Kitchen(layout, "new")
    kitchen.cook(0, (3, 2), SOUTH, served)
    assert kitchen.step(INTERACT, STAY) == points and kitchen.held(0) == NOTHING


# --- Pots ---------------------------------------------------------------------------------------------------


def test_old_dynamics_start_at_the_third_ingredient_and_tick_in_the_same_step() -> None:
    kitchen = Kitchen()
    for onions in (1, 2, 3):
        assert kitchen.timer(*POT) == IDLE
        kitchen.cook(0, (2, 1), NORTH, ONION)
        kitchen.cook(1, (3, 2))
        kitchen.step(INTERACT, STAY)
        assert kitchen.item(*POT) == soup(onions)
    assert kitchen.timer(*POT) == 1
    kitchen.wait(18)
    assert kitchen.timer(*POT) == 19 and not pot_ready(kitchen.state, kitchen.cell(*POT))
    # The 20th tick comes 19 steps later; taking the soup is possible in the step after that, not in it.
    kitchen.cook(0, (2, 1), NORTH, DISH)
    kitchen.step(INTERACT, STAY)
    assert kitchen.timer(*POT) == 20 and kitchen.held(0) == DISH
    kitchen.step(INTERACT, STAY)
    assert kitchen.held(0) == THREE_ONIONS and kitchen.item(*POT) == NOTHING and kitchen.timer(*POT) == IDLE


def test_in_the_old_dynamics_interacting_starts_nothing() -> None:
    kitchen = Kitchen()
    kitchen.put(POT, soup(2))
    kitchen.cook(0, (2, 1), NORTH)
    kitchen.step(INTERACT, STAY)
    assert kitchen.timer(*POT) == IDLE and kitchen.item(*POT) == soup(2) and kitchen.held(0) == NOTHING


@pytest.mark.parametrize("onions", [1, 2, 3])
def test_in_the_new_dynamics_empty_hands_start_any_soup(onions: int) -> None:
    kitchen = Kitchen(dynamics="new")
    kitchen.put(POT, soup(onions))
    kitchen.wait(30)
    assert kitchen.timer(*POT) == IDLE
    kitchen.cook(0, (2, 1), NORTH)
    kitchen.step(INTERACT, STAY)
    assert kitchen.timer(*POT) == 1
    kitchen.step(INTERACT, STAY)
    assert kitchen.timer(*POT) == 2, "a second interaction starts nothing again"
    kitchen.wait(18)
    assert pot_ready(kitchen.state, kitchen.cell(*POT))
    kitchen.wait(50)
    assert kitchen.timer(*POT) == 20, "a soup that is done neither burns nor cooks on"


@pytest.mark.parametrize("held", [ONION, DISH])
def test_in_the_new_dynamics_only_empty_hands_start_a_pot(held: int) -> None:
    kitchen = Kitchen(dynamics="new")
    kitchen.put(POT, soup(3))
    kitchen.cook(0, (2, 1), NORTH, held)
    kitchen.step(INTERACT, STAY)
    assert kitchen.timer(*POT) == IDLE and kitchen.held(0) == held and kitchen.item(*POT) == soup(3)


@both
def test_an_empty_pot_does_not_start_and_gives_nothing(dynamics: str) -> None:
    kitchen = Kitchen(dynamics=dynamics)
    for held in (NOTHING, DISH, THREE_ONIONS):
        kitchen.cook(0, (2, 1), NORTH, held)
        kitchen.step(INTERACT, STAY)
        assert kitchen.held(0) == held and kitchen.item(*POT) == NOTHING and kitchen.timer(*POT) == IDLE


@both
def test_a_pot_takes_ingredients_only_while_idle_and_not_full(dynamics: str) -> None:
    for inside, timer in ((soup(3), 5), (soup(3), 20), (soup(1), 3), (soup(1), 20)):
        kitchen = Kitchen(dynamics=dynamics)
        kitchen.put(POT, inside, timer)
        kitchen.cook(0, (2, 1), NORTH, ONION)
        kitchen.step(INTERACT, STAY)
        assert kitchen.held(0) == ONION and kitchen.item(*POT) == inside and kitchen.shaped() == [0, 0]


@both
def test_a_dish_takes_a_soup_only_when_it_is_ready(dynamics: str) -> None:
    for timer, taken in ((IDLE, False), (0, False), (19, False), (20, True)):
        kitchen = Kitchen(dynamics=dynamics)
        kitchen.put(POT, soup(3) if timer != IDLE else soup(2), timer)
        kitchen.cook(0, (2, 1), NORTH, DISH)
        kitchen.step(INTERACT, STAY)
        assert kitchen.held(0) == (THREE_ONIONS if taken else DISH)


def test_without_a_dish_a_ready_soup_stays_in_the_pot() -> None:
    for held in (NOTHING, ONION, THREE_ONIONS):
        kitchen = Kitchen()
        kitchen.put(POT, soup(3), 20)
        kitchen.cook(0, (2, 1), NORTH, held)
        kitchen.step(INTERACT, STAY)
        assert kitchen.held(0) == held and kitchen.item(*POT) == soup(3)


def test_soups_cook_as_long_as_their_ingredients_say() -> None:
    layout = TOMATOES.format(orders="onion onion tomato; tomato", bonus="")
    kitchen = Kitchen(layout, "new")
    assert cook_time(kitchen.state, soup(2, 1)) == 6 and cook_time(kitchen.state, soup(3)) == 20
    kitchen.cook(0, (2, 1), NORTH, TOMATO)
    kitchen.step(INTERACT, STAY)
    assert kitchen.item(*POT) == soup(0, 1)
    kitchen.step(INTERACT, STAY)
    kitchen.wait(1)
    assert not pot_ready(kitchen.state, kitchen.cell(*POT))
    kitchen.wait(1)
    assert pot_ready(kitchen.state, kitchen.cell(*POT))


def test_a_mixed_soup_starts_by_itself_in_the_old_dynamics_too() -> None:
    kitchen = Kitchen(TOMATOES.format(orders="onion onion tomato", bonus=""))
    for held in (ONION, TOMATO, ONION):
        kitchen.cook(0, (2, 1), NORTH, held)
        kitchen.step(INTERACT, STAY)
    assert kitchen.item(*POT) == soup(2, 1) and kitchen.timer(*POT) == 1


# --- Shaping ------------------------------------------------------------------------------------------------


@both
def test_the_shaping_pays_3_3_5_to_the_one_who_did_it(dynamics: str) -> None:
    kitchen = Kitchen(dynamics=dynamics)
    kitchen.cook(1, (2, 1), NORTH, ONION)
    kitchen.step(STAY, INTERACT)
    assert kitchen.shaped() == [0, 3]
    kitchen.step(STAY, STAY)
    assert kitchen.shaped() == [0, 0]
    kitchen.cook(0, (1, 2), SOUTH)
    kitchen.step(INTERACT, STAY)
    assert kitchen.shaped() == [3, 0]
    kitchen.put(POT, soup(3), 20)
    kitchen.cook(1, (2, 1), NORTH, DISH)
    kitchen.step(STAY, INTERACT)
    assert kitchen.shaped() == [0, 5]


def take_a_dish(kitchen: Kitchen) -> int:
    kitchen.cook(0, (1, 2), SOUTH)
    kitchen.step(INTERACT, STAY)
    return kitchen.shaped()[0]


@both
def test_a_dish_pays_while_fewer_dishes_are_in_hands_than_pots_are_in_use(dynamics: str) -> None:
    for inside, timer, paid in (
        (NOTHING, IDLE, 0),
        (soup(1), IDLE, 3),
        (soup(2), IDLE, 3),
        (soup(3), 4, 3),
        (soup(3), 20, 3),
    ):
        kitchen = Kitchen(dynamics=dynamics)
        kitchen.put(POT, inside, timer)
        assert take_a_dish(kitchen) == paid
        other = Kitchen(dynamics=dynamics)
        other.put(POT, inside, timer)
        other.cook(1, (3, 1), NORTH, DISH)
        assert take_a_dish(other) == 0


def test_a_full_pot_that_nobody_started_is_not_in_use() -> None:
    kitchen = Kitchen(dynamics="new")
    kitchen.put(POT, soup(3))
    assert take_a_dish(kitchen) == 0


def test_a_dish_on_any_counter_ends_the_pay_until_it_is_taken() -> None:
    kitchen = Kitchen()
    kitchen.put(POT, soup(3), 20)
    kitchen.put((4, 2), DISH)
    assert take_a_dish(kitchen) == 0
    kitchen.cook(1, (3, 2), EAST)
    kitchen.step(STAY, INTERACT)
    assert kitchen.held(1) == DISH
    kitchen.cook(1, (3, 2), EAST)
    assert take_a_dish(kitchen) == 3


def test_the_shaping_sees_the_pots_as_they_were_before_both_interactions() -> None:
    """Seat 0 puts the first onion in; seat 1 takes a dish in the same step and isn't paid for it."""
    kitchen = Kitchen()
    kitchen.cook(0, (2, 1), NORTH, ONION)
    kitchen.cook(1, (1, 2), SOUTH)
    kitchen.step(INTERACT, INTERACT)
    assert kitchen.shaped() == [3, 0]
    # Seat 0 takes the only soup away; seat 1 is paid for its dish all the same.
    kitchen = Kitchen()
    kitchen.put(POT, soup(3), 20)
    kitchen.cook(0, (2, 1), NORTH, DISH)
    kitchen.cook(1, (1, 2), SOUTH)
    kitchen.step(INTERACT, INTERACT)
    assert kitchen.shaped() == [5, 3]


def test_hands_and_counters_are_seen_as_they_are_now() -> None:
    """Only the pots are stale: a dish that seat 0 takes in this step counts for seat 1."""
    kitchen = Kitchen("XXPXX\nO  2O\nX1  X\nXDDSX\n")
    kitchen.put(POT, soup(1))
    kitchen.cook(0, (1, 2), SOUTH)
    kitchen.cook(1, (2, 2), SOUTH)
    kitchen.step(INTERACT, INTERACT)
    assert kitchen.shaped() == [3, 0]


def test_three_and_more_cooks_are_paid_for_dishes_too() -> None:
    """overcooked_ai's rule knows two cooks only and pays nobody else; here it means the same for all."""
    kitchen = Kitchen(RING)
    kitchen.put((1, 0), soup(2))
    kitchen.cook(2, (2, 2), SOUTH)
    kitchen.step(STAY, STAY, INTERACT, STAY)
    assert kitchen.shaped() == [0, 0, 3, 0]


# --- The clock ----------------------------------------------------------------------------------------------


def test_a_game_is_over_at_its_horizon_and_the_last_step_counts() -> None:
    kitchen = Kitchen(horizon=3)
    kitchen.wait(2)
    assert not rules.over(kitchen.state)
    kitchen.cook(0, (3, 2), SOUTH, THREE_ONIONS)
    assert kitchen.step(INTERACT, STAY) == 20 and rules.over(kitchen.state)

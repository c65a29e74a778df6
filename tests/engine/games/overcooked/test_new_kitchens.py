"""Kitchens that nobody has seen: always the same by number, playable, and told apart in one batch."""

import numpy as np
import pytest

from engine.agents.acting import act
from engine.agents.catalogue import load
from engine.games import spec
from engine.games.overcooked import planner, public
from engine.games.overcooked.layout_check import regions
from engine.games.overcooked.layouts import layout_of, text
from engine.games.overcooked.new_kitchens import drawn, is_roomy
from engine.refusal import Refusal
from engine.simulation.batch import first_states
from engine.simulation.simulation import Simulation

GAME = spec("overcooked")


def begun(*layouts: str) -> np.ndarray:
    """The first states of games in these kitchens."""
    states = [
        first_states(GAME, GAME.validate({"layout": one, "start": "random"}), 1, number)[0]
        for number, one in enumerate(layouts)
    ]
    for state in states:
        GAME.new_game(state)
    return np.stack(states)


def test_a_number_is_always_the_same_kitchen():
    assert "\n".join(drawn(7).grid) == "\n".join(drawn.__wrapped__(7).grid)
    assert text(drawn(0)).splitlines()[-5:] == ["XXXXX", "D X X", "P1S2O", "XXXXX", "XXXXX"]
    assert len({text(drawn(number)) for number in range(50)}) == 50


def test_every_kitchen_can_be_cooked_in_and_some_are_divided():
    parts = [len(set(regions(drawn(number)).values())) for number in range(60)]
    assert set(parts) == {1, 2} and 5 < parts.count(2) < 30
    for number in range(60):
        assert Simulation("overcooked", {"layout": f"new {number}"}, seed=1).seats == 2


def test_a_log_keeps_the_kitchen_itself():
    options = GAME.validate({"layout": "new 3"})
    assert layout_of(options["layout"]) == drawn(3) and "\n" in options["layout"]
    assert GAME.variant(options) == "custom"


@pytest.mark.parametrize("name", ["new", "new -1", "new 1000000", "new one"])
def test_a_kitchen_without_a_number_is_refused_with_what_there_is(name):
    with pytest.raises(Refusal, match="new 0 to new 999999"):
        GAME.validate({"layout": name})


def test_records_of_several_kitchens_are_told_apart():
    states = begun("new 1", "cramped_room", "new 1", "new 2")
    assert [rows.tolist() for rows in planner.kitchens(states)] == [[0, 2], [1], [3]]
    assert [rows.tolist() for rows in planner.kitchens(states[:1])] == [[0]]
    assert planner.kitchens(states[:0]) == []


def test_what_is_read_fits_every_kitchen_and_is_the_same_alone_and_among_others():
    states = begun("new 1", "cramped_room", "new 2", "forced_coordination")
    size = public.input_size(states[0])
    together, alone = np.zeros((4, size), np.float32), np.zeros((4, size), np.float32)
    seats = np.array([0, 1, 1, 0], np.int32)
    public.encode_many(states, seats, together)
    for row in range(4):
        public.encode_many(states[row : row + 1], seats[row : row + 1], alone[row : row + 1])
    assert (together == alone).all() and (together != together[:1]).any()


def test_kitchens_that_the_page_draws_leave_each_cook_room_and_can_be_scored_in():
    roomy = [number for number in range(30) if is_roomy(drawn(number))]
    assert 12 <= len(roomy) < 30 and 0 not in roomy  # kitchen 0 has one tile for one cook
    bot = load("overcooked/greedy", "overcooked")
    assert not is_roomy(drawn(42))  # where greedy cooks serve nothing
    for number in roomy[:4]:
        game = Simulation("overcooked", {"layout": f"new {number}", "horizon": 400}, seed=1)
        while not game.over and not game.score:
            game.step([act(bot, [game], [seat])[0] for seat in (0, 1)])
        assert game.score > 0, number

"""Reasons where many moves are made a second: said when they begin, seldom, and the same after a restart."""

import numpy as np
import pytest

from engine import language
from engine.agents.reasons import kept_from, left_out
from engine.games.overcooked import rules
from engine.games.overcooked.language.reasons import why_not
from engine.language.reasons import AGAIN, GAP, LASTS, MOST, MOST_IN_ALL, PAUSE, Begun, record
from engine.simulation.simulation import Simulation
from engine.simulation.told import Span

SECOND = 10  # ticks


def one(tick: int, text: str = "because", seat: int = 1, name: str = "a") -> dict:
    return {"tick": tick, "seat": seat, "id": name, "text": text}


def times(begun: Begun, ticks, sure: bool = True, **more) -> list[int]:
    return [tick for tick in ticks if begun.begins(one(tick, **more), sure)]


def test_what_goes_on_is_said_once_however_long():
    assert times(Begun(SECOND), range(1, 3 * AGAIN * SECOND)) == [1]


def test_what_begins_anew_is_said_again_after_a_while():
    begun = Begun(SECOND)
    later = AGAIN * SECOND + 50
    assert times(begun, range(1, 20)) == [1]
    assert times(begun, range(60, 80)) == [], "so soon it isn't news"
    assert times(begun, range(later, later + 20)) == [later]


def test_what_may_pass_at_once_is_said_when_it_has_lasted():
    assert times(Begun(SECOND), range(1, 60), sure=False) == [1 + LASTS * SECOND]
    apart = range(1, 500, GAP * SECOND + 1)
    assert times(Begun(SECOND), apart, sure=False) == [], "each time for a moment"


def test_one_thing_is_said_of_an_instruction_at_a_time_and_other_seats_and_wishes_do_not_wait():
    begun = Begun(SECOND)
    assert begun.begins(one(1), True)
    assert begun.begins(one(1, name="b"), True)
    assert begun.begins(one(1, seat=2), True)
    assert times(begun, range(2, 60), text="another") == [1 + PAUSE * SECOND], "what still holds waits"


def test_a_match_has_only_so_many():
    begun = Begun(SECOND)
    ticks = range(1, 10_000 * SECOND, (PAUSE + 1) * SECOND)
    assert len([tick for tick in ticks if begun.begins(one(tick, text=str(tick)), True)]) == MOST
    for tick in ticks:
        begun.begins(one(tick, text=str(tick), name=str(tick), seat=tick % 7), True)
    assert len(begun.said) == MOST_IN_ALL


def test_a_host_that_goes_on_from_the_log_says_nothing_twice():
    begun = Begun(SECOND)
    said = [one(tick) for tick in range(1, 30) if begun.begins(one(tick), True)]
    assert times(Begun(SECOND, said), range(30, 60)) == []


@pytest.mark.parametrize(
    ("kind", "what", "text"),
    [
        ("because", "fetching an onion", "Fetching an onion, because Player 1 asked: “onions”."),
        (
            "blocked",
            "I can't reach the pot",
            "I can't reach the pot. So not yet what Player 1 asked: “onions”.",
        ),
        ("unmoved", "", "Not what Player 1 asked: “onions”. I would have done the same had nobody asked."),
    ],
)
def test_sentences_say_what_is_done_and_who_asked(kind, what, text):
    span = Span("a", 1, 0, "onions.", {}, 0)
    made = record({"program": 0, "kind": kind, "what": what, "sure": True, "instead": 4}, [span], 9, 1)
    assert (made["text"], made["tick"], made["id"]) == (text, 9, "a")


def in_the_ring(here: int, there: int) -> Simulation:
    """Cook 1 has just walked south and stands `here`, the other one `there`."""
    sim = Simulation("overcooked", {"layout": "coordination_ring"}, seed=1)
    state = sim.state.copy()
    state[rules.POSITION], state[rules.POSITION + 1] = there, here
    state[rules.FACING + 1] = state[rules.ACTION + 1] = rules.SOUTH
    state[rules.ACTION] = rules.STAY
    return Simulation.at("overcooked", sim.options, state)


def test_a_cook_whose_only_way_is_taken_says_so_once_it_has_lasted():
    program = {**language.read("overcooked", "fetch an onion").program, "since_tick": 0, "from_seat": 0}
    progress = {"state": "obeying", "text": "fetching an onion"}
    held_up, free = in_the_ring(11, 16), in_the_ring(11, 6)
    assert why_not(program, held_up, 1, progress) == ("somebody is in my way", False)
    assert why_not(program, free, 1, progress) == ("", True)


def test_a_cook_that_waits_for_who_stands_in_its_way_is_held_up_as_one_that_walks_into_them():
    program = {**language.read("overcooked", "fetch an onion").program, "since_tick": 0, "from_seat": 0}
    state = in_the_ring(11, 16).state.copy()
    state[rules.ACTION + 1], state[rules.FACING + 1] = rules.STAY, rules.NORTH
    waits = Simulation.at("overcooked", {"layout": "coordination_ring"}, state)
    assert why_not(program, waits, 1, {"state": "obeying", "text": ""})[0] == "somebody is in my way"


def test_who_is_kept_from_it_says_what_keeps_them_even_where_they_would_have_done_the_same():
    program = {**language.read("overcooked", "fetch an onion").program, "since_tick": 0, "from_seat": 0}
    found = kept_from(in_the_ring(11, 16), 1, program, {"state": "obeying", "text": "fetching an onion"})
    assert found == {"kind": "blocked", "what": "somebody is in my way", "sure": False}


def test_a_move_that_an_instruction_says_nothing_of_is_not_because_of_it():
    """Networks that read instructions may do something else for any of them."""
    program = {**language.read("overcooked", "fetch an onion").program, "since_tick": 0, "from_seat": 0}
    free, obeying = in_the_ring(11, 6), {"state": "obeying", "text": "fetching an onion"}
    wish = language.prior("overcooked", program, free, 1)
    silent = np.flatnonzero(wish == 0).tolist()
    asked = int(wish.argmax())
    assert left_out(free, 1, [program], 0, obeying, silent[0], silent[1]) is None
    assert left_out(free, 1, [program], 0, obeying, asked, silent[0])["kind"] == "because"


def test_who_waits_as_told_is_not_kept_from_anything():
    sim = Simulation("overcooked")
    program = language.read("overcooked", "when the soup is done, serve it").program
    progress = language.progress("overcooked", program, sim, 1)
    assert progress["state"] == "waiting" and why_not(program, sim, 1, progress) == ("", True)

"""What is compiled, and how often."""

from __future__ import annotations

import numpy as np

from engine.simulation.jit import inner, njit, rule


def test_what_compiled_code_calls_is_compiled_once_for_all_numbers_literals_and_arrays_to_read():
    @njit(cache=False)
    def inside(states, seat):
        return states[seat] + seat

    @njit(cache=False)
    def outside(states, seat):
        return inside(states, seat) + inside(states, states[0]) + inside(states, 0)

    states, to_read = np.arange(5, dtype=np.int16), np.arange(5, dtype=np.int16)
    to_read.flags.writeable = False
    found = [outside(one, seat) for one in (states, to_read) for seat in (2, np.int32(2), np.int16(-1))]
    assert found == [4, 4, 3] * 2
    assert len(outside.signatures) == 6 and len(inside.signatures) == 1


def test_a_function_that_asks_for_it_is_compiled_for_each_literal():
    @rule(cache=False, literals=True)
    def inside(number, width):
        return number << width

    @rule(cache=False)
    def outside(number):
        return inside(number, 2) + inside(number, 3) + inside(number, number)

    assert outside(1) == 4 + 8 + 2
    assert len(inside.signatures) == 3


def test_an_inner_function_has_no_door_for_python_and_runs_as_plain_python():
    @inner
    def inside(number):
        return number + 1

    @rule(cache=False)
    def outside(number):
        return inside(number) * 2

    assert outside(3) == 8
    assert inside(3) == 4 and inside(number=3) == 4

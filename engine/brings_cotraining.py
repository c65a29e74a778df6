"""What a game brings for co-training language and agents: a part of engine/brings.py, which is where others
find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from engine.brings_part import Part, Program


class GoalSpace(Part):
    """goal vectors, asked and measured, for co-training (`engine/learning/algorithms/cotrain.py`); `rows` are
    numbers of `states`, vectors are int8 (k, sub-goals), -1 where nothing is wanted"""

    MODULE = "cotraining"
    WITHOUT = "nothing is co-trained"
    SUBGOALS: Sequence[tuple[str, tuple[str, ...]]]
    """names and values"""
    TRACKED: Sequence[str]
    """the sub-goals whose probabilities are followed"""
    over: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """`over(states, goals)`: int8 (n, seats): 0 the window goes on, 1 it has ended, 2 its seat is gone"""
    ask: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]
    """`ask(states, world, rows, seats, wanted, key)`: goals (k, goal_size) from now on"""
    measured: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    """`measured(states, world, rows, seats, goals)`: what the sub-goals are now in the goals' windows"""
    gaps: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """`gaps(wanted, values)`: how far each is from the other, 0 to 1"""
    contradicts: Callable[[np.ndarray], np.ndarray]
    """`contradicts(wanted)`: bool (k,)"""


class GoalTexts(Part):
    """texts with the goal vectors (`cotraining.py`) that they ask for, and a grammar of such texts"""

    MODULE, ROOM = "goal_texts", "language"
    WITHOUT = "nothing is co-trained"
    written: Callable[[], list[tuple[str, np.ndarray, str]]]
    """`written()`: (text, vector, where it is from)"""
    spoken: Callable[[], Iterable[tuple[str, Program]]]
    """`spoken()`: texts with programs"""
    of_program: Callable[[Program, dict[str, Any], np.ndarray, int], np.ndarray]
    """`of_program(program, options, state, seat)`: the vector that it comes to"""
    said: Callable[[np.ndarray, np.random.Generator], str]
    """`said(vector, rng)`: a text, "" where it can't be said"""

"""The goal space of Arena as a table: 68 sub-goals with their values, sentences, and what contradicts what.

The first 33 are those that Table 7 of the OpenContra paper prints, names and values spelled as there, in its
order; the paper gives no thresholds, so those here are ours. The paper's other 35 are unpublished: ours stand
in their place. A value goes by its number in `values`; -1 is the paper's "not selected". Without numba.

Not for measuring (subgoals.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

# Scales: in order; around the compass; yes or no; grades or directions, and "None" as the last value.
GRADE, CIRCLE, TRUTH_SCALE, NAMES = range(4)

TRUTH = ("True", "False")
DIRECTIONS = ("West", "Northwest", "North", "NorthEast", "East", "Southeast", "South", "Southwest")
GRADES = ("Zero", "Low", "Little low", "Medium", "Little high", "High")
DISTANCES = ("Touch", "Nearby", "Moderate", "Far", "Out of reach", "Extreme Far")
VELOCITIES = ("Static", "Slow", "Medium", "Fast", "Falling")
LENGTHS = ("No movement", "Short", "Medium", "Long", "Very long")
LEVELS = ("Empty", "Low", "Medium", "High", "Full")
PITCHES = GRADES[1:]
EVER = tuple(str(number) for number in range(16))
COUNTS = ("Zero", "One", "Several")

# Upper bounds (excluded) of all values but the last.
DAMAGE_BOUNDS = (1, 21, 51, 101, 201)  # points dealt in the window
MOVED_BOUNDS = (1.0, 8.0, 20.0, 40.0)  # metres between the two places
SPEED_BOUNDS = (0.2, 1.5, 4.5)  # m/s: still; lying or downed; crouched or walking; running. In whole tenths
HEALTH_BOUNDS = (1, 34, 67, 100)  # points; downed or out is Empty
PITCH_BOUNDS = (-30, -10, 10, 30)  # degrees
DISTANCE_BOUNDS = (2.0, 10.0, 25.0, 45.0, 70.0)  # metres
COUNT_BOUNDS = (1, 2)
CLOSER = 0.5  # metres that count as closer
VIEW_TURN = 5461  # turn units (30 degrees) within which two look the same way
MOVE_TURN = 8192  # turn units (45 degrees) within which two move the same way
WINDOW = (5, 20)  # seconds: the shortest and the longest window

PRINTED = 33
MATES = 3  # the first of the squad, by seat, without oneself
ENEMIES = 2  # the nearest that the squad knows of


class Subgoal(NamedTuple):
    """One dimension of the goal space."""

    name: str
    values: tuple[str, ...]
    scale: int
    ours: bool
    own: bool
    """Whether the agent can bring it about by what it does itself; else it is about what others do (Table 10,
    rule 5: "Do not plan and adjust the states of teammates and enemies").
    """
    sentences: tuple[str, ...]
    """What the agent says of each value, as a plan or of what it did."""


def _spans(bounds: tuple[float, ...], unit: str, step: int = 0) -> list[str]:
    """A value's range in words: "2 to 10 metres"; `step` 1 for what is counted: "1 to 20 points"."""
    inner = [f"{low:g} to {high - step:g} {unit}" for low, high in zip(bounds, bounds[1:], strict=False)]
    first = unit.replace("metres", "metre", 1) if bounds[0] == 1 else unit
    return [f"less than {bounds[0]:g} {first}", *inner, f"{bounds[-1]:g} or more {unit}"]


_FAR = _spans(DISTANCE_BOUNDS, "metres")
_PACES = [
    f"{word}: {span}"
    for word, span in zip(
        ("hardly at all", "slowly", "at medium speed", "fast"),
        _spans(SPEED_BOUNDS, "metres a second"),
        strict=True,
    )
]


def _each(sentence: str, words: Iterable[str]) -> tuple[str, ...]:
    """The sentence with each of the words in place of "{}"."""
    return tuple(sentence.format(word) for word in words)


def _graded(name: str, values: tuple[str, ...], *sentences: str, own: bool = True) -> Subgoal:
    return Subgoal(name, values, GRADE, False, own, sentences)


def _distance(name: str, other: str) -> Subgoal:
    """How far something stays."""
    return _graded(name, DISTANCES, *_each(f"I stay {{}} from {other}.", _FAR))


def _compass(name: str, sentence: str) -> Subgoal:
    """One of the eight directions."""
    sentences = _each(sentence, map(str.lower, DIRECTIONS))
    return Subgoal(name, DIRECTIONS, CIRCLE, False, True, sentences)


def _truth(name: str, true: str, false: str, own: bool = True) -> Subgoal:
    return Subgoal(name, TRUTH, TRUTH_SCALE, False, own, (true, false))


def _closer(name: str, other: str) -> Subgoal:
    by = f"by more than {CLOSER:g} metres"
    return _truth(name, f"I get closer to {other}, {by}.", f"I don’t get closer to {other}.")


def _named(name: str, values: tuple[str, ...], *sentences: str, own: bool) -> Subgoal:
    return Subgoal(name, (*values, "None"), NAMES, False, own, sentences)


_DEEP, _DOWN, _UP, _HIGH = (f"{abs(bound):g}" for bound in PITCH_BOUNDS)
_TABLE_7 = (
    _graded(
        "Damage to enemy",
        GRADES,
        "I do no damage to enemies.",
        *_each("I take {} of health from enemies.", _spans(DAMAGE_BOUNDS, "points", 1)[1:]),
    ),
    _truth("Whether knock down enemy", "I knock an enemy down.", "I knock no enemy down."),
    _truth("Whether kill enemy", "I put an enemy out.", "I put no enemy out."),
    _truth("Whether seen enemy", "I see an enemy.", "I see no enemy."),
    # Where enemies look is theirs.
    _truth("Whether seen by enemy", "An enemy sees me.", "No enemy sees me.", own=False),
    _graded(
        "Number of enemies have ever seen",
        EVER,
        "I have seen no enemy in this match.",
        "I have seen 1 enemy in this match.",
        *_each("I have seen {} enemies in this match.", (*EVER[2:-1], f"{EVER[-1]} or more")),
    ),
    _graded("Length of distance moved", LENGTHS, *_each("I move {}.", _spans(MOVED_BOUNDS, "metres"))),
    _graded("Average velocity", VELOCITIES, *_each("I move {}.", _PACES), "I am falling."),
    _compass("Horizontal direction of movement", "I move {}."),
    _compass("Horizontal direction of view", "I look {}."),
    _graded(
        "Pitch direction of view",
        PITCHES,
        f"I look down, more than {_DEEP} degrees.",
        f"I look down a little, {_DOWN} to {_DEEP} degrees.",
        f"I look straight, at most {_UP} degrees up or down.",
        f"I look up a little, {_UP} to {_HIGH} degrees.",
        f"I look up, {_HIGH} degrees or more.",
    ),
    # By treating oneself; to lose health is a way too.
    _graded(
        "Health level",
        LEVELS,
        "I have no health left: I am down or out.",
        *_each("I have {} of health.", _spans(HEALTH_BOUNDS, "points", 1)[1:-1]),
        f"I have full health, {HEALTH_BOUNDS[-1]} points.",
    ),
    _truth("Whether to restore health", "I treat my wounds.", "I don’t treat my wounds."),
    # Others hurt and knock down.
    _truth("Whether the health is damaged", "I get hurt.", "I don’t get hurt.", own=False),
    _truth("Whether rescued teammate", "I help a mate up.", "I help no mate up."),
    _truth("Whether be knocked down", "I am knocked down.", "I am on my feet.", own=False),
    _truth("Whether prone position", "I lie prone.", "I don’t lie prone."),
    _truth("Whether have a gun", "I have a gun.", "I have no gun."),
    _truth("Whether have bullets", "I have bullets.", "I have no bullets."),
    _truth("Whether have medical kits", "I have a medical kit.", "I have no medical kit."),
    # Both move: what lies between them is also the agent's affair.
    _graded(
        "Distance with nearest enemy",
        DISTANCES,
        *_each("I stay {} from the nearest enemy.", _FAR[:-1]),
        f"I stay {_FAR[-1]} from the nearest enemy, or know of none.",
    ),
    _closer("Whether closer with nearest enemy", "the nearest enemy"),
    _truth("Whether crouch position", "I crouch.", "I don’t crouch."),
    _truth("Whether hold a gun", "I hold a gun in my hands.", "I hold no gun in my hands."),
    _distance("Length of distance from agent to teammate", "my nearest mate"),
    # Where mates look is theirs.
    _truth("Whether seen by teammate", "A mate sees me.", "No mate sees me.", own=False),
    _compass("Teammate’s position relative to agent", "My nearest mate is {} of me."),
    _truth(
        "Whether follow with the views of teammate",
        "I look the same way as my nearest mate.",
        "I look another way than my nearest mate.",
    ),
    _truth(
        "Whether target the same enemy as teammate",
        "I aim at the same enemy as a mate.",
        "I don’t aim at the same enemy as a mate.",
    ),
    _truth(
        "Whether follow with the movement direction of teammate",
        "I move the same way as my nearest mate.",
        "I don’t move the same way as my nearest mate.",
    ),
    # How enemies move is theirs; where they are seen from the agent, its own too.
    _named(
        "Horizontal direction of movement of enemy",
        DIRECTIONS,
        *_each("The nearest enemy moves {}.", map(str.lower, DIRECTIONS)),
        "I don’t see the nearest enemy move.",
        own=False,
    ),
    _named(
        "Velocity of enemy",
        VELOCITIES,
        *_each("The nearest enemy moves {}.", _PACES),
        "The nearest enemy is falling.",
        "I don’t see how fast the nearest enemy is.",
        own=False,
    ),
    _named(
        "Enemy’s position relative to agent",
        DIRECTIONS,
        *_each("The nearest enemy is {} of me.", map(str.lower, DIRECTIONS)),
        "I know of no enemy’s place.",
        own=True,
    ),
)


def _of_mates() -> Iterable[Subgoal]:
    """Of mates who are out only that they aren't on their feet; of those who aren't there nothing."""
    for number, word in enumerate(("first", "second", "third")[:MATES], 1):
        mate = f"my {word} mate"
        yield _distance(f"Distance with teammate {number}", mate)
        yield _compass(
            f"Position of teammate {number} relative to agent", f"{mate.capitalize()} is {{}} of me."
        )
        yield _closer(f"Whether closer with teammate {number}", mate)
        # Enemies knock mates down, and any of the squad helps them up.
        up = f"{mate.capitalize()} is on their feet."
        down = f"{mate.capitalize()} is down or out."
        yield _truth(f"Whether teammate {number} on feet", up, down, own=False)


def _of_enemies() -> Iterable[Subgoal]:
    """Nothing of enemies whom the squad doesn't know of."""
    for number, word in enumerate(("nearest", "second nearest")[:ENEMIES], 1):
        enemy = f"the {word} enemy that we know of"
        yield _distance(f"Distance with known enemy {number}", enemy)
        yield _compass(f"Position of known enemy {number} relative to agent", f"T{enemy[1:]} is {{}} of me.")
        yield _truth(f"Whether aim at known enemy {number}", f"I aim at {enemy}.", f"I don’t aim at {enemy}.")


_OURS = (
    *_of_mates(),
    *_of_enemies(),
    _truth("Whether have shot", "I shoot.", "I don’t shoot."),
    _distance("Distance with middle of squad", "the middle of my squad"),
    _distance("Distance with white circle", "the next zone"),
    _compass("Position of white circle relative to agent", "The middle of the next zone is {} of me."),
    _truth("Whether inside white circle", "I am inside the next zone.", "I am outside of the next zone."),
    _truth("Whether inside blue circle", "I am inside the safe zone.", "I am outside of the safe zone."),
    _closer("Whether closer with middle of white circle", "the middle of the next zone"),
    _graded(
        "Number of supplies picked up",
        COUNTS,
        "I pick nothing up.",
        "I pick one thing up.",
        f"I pick {COUNT_BOUNDS[-1]} or more things up.",
    ),
    _distance("Distance with nearest supply", "the nearest supply"),
    _closer("Whether closer with nearest supply", "the nearest supply"),
    _truth("Whether nearest door open", "The nearest door stands open.", "The nearest door is closed."),
    _distance("Distance with nearest door", "the nearest door"),
    _truth("Whether in a building", "I am in a building.", "I am in no building."),
    _distance("Distance with point", "the point"),
    _compass("Position of point relative to agent", "The point is {} of me."),
    _closer("Whether closer with point", "the point"),
    _truth("Whether face point", "I face the point.", "I don’t face the point."),
)

SUBGOALS = (*_TABLE_7, *(subgoal._replace(ours=True) for subgoal in _OURS))
COUNT = len(SUBGOALS)
INDEX = {subgoal.name: index for index, subgoal in enumerate(SUBGOALS)}
SIZES = np.array([len(subgoal.values) for subgoal in SUBGOALS], np.int32)
SCALES = np.array([subgoal.scale for subgoal in SUBGOALS], np.int32)
CONTROLLABLE = np.array([subgoal.own for subgoal in SUBGOALS])

Part = tuple[str, tuple[str, ...]]
"""A sub-goal and some of its values."""


def _slow_or_far() -> Iterable[tuple[Part, Part]]:
    """Lengths that no window allows at an average velocity."""
    speeds, lengths = (0.0, *SPEED_BOUNDS, np.inf), (0.0, *MOVED_BOUNDS, np.inf)
    for number, velocity in enumerate(VELOCITIES[:-1]):
        least, most = speeds[number] * WINDOW[0], speeds[number + 1] * WINDOW[1]
        fits = [lengths[length] < most and lengths[length + 1] > least for length in range(len(LENGTHS))]
        others = tuple(length for length, fit in zip(LENGTHS, fits, strict=True) if not fit)
        yield ("Average velocity", (velocity,)), ("Length of distance moved", others)


def _ranked(nearer: str, farther: str) -> Iterable[tuple[Part, Part]]:
    """What is the nearest of its kind isn't farther off than another."""
    for number in range(1, len(DISTANCES)):
        yield (nearer, (DISTANCES[number],)), (farther, DISTANCES[:number])


def _same(one: str, other: str) -> Iterable[tuple[Part, Part]]:
    """Two names of one fact, as far as both say something."""
    for value in SUBGOALS[INDEX[other]].values:
        yield (one, (value,)), (other, tuple(v for v in SUBGOALS[INDEX[other]].values if v != value))


_YES, _NO = TRUTH[:1], TRUTH[1:]
_SEES_NONE: Part = ("Whether seen enemy", _NO)
_AIMS: tuple[Part, ...] = (
    *((f"Whether aim at known enemy {number}", _YES) for number in range(1, ENEMIES + 1)),
    ("Whether target the same enemy as teammate", _YES),
)
_MOVES: Part = ("Horizontal direction of movement of enemy", DIRECTIONS)

RUN_AND_LIE: tuple[Part, Part] = (("Whether prone position", _YES), ("Average velocity", VELOCITIES[3:4]))
CONTRADICTIONS: tuple[tuple[Part, Part], ...] = (
    # One body has one stance, and what it holds it has.
    (("Whether prone position", _YES), ("Whether crouch position", _YES)),
    (("Whether have a gun", _NO), ("Whether hold a gun", _YES)),
    (("Whether be knocked down", _YES), ("Health level", LEVELS[1:])),
    (("Whether be knocked down", _NO), ("Health level", LEVELS[:1])),
    # Who doesn't move gets nowhere, and nowhere has no direction.
    (("Length of distance moved", LENGTHS[:1]), ("Horizontal direction of movement", DIRECTIONS)),
    *_slow_or_far(),
    # Table 10's own example. To run and lie down as the window ends is possible: 10 of 660,000 windows did.
    RUN_AND_LIE,
    # Wounds come of shots. (An enemy who is down can bleed to death: a kill needs none in the window.)
    (("Whether have shot", _NO), ("Damage to enemy", GRADES[1:])),
    (("Whether have shot", _NO), ("Whether knock down enemy", _YES)),
    (("Damage to enemy", GRADES[:1]), ("Whether knock down enemy", _YES)),
    # Nobody sees far enough (sight.RANGE is 60 m), and whoever is seen has a place.
    (("Whether seen enemy", _YES), ("Number of enemies have ever seen", EVER[:1])),
    (("Whether seen enemy", _YES), ("Distance with nearest enemy", DISTANCES[-1:])),
    (("Whether seen enemy", _YES), ("Enemy’s position relative to agent", ("None",))),
    (("Whether seen by teammate", _YES), ("Length of distance from agent to teammate", DISTANCES[-1:])),
    # Of enemies who aren't seen nobody knows how they move, and nobody aims at them.
    (_SEES_NONE, _MOVES),
    (_SEES_NONE, ("Velocity of enemy", VELOCITIES)),
    *((_SEES_NONE, aims) for aims in _AIMS),
    (_AIMS[0], _AIMS[1]),
    (_MOVES, ("Velocity of enemy", ("None",))),
    (("Horizontal direction of movement of enemy", ("None",)), ("Velocity of enemy", VELOCITIES[1:4])),
    (("Distance with nearest enemy", DISTANCES[-1:]), _MOVES),
    (("Distance with nearest enemy", DISTANCES[-1:]), ("Velocity of enemy", VELOCITIES)),
    (("Distance with nearest enemy", DISTANCES[-1:]), _AIMS[0]),
    # The nearest is the nearest.
    *_same("Distance with nearest enemy", "Distance with known enemy 1"),
    *_same("Enemy’s position relative to agent", "Position of known enemy 1 relative to agent"),
    *_ranked("Distance with known enemy 1", "Distance with known enemy 2"),
    *(
        pair
        for number in range(1, MATES + 1)
        for pair in _ranked("Length of distance from agent to teammate", f"Distance with teammate {number}")
    ),
    # Circles: who is inside touches it; the next one lies in the one that stands.
    (("Whether inside white circle", _YES), ("Distance with white circle", DISTANCES[1:])),
    (("Whether inside white circle", _YES), ("Whether inside blue circle", _NO)),
    # Houses are at most 12 m long, and each has a door.
    (("Whether in a building", _YES), ("Distance with nearest door", DISTANCES[3:])),
)
"""Pairs of (sub-goal, values) that don't hold together at the end of one window of WINDOW seconds, such as
Tables 3 and 10 (rule 6) of the paper speak of: by what is measured and by the rules of the game, not by what
agents do.
"""


def _mask(part: Part) -> tuple[int, int]:
    """A sub-goal's number, and its values as bits."""
    values = SUBGOALS[INDEX[part[0]]].values
    return INDEX[part[0]], sum(1 << values.index(value) for value in part[1])


PAIRS = np.array([(*_mask(one), *_mask(other)) for one, other in CONTRADICTIONS], np.int32)
"""CONTRADICTIONS for compiled code: (pairs, 4), number and bits of the one, number and bits of the other."""


def contradictions(wanted: np.ndarray) -> list[str]:
    """What contradicts itself in a goal, int8 (COUNT,), in words, a pair a line."""
    lines = []
    for a, values_a, b, values_b in PAIRS.tolist():
        one, other = int(wanted[a]), int(wanted[b])
        if one >= 0 and other >= 0 and values_a >> one & 1 and values_b >> other & 1:
            said = (SUBGOALS[a].sentences[one], SUBGOALS[b].sentences[other])
            lines.append("“{}” and “{}” don’t go together.".format(*said))
    return lines


def sentence(name: str, value: str) -> str:
    """What an agent with a sub-goal says, in the first person; raises KeyError or ValueError for others."""
    subgoal = SUBGOALS[INDEX[name]]
    return subgoal.sentences[subgoal.values.index(value)]


def encode(named: Mapping[str, str | None]) -> np.ndarray:
    """{name: value} as int8 (COUNT,): the number of each value, -1 for None and for what isn't named."""
    row = np.full(COUNT, -1, np.int8)
    for name, value in named.items():
        if value is not None:
            row[INDEX[name]] = SUBGOALS[INDEX[name]].values.index(value)
    return row


def decode(row: np.ndarray) -> dict[str, str | None]:
    """Numbers as {name: value}: of as many sub-goals, from the first on, as `row` has numbers."""
    return {
        subgoal.name: subgoal.values[number] if number >= 0 else None
        for subgoal, number in zip(SUBGOALS, row.tolist(), strict=False)
    }

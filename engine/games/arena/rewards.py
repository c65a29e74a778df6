"""The weights of the rows of OpenContra's Table 5, and the rewards of the three value heads.

The rules count what happens in a tick, row by row, in whole numbers (`state.ROW`); here the counts become
rewards. Not for shared scores (rules.score) and not for whether a goal is reached: that is given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from engine.games.arena import state as s
from engine.refusal import Refusal
from engine.simulation.jit import njit

BASIC, OBSTACLE, GOAL = range(3)
GROUPS = ("basic", "obstacle", "goal")
LARGEST = 100.0  # of a weight


@dataclass(frozen=True)
class Row:
    """A row of Table 5: its name there, the row of the record that counts it, how many counts earn the weight
    once, the value head that learns it, and what was decided where the paper is unclear.
    """

    name: str
    row: int
    unit: float
    counts: str
    group: int = BASIC
    note: str = ""


CENTIMETRE = 2.56  # units
POINTS = 5.0  # of health
# In the order of Table 5; the weights themselves are in RewardSettings, field by field in this order.
ROWS = (
    Row("discover enemy", s.R_DISCOVER, 1, "enemies newly seen, after 3 s unknown to the team"),
    Row("be discovered by enemy", s.R_DISCOVERED, 1, "times newly seen by an enemy team"),
    Row("scout", s.R_SCOUT, 1, "ticks of walking with no enemy in view"),
    Row("no-op", s.R_NO_OP, 1, "ticks of standing with resting hands"),
    Row(
        "bullet",
        s.R_BULLET,
        1,
        "shots while an enemy is in view, and bullets reloaded",
        note="printed and described as a reward, so it is one; shots at nothing count for nothing, or an "
        "agent would learn to empty its magazine",
    ),
    Row(
        "health point",
        s.R_HEALTH,
        POINTS,
        "points gained less points lost",
        note="changes count with their sign: wounds cost what treatment earns",
    ),
    Row("be knocked down", s.R_KNOCKED, 1, "times"),
    Row("dead", s.R_DEAD, 1, "times"),
    Row("damage enemy", s.R_DAMAGE, POINTS, "points dealt to enemies"),
    Row("knock down enemy", s.R_KNOCK, 1, "enemies"),
    Row("kill enemy", s.R_KILL, 1, "enemies"),
    Row(
        "approach a downed teammate",
        s.R_APPROACH,
        CENTIMETRE,
        "centimetres nearer to the nearest downed mate",
        note="going away costs as much, so going to and fro earns nothing",
    ),
    Row(
        "help up a downed teammate",
        s.R_HELP,
        1,
        "beginnings to help a mate up, less interruptions",
        note="overlaps with two other rows: here the beginning is meant. An interruption gives it back, or "
        "letting go and beginning again would earn it each time",
    ),
    Row("not save a downed teammate", s.R_NOT_SAVED, 1, "mates who bled to death, for all on their feet"),
    Row("go to blue circle", s.R_TO_BLUE, CENTIMETRE, "centimetres nearer to the blue circle from outside"),
    Row(
        "be in white circle",
        s.R_WHITE,
        1,
        "ticks outside the white circle",
        note="named after being inside, but negative and described as a punishment for being outside",
    ),
    Row("outside blue circle", s.R_OUTSIDE, 1, "ticks outside the blue circle"),
    Row("teammate damage enemy", s.R_TEAM_DAMAGE, POINTS, "points that mates dealt to enemies"),
    Row(
        "teammate get up",
        s.R_TEAM_UP,
        1,
        "mates helped up, for all on their feet",
        note="the helper has it too, besides the next row",
    ),
    Row("I help teammate up", s.R_HELPED_UP, 1, "mates helped up by oneself"),
    Row("interrupt helping teammate up", s.R_INTERRUPT, 1, "times that helping was broken off"),
    Row(
        "obstacle avoidance",
        s.R_OBSTACLE,
        1,
        "ticks of walking against something",
        OBSTACLE,
        note="printed as positive and described as a punishment for being stuck: so the weight is negative",
    ),
)


@dataclass(frozen=True)
class RewardSettings:
    """The weight of every row, and the discount of every value head. Raises `Refusal`."""

    discover_enemy: float = 0.02
    be_discovered_by_enemy: float = -0.002
    scout: float = 0.0001
    no_op: float = -0.0002
    bullet: float = 0.015
    health_point: float = 0.03
    be_knocked_down: float = -2.5
    dead: float = -3.5
    damage_enemy: float = 0.1
    knock_down_enemy: float = 4.5
    kill_enemy: float = 3.5
    approach_downed_teammate: float = 0.001
    help_up_downed_teammate: float = 0.8
    not_save_downed_teammate: float = -0.5
    go_to_blue_circle: float = 0.00015
    be_in_white_circle: float = -0.00005
    outside_blue_circle: float = -0.012
    teammate_damage_enemy: float = 0.03
    teammate_get_up: float = 0.6
    i_help_teammate_up: float = 4.0
    interrupt_helping_teammate_up: float = -0.05
    obstacle_avoidance: float = -0.012
    goal: float = 1.0
    discount_basic: float = 0.995
    discount_obstacle: float = 0.92
    discount_goal: float = 0.993

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if not number or not math.isfinite(value):
                raise Refusal(f"{field.name} must be a number, not {value!r}.")
            if field.name.startswith("discount"):
                if not 0 <= value < 1:
                    raise Refusal(f"{field.name} is at least 0 and less than 1, not {value!r}.")
            elif abs(value) > LARGEST:
                raise Refusal(f"{field.name} is a weight of {-LARGEST:g} to {LARGEST:g}, not {value!r}.")

    @property
    def discounts(self) -> np.ndarray:
        """By group: float32 (3,)."""
        return np.array([self.discount_basic, self.discount_obstacle, self.discount_goal], np.float32)

    def weights(self) -> np.ndarray:
        """The reward for one count of each row of the record, and last for a goal: float32 (ROWS + 1,)."""
        weights = np.zeros(s.ROWS + 1, np.float32)
        for row, field in zip(ROWS, fields(self), strict=False):
            weights[row.row] = getattr(self, field.name) / row.unit
        # Letting go gives back what beginning to help earned.
        weights[s.R_INTERRUPT] -= weights[s.R_HELP]
        weights[s.ROWS] = self.goal
        return weights

    def groups(self) -> np.ndarray:
        """The value head that learns each row of the record, and goals: int32 (ROWS + 1,)."""
        groups = np.full(s.ROWS + 1, GOAL, np.int32)
        for row in ROWS:
            groups[row.row] = row.group
        return groups


def settings_from(weights: Mapping[str, Any]) -> RewardSettings:
    """Settings with some weights or discounts of one's own; raises `Refusal` for a name there isn't."""
    names = [field.name for field in fields(RewardSettings)]
    unknown = sorted(set(weights) - set(names))
    if unknown:
        raise Refusal(f"There is no reward {unknown[0]!r}; the rewards are {', '.join(names)}.")
    return RewardSettings(**weights)


@njit
def _sum_groups(states, weights, groups, goals, out):
    for i in range(out.shape[0]):
        for seat in range(out.shape[1]):
            for group in range(3):
                out[i, seat, group] = 0
            at = s.ROW + s.ROWS * seat
            for row in range(s.ROWS):
                count = states[i, at + row]
                if count != 0:
                    out[i, seat, groups[row]] += weights[row] * np.float32(count)
            out[i, seat, groups[s.ROWS]] += weights[s.ROWS] * goals[i, seat]


def reward_groups(
    states: np.ndarray,
    settings: RewardSettings | None = None,
    goals: np.ndarray | None = None,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """The rewards of the last tick: float32 (n, seats, 3), groups basic, obstacle and goal.

    `states` (n, STATE_SIZE) are all of matches with the same number of seats; `goals` (n, seats) says how far
    each seat's goal was reached in this tick, none if left out. Where a batch has just begun a new match, the
    rows are those of the last tick of the one that ended.
    """
    settings = settings or RewardSettings()
    seats = int(states[0, s.SEATS])
    shape = (states.shape[0], seats)
    if out is None:
        out = np.zeros((*shape, 3), np.float32)
    given = np.zeros(shape, np.float32) if goals is None else np.ascontiguousarray(goals, np.float32)
    if given.shape != shape:
        raise Refusal(f"goals must be {shape}, not {given.shape}.")
    _sum_groups(states, settings.weights(), settings.groups(), given, out)
    return out

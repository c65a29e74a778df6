"""A match in few words: the 33 sub-goals that Table 7 of the OpenContra paper prints, for one seat.

`subgoals(start, now, seat)` is a pure function of two states of one match, the first and the last of a window
(5 to 20 seconds); names and values are spelled as in the table. The paper gives no thresholds: those here
(metres, metres a second, degrees, points) are ours. Where a sub-goal says nothing (the place of a teammate
who isn't there, the direction of somebody who stands) its value is None, the paper's "not selected"; the
table's own value "None" is the text "None". Enemies are those that the seat's team knows of. The other 35
sub-goals of the paper are unpublished.

Not for: whether a goal has been reached (goals.py), sentences (words.py).
"""

from __future__ import annotations

import numpy as np

from engine.games.arena import state as s
from engine.games.arena.aim import aim_target
from engine.games.arena.angles import bearing, wrap
from engine.games.arena.sight import FORGOTTEN, RANGE, looks_at

COMPASS = ("North", "NorthEast", "East", "Southeast", "South", "Southwest", "West", "Northwest")
TRUTH = ("True", "False")
DIRECTIONS = ("West", "Northwest", "North", "NorthEast", "East", "Southeast", "South", "Southwest")
GRADES = ("Zero", "Low", "Little low", "Medium", "Little high", "High")
DISTANCES = ("Touch", "Nearby", "Moderate", "Far", "Out of reach", "Extreme Far")
VELOCITIES = ("Static", "Slow", "Medium", "Fast", "Falling")
LENGTHS = ("No movement", "Short", "Medium", "Long", "Very long")
LEVELS = ("Empty", "Low", "Medium", "High", "Full")
PITCHES = GRADES[1:]

SUBGOALS: dict[str, tuple[str, ...]] = {
    "Damage to enemy": GRADES,
    "Whether knock down enemy": TRUTH,
    "Whether kill enemy": TRUTH,
    "Whether seen enemy": TRUTH,
    "Whether seen by enemy": TRUTH,
    "Number of enemies have ever seen": tuple(str(number) for number in range(16)),
    "Length of distance moved": LENGTHS,
    "Average velocity": VELOCITIES,
    "Horizontal direction of movement": DIRECTIONS,
    "Horizontal direction of view": DIRECTIONS,
    "Pitch direction of view": PITCHES,
    "Health level": LEVELS,
    "Whether to restore health": TRUTH,
    "Whether the health is damaged": TRUTH,
    "Whether rescued teammate": TRUTH,
    "Whether be knocked down": TRUTH,
    "Whether prone position": TRUTH,
    "Whether have a gun": TRUTH,
    "Whether have bullets": TRUTH,
    "Whether have medical kits": TRUTH,
    "Distance with nearest enemy": DISTANCES,
    "Whether closer with nearest enemy": TRUTH,
    "Whether crouch position": TRUTH,
    "Whether hold a gun": TRUTH,
    "Length of distance from agent to teammate": DISTANCES,
    "Whether seen by teammate": TRUTH,
    "Teammate’s position relative to agent": DIRECTIONS,
    "Whether follow with the views of teammate": TRUTH,
    "Whether target the same enemy as teammate": TRUTH,
    "Whether follow with the movement direction of teammate": TRUTH,
    "Horizontal direction of movement of enemy": (*DIRECTIONS, "None"),
    "Velocity of enemy": (*VELOCITIES, "None"),
    "Enemy’s position relative to agent": (*DIRECTIONS, "None"),
}
"""Name -> values, in the order and the spelling of Table 7."""

# Upper bounds (excluded) of all values but the last.
DAMAGE_BOUNDS = (1, 21, 51, 101, 201)  # points dealt in the window
MOVED_BOUNDS = (1.0, 8.0, 20.0, 40.0)  # metres between the two places
SPEED_BOUNDS = (0.2, 1.5, 4.5)  # m/s: still; lying or downed; crouched or walking; running
HEALTH_BOUNDS = (1, 34, 67, 100)  # points; downed or out is Empty
PITCH_BOUNDS = (-30, -10, 10, 30)  # degrees
DISTANCE_BOUNDS = (2.0, 10.0, 25.0, 45.0, 70.0)  # metres
CLOSER = 0.5  # metres that count as closer
VIEW_TURN = 5461  # turn units (30 degrees) within which two look the same way
MOVE_TURN = 8192  # turn units (45 degrees) within which two move the same way


def graded(value: float, bounds: tuple[float, ...], names: tuple[str, ...]) -> str:
    """The name of the grade that a value is in."""
    return names[sum(value >= bound for bound in bounds)]


def direction(dx: int, dy: int) -> str | None:
    """The compass word for a way dx to the east and dy to the south; None for no way."""
    if dx == 0 and dy == 0:
        return None
    return heading(int(bearing(dx, dy)))


def heading(yaw: int) -> str:
    """The compass word for a yaw."""
    return COMPASS[((yaw + 4096) & 0xFFFF) >> 13]


def distance(metres: float) -> str:
    """The word for a distance: "Nearby"."""
    return graded(metres, DISTANCE_BOUNDS, DISTANCES)


def velocity(state: np.ndarray, seat: int) -> str:
    """The word for a player's speed in the last tick."""
    at = int(s.player(seat))
    if int(state[at + s.AIRBORNE]) and int(state[at + s.VZ]) < 0:
        return "Falling"
    moved = float(np.hypot(int(state[at + s.VX]), int(state[at + s.VY])))
    return graded(moved * s.TICKS_PER_SECOND / s.UNIT, SPEED_BOUNDS, VELOCITIES)


def nearest_enemy(state: np.ndarray, seat: int) -> tuple[int, int, int] | None:
    """(seat, dx, dy) of the nearest enemy that a seat's team knows of, where it last saw them; in units."""
    at = int(s.player(seat))
    team = int(state[at + s.TEAM])
    best: tuple[int, int, int] | None = None
    for other in range(int(state[s.SEATS])):
        op = int(s.player(other))
        if int(state[op + s.TEAM]) == team or int(state[op + s.LIFE]) == s.OUT:
            continue
        entry = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
        if int(state[s.TICK]) - int(state[entry]) >= FORGOTTEN:
            continue
        dx, dy = int(state[entry + 1]) - int(state[at + s.X]), int(state[entry + 2]) - int(state[at + s.Y])
        if best is None or dx * dx + dy * dy < best[1] ** 2 + best[2] ** 2:
            best = other, dx, dy
    return best


def mates(state: np.ndarray, seat: int) -> list[int]:
    """The other seats of a seat's team that are still in."""
    size, team = int(state[s.TEAM_SIZE]), int(state[s.player(seat) + s.TEAM])
    squad = range(team * size, team * size + size)
    return [mate for mate in squad if mate != seat and int(state[s.player(mate) + s.LIFE]) != s.OUT]


def way(state: np.ndarray, seat: int, other: int) -> tuple[int, int]:
    """(dx, dy) in units from one seat to another."""
    a, b = int(s.player(seat)), int(s.player(other))
    return int(state[b + s.X]) - int(state[a + s.X]), int(state[b + s.Y]) - int(state[a + s.Y])


def metres(dx: int, dy: int) -> float:
    """The length of a way given in units."""
    return float(np.hypot(dx, dy)) / s.UNIT


def health(state: np.ndarray, seat: int) -> str:
    """The word for a player's health."""
    at = int(s.player(seat))
    points = int(state[at + s.HP]) if int(state[at + s.LIFE]) == s.UP else 0
    return graded(points, HEALTH_BOUNDS, LEVELS)


def subgoals(start: np.ndarray, now: np.ndarray, seat: int) -> dict[str, str | None]:
    """The 33 sub-goals of a seat for the window from `start` to `now` (records of one match)."""
    values = _own(start, now, seat) | _ours(now, seat) | _theirs(start, now, seat)
    return {name: values[name] for name in SUBGOALS}


def _truth(condition: object) -> str:
    return "True" if condition else "False"


def _own(start: np.ndarray, now: np.ndarray, seat: int) -> dict[str, str | None]:
    """What is about the seat itself."""
    at = int(s.player(seat))

    def more(field: int) -> bool:
        return int(now[at + field]) > int(start[at + field])

    dx, dy = (int(now[at + field]) - int(start[at + field]) for field in (s.X, s.Y))
    ticks = int(now[s.TICK]) - int(start[s.TICK])
    falling = velocity(now, seat) == "Falling"
    speed = metres(dx, dy) * s.TICKS_PER_SECOND / max(1, ticks)
    gunless = int(now[at + s.WEAPON]) == s.NO_WEAPON and int(now[at + s.WEAPON_2]) == s.NO_WEAPON
    loaded = [int(now[at + field]) for field in (s.AMMO, s.MAGAZINE, s.MAGAZINE_2)]
    ever = int(now[at + s.EVER]).bit_count() + int(now[at + s.EVER_2]).bit_count()
    return {
        "Damage to enemy": graded(int(now[at + s.DEALT]) - int(start[at + s.DEALT]), DAMAGE_BOUNDS, GRADES),
        "Whether knock down enemy": _truth(more(s.KNOCKS)),
        "Whether kill enemy": _truth(more(s.KILLS)),
        "Whether seen enemy": _truth(int(now[at + s.SEES]) or int(now[at + s.SEES_2])),
        "Number of enemies have ever seen": str(min(15, ever)),
        "Length of distance moved": graded(metres(dx, dy), MOVED_BOUNDS, LENGTHS),
        "Average velocity": "Falling" if falling else graded(speed, SPEED_BOUNDS, VELOCITIES),
        "Horizontal direction of movement": direction(dx, dy) if metres(dx, dy) >= MOVED_BOUNDS[0] else None,
        "Horizontal direction of view": heading(int(now[at + s.YAW])),
        "Pitch direction of view": graded(int(now[at + s.PITCH]) * 360 / 65536, PITCH_BOUNDS, PITCHES),
        "Health level": health(now, seat),
        "Whether to restore health": _truth(more(s.HEALS) or int(now[at + s.TREAT]) > 0),
        "Whether the health is damaged": _truth(int(now[at + s.HIT_TICK]) >= int(start[s.TICK])),
        "Whether rescued teammate": _truth(more(s.RESCUES)),
        "Whether be knocked down": _truth(int(now[at + s.LIFE]) != s.UP),
        "Whether prone position": _truth(int(now[at + s.STANCE]) == s.PRONE),
        "Whether crouch position": _truth(int(now[at + s.STANCE]) == s.CROUCH),
        "Whether have a gun": _truth(not gunless),
        "Whether hold a gun": _truth(int(now[at + s.WEAPON + int(now[at + s.SLOT])]) != s.NO_WEAPON),
        "Whether have bullets": _truth(any(loaded)),
        "Whether have medical kits": _truth(int(now[at + s.MEDKITS])),
    }


def _ours(now: np.ndarray, seat: int) -> dict[str, str | None]:
    """What is about the nearest teammate, and about teammates."""
    at = int(s.player(seat))
    squad = mates(now, seat)
    nearest = min(squad, key=lambda mate: metres(*way(now, seat, mate)), default=None)
    if nearest is None:
        return {
            "Length of distance from agent to teammate": None,
            "Whether seen by teammate": "False",
            "Teammate’s position relative to agent": None,
            "Whether follow with the views of teammate": None,
            "Whether target the same enemy as teammate": None,
            "Whether follow with the movement direction of teammate": None,
        }
    dx, dy = way(now, seat, nearest)
    mp = int(s.player(nearest))
    target = int(aim_target(now, seat))
    seen = any(
        metres(*way(now, seat, mate)) * s.UNIT <= RANGE
        and looks_at(now, mate, int(now[at + s.X]), int(now[at + s.Y]))
        for mate in squad
    )
    moves = [(int(now[who + s.VX]), int(now[who + s.VY])) for who in (at, mp)]
    both = all(any(move) for move in moves)
    return {
        "Length of distance from agent to teammate": distance(metres(dx, dy)),
        # Whether a wall is between them isn't in the record.
        "Whether seen by teammate": _truth(seen),
        "Teammate’s position relative to agent": direction(dx, dy),
        "Whether follow with the views of teammate": _truth(
            abs(int(wrap(int(now[at + s.YAW]) - int(now[mp + s.YAW])))) <= VIEW_TURN
        ),
        "Whether target the same enemy as teammate": _truth(
            0 <= target < s.MAX_SEATS and any(int(aim_target(now, mate)) == target for mate in squad)
        ),
        "Whether follow with the movement direction of teammate": _truth(
            both and abs(int(wrap(int(bearing(*moves[0])) - int(bearing(*moves[1]))))) <= MOVE_TURN
        ),
    }


def _theirs(start: np.ndarray, now: np.ndarray, seat: int) -> dict[str, str | None]:
    """What is about the nearest enemy, and about enemies."""
    before, enemy = nearest_enemy(start, seat), nearest_enemy(now, seat)
    seen_by = any(s.sees(now, other, seat) for other in range(int(now[s.SEATS])))
    facts: dict[str, str | None] = {
        "Whether seen by enemy": _truth(seen_by),
        "Distance with nearest enemy": "Extreme Far",
        "Whether closer with nearest enemy": "False",
        "Horizontal direction of movement of enemy": "None",
        "Velocity of enemy": "None",
        "Enemy’s position relative to agent": "None",
    }
    if enemy is None:
        return facts
    other, dx, dy = enemy
    far = metres(dx, dy)
    facts["Distance with nearest enemy"] = distance(far)
    facts["Whether closer with nearest enemy"] = _truth(
        before is None or far < metres(before[1], before[2]) - CLOSER
    )
    facts["Enemy’s position relative to agent"] = direction(dx, dy) or "None"
    if s.sees(now, seat, other):
        op = int(s.player(other))
        moving = direction(int(now[op + s.VX]), int(now[op + s.VY]))
        facts["Horizontal direction of movement of enemy"] = moving or "None"
        facts["Velocity of enemy"] = velocity(now, other)
    return facts

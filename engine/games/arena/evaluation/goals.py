"""How far a squad mate does what a goal vector says, told and untold (`./manage.py evaluate goals`).

Windows of 5 to 20 seconds begin in states of matches of the agent's squad against the yardstick. From each,
one mate of the squad plays on several times with the goal and as often without it, everybody else alike, all
in their own manner. Goals are what scripted mates under orders came to from the very same state, and of
these only what wasn't so at the start: so each can be met, but none is met already. Their combinations of
sub-goals are ones that trainings never draw (lessons.held_out). Windows in which mates that were told nothing
come to the goal in more than OFTEN of the tries are listed apart. Many ends are chance: of the others,
"repeated" are those to which the scripted mate comes again, under the same order, in at least half of the
tries.

The plain orders are those of obedience.py, in words, given for 15 seconds where they can be carried out in
that time: an enemy, a supply, a downed mate or the house is near enough. Each is played told, untold, with
another order and with its contrary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import games, language
from engine.agents.catalogue import load
from engine.agents.policy import Policy, check_fits
from engine.evaluation.obedience import tasks_done
from engine.games.arena import goals as records
from engine.games.arena import hands, lessons, subgoals
from engine.games.arena import state as s
from engine.games.arena.evaluation import obedience
from engine.games.arena.evaluation.windows import (
    OFTEN,
    OPTIONS,
    SCRIPTED,
    TRIES,
    Windows,
    drawn,
    means,
    played,
)
from engine.games.arena.language import places
from engine.games.arena.subgoal_table import CONTROLLABLE, COUNT
from engine.games.arena.training import YARDSTICK
from engine.simulation.batch import world_of
from engine.simulation.rng import key_from_seed
from engine.simulation.simulation import Simulation

DIMENSIONS = (2, 3, 4)  # of a goal
AGAIN = 0.5
TURNS = 8  # orders of scripted mates from one state
DRAWS = 8  # of a goal from what they came to


def goals(
    policy: Policy, options: dict[str, Any] | None = None, episodes: int = 100, seed: int = 1
) -> dict[str, Any]:
    """{"dimensions": {"2": {"told", "untold", "another": told another window's goal, "order": how often
    scripted mates come to it again, "gain", "interval" of told less untold, "n", "repeated": the same of
    these, "often": of those that are listed apart, "every": of all}, …}, "orders": {name: {"told", "untold",
    "n", …}}} of `episodes` matches, a window of each dimension from each; intervals over matches. Raises
    Refusal.
    """
    complete = games.spec("arena").validate({**OPTIONS, **(options or {})})
    check_fits(policy, "arena", complete)
    yardstick = load(YARDSTICK, "arena", complete)
    windows = drawn(policy, yardstick, complete, episodes, seed)
    world = world_of(games.spec("arena"), complete)
    scripted = load(SCRIPTED, "arena", complete)
    asked, ends = _ends(scripted, yardstick, world, windows, seed)
    found: dict[str, Any] = {"agent": policy.name, "options": complete, "episodes": episodes, "seed": seed}
    found["dimensions"] = {}
    for count in DIMENSIONS:
        wanted, used, turns = _drawn(windows, ends, count, seed)
        chosen = Windows(windows.states[used], windows.seats[used], windows.ends[used])
        another, vector = wanted.copy(), slice(records.VECTOR, records.START)
        another[:, vector] = np.roll(wanted[:, vector], 1, axis=0)
        mine = ((policy, goal) for goal in (wanted, np.zeros_like(wanted), another))
        given = (*mine, (scripted, asked[used, turns]))
        met = [_met(who, yardstick, world, chosen, wanted, goal, seed) for who, goal in given]
        found["dimensions"][str(count)] = _row(*met)
    found["orders"] = _orders(policy, yardstick, complete, max(1, episodes // 2), seed)
    return found


SHARES = ("told", "untold", "another", "order")


def _row(*met: np.ndarray) -> dict[str, Any]:
    """A row from the share of the tries that met each window's goal, (n,) each, as SHARES says."""
    shares = dict(zip(SHARES, met, strict=True))
    often, again = shares["untold"] > OFTEN, shares["order"] >= AGAIN
    apart = {"repeated": ~often & again, "often": often, "every": often | ~often}
    return means(shares, ~often) | {name: means(shares, some) for name, some in apart.items()}


@dataclass(eq=False, kw_only=True)
class Ordered(obedience.Match):
    """A match whose tasks are the plain orders, where they can be carried out in time."""

    FIRST, PERIOD, LIMIT = 40, 320, 300

    def able(self, task: obedience.Task) -> list[int]:
        name = NAMES[task.text]
        return [seat for seat in super().able(task) if NEAR_ENOUGH.get(name, _always)(self.sim, seat)]


def _always(sim: Simulation, seat: int) -> bool:
    return True


def _enemy_near(sim: Simulation, seat: int) -> bool:
    enemy = int(records.known_enemy(sim.state, seat, records.KNOWN))
    return enemy >= 0 and _metres(sim, seat, *places.last_seen(sim, seat, enemy)[1:]) <= 40


def _supply_near(sim: Simulation, seat: int) -> bool:
    return int(hands.nearest_supply(sim.state, seat, 25 * s.UNIT)) >= 0


def _mate_near(sim: Simulation, seat: int) -> bool:
    return int(hands.downed_mate(sim.state, seat, 30 * s.UNIT)) >= 0


def _house_near(sim: Simulation, seat: int) -> bool:
    program = language.meant("arena", "go to the house").program
    assert program is not None
    step = program["clauses"][0]
    return _metres(sim, seat, *places.point(sim, seat, obedience.SPEAKER, step)) <= 45


def _zone_near(sim: Simulation, seat: int) -> bool:
    x, y, radius = (int(sim.state[s.WHITE_X + field]) for field in range(3))
    return _metres(sim, seat, x, y) - radius / s.UNIT <= 45


def _apart(sim: Simulation, seat: int) -> bool:
    x, y = (int(records.squad_middle(sim.state, seat, field)) for field in (s.X, s.Y))
    return x >= 0 and _metres(sim, seat, x, y) > records.NEAR / s.UNIT


def _metres(sim: Simulation, seat: int, x: int, y: int) -> float:
    at = int(s.player(seat))
    return float(np.hypot(x - int(sim.state[at + s.X]), y - int(sim.state[at + s.Y]))) / s.UNIT


NAMES = {
    "follow me": "follow",
    "hold here": "hold",
    "go 20 metres north": "go",
    "go to the house": "go to the house",
    "attack": "attack",
    "cover me": "cover",
    "take cover": "take cover",
    "loot": "loot",
    "heal": "heal",
    "rescue our mate": "rescue",
    "go prone": "prone",
    "crouch": "crouch",
    "hold your fire": "hold fire",
    "rotate to the zone": "rotate",
    "regroup": "regroup",
    "retreat": "retreat",
}
NEAR_ENOUGH = {
    "attack": _enemy_near,
    "retreat": _enemy_near,
    "loot": _supply_near,
    "rescue": _mate_near,
    "go to the house": _house_near,
    "rotate": _zone_near,
    "regroup": _apart,
}


def _orders(
    policy: Policy, others: Policy, options: dict[str, Any], episodes: int, seed: int
) -> dict[str, Any]:
    """{name: {"told", "untold", "n", "random", "opposite"}} of the plain orders, "all" for all of them, with
    the interval of "told".
    """
    found = tasks_done(Ordered, policy, others, options, obedience.TASKS, episodes, seed, obedience.LONGEST)
    said = {"told": "true", "untold": "none", "random": "random", "opposite": "opposite"}
    rows = {
        NAMES[text]: {name: row[key] for name, key in said.items()} | {"n": row["asked"]["true"]}
        for text, row in found["by_instruction"].items()
    }
    every = {name: found[key]["completed"]["share"] for name, key in said.items()}
    told = found["true"]["completed"]["interval"]
    return {"all": every | {"interval": told, "n": found["true"]["asked"]}, **rows}


def _ends(
    scripted: Policy, others: Policy, world: np.ndarray, windows: Windows, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Orders that are drawn (n, TURNS, GOAL_SIZE), and what the told seats' windows come to (n, TURNS, COUNT)
    where scripted mates play under them; -1 where a sub-goal says nothing, or says what it said at the start.
    """
    given = np.zeros((len(windows.states), TURNS, records.GOAL_SIZE), np.int16)
    found = np.full((len(windows.states), TURNS, COUNT), -1, np.int8)
    before = _measured(windows, windows.states, world)
    for turn in range(TURNS):
        asked = given[:, turn]
        key = int(key_from_seed(seed * 1000 + turn)[0])
        for row, (state, seat) in enumerate(zip(windows.states, windows.seats, strict=True)):
            lessons.order(state, world, int(seat), key, asked[row])
        states = played(scripted, others, world, windows, asked, seed + turn)
        found[:, turn] = np.where((now := _measured(windows, states, world)) == before, -1, now)
    return given, found


def _measured(windows: Windows, states: np.ndarray, world: np.ndarray) -> np.ndarray:
    """The sub-goals of the told seats from the windows' starts to `states`: int8 (n, COUNT)."""
    out, start = np.zeros((len(states), COUNT), np.int8), np.zeros(subgoals.OPENED, np.int16)
    for row, (first, now, seat) in enumerate(zip(windows.states, states, windows.seats, strict=True)):
        subgoals.opened(first, int(seat), start)
        subgoals.measure(start, now, world, int(seat), -1, -1, out[row])
    return out


def _drawn(
    windows: Windows, ends: np.ndarray, count: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Goals (k, GOAL_SIZE) of `count` sub-goals for those windows (k,) for which there is one that trainings
    don't draw, and from which of their orders (k,) they come.
    """
    rng = np.random.default_rng([seed, count])
    found, used, turns = [], [], []
    for row, (state, seat, end) in enumerate(zip(windows.states, windows.seats, windows.ends, strict=True)):
        for turn in np.repeat(rng.permutation(TURNS), DRAWS):
            can = np.flatnonzero((ends[row, turn] >= 0) & CONTROLLABLE)
            if len(can) < count:
                continue
            chosen, goal = rng.choice(can, count, replace=False), np.zeros(records.GOAL_SIZE, np.int16)
            records.give(state, int(seat), records.FREE, -1, 0, 0, int(end), 0, goal)
            goal[records.VECTOR + chosen] = 1 + ends[row, turn][chosen]
            if lessons.held_out(goal):
                found.append(goal)
                used.append(row)
                turns.append(turn)
                break
    goals_ = np.array(found, np.int16).reshape(-1, records.GOAL_SIZE)
    return goals_, np.array(used, int), np.array(turns, int)


def _met(
    policy: Policy,
    others: Policy,
    world: np.ndarray,
    windows: Windows,
    wanted: np.ndarray,
    asked: np.ndarray,
    seed: int,
) -> np.ndarray:
    """The share of TRIES in which each window ends with all that is `wanted`, (n,), where its seat is asked
    for what is `asked`.
    """
    values = wanted[:, records.VECTOR : records.VECTOR + COUNT] - 1
    tries = []
    for turn in range(TRIES):
        states = played(policy, others, world, windows, asked, seed * TRIES + turn)
        tries.append(((_measured(windows, states, world) == values) | (values < 0)).all(1))
    return np.mean(tries, axis=0)


def lines(found: dict[str, Any]) -> list[str]:
    """The result as text."""
    heads = "".join(f"{name:>8}" for name in ("told", "untold", "another", "contrary"))
    text = [f"{found['agent']}, {found['episodes']} matches", f"{'':24}{heads}"]
    for count, dimension in found["dimensions"].items():
        for title, row in ((f"{count} sub-goals", dimension), ("  repeated", dimension["repeated"])):
            if row["n"]:
                low, high = row["interval"] or (float("nan"), float("nan"))
                gain = f"   {row['gain']:+.3f} ({low:+.3f} to {high:+.3f})"
                shares = "".join(f"{row[name]:8.1%}" for name in SHARES[:3])
                text.append(f"{title:24}{shares}   order {row['order']:.1%}{gain}, {row['n']}")
    for order, row in found["orders"].items():
        cells = (obedience.cell(row[name]) for name in ("told", "untold", "random", "opposite"))
        text.append(f"{order:24}" + "".join(f"{one:>8}" for one in cells) + f"   {row['n']}")
    return text

"""Windows of Arena in which a squad mate is told something or nothing: drawn from matches, played to their
end, and the shares that come of it, for `evaluate goals` and `evaluate texts`. Not for: what is asked for in
them, and when that is met.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import games
from engine.agents.acting import Heard, Player
from engine.agents.policy import Policy
from engine.evaluation.intervals import over_deals
from engine.games.arena import lessons
from engine.games.arena import state as s
from engine.games.arena.evaluation import squads
from engine.simulation.batch import first_states, world_of

OPTIONS = {"teams": 2, "team_size": 4, "pace": "short"}
MATES = (1, 2, 3)  # seats one of which is told
TRIES = 4  # of each window, told and untold
OFTEN = 0.6  # of the tries: the end is listed apart where untold mates come to it more often
SCRIPTED = "arena/strong"  # whose mates show what a state can come to
FIRST, LAST = 40, 1600  # ticks at which windows begin


@dataclass
class Windows:
    """States in which windows begin (n, STATE_SIZE), which seat is told in each, and when the window ends."""

    states: np.ndarray
    seats: np.ndarray
    ends: np.ndarray


def drawn(policy: Policy, others: Policy, options: dict[str, Any], count: int, seed: int) -> Windows:
    """A window of each of `count` matches, at a moment drawn by chance in which a mate is on its feet and the
    match has the shortest window yet to go; the same matches are played twice, as nobody knows that before.
    """
    spec = games.spec("arena")
    world, rng = world_of(spec, options), np.random.default_rng([seed, 0])
    dealt = first_states(spec, options, count, seed)
    squads.begin(dealt, world)
    mine = np.arange(spec.seats(options)) < options["team_size"]
    sides = [(policy, np.tile(mine, (count, 1))), (others, np.tile(~mine, (count, 1)))]
    kept, who, last, begins = np.zeros_like(dealt), np.full(count, -1), np.zeros(count), np.zeros(count)

    def play(after: Callable[[int], None]) -> None:
        squads.play(states, world, sides, np.random.default_rng([seed, 1]), greedy=False, after=after)

    def see(row: int) -> None:
        last[row] = states[row, s.TICK]

    def look(row: int) -> None:
        tick = int(states[row, s.TICK])
        up = [seat for seat in MATES if states[row, int(s.player(seat)) + s.LIFE] == s.UP]
        if up and tick <= begins[row]:  # the last moment in which somebody could be told something
            kept[row], who[row] = states[row], up[(row + tick) % len(up)]

    states = dealt.copy()
    play(see)
    begins = rng.uniform(FIRST, np.maximum(FIRST, np.minimum(last - lessons.SHORTEST, LAST)))
    states = dealt.copy()
    play(look)
    used = who >= 0
    lasts = rng.integers(lessons.SHORTEST, lessons.LONGEST, count) // squads.EVERY * squads.EVERY
    return Windows(kept[used], who[used], (kept[:, s.TICK] + lasts)[used])


def played(
    policy: Policy, others: Policy, world: np.ndarray, windows: Windows, asked: np.ndarray, seed: int
) -> np.ndarray:
    """The states in which the windows end, if the told seats are asked for this."""
    spec, states = games.spec("arena"), windows.states.copy()
    rows, seats, size = len(states), int(states[0, s.SEATS]), int(states[0, s.TEAM_SIZE])
    heads = np.zeros((rows, seats, len(spec.heads)), np.int32)
    moves = np.zeros((rows, seats, spec.record_size), np.int32)
    masks = np.zeros((rows, seats, sum(spec.heads)), np.int8)
    alive, rng = np.zeros((rows, seats), np.int64), np.random.default_rng([seed, 2])
    sides = [(Player(policy, rows, seats), range(size)), (Player(others, rows, seats), range(size, seats))]
    while (going := (states[:, s.OVER] == 0) & (states[:, s.TICK] < windows.ends)).any():
        squads.mask(states, world, masks)
        for player, theirs in sides:
            for seat in theirs:
                acting = np.flatnonzero(going & (states[:, int(s.player(seat)) + s.LIFE] != s.OUT))
                if not len(acting):
                    continue
                who = np.full(len(acting), seat)
                goal = np.where((windows.seats[acting] == seat)[:, None], asked[acting], 0).astype(np.int16)
                seen = states[acting], who, masks[acting, seat]
                heads[acting, seat] = player.act(acting, *seen, rng, world, Heard(goal=goal))
        still = np.flatnonzero(going)
        part, hands, records_ = states[still], heads[still], moves[still]
        squads.advance(part, world, hands, records_, alive[still], squads.EVERY)
        states[still] = part
    return states


def means(shares: dict[str, np.ndarray], some: np.ndarray) -> dict[str, Any]:
    """How many windows `some` (n,) are, the mean of each of their shares (n,), and told less untold."""
    row: dict[str, Any] = {"n": int(some.sum())}
    if row["n"]:
        gain = over_deals((shares["told"] - shares["untold"])[some])
        row |= {name: float(share[some].mean()) for name, share in shares.items()}
        row |= {"gain": gain["mean"], "interval": gain["interval"]}
    return row

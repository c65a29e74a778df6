"""Squads against squads in Arena: who wins, and what players do in a match.

Every map and supply is played twice, the sides swapped. Agents decide every few ticks, as in live matches,
and what they chose is repeated in between. Not for scores of other games (engine.evaluation.self_play).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import games
from engine.agents.acting import NOTHING, Heard, Player
from engine.agents.policy import Policy, check_fits
from engine.evaluation.intervals import share_over_deals
from engine.games.arena import aim, rules
from engine.games.arena import state as s
from engine.simulation.batch import first_states, world_of
from engine.simulation.jit import njit

EVERY = games.spec("arena").decision_ticks  # for which a choice is repeated
LONGEST = 13000  # ticks after which a match counts as a draw
COUNTED = {
    "kills": s.KILLS,
    "knocks": s.KNOCKS,
    "damage": s.DEALT,
    "shots": s.SHOTS,
    "hits": s.HITS,
    "loots": s.LOOTS,
    "heals": s.HEALS,
    "rescues": s.RESCUES,
    "assists": s.ASSISTS,
}


@njit
def begin(states, world):
    for row in range(states.shape[0]):
        rules.new_game(states[row], world)


@njit
def mask(states, world, masks):
    for row in range(states.shape[0]):
        for seat in range(masks.shape[1]):
            rules.legal(states[row], world, seat, masks[row, seat])


@njit
def advance(states, world, heads, records, alive, ticks):
    """Play `ticks` ticks of the matches that go on, and count the ticks that each player is in it."""
    for row in range(states.shape[0]):
        state = states[row]
        for _ in range(ticks):
            if rules.over(state) != 0:
                break
            for seat in range(heads.shape[1]):
                if int(state[s.player(seat) + s.LIFE]) != s.OUT:
                    alive[row, seat] += 1
                aim.resolve(state, world, seat, heads[row, seat], records[row, seat])
            rules.step(state, world, records[row])


def squads(
    a: Policy,
    b: Policy,
    options: dict[str, Any] | None = None,
    matches: int = 200,
    seed: int = 0,
    greedy: bool | None = None,
    every: int = EVERY,
) -> dict[str, Any]:
    """Matches of squads of `a` against squads of `b`: wins of `a` with an interval over deals, how long
    matches take, how many ended by shots (the last who went was not left to the zone), and rates of both.

    `matches` is even; teams take turns (a, b, a, …), and the second of every two matches has the sides
    swapped. Rates are means a player and match, except "outside", the share of a player's time outside of
    the zone. Raises Refusal or ValueError with a sentence.
    """
    if matches < 2 or matches % 2:
        raise ValueError(f"Matches are played with both sides swapped; give an even number, not {matches}.")
    spec = games.spec("arena")
    complete = spec.validate(dict(options or {}))
    for policy in (a, b):
        check_fits(policy, "arena", complete)
    world = world_of(spec, complete)
    states = np.repeat(first_states(spec, complete, matches // 2, seed), 2, axis=0)
    begin(states, world)
    seats, size = spec.seats(complete), complete["team_size"]
    # Whether a seat is one of a's.
    mine = np.empty((matches, seats), bool)
    mine[0::2] = (np.arange(seats) // size) % 2 == 0
    mine[1::2] = ~mine[0]
    alive = play(states, world, [(a, mine), (b, ~mine)], np.random.default_rng(seed), greedy, every)
    return {
        **_result(states, mine, size),
        "game": "arena",
        "agents": [a.name, b.name],
        "options": complete,
        "matches": matches,
        "seed": seed,
        "rates": {"a": _rates(states, mine, alive), "b": _rates(states, ~mine, alive)},
    }


def play(
    states: np.ndarray,
    world: np.ndarray,
    sides: list[tuple[Policy, np.ndarray]],
    rng: np.random.Generator,
    greedy: bool | None = None,
    every: int = EVERY,
    asked: Callable[[int], np.ndarray] | None = None,
    after: Callable[[int], None] = lambda row: None,
) -> np.ndarray:
    """Play all matches to their ends; returns for how many ticks each player (matches, seats) was in.
    `asked(row)`: the goals (seats, GOAL_SIZE) of a match now; `after(row)` is called when a match has gone
    on.
    """
    seats = sides[0][1].shape[1]
    spec = games.spec("arena")
    heads = np.zeros((len(states), seats, len(spec.heads)), np.int32)
    records = np.zeros((len(states), seats, spec.record_size), np.int32)
    masks = np.zeros((len(states), seats, sum(spec.heads)), np.int8)
    goals = np.zeros((len(states), seats, spec.goal_size), np.int16)
    alive = np.zeros((len(states), seats), np.int64)
    in_it = [s.player(seat) + s.LIFE for seat in range(seats)]
    players = [(Player(policy, len(states), seats), theirs) for policy, theirs in sides]
    for _ in range(0, LONGEST, every):
        going = states[:, s.OVER] == 0
        if not going.any():
            break
        mask(states, world, masks)
        for row in np.flatnonzero(going).tolist() if asked else ():
            goals[row] = asked(row)
        acting = (states[:, in_it] != s.OUT) & going[:, None]
        for player, mine in players:
            rows, who = np.nonzero(mine & acting)
            if len(rows) == 0:
                continue
            seen = states[rows], who, masks[rows, who]
            heard = Heard(goal=goals[rows, who]) if asked else NOTHING
            heads[rows, who] = player.act(rows, *seen, rng, world, heard, greedy)
        advance(states, world, heads, records, alive, every)
        for row in np.flatnonzero(going).tolist():
            after(row)
    return alive


def _result(states: np.ndarray, mine: np.ndarray, size: int) -> dict[str, Any]:
    """Wins of a, draws, lengths and ends of finished matches."""
    matches = len(states)
    winners = states[:, s.WINNER].astype(int)
    draws = winners < 0
    won = mine[np.arange(matches), np.maximum(winners, 0) * size] & ~draws
    share = share_over_deals(won.reshape(-1, 2).sum(1), np.full(matches // 2, 2))
    return {
        "wins": share["share"],
        "interval": share["interval"],
        "deals": matches // 2,
        "draws": float(draws.mean()),
        "by_fighting": float(np.mean([_by_fighting(state) for state in states])),
        "seconds": seconds(states),
    }


def seconds(states: np.ndarray) -> dict[str, float]:
    """How long matches took: {"mean", "median", "p10", "p90"}."""
    took = states[:, s.TICK] / s.TICKS_PER_SECOND
    ends = {f"p{share}": float(np.percentile(took, share)) for share in (10, 90)}
    return {"mean": float(took.mean()), "median": float(np.median(took)), **ends}


def _by_fighting(state: np.ndarray) -> bool:
    """Whether a match was decided by a player's shots: the last who went out was put out by somebody."""
    count = int(state[s.EVENT_COUNT])
    for back in range(1, min(count, s.EVENTS) + 1):
        event = s.EVENT + s.EVENT_SIZE * ((count - back) % s.EVENTS)
        if state[event + s.E_KIND] == s.KILL:
            return bool(state[event + s.E_SEAT] >= 0)
    return False


def _rates(states: np.ndarray, theirs: np.ndarray, alive: np.ndarray) -> dict[str, float]:
    """What a player of one side does in a match, on average."""
    players = states[:, s.PLAYERS : s.PLAYERS + s.PLAYER * theirs.shape[1]].reshape(*theirs.shape, s.PLAYER)
    mine = players[theirs].astype(float)
    rates = {name: float(mine[:, field].mean()) for name, field in COUNTED.items()}
    rates["accuracy"] = rates["hits"] / max(rates["shots"], 1e-9)
    rates["outside"] = float(mine[:, s.OUTSIDE].sum() / max(alive[theirs].sum(), 1))
    rates["metres"] = float(mine[:, s.WALKED].mean() / 16)
    return rates

"""Matches of Arena's squads for training: everybody's decisions, rewards in three groups, goals to obey.

A decision is kept for some ticks (the game's `decision_ticks`); rewards of those ticks are added up. Goals
are drawn now and then for a share of the seats, so that what a policy is asked to do is one of its inputs.
Not for algorithms (squad_clone.py, squad_ppo.py), nor for live matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import games
from engine.agents.features import inputs_for
from engine.games.arena import aim, goals, rules
from engine.games.arena import state as s
from engine.games.arena.observation_critic import SIZE as PRIVILEGED
from engine.games.arena.observation_critic import encode_critic
from engine.simulation.batch import Batch
from engine.simulation.jit import njit, rule
from engine.simulation.rng import below, key_from_seed, random32

GAME = "arena"
GROUPS = 3  # of rewards: basic, obstacle, goal
GOAL = 2  # the group that goals are rewarded in
REST_TICKS, ASKED_TICKS = 160, 240  # longest pause between two goals, longest time for one


@rule
def _draw_goal(state, world, seat, word, goal):
    """Ask a seat for something that makes sense now; leaves the goal empty where it doesn't."""
    at = s.player(seat)
    kind = 1 + below(word, goals.KINDS - 1)
    word = random32(word, seat, 1)
    team = int(state[at + s.TEAM])
    size = int(state[s.TEAM_SIZE])
    who = -1
    x = int(state[at + s.X])
    y = int(state[at + s.Y])
    if kind in (goals.FOLLOW, goals.COVER):
        who = team * size + below(word, size)
        if who == seat or int(state[s.player(who) + s.LIFE]) != s.UP:
            return
    elif kind == goals.ATTACK:
        who = below(word, int(state[s.SEATS]))
        if s.sees(state, seat, who) == 0:
            who = -1
    elif kind == goals.GO:
        x += below(word, 50 * s.UNIT) - 25 * s.UNIT
        y += below(random32(word, seat, 2), 50 * s.UNIT) - 25 * s.UNIT
        x = x if x > 4 * s.UNIT else 4 * s.UNIT
        y = y if y > 4 * s.UNIT else 4 * s.UNIT
        x = x if x < 123 * s.UNIT else 123 * s.UNIT
        y = y if y < 123 * s.UNIT else 123 * s.UNIT
        if not rules._walkable(state, world, (y >> 8) * s.SIDE + (x >> 8)):
            return
    flags = 0
    if kind in (goals.FOLLOW, goals.GO, goals.ROTATE, goals.REGROUP):
        draw = below(random32(word, seat, 3), 12)
        flags = 1 << draw if draw < 4 else 0
    until = int(state[s.TICK]) + 60 + below(random32(word, seat, 4), ASKED_TICKS)
    goals.give(state, seat, kind, who, x, y, until, flags, goal)


@rule
def renew_goals(states, world, wanted, share, key, count):
    """Let goals end, and draw new ones for about a `share` of the time; `wanted` is (n, seats, GOAL_SIZE)."""
    for i in range(states.shape[0]):
        state = states[i]
        tick = int(state[s.TICK])
        for seat in range(wanted.shape[1]):
            goal = wanted[i, seat]
            at = s.player(seat)
            word = random32(key, i * 64 + seat, count)
            if tick < int(goal[goals.SINCE]) or int(state[at + s.LIFE]) != s.UP:
                for field in range(goals.GOAL_SIZE):
                    goal[field] = 0
                continue
            if tick < int(goal[goals.UNTIL]):
                continue
            for field in range(goals.GOAL_SIZE):
                goal[field] = 0
            if (word & 0xFFFF) < share * 65536:
                _draw_goal(state, world, seat, random32(word, seat, 0), goal)
            if int(goal[goals.KIND]) == goals.NONE:
                goal[goals.SINCE] = tick
                goal[goals.UNTIL] = tick + 20 + below(word, REST_TICKS)


@rule
def advance(states, world, heads, records, wanted, ticks, weights, groups, rewards, dones, winners):
    """Keep everybody's heads (n, seats, 6) for some ticks; a match that ends is followed by a new one.

    Writes rewards (n, seats, GROUPS), dones (n,) and winners (n,): the team, -1 for none. A tick of obeying a
    goal and getting it done are in the third group.
    """
    for i in range(states.shape[0]):
        state = states[i]
        dones[i] = 0
        winners[i] = -1
        for seat in range(heads.shape[1]):
            for group in range(rewards.shape[2]):
                rewards[i, seat, group] = 0.0
        for _ in range(ticks):
            for seat in range(heads.shape[1]):
                aim.resolve(state, world, seat, heads[i, seat], records[i, seat])
            rules.step(state, world, records[i])
            for seat in range(heads.shape[1]):
                row = s.ROW + s.ROWS * seat
                for index in range(s.ROWS):
                    amount = int(state[row + index])
                    if amount != 0:
                        rewards[i, seat, groups[index]] += weights[index] * amount
            if rules.over(state) != 0:
                dones[i] = 1
                winners[i] = state[s.WINNER]
                break
        if dones[i] == 0:
            for seat in range(heads.shape[1]):
                if int(wanted[i, seat, goals.KIND]) != goals.NONE:
                    found = goals.progress(state, world, seat, wanted[i, seat])
                    rewards[i, seat, GOAL] += weights[s.ROWS] * (
                        1.0 if found == goals.DONE else 0.5 if found == goals.OBEYING else 0.0
                    )
        else:
            rules.new_game(state, world)


@njit
def encode_privileged(states, world, out):
    """Fill out (n, seats, PRIVILEGED) float32: what only critics are told."""
    row = np.zeros(PRIVILEGED, np.int8)
    for i in range(states.shape[0]):
        for seat in range(out.shape[1]):
            encode_critic(states[i], world, seat, row)
            for index in range(PRIVILEGED):
                out[i, seat, index] = row[index] / 127.0


@dataclass(frozen=True)
class Look:
    """What is decided on: a row for each seat of each match, in that order."""

    states: np.ndarray  # (rows, state_size)
    seats: np.ndarray  # (rows,) int32
    inputs: np.ndarray  # (rows, size) float32
    masks: np.ndarray  # (rows, 54) int8
    goals: np.ndarray  # (rows, GOAL_SIZE) int16
    alive: np.ndarray  # (rows,) bool


class SquadGames:
    """n matches at once; `weights` (ROWS + 1,) and `groups` (ROWS,) say what rows of Table 5 are worth."""

    def __init__(
        self,
        options: dict[str, Any],
        n: int,
        seed: int,
        weights: np.ndarray,
        groups: np.ndarray,
        goal_share: float,
    ) -> None:
        self.spec = games.spec(GAME)
        self.options = self.spec.validate(options)
        self.batch = Batch(self.spec, self.options, n, observations="none", seed=seed)
        self.n, self.seats = n, self.spec.seats(self.options)
        self.inputs = inputs_for(GAME, self.options)
        self.ticks = self.spec.decision_ticks
        self.wanted = np.zeros((n, self.seats, goals.GOAL_SIZE), goals.GOAL_DTYPE)
        self.goal_share = goal_share
        self.decisions = 0
        self._weights, self._groups = weights.astype(np.float64), groups.astype(np.int64)
        self._key = key_from_seed(seed ^ 0x60A1)[0]
        self._seats = np.tile(np.arange(self.seats, dtype=np.int32), n)
        self._results = (
            np.zeros((n, self.seats, GROUPS), np.float32),
            np.zeros(n, np.uint8),
            np.zeros(n, np.int32),
        )

    @property
    def states(self) -> np.ndarray:
        return self.batch.states

    @property
    def world(self) -> np.ndarray:
        return self.batch.world

    def look(self) -> Look:
        """What everybody sees and was asked to do, now."""
        if self.goal_share > 0:
            renew_goals(self.states, self.world, self.wanted, self.goal_share, self._key, self.decisions)
        self.batch.look()
        states = np.repeat(self.states, self.seats, axis=0)
        wanted = self.wanted.reshape(-1, goals.GOAL_SIZE).copy()
        inputs = self.inputs(states, self._seats, self.world, wanted)
        masks = self.batch.masks.reshape(len(states), -1).copy()
        life = self.states[:, s.PLAYERS + s.LIFE :][:, : s.PLAYER * self.seats : s.PLAYER]
        return Look(states, self._seats, inputs, masks, wanted, (life != s.OUT).reshape(-1))

    def privileged(self) -> np.ndarray:
        """What only critics are told: (rows, PRIVILEGED) float32."""
        out = np.zeros((self.n, self.seats, PRIVILEGED), np.float32)
        encode_privileged(self.states, self.world, out)
        return out.reshape(-1, PRIVILEGED)

    def play(self, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Carry out a decision of everybody, (rows, 6): rewards (rows, GROUPS), dones (n,), winners (n,)."""
        records = self.batch.records
        chosen = np.ascontiguousarray(heads.reshape(self.n, self.seats, -1), dtype=np.int32)
        advance(
            self.states,
            self.world,
            chosen,
            records,
            self.wanted,
            self.ticks,
            self._weights,
            self._groups,
            *self._results,
        )
        self.decisions += 1
        rewards, dones, winners = self._results
        return rewards.reshape(-1, GROUPS).copy(), dones.copy(), winners.copy()

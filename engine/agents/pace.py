"""Human proxies in games whose tick length is known: as fast as people in milliseconds, not in ticks.

A proxy whose card has `tick_ms` decides on a clock with such ticks. If a tick of the game is shorter, the
proxy waits in ticks without a due decision. If it is longer and n decisions are due, it waits only if all of
them would be to wait. Its memory of recent actions also uses its own clock (a game's `pace.py` converts
them). `reaction_ms` on the card is the delay with which it sees other players and everything that moves by
itself. What the rules count in ticks (the length of a step, cooking times) isn't changed. Not for agents that
were not made from people, nor for games without a clock or with unknown tick length.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from engine import brings, games
from engine.agents.people import PeoplePolicy
from engine.agents.policy import Policy, Worlds

SLACK = 1e-4  # of a tick, for lengths that are no round numbers
NEAR = 0.01  # lengths that differ by less are the same


def tick_of(game: str, options: dict[str, Any]) -> float | None:
    """Milliseconds of a tick in (complete) options; None if they leave it open."""
    clock = games.spec(game).clock(options)
    return 1000 / clock if clock else None


def at_pace(policy: Policy, tick_ms: float | None) -> Policy:
    """An agent as it plays with ticks of so many milliseconds (None: unknown)."""
    policy = policy.policy if isinstance(policy, Paced) else policy
    agent: Any = policy  # which is hashable, although its protocol doesn't say so
    own_pace = policy.card.get("tick_ms")
    if not own_pace or not tick_ms or games.spec(policy.game).no_op is None:
        return policy
    ratio, late = tick_ms / own_pace, round(policy.card.get("reaction_ms", 0) / own_pace)
    if abs(ratio - 1) < NEAR:
        ratio = 1.0
    return policy if ratio == 1 and not late else _paced(agent, ratio, late)


@lru_cache(maxsize=64)
def _paced(policy: Any, ratio: float, late: int) -> Paced:
    """Always the same object, because the memory of a seat is kept by agent."""
    return Paced(policy, ratio, late)


class Paced(Policy):
    """A proxy on its own clock: a tick of the game is `ratio` of its ticks, and what it sees is `late` of its
    ticks old. Its memory of a seat holds the proxy's memory, the ticks so far, the ticks of its clock that
    the proxy has seen, the last action of each player since then other than waiting (+ 1), and the
    observations that are still delayed, oldest first.
    """

    def __init__(self, policy: Policy, ratio: float, late: int = 0) -> None:
        self.policy, self.ratio, self.late = policy, ratio, late
        self.name, self.game, self.card, self.players = policy.name, policy.game, policy.card, policy.players
        self.wait = int(games.spec(policy.game).no_op or 0)
        # Features of people are about what was done lately.
        self.records = brings.Pace.brought(policy.game) if isinstance(policy, PeoplePolicy) else None
        self.news_at = policy.memory + 2 + (self.records.PLAYERS if self.records else 0)
        self.memory = self.news_at + (late * self.records.NEWS if self.records else 0)

    def logits_many(
        self,
        states: np.ndarray,
        seats: np.ndarray,
        masks: np.ndarray,
        worlds: Worlds = None,
        goals: np.ndarray | None = None,
        instructions: np.ndarray | None = None,
        memory: np.ndarray | None = None,
    ) -> np.ndarray:
        if memory is None:
            memory = np.zeros((len(states), self.memory), np.float32)
        tick, seen = memory[:, self.policy.memory], memory[:, self.policy.memory + 1]
        did, news = memory[:, self.policy.memory + 2 : self.news_at], memory[:, self.news_at :]
        now, then = self._due(tick), self._due(tick + 1)
        if self.records is not None:
            last = self.records.done(states)
            did[...] = np.where((tick[:, None] > 0) & (last != self.wait), last + 1, did)
        due = then > now
        liked = np.full(masks.shape, -np.inf, np.float32)
        for step in range(int((now + 1 - seen)[due].max(initial=0)) - 1, -1, -1):
            rows = np.flatnonzero(due & (now - step >= seen))
            clock, mine = now[rows] - step, np.asarray(seats)[rows]
            at = self._at(states[rows], clock, did[rows] if step == 0 else None)
            if self.records is not None and self.late:
                fresh = self.records.news(at, mine)
                known = np.where(clock[:, None] > 0, news[rows], np.tile(fresh, self.late))
                at = self.records.outdated(at, mine, known[:, : self.records.NEWS])
                news[rows] = np.concatenate([known[:, self.records.NEWS :], fresh], 1)
            grounds = [worlds[row] for row in rows] if isinstance(worlds, list) else worlds
            known_memory = memory[rows, : self.policy.memory]
            goal, heard = (None if part is None else part[rows] for part in (goals, instructions))
            seen_by = at, mine, masks[rows], grounds, goal, heard
            liked[rows] = self.policy.logits_many(*seen_by, memory=known_memory)
            memory[rows, : self.policy.memory] = known_memory
        seen[due] = now[due] + 1
        did[due] = 0
        tick += 1
        return self._waiting(liked, masks, (then - now).astype(int))

    def _due(self, ticks: np.ndarray) -> np.ndarray:
        """How many ticks of the clock have begun before these ticks of the game begin."""
        return np.ceil(ticks.astype(np.float64) * self.ratio - SLACK)

    def _at(self, states: np.ndarray, clock: np.ndarray, did: np.ndarray | None) -> np.ndarray:
        """Records as the features of people read them at a tick of the clock; `did` None: all waited."""
        if self.records is None:
            return states
        players = self.records.PLAYERS
        actions = np.full((len(states), players), self.wait) if did is None else did - 1
        return self.records.retold(states, clock, np.where(actions < 0, self.wait, actions))

    def _waiting(self, liked: np.ndarray, masks: np.ndarray, decisions: np.ndarray) -> np.ndarray:
        """Logits (n, A) of the first of so many `decisions` (n,) that isn't to wait."""
        out = np.full(liked.shape, -np.inf, np.float32)
        out[:, self.wait] = 0.0
        for count in set(decisions.tolist()) - {0}:
            rows = np.flatnonzero(decisions == count)
            top = liked[rows].max(1, keepdims=True)
            logp = liked[rows] - top - np.log(np.exp(liked[rows] - top).sum(1, keepdims=True))
            waits = np.exp(np.minimum(logp[:, self.wait], -1e-7))
            stays = waits**count
            logits = logp + np.log((1 - stays) / (1 - waits))[:, None]
            logits[:, self.wait] = np.log(np.maximum(stays, 1e-30))
            out[rows] = liked[rows] if count == 1 else logits
        return out

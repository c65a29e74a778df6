"""Games as learners play them: from one decision to the next, with what a game makes of it (its `training`
module, engine.learning.parts.sides): where games begin, what seats are asked to do, what they earn, who is
out. Not for what networks read (engine.learning.parts.rollouts).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine import brings, games
from engine.brings import Asking
from engine.evaluation.reward_return import varied
from engine.learning.run.shared import Goals
from engine.refusal import Refusal
from engine.simulation.batch import Batch, first_states


class Played:
    """n games, with a row for each, or for each seat where all move at once. A share of them begins
    `anywhere`; seats are `asked` to do something (run.shared.Goals); `weights` are those of the game's
    rewards.
    """

    def __init__(
        self,
        game: str,
        options: dict[str, Any],
        n: int,
        seed: int,
        anywhere: float,
        asked: Goals | None,
        weights: Mapping[str, Any] | None,
    ) -> None:
        self.game, self.seed, self.weights = game, seed, weights or {}
        self.spec = games.spec(game)
        self.batch = Batch(self.spec, options, n, observations="none", seed=seed)
        self._begin_anywhere(round(anywhere * n))
        self.seats = self.spec.seats(self.batch.options)
        self.rows = 1 if self.spec.turn_based else self.seats
        self.world = self.batch.world if self.spec.world else None
        self.goals = np.zeros((n, self.seats, self.spec.goal_size), np.int16)
        self.steps = 0
        # Shown the states (rows, state_size) that a tick led to, and which games' they are.
        self.each_tick: Callable[[np.ndarray, np.ndarray], None] = lambda states, rows: None
        self.suits = brings.Training.of(game)
        self._rewards, self._out = self.suits.rewards, self.suits.out
        self.asking: Asking | None = None
        if asked and asked.goal_share > 0 and self.suits.asking:
            how = asked.goal_share, seed, asked.goals, asked.whole_goals
            self.asking = self.suits.asking((n, self.seats), *how)
        # The states that the last step led to, of games that ended in it their last ones.
        self.reached = self.batch.states.copy()

    def spread(self, count: int) -> None:
        """Begin anew in so many other places, in turn; 0: where the games are. Raises Refusal where a game
        has none.
        """
        places = self.suits.elsewhere
        if count and places is None:
            raise Refusal(f"{self.spec.title} is played in one place; leave out 'elsewhere'.")
        for place, besides in enumerate(places(count) if places and count else []):
            rows = self.batch.states[place::count]
            complete = self.spec.validate({**self.batch.options, **besides})
            rows[:] = first_states(self.spec, complete, len(rows), self.seed + 1 + place)
        if count:
            self.batch.reset()

    def _begin_anywhere(self, count: int) -> None:
        """The last `count` games begin anywhere, where the game knows such starts."""
        options = {**self.batch.options, **varied(self.game)}
        if count and options != self.batch.options:
            states = first_states(self.spec, options, self.batch.n, self.seed)
            self.batch.states[-count:] = states[-count:]
            self.batch.reset()

    def asked_figures(self) -> dict[str, float]:
        """What goals came to, for a training's curves; nothing where none are asked."""
        figures = self.asking.figures() if self.asking else {}
        return {f"goals_{name}": value for name, value in figures.items()}

    def _gone(self) -> np.ndarray:
        """Rows whose seat plays no longer, bool (B,)."""
        if self._out is None:
            return np.zeros(self.batch.n * self.rows, bool)
        return self._out(self.batch.states).reshape(-1)

    def step(self, actions: np.ndarray, scores: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Do it until the next decision: rewards by row (B, groups), and which games ended (n,); notes their
        scores.

        A game that ends is followed by the next one, whose first ticks earn nothing.
        """
        dones, last = np.zeros(self.batch.n, bool), self.spec.decision_ticks - 1
        rewards: Any = 0.0
        for tick in range(self.spec.decision_ticks):
            self.batch.step(actions)
            rewards = rewards + self._earned(asked=tick == last) * ~dones[:, None, None]
            ended = (self.batch.dones != 0) & ~dones
            scores += self.batch.scores[ended].tolist()
            self.reached[ended] = self.batch.finals[ended]
            going = ~(dones | ended)
            self.reached[going] = self.batch.states[going]
            rows = np.flatnonzero(~dones)
            self.each_tick(self.reached[rows], rows)
            dones |= ended
        self.steps += 1
        return rewards.reshape(-1, rewards.shape[-1]), dones

    def _earned(self, asked: bool) -> np.ndarray:
        """What the last tick earned, float32 (n, rows of a game, groups); `asked` whether goals count."""
        batch = self.batch
        if self._rewards is None:
            return np.repeat(batch.rewards, self.rows).reshape(batch.n, self.rows, 1)
        reached = None
        if asked and self.asking:
            reached = self.asking.reached(batch.states, batch.world, self.goals)
            reached[batch.dones != 0] = 0  # the next game's seats are asked for nothing yet
        return self._rewards(batch.states, self.weights, reached)

    def shaped(self) -> np.ndarray:
        """The shaped reward of the last step by row, float32 (B,); 0 where the step ended the game."""
        out = np.zeros((self.batch.n, self.rows), np.float32)
        if self.spec.shaped is not None:
            self.batch.write_shaped(out)
        return out.reshape(-1)

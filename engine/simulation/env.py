"""Any game as a PettingZoo `ParallelEnv`.

A thin wrapper of one `Simulation`: the observation is the game's encoding, with the action mask. For many
games at once there is `engine.simulation.batch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from engine.refusal import Refusal
from engine.simulation.simulation import Simulation


class SimulationEnv(ParallelEnv):
    """One game; agents are `player_0`, `player_1`, …

    Observations: `{"observation": bytes of the game's shape, "action_mask": int8 (num_actions,)}`, the mask a
    tuple of arrays, one a head, where actions have several heads. In turn-based games the seats not to move
    may only take the last action, the no-op. Rewards are shared unless the game tells each seat's; a game
    with shaping tells it as `infos[agent]["shaped_reward"]`. A game that lasts a set time is truncated.
    `step` raises `Refusal`.
    """

    metadata = {"render_modes": ["rgb_array"], "is_parallelizable": True, "name": "coplay"}

    def __init__(
        self,
        game: str,
        deck: Sequence[int] | None = None,
        render_mode: str | None = "rgb_array",
        **options: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise Refusal(f"The render_mode is {render_mode!r}; allowed are 'rgb_array' and None.")
        self.game = game
        self.options = options
        self.deck = deck
        self.render_mode = render_mode
        self.simulation = Simulation(game, options, deck=deck)
        self.metadata = {**self.metadata, "name": f"{game}_v{self.simulation.rules_version}"}
        shape = self.simulation.spec.observation_shape
        self._shape = shape(self.simulation.options) if shape else (self.simulation.observation_size,)
        self.possible_agents = [f"player_{seat}" for seat in range(self.simulation.seats)]
        self.agents = list(self.possible_agents)
        self._random, _ = seeding.np_random(None)

    @lru_cache  # noqa: B019 (the space of an agent must be the same object on every call)
    def observation_space(self, agent: str) -> spaces.Space:
        """The space of one agent's observation and mask."""
        spec = self.simulation.spec
        low, high = spec.observation_low, spec.observation_high
        if spec.heads:
            mask: spaces.Space = spaces.Tuple([spaces.Box(0, 1, (size,), np.int8) for size in spec.heads])
        else:
            mask = spaces.Box(0, 1, (self.simulation.num_actions,), np.int8)
        numbers = spaces.Box(low, high, self._shape, np.int8 if low < 0 else np.uint8)
        return spaces.Dict({"observation": numbers, "action_mask": mask})

    @lru_cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Space:
        """The space of one agent's actions."""
        heads = self.simulation.spec.heads
        return spaces.MultiDiscrete(list(heads)) if heads else spaces.Discrete(self.simulation.num_actions)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game. `options["deck"]` deals that deck; other keys are ignored."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        deck = (options or {}).get("deck", self.deck)
        self.simulation = Simulation(
            self.game, self.options, seed=int(self._random.integers(2**63)), deck=deck
        )
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(self, actions: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """One joint action: observations, rewards, terminations, truncations, infos (`score`, `tick`), by
        agent.
        """
        if lacking := [agent for agent in self.agents if agent not in actions]:
            raise Refusal(f"There is no action of {', '.join(lacking)}.")
        reward = self.simulation.step([actions[agent] for agent in self.agents])
        over = self.simulation.over
        seat_reward = self.simulation.spec.seat_reward
        state = self.simulation.state
        rewards = {
            agent: reward if seat_reward is None else seat_reward(state, seat)
            for seat, agent in enumerate(self.agents)
        }
        truncates = self.simulation.spec.truncates
        terminations = {agent: over and not truncates for agent in self.agents}
        truncations = {agent: over and truncates for agent in self.agents}
        result = self._observations(), rewards, terminations, truncations, self._infos()
        if over:
            self.agents = []
        return result

    def render(self) -> np.ndarray | None:
        """The game drawn with all hands open: uint8 (height, width, 3); None with `render_mode=None`."""
        return None if self.render_mode is None else self.simulation.picture(None)

    def close(self) -> None:
        """Nothing to close."""

    def _observations(self) -> dict[str, dict[str, np.ndarray]]:
        return {
            agent: {
                "observation": self.simulation.observe(seat).reshape(self._shape),
                "action_mask": self._mask(seat),
            }
            for seat, agent in enumerate(self.possible_agents)
        }

    def _mask(self, seat: int) -> Any:
        """The action mask of a seat; a tuple of one for each head where actions have several."""
        mask, heads = self.simulation.legal(seat), self.simulation.spec.heads
        return tuple(np.split(mask, np.cumsum(heads)[:-1])) if heads else mask

    def _infos(self) -> dict[str, dict[str, int]]:
        simulation = self.simulation
        infos = {agent: {"score": simulation.score, "tick": simulation.tick} for agent in self.agents}
        if simulation.spec.shaped is not None:
            for seat, agent in enumerate(self.agents):
                infos[agent]["shaped_reward"] = int(simulation.spec.shaped(simulation.state.copy(), seat))
        return infos

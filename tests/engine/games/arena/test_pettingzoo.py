"""Arena as a PettingZoo environment."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from engine.games import make
from engine.games.arena.observation import SIZE
from engine.games.arena.state import HEADS


@pytest.mark.parametrize("options", [{"teams": 2, "team_size": 1}, {"teams": 3, "team_size": 2}])
def test_arena_passes_the_parallel_api_test(options: dict[str, int]) -> None:
    parallel_api_test(make("arena", pace="short", **options), num_cycles=60)


def test_spaces_and_masks_have_six_heads() -> None:
    env = make("arena", teams=2, team_size=1)
    observations, _ = env.reset(seed=1)
    for agent in env.agents:
        assert env.action_space(agent).nvec.tolist() == list(HEADS)
        assert observations[agent]["observation"].shape == (SIZE,)
        assert env.observation_space(agent).contains(observations[agent])
        assert [len(mask) for mask in observations[agent]["action_mask"]] == list(HEADS)


def test_a_match_is_played_to_its_end_and_a_seed_gives_it_again() -> None:
    ends = []
    for _ in range(2):
        env = make("arena", teams=2, team_size=1, pace="short", monsters=0)
        env.reset(seed=4)
        while env.agents:
            # Nobody moves: the zone decides.
            still = {agent: np.array([0, 0, 1, 1, 3, 2]) for agent in env.agents}
            _, _, terminations, truncations, infos = env.step(still)
        assert all(terminations.values()) and not any(truncations.values())
        ends.append((env.simulation.tick, env.simulation.digest(), infos["player_0"]["score"]))
    assert ends[0] == ends[1]

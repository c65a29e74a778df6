"""Measuring a game's steps: what is counted, and in which unit."""

from __future__ import annotations

import pytest

from engine.refusal import Refusal
from tools.bench.env import bench_env


@pytest.mark.parametrize(
    ("observations", "unit"),
    [
        ("none", "agent-steps, no observations"),
        ("packed", "agent-steps, int8 observations of all seats"),
    ],
)
def test_arena_counts_the_steps_of_every_agent_and_a_live_tick(
    observations: str, unit: str, monkeypatch
) -> None:
    monkeypatch.setattr("tools.bench.env.peers_of", lambda game: {})
    found = bench_env("arena", 2, observations, 0.01, {"teams": 2, "team_size": 1})
    assert found["unit"] == unit and found["steps_per_second"] > 0
    assert found["live_tick_ms"]["players"] == 2 and found["peers"] == {}
    assert found["device"] == "cpu"


def test_a_peer_that_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(Refusal, match="arena has no peer 'hle'; its peers are vizdoom"):
        bench_env("arena", 1, peers=["hle"])


def test_a_device_that_there_is_not_is_refused() -> None:
    with pytest.raises(Refusal, match="'cpu' or 'cuda', not 'tpu'"):
        bench_env("hanabi", 4, device="tpu")


@pytest.mark.gpu
def test_a_gpu_is_measured_until_all_its_kernels_have_run(monkeypatch) -> None:
    monkeypatch.setattr("tools.bench.env.peers_of", lambda game: {})
    found = bench_env("hanabi", 1024, seconds=0.1, device="cuda")
    assert found["device"].startswith("cuda") and 0 < found["steps_per_second"] < 1e10

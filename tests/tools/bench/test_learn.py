"""Measuring how fast programs learn."""

from __future__ import annotations

import pytest

from engine.refusal import Refusal
from tools.bench.learn import bench_learn

ROOM = {"layout": "cramped_room"}
SMALL = {"envs": "8"}


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [("ppo", {**SMALL, "steps": "16"}), ("clone", {**SMALL, "rollout": "16"})],
)
def test_it_counts_joint_steps_and_where_the_time_goes(algorithm, settings) -> None:
    found = bench_learn("overcooked", ROOM, 0.1, algorithm, settings=settings)
    assert found["steps_per_second"] > 10 and found["unit"].startswith("joint steps")
    assert found["collect_share"] + found["learn_share"] == pytest.approx(1)
    assert found["envs"] == 8


def test_a_reward_models_windows_are_counted() -> None:
    found = bench_learn("say_select", None, 0.1, "ibt", settings={"batch": 4})
    assert found["steps_per_second"] > 1 and found["unit"].startswith("windows")
    assert "learn_share" not in found


def test_processes_add_up() -> None:
    found = bench_learn("overcooked", ROOM, 0.1, "ppo", 2, {**SMALL, "steps": 16})
    assert len(found["each"]) == 2 and found["steps_per_second"] == pytest.approx(sum(found["each"]))


def test_under_an_instruction() -> None:
    settings = {**SMALL, "steps": 16, "instruction": "you do onions"}
    found = bench_learn("overcooked", ROOM, 0.1, settings=settings)
    assert found["steps_per_second"] > 1 and found["instruction"] == "you do onions"


def test_what_cant_be_measured_is_refused() -> None:
    with pytest.raises(Refusal, match="nowhere"):
        bench_learn("overcooked", {"layout": "nowhere"})
    with pytest.raises(Refusal, match="ppo, clone, ibt"):
        bench_learn("overcooked", ROOM, algorithm="astrology")
    with pytest.raises(Refusal, match="envs"):
        bench_learn("overcooked", ROOM, settings={"envs": "many"})
    with pytest.raises(Refusal, match="measured in ppo, not in clone"):
        bench_learn("overcooked", ROOM, algorithm="clone", memory="gru")


def test_networks_that_remember() -> None:
    found = bench_learn("say_select", None, 0.1, settings={**SMALL, "steps": 8}, memory="gru")
    assert found["steps_per_second"] > 1 and (found["memory"], found["hidden"]) == (128, [256])

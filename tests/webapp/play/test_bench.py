"""`manage.py bench env`, without a database."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.parametrize("observations", ["none", "packed", "float"])
def test_bench_env_prints_one_object(capsys, observations: str) -> None:
    call_command(
        "bench", "env", "--batch", "64", "--observations", observations, "--seconds", "0.3", "--json"
    )
    found = json.loads(capsys.readouterr().out)
    assert found["steps_per_second"] >= found["median"] > 10_000
    assert found["batch"] == 64 and found["threads"] == 1 and found["unit"].startswith("game steps")
    assert "hle" in found["peers"]
    assert found["peers"]["hle"] or "isn't installed" in found["notes"]["hle"]


def test_bench_env_refuses_a_batch_of_nothing_with_a_sentence() -> None:
    with pytest.raises(CommandError, match="at least one game"):
        call_command("bench", "env", "--batch", "0")


def test_bench_games_counts_whole_games_of_a_teacher(capsys) -> None:
    call_command("bench", "games", "--agent", "hanabi/convention-bot", "--seconds", "0.1", "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["agent"] == "hanabi/convention-bot" and found["windows"] >= 1
    assert found["games_per_minute"] >= found["median"] > 5_000


def test_bench_games_refuses_an_agent_that_does_not_play_with_so_many() -> None:
    with pytest.raises(CommandError, match="plays with 2 players, not 4"):
        call_command("bench", "games", "--agent", "hanabi/learner-1", "--players", "4")

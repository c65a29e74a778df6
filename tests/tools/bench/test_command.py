"""`manage.py bench env`, without a database."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from tools.bench.faults import waits


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
    with pytest.raises(CommandError, match="--batch: '0' is not a whole number"):
        call_command("bench", "env", "--batch", "0")


@pytest.mark.parametrize(
    ("observations", "unit"),
    [
        ("none", "joint steps, no observations"),
        ("uint8", "joint steps, uint8 observations of all seats"),
        ("float", "joint steps, float observations of all seats"),
    ],
)
def test_bench_env_counts_joint_steps_where_all_move_at_once(
    capsys, tmp_path, observations: str, unit: str
) -> None:
    file = tmp_path / "kitchen.txt"
    file.write_text("name: mine\n\nXPTXX\nO12 X\nX   S\nXXDXX\n")
    given = ["--game", "overcooked", "--layout", str(file), "--dynamics", "new", "--horizon", "60"]
    call_command(
        "bench", "env", *given, "--batch", "32", "--observations", observations, "--seconds", "0.2", "--json"
    )
    found = json.loads(capsys.readouterr().out)
    assert found["unit"] == unit and found["steps_per_second"] > 10_000
    assert found["options"]["players"] == 2 and found["options"]["layout"].startswith("name: mine\n")
    assert list(found["peers"]) == ["overcooked-ai"]
    assert found["peers"]["overcooked-ai"] or "overcooked-ai" in found["notes"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--layout", "kitchen_9"], "There is no layout 'kitchen_9'"),
        (["--peer", "jaxmarvel"], "overcooked has no peer 'jaxmarvel'; its peers are overcooked-ai, jaxmarl"),
        (["--players", "5"], "'players' is a whole number from 2 to 4, not 5"),
    ],
)
def test_bench_env_refuses_what_overcooked_does_not_have(given: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("bench", "env", "--game", "overcooked", *given)


def test_bench_games_counts_whole_games_of_a_teacher(capsys) -> None:
    call_command("bench", "games", "--agent", "hanabi/convention-bot", "--seconds", "0.1", "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["agent"] == "hanabi/convention-bot" and found["windows"] >= 1
    assert found["games_per_minute"] >= found["median"] > 5_000


def test_bench_games_and_act_measure_a_cook_in_a_kitchen(capsys) -> None:
    given = ["--game", "overcooked", "--agent", "overcooked/stay", "--horizon", "30", "--json"]
    call_command("bench", "games", *given, "--seconds", "0.1")
    found = json.loads(capsys.readouterr().out)
    assert found["players"] == 2 and found["options"]["horizon"] == 30 and found["games_per_minute"] > 1000
    call_command("bench", "act", *given, "--layout", "coordination_ring", "--moves", "40")
    assert json.loads(capsys.readouterr().out)["act_ms"]["p50"] > 0


def test_bench_games_refuses_an_agent_that_does_not_play_with_so_many() -> None:
    with pytest.raises(CommandError, match="plays with 2 players, not 4"):
        call_command("bench", "games", "--agent", "hanabi/learner-1", "--players", "4")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--matches", "0"], "--matches: '0' is not"),
        (["--seconds", "600"], "--seconds is 600"),
        (["--hosts", "-1"], "--hosts: '-1' is not a whole number"),
        (["--hosts", "64"], "--hosts is 64; it can be 0 to"),
        (["--game", "hanabi"], "hanabi has no clock"),
        (["--game", "chess"], "there is no 'chess'"),
    ],
)
def test_bench_live_refuses_what_it_cannot_measure(arguments, sentence) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("bench", "live", *arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--kills", "0"], "--kills: '0' is not a whole number"),
        (["--way", "drowned"], "--way: invalid choice: 'drowned'"),
        (["--game", "hanabi"], "hanabi has no clock"),
    ],
)
def test_bench_faults_refuses_what_it_cannot_do(arguments, sentence) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("bench", "faults", *arguments)


def test_bench_faults_comes_back_with_the_waits_of_the_page() -> None:
    found = waits()
    assert {"OPENS_WITHIN", "PING_EVERY", "SILENT_PINGS", "STEADY"} <= set(found)
    assert found["DELAYS"] == sorted(found["DELAYS"]) and 0 < found["DELAYS"][0] < 1


@pytest.mark.slow
def test_bench_live_measures_a_real_server(capsys) -> None:
    agent = "self_play-cramped_room"
    call_command("bench", "live", "--agent", agent, "--matches", "2", "--seconds", "3", "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["clients"], found["game"], found["agent"]) == (2, "overcooked", agent)
    assert 5 < found["ticks"] < 60 and found["keys"] > 0
    assert 0 < found["one_way_ms"]["p50"] <= found["one_way_ms"]["p99"]
    assert found["tick_late_ms"]["p99"] >= 0 and 0 < found["cpu_share"] < 2

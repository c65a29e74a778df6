"""`manage.py evaluate` as people and programs call it."""

import json
import os
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from engine.agents.catalogue import load
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.simulation.code_cache import CACHE_FOLDER
from tests.engine import made_people
from webapp.agents import promotion, shipped
from webapp.agents.resolve import resolve


def evaluate(*args):
    out = StringIO()
    call_command("evaluate", *args, stdout=out)
    return out.getvalue()


@pytest.fixture
def agents(db):
    shipped.sync()


def test_self_play_prints_one_json_object(agents):
    printed = evaluate(
        "self-play",
        "--game",
        "hanabi",
        "--agent",
        "hanabi/convention-bot",
        "--episodes",
        "20",
        "--seed",
        "1",
        "--json",
    )
    found = json.loads(printed)
    assert found["episodes"] == 20 and 15 < found["mean"] <= 25 and found["stderr"] > 0


def test_cross_play_prints_a_table_for_programs_and_for_people(agents):
    args = ("cross-play", "--agents", "random,hanabi/grounded-bot", "--episodes", "5")
    found = json.loads(evaluate(*args, "--json"))
    assert found["agents"] == ["hanabi/random", "hanabi/grounded-bot"]
    assert len(found["mean"]) == len(found["mean"][0]) == len(found["stderr"]) == 2
    assert "hanabi/grounded-bot" in evaluate(*args)


def test_plans_print_one_json_object_and_a_whole_goal_has_to_be_said(agents):
    args = ("plans", "--game", "frozen_lake_2", "--agent", "frozen_lake_2/stay", "--layout", "drawn")
    found = json.loads(evaluate(*args, "--episodes", "1", "--json"))
    assert (found["scores"], found["agent"], found["seed"]) == ([2], "frozen_lake_2/stay", 0)
    with pytest.raises(CommandError, match="each seat gets the goal as it is: say one in the option 'goal'"):
        evaluate(*args, "--plans", "whole")


def test_an_alias_that_was_moved_is_followed(agents):
    promotion.promote(resolve("hanabi", "random"), reason="to see it move", user=None)
    assert (
        json.loads(evaluate("self-play", "--agent", "champion", "--episodes", "2", "--json"))["agent"]
        == "hanabi/random"
    )


@pytest.mark.parametrize(
    "args",
    [
        ("self-play", "--agent", "nobody"),
        ("self-play", "--agent", "champion", "--game", "chess"),
        ("self-play", "--agent", "champion", "--players", "3"),
        ("self-play", "--agent", "random", "--players", "9"),
        ("cross-play", "--agents", " , "),
    ],
    ids=" ".join,
)
def test_bad_input_is_refused_with_a_sentence(agents, args):
    with pytest.raises(CommandError) as refusal:
        evaluate(*args)
    assert str(refusal.value).endswith(".")


def test_it_works_without_a_database(tmp_path, settings):
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path}/none/there.sqlite3",
        "COPLAY_VAR": str(tmp_path),
        "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
    }
    command = [
        sys.executable,
        "manage.py",
        "evaluate",
        "self-play",
        "--agent",
        "champion",
        "--episodes",
        "2",
        "--json",
    ]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["episodes"] == 2


def test_imitation_says_how_well_an_agent_foretells_people(agents, tmp_path):
    file = made_people.overcooked(tmp_path / "cooks.gz", pairs=1)
    common = ("imitation", "--game", "overcooked", "--file", str(file))
    found = json.loads(evaluate(*common, "--agent", "human", "--json"))
    assert set(found) >= {"nats", "accuracy", "actions", "not_stay_accuracy", "by"}
    assert found["actions"] == 120 and 0 < found["nats"] < 5 and "cramped_room" in found["by"]
    with pytest.raises(CommandError, match="can't play"):
        evaluate(*common, "--agent", "overcooked/self_play-forced_coordination")
    with pytest.raises(CommandError, match="no game of people"):
        evaluate("imitation", "--game", "hanabi", "--file", str(file), "--agent", "champion")


def test_probes_are_printed_for_programs_and_for_people(agents):
    common = ("probes", "--game", "overcooked", "--layout", "cramped_room", "--agent", "overcooked/stay")
    printed = evaluate(*common, "--probe", "bring", "--episodes", "2", "--json")
    found = json.loads(printed)["probes"]["bring"]
    assert found["told"]["share"] == 1 and found["untold"]["share"] == 0 and found["told"]["trials"] == 2
    assert "put an onion on a counter" in evaluate(*common, "--probe", "bring", "--episodes", "2")
    with pytest.raises(CommandError, match="no probe 'fly'; it has go"):
        evaluate(*common, "--probe", "fly")
    with pytest.raises(CommandError, match="Nobody can be told anything"):
        evaluate("probes", "--game", "arena", "--team-size", "1", "--agent", "arena/idle", "--probe", "go")


def test_what_a_told_agent_does_is_printed_for_programs_and_for_people(agents):
    common = (
        "told",
        "--agent",
        "hanabi/convention-bot",
        "--instruction",
        "only hint ranks",
        "--episodes",
        "3",
    )
    found = json.loads(evaluate(*common, "--told", "second", "--seed", "1", "--json"))
    assert found["seats"][0]["hint_color"] > 0 == found["seats"][1]["hint_color"]
    assert {"mean", "stderr", "refused", "after", "slots", "known_before_play"} <= set(found)
    assert "I hint ranks." in evaluate(*common, "--second", "save fives")
    with pytest.raises(CommandError, match="Events are counted in .*, not in say_select"):
        evaluate("told", "--game", "say_select", "--agent", "say_select/random", "--instruction", "select it")


def test_what_people_said_is_said_to_an_agent_again(agents, tmp_path):
    cook, options = load("overcooked/greedy", "overcooked"), {"layout": "cramped_room", "horizon": 60}
    logs = list(play_logs(cook, 1, options, instructions=["put an onion on a counter"], always=True))
    write_snapshot(tmp_path, logs, (), per_seat=0)
    common = ("replayed", "--game", "overcooked", "--folder", str(tmp_path), "--with", "overcooked/stay")
    found = json.loads(evaluate(*common, "--agent", "overcooked/greedy", "--json"))
    assert found["episodes"] == 1 and found["agent"]["done"]["mean"] == 1
    assert "put an onion on a counter" in evaluate(*common, "--agent", "overcooked/stay")
    with pytest.raises(CommandError, match="is a game of overcooked, not of hanabi"):
        evaluate("replayed", "--folder", str(tmp_path), "--agent", "champion")
    (tmp_path / "none").mkdir()
    with pytest.raises(CommandError, match="no episode log"):
        evaluate("replayed", "--folder", str(tmp_path / "none"), "--agent", "champion")

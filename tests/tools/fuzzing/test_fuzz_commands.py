"""Odd arguments for commands: nothing is found, and what is planted is found."""

from __future__ import annotations

import pytest

from engine import command_line
from tools.fuzzing import commands
from tools.fuzzing.values import Odd
from webapp.accounts.management.commands import signin
from webapp.episodes import simulated

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path, monkeypatch) -> None:
    for name in ("SNAPSHOTS_DIR", "EPISODES_DIR"):
        folder = tmp_path / name.lower()
        folder.mkdir()
        setattr(settings, name, folder)
    # Children would work on another database.
    monkeypatch.setattr(commands, "CHILDREN", 0.0)


def test_every_command_is_tried_and_none_fails_badly() -> None:
    simulated.simulate("hanabi", 1, ["hanabi/random"])
    report = commands.run(5, 7)
    assert report.faults == []
    assert report.tried >= len([door for name in commands.ours() for door in commands.doors_of(name)]) > 30


def tried(name: str, seed: int = 1, times: int = 60) -> str:
    report, odd = commands.Report(), Odd(seed)
    [door] = [door for door in commands.doors_of(name.split()[0]) if door.words == name]
    for _ in range(times):
        commands.attempt(door, odd, ["no-such-file"], report)
    return "\n".join(report.faults)


def test_a_traceback_is_found(monkeypatch) -> None:
    monkeypatch.setattr(signin, "ensure_tables", lambda _: 1 / 0)
    assert "ZeroDivisionError" in tried("signin")


def test_a_refusal_that_is_no_sentence_is_found(monkeypatch) -> None:
    def refuse(_: object) -> None:
        raise signin.CommandError("<no sentence>")

    monkeypatch.setattr(signin, "ensure_tables", refuse)
    assert "which is no sentence" in tried("signin")


def test_numbers_that_no_range_has_are_found(monkeypatch) -> None:
    monkeypatch.setattr(command_line, "seconds", float)
    assert "takes nan as seconds" in tried("bench scene", times=400)


def test_nobody_begins_a_game_with_an_agent_that_does_not_exist() -> None:
    [door] = [door for door in commands.doors_of("evaluate") if door.words == "evaluate self-play"]
    asked = commands.for_nobody(door, ["self-play", "--agent", "champion"])
    assert asked[-2:] == ["--agent", commands.NOBODY]
    said, status = commands.ran_beside(door, asked)
    assert status == 1 and "There is no agent" in said and list(commands.faults_of(said, status)) == []

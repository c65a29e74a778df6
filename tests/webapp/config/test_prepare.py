"""Commands that work on the database, started before anything prepared one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from engine import games
from engine.simulation.code_cache import CACHE_FOLDER
from webapp.common.compiling import compiled, left_to_compile
from webapp.config import prepare
from webapp.config.management.commands import warm


def manage(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    keep = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
    env = {**keep, "COPLAY_VAR": str(folder), "NUMBA_CACHE_DIR": str(CACHE_FOLDER), **environment}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True)


def test_a_command_prepares_an_empty_database_by_itself(tmp_path):
    done = manage(tmp_path, "agents", "list", "--json")
    assert done.returncode == 0, done.stderr
    assert "hanabi/convention-bot" in json.dumps(json.loads(done.stdout))


def test_with_production_settings_an_empty_database_is_refused_with_a_sentence(tmp_path):
    done = manage(
        tmp_path,
        "agents",
        "list",
        "--json",
        COPLAY_PRODUCTION="1",
        COPLAY_SECRET_KEY="only for this test " * 4,
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "The database is empty. Run `./manage.py prepare` first."


def test_all_games_are_left_to_be_compiled_once_after_a_change_of_the_engine(settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path

    def migrate(*_, **__) -> None:
        raise CommandError("no database")

    monkeypatch.setattr(prepare, "pending_migrations", lambda: ["one"])
    monkeypatch.setattr(prepare, "call_command", migrate)
    with pytest.raises(CommandError, match="no database"):
        prepare.prepare(lambda text: None)
    assert sorted(left_to_compile()) == sorted(games.names())
    compiled("hanabi")  # by a process beside
    with pytest.raises(CommandError, match="no database"):
        prepare.prepare(lambda text: None)
    assert sorted(left_to_compile()) == sorted(set(games.names()) - {"hanabi"})


@pytest.mark.django_db
def test_a_first_start_compiles_nothing_before_the_pages_open(settings, tmp_path, monkeypatch) -> None:
    settings.VAR_DIR = tmp_path
    called: list[str] = []
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: called.append(name))
    prepare.prepare(lambda text: None, first=True)
    assert prepare.is_ready() and called == []
    prepare.prepare(lambda text: None)
    assert called == ["warm"]


def test_games_of_people_wait_for_the_tables(settings, tmp_path, monkeypatch) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(warm, "TABLES_SECONDS", 0)
    with pytest.raises(CommandError, match="run `./manage.py prepare`"):
        warm.wait_for_tables()
    prepare.stamp().touch()
    warm.wait_for_tables()


@pytest.mark.parametrize("status", [0, 1])
def test_games_are_compiled_each_in_a_process_of_its_own(monkeypatch, status) -> None:
    commands: list[list[str]] = []

    def run(command: list[str]) -> SimpleNamespace:
        commands.append(command[2:])
        return SimpleNamespace(returncode=status if "hanabi" in command else 0)

    monkeypatch.setattr(warm, "subprocess", SimpleNamespace(run=run))
    if status:
        with pytest.raises(CommandError, match="Compiling failed"):
            call_command("warm", game=["say_select", "hanabi"])
    else:
        call_command("warm", game=["say_select", "hanabi"])
    assert sorted(commands) == [["warm", "--game", "hanabi"], ["warm", "--game", "say_select"]]

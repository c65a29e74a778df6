"""`manage.py backup` and `restore`: all is destroyed, and a round goes on where it was. On PostgreSQL:
test_production.py."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from engine.refusal import Refusal
from tests.conftest import person
from tests.webapp.config import midway
from webapp.accounts.models import User
from webapp.common import places, running
from webapp.config import backup
from webapp.jobs.models import Job
from webapp.rounds import steps

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path, monkeypatch):
    """A var folder of the test's own, and programs of jobs that come back."""
    monkeypatch.setattr(steps, "STEPS", dict(steps.STEPS))
    monkeypatch.setenv("COPLAY_SECRET_KEY", settings.SECRET_KEY)
    move_to(settings, tmp_path / "var")


def move_to(settings, var: Path) -> None:
    settings.VAR_DIR = var
    for name in ("EPISODES_DIR", "AGENTS_DIR", "JOBS_DIR", "SNAPSHOTS_DIR"):
        setattr(settings, name, var / name.removesuffix("_DIR").lower())
        getattr(settings, name).mkdir(parents=True)


@pytest.fixture
def made(tmp_path) -> Path:
    """A backup of a site with one person."""
    person("pia", "player")
    (settings.VAR_DIR / "episodes" / "one.jsonl").write_text("{}\n")
    call_command("backup", str(tmp_path / "backup"))
    return tmp_path / "backup"


def destroy() -> None:
    User.objects.all().delete()
    shutil.rmtree(settings.VAR_DIR)
    settings.VAR_DIR.mkdir()


def test_a_round_in_its_middle_goes_on_where_it_is_restored(settings, tmp_path):
    midway.begin()
    call_command("backup", str(tmp_path / "backup"))
    Job.objects.all().delete()
    shutil.rmtree(settings.VAR_DIR)
    move_to(settings, tmp_path / "elsewhere")
    call_command("restore", str(tmp_path / "backup"), "--replace")
    midway.finish()


def test_rows_name_no_place_on_this_machine(settings, tmp_path):
    job = Job.objects.create(kind="clip", settings={"of": [f"{settings.VAR_DIR}/a"]}, result={"b": 1})
    with connection.cursor() as cursor:
        cursor.execute("SELECT settings, result FROM rounds_job")
        [row] = cursor.fetchall()
    assert str(tmp_path) not in str(row) and json.loads(row[0]) == {"of": [{places.MARK: "a"}]}
    settings.VAR_DIR = Path("/elsewhere")
    job.refresh_from_db()
    assert (job.settings, job.result) == ({"of": ["/elsewhere/a"]}, {"b": 1})
    assert Job.objects.filter(result__b=1, settings__of__isnull=False).exists()


def test_what_is_destroyed_comes_back_and_what_was_there_is_asked_for(made, capsys):
    destroy()
    person("otto", "player")
    with pytest.raises(CommandError, match="This site has 1 people.*--replace"):
        call_command("restore", str(made))
    call_command("restore", str(made), "--replace", "--json")
    assert [user.username for user in User.objects.all()] == ["pia"]
    assert (settings.VAR_DIR / "episodes" / "one.jsonl").read_text() == "{}\n"
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["files"] == 2


def test_a_wrong_or_damaged_or_newer_backup_changes_nothing(made, tmp_path):
    manifest = json.loads((made / "manifest.json").read_text())

    def refused(sentence: str, folder: Path = made, **change) -> None:
        (made / "manifest.json").write_text(json.dumps(manifest | change))
        with pytest.raises(CommandError, match=sentence):
            call_command("restore", str(folder), "--replace")
        assert [user.username for user in User.objects.all()] == ["anna"]

    destroy()
    person("anna", "annotator")
    refused("is no backup: it has no manifest.json", tmp_path)
    refused("can't be read", files=None)
    refused("can't be read", files={"database.sqlite3": {"bytes": 1}})
    refused("newer Coplay .*replays.9999_more", migrations=[["replays", "9999_more"]])
    refused("a postgresql database, and this site's is sqlite", vendor="postgresql")
    refused("COPLAY_EPISODE_STORE=database", store="database")
    (made / "var" / "episodes" / "one.jsonl").write_text("{ \n")
    refused("is damaged: var/episodes/one.jsonl")
    (made / "var" / "episodes" / "one.jsonl").unlink()
    refused("is damaged: var/episodes/one.jsonl")


def test_nothing_is_restored_under_a_running_site_nor_started_on_half_a_restore(made):
    with running.taken(), pytest.raises(CommandError, match="Coplay runs on .*; stop web"):
        call_command("restore", str(made), "--replace")
    with running.alone(), pytest.raises(CommandError, match="wait until it is done"):
        call_command("signin", "admin")
    running.cut_short().write_text(str(made))
    with pytest.raises(CommandError, match=f"do it again: `./manage.py restore {made}`"):
        call_command("signin", "admin")
    call_command("restore", str(made), "--replace")
    call_command("signin", "admin")


def test_the_locks_file_is_everybodys_and_what_keeps_it_from_being_locked_is_said(monkeypatch):
    path = settings.VAR_DIR / running.NAME
    path.unlink(missing_ok=True)
    before = os.umask(0o077)  # as root's, who comes first
    try:
        with running.taken() as file:
            assert (file.readable(), file.writable()) == (True, True), "NFS locks nothing else"
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o666
    real = os.open

    def denied(which, flags, *rest, **more):
        if which == path and flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied")
        return real(which, flags, *rest, **more)

    with monkeypatch.context() as older:  # a file of root's
        older.setattr(os, "open", denied)
        with running.taken(), pytest.raises(Refusal, match="stop web"), running.alone():
            pass

    def fails(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(running.fcntl, "flock", fails)
    with pytest.raises(Refusal, match=r"in-use can't be locked \(No locks available\)"):
        running.taken()


def test_files_come_back_where_the_database_cannot_be_put_in_place(made, monkeypatch):
    def fails(*_):
        raise OSError(28, "No space left on device")

    (settings.VAR_DIR / "episodes" / "two.jsonl").write_text("{}\n")
    monkeypatch.setattr(backup.os, "replace", fails)
    with pytest.raises(CommandError, match="No space left"):
        call_command("restore", str(made), "--replace")
    assert {path.name for path in (settings.VAR_DIR / "episodes").iterdir()} == {"one.jsonl", "two.jsonl"}
    assert not running.cut_short().exists() and not [*settings.VAR_DIR.glob(".restore-*")]


def test_what_cannot_be_put_back_is_kept(made, monkeypatch):
    (settings.VAR_DIR / "episodes" / "two.jsonl").write_text("{}\n")
    real = backup.Path.rename

    def goes_one_way(source, target):
        if "old" in source.parts:
            raise OSError(5, "Input/output error")
        return real(source, target)

    with monkeypatch.context() as broken:
        broken.setattr(backup.Path, "rename", goes_one_way)
        broken.setattr(backup, "_staged", lambda *_: lambda: 1 / 0)
        with pytest.raises(OSError):
            backup.restore(made)
    [kept] = settings.VAR_DIR.glob(".restore-*/old/episodes/two.jsonl")
    assert running.cut_short().exists() and kept.exists()
    backup.restore(made)
    assert not running.cut_short().exists() and not [*settings.VAR_DIR.glob(".restore-*")]


def test_a_second_restore_that_fails_keeps_what_a_killed_one_left(made, monkeypatch):
    own = settings.VAR_DIR / ".restore-killed" / "old" / "episodes" / "two.jsonl"
    own.parent.mkdir(parents=True)
    own.write_text("{}\n")
    running.cut_short().write_text("/the/first")
    with monkeypatch.context() as broken:
        broken.setattr(backup, "_staged", lambda *_: lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            backup.restore(made)
    assert own.exists() and running.cut_short().read_text() == "/the/first"
    assert [*settings.VAR_DIR.glob(".restore-*")] == [own.parents[2]]
    backup.restore(made)
    assert not running.cut_short().exists() and not [*settings.VAR_DIR.glob(".restore-*")]


def test_a_backup_is_never_written_over_something_nor_into_the_site(made, tmp_path):
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(made))
    with pytest.raises(CommandError, match="in the site's own folder"):
        call_command("backup", str(settings.VAR_DIR / "backup"))
    assert not [*tmp_path.glob(".backup.*")]

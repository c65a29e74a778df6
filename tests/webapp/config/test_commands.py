"""What all commands have in common: what options may be, and how a command leaves when it refuses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import _SubParsersAction
from pathlib import Path

import pygame
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import OperationalError

from engine.command_line import parsers
from tools.fuzzing import commands as fuzzing
from tools.fuzzing.commands import OF_DJANGO
from webapp.accounts.management.commands import signin
from webapp.common.commands import CoplayCommand, refuse_taken_port
from webapp.lobby.management.commands import desktop

OURS = sorted(name for name, app in get_commands().items() if app.startswith("webapp."))
# Texts of any length and kind, which the command itself looks at.
FREE = {"instruction", "text", "file"}


@pytest.mark.parametrize("name", OURS)
def test_every_option_says_what_it_may_be(name: str) -> None:
    command = load_command_class(get_commands()[name], name)
    assert isinstance(command, CoplayCommand)
    for parser in parsers(command.create_parser("manage.py", name)):
        for action in parser._actions:
            if action.dest in OF_DJANGO or action.nargs == 0 or isinstance(action, _SubParsersAction):
                continue
            checked = action.choices or action.type not in (None, int, float, str, Path)
            assert checked or action.dest in FREE, f"{parser.prog} {action.option_strings}"


def left(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """(status, standard output, standard error) of a command as the shell starts it."""
    command = load_command_class(get_commands()[argv[0]], argv[0])
    capsys.readouterr()
    try:
        command.run_from_argv(["manage.py", *argv])
    except SystemExit as end:
        return end.code, *capsys.readouterr()
    return 0, *capsys.readouterr()


@pytest.mark.parametrize(
    "argv",
    [
        ("episodes", "list", "--limit", "-1"),
        ("episodes", "list", "--limit", "1" + "0" * 30),
        ("episodes", "simulate", "--agents", ""),
        ("episodes", "simulate", "--seed", "-1"),
        ("episodes", "simulate", "--options", "[" * 10_000),
        ("episodes", "verify", "me"),
        ("episodes", "clip", "--out", "/etc/passwd"),
        ("episodes", "clip", "--out", "x", "--config", "/no/such/file"),
        ("datasets", "snapshot", "--out", "x", "--config", "."),
        ("datasets", "corrections", "--out", "/no/such/folder/file"),
        ("rounds", "candidate", "--out", "x", "--config", "/etc/passwd"),
        ("rounds", "run", "--rounds", "0"),
        ("rounds", "run", "--set", "nonsense"),
        ("rounds", "run", "--set", "nowhere.lr=1"),
        ("matchhost", "--port", "-1"),
        ("matchhost", "--port", "99999999"),
        ("matchhost", "--url", "ws://"),
        ("matchhost", "--bind", ""),
        ("bench", "learn", "--processes", "0"),
        ("bench", "learn", "--set", "envs"),
        ("bench", "env", "--batch", "1" + "0" * 12),
        ("bench", "env", "--seconds", "nan"),
        ("bench", "live", "--jitter", "nan"),
        ("evaluate", "self-play", "--agent", "champion", "--seed", "-1"),
        ("evaluate", "cross-play", "--agents", ",,"),
        ("signin", "caf\udce9"),
        ("signin", "a\0"),
        ("signin", "x" * 5000),
        ("agents", "promote", "--agent", "champion"),
        ("agents", "nonsense"),
        ("read", "--game", "chess", "go on"),
        ("reader", "train", "--file", "/no/such/file"),
        ("desktop", "--site", "ftp://x"),
        ("warm", "--game", "chess"),
        ("doctor", "--nonsense"),
    ],
    ids=lambda argv: ascii(" ".join(argv))[:60],
)
def test_options_that_make_no_sense_are_refused_in_one_sentence(
    argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = left(capsys, *argv)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and err.endswith(".\n") and len(err) < 700
    assert "usage" not in err and "Traceback" not in err


def test_a_byte_that_is_no_text_is_refused_by_the_shell_too(tmp_path: Path) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "signin", b"caf\xe9"]
    ended = subprocess.run(
        command, capture_output=True, env={**os.environ, "COPLAY_VAR": str(tmp_path)}, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr == b"'caf\\udce9' isn't text in UTF-8.\n"


def test_settings_that_make_no_sense_are_refused_in_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "signin", "player"]
    (tmp_path / "file").write_text("")
    for name, value in (("PORT", "99999999"), ("VAR", str(tmp_path / "file"))):
        env = {**os.environ, "COPLAY_VAR": str(tmp_path), f"COPLAY_{name}": value}
        ended = subprocess.run(command, capture_output=True, env=env, check=False, text=True)
        assert ended.returncode == 1 and ended.stderr.count("\n") == 1
        assert ended.stderr.startswith(f"COPLAY_{name}: ")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied", "/x"), "/x: Permission denied."),
        (OSError(28, "No space left on device"), "No space left on device."),
        (MemoryError(), "not enough memory"),
        (
            OperationalError("unable to open database file\nand more"),
            "can't be used: unable to open database file.",
        ),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, BaseException) else "",
)
def test_what_the_machine_refuses_is_said_in_a_sentence(error, words, db, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(signin, "ensure_tables", fail)
    with pytest.raises(CommandError) as found:
        call_command("signin", "player")
    assert words in str(found.value) and "\n" not in str(found.value)


def test_a_fault_of_ours_keeps_its_traceback(db, monkeypatch) -> None:
    monkeypatch.setattr(signin, "ensure_tables", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        call_command("signin", "player")


def test_ctrl_c_ends_without_a_traceback(db, monkeypatch, capsys) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(signin, "ensure_tables", interrupt)
    with pytest.raises(SystemExit) as end:
        call_command("signin", "player")
    assert end.value.code == 130 and capsys.readouterr().err == "Interrupted.\n"


@pytest.mark.parametrize("port", [70_000, -1])
def test_a_port_that_nobody_can_listen_on_is_said_to_be_so(port: int) -> None:
    with pytest.raises(CommandError, match="can't be used"):
        refuse_taken_port("127.0.0.1", port, "--port 8101")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("argv", "config", "words"),
    [
        (("datasets", "snapshot"), "{}", "The config of a snapshot has"),
        (("datasets", "snapshot"), '{"snapshot": "me", "filters": {"game": "hanabi"}}', "must be an id"),
        (("datasets", "snapshot"), '{"snapshot": null, "filters": []}', "The config of a snapshot has"),
        (("datasets", "pack"), '{"snapshot": "me"}', "The snapshot isn't there any more"),
        (("datasets", "take"), '{"file": [], "user": "me"}', "The zip can't be unpacked here"),
        (
            ("datasets", "snapshot"),
            '{"snapshot": "%s", "filters": {"game": 5}}' % ("0" * 32),
            "must be a text",
        ),
        (("datasets", "snapshot"), '{"snapshot": "%s", "filters": {}}' % ("0" * 32), "game is missing"),
        (("rounds", "candidate"), "{}", "The config of a candidate has"),
        (("rounds", "candidate"), '{"agent": "/no", "additions": {}, "evaluation": {}}', "has no card.json"),
        (
            ("rounds", "candidate"),
            '{"agent": 5, "additions": {}, "evaluation": {}}',
            "The config of a candidate",
        ),
        (("episodes", "clip"), "{}", "There is no such episode"),
        (("episodes", "clip"), '{"episode": ["a"]}', "There is no such episode"),
        (("episodes", "clip"), "[" * 10_000, "in one another"),
        (("episodes", "rank"), "{}", "A game is one of"),
        (("episodes", "rank"), '{"game": ["a"]}', "A game is one of"),
        (("datasets", "snapshot"), '{"a": NaN}', "NaN is no number"),
    ],
)
def test_a_bad_config_is_said_to_be_one(argv, config, words, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(config)
    with pytest.raises(CommandError) as found:
        call_command(*argv, "--config", str(file), "--out", str(tmp_path / "out"))
    assert words in str(found.value) and "\n" not in str(found.value)


@pytest.mark.django_db
def test_corrections_that_are_too_deep_are_said_to_be_so(tmp_path: Path) -> None:
    file = tmp_path / "corrections.jsonl"
    for text, words in (("[" * 10_000, "in one another"), ("\n3\n", "Line 2 of .* must be a JSON object")):
        file.write_text(text)
        with pytest.raises(CommandError, match=words):
            call_command("reader", "train", "--file", str(file))


@pytest.mark.parametrize(
    ("site", "sign_in", "address"),
    [
        (None, None, settings.SITE_URL),
        ("http://other:9", None, "http://other:9"),
        (None, "http://third:7/accounts/link/x/", "http://third:7"),
        ("http://other:9", "http://third:7/accounts/link/x/", "http://other:9"),
    ],
)
def test_the_desktop_client_signs_in_on_the_site_that_it_plays_on(site, sign_in, address):
    link = sign_in or f"{settings.SITE_URL}/accounts/link/x/"
    assert desktop.where({"site": site, "sign_in": sign_in}, link) == (address, "/accounts/link/x/")


def texts() -> list[Path]:
    docs = [*settings.BASE_DIR.glob("*.md"), *settings.BASE_DIR.glob("docs/**/*.md")]
    return [path for path in docs if path.name != "CHANGELOG.md"]


def commands_in(path: Path) -> list[str]:
    """What stands after "manage.py" in code of a document."""
    text = path.read_text().replace("\\\n", " ")
    blocks = re.findall(r"```.*?```", text, re.S)
    inline = re.findall(r"`[^`]+`", re.sub(r"```.*?```", "", text, flags=re.S))
    lines = [line for block in blocks for line in block.splitlines()]
    lines += [" ".join(one.split()) for one in inline]
    found = [re.search(r"(?:^|[ `/])manage\.py ([a-z][^`#]*)", line) for line in lines]
    return [one[1].strip() for one in found if one]


@pytest.mark.parametrize("path", texts(), ids=lambda path: str(path.relative_to(settings.BASE_DIR)))
def test_every_command_in_the_docs_is_written_as_it_works_and_has_the_options_it_names(path):
    plain = re.findall(r"(?<![./\w])manage\.py [a-z].*", path.read_text())
    shown = [one for one in plain if f"python {one}" not in path.read_text()]
    assert shown == [], "written without ./ these fail when pasted"
    for text in commands_in(path):
        for name in text.split()[0].split("|"):
            if name in ("collectstatic", "migrate", "shell", "check", "help"):  # Django's
                continue
            words = text.split()
            given = {word for word in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)}
            chosen = [
                door
                for door in fuzzing.doors_of(name)
                if not door.path or any(door.path[0] in word.split("|") for word in words[1:2])
            ]
            assert chosen, f"there is no command {text}"
            known = {
                option for door in chosen for one in door.parser._actions for option in one.option_strings
            }
            assert given <= known, f"{text}: there is no {', '.join(sorted(given - known))}"


def test_the_desktop_client_asks_for_no_match_where_there_is_no_screen(monkeypatch):
    def no_screen():
        raise pygame.error("No available video device")

    monkeypatch.setattr("engine.client.desktop.Window", no_screen)
    monkeypatch.setattr(desktop, "make_sign_in_link", lambda *_: pytest.fail("a link was made"))
    with pytest.raises(CommandError, match="No window can be opened here: No available video device"):
        call_command("desktop")

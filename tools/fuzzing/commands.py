"""Odd arguments for every option of every command of `manage.py`, read from the parsers: a new command is
tried without being named here.

A fault is a traceback, a status of 0 for what makes no sense, a number that no range has, or a refusal that
isn't one sentence. Most commands run for minutes or for ever, so theirs are only read, or run in a child on
an agent that nobody has; those that end at once (QUICK) run here. Nothing is ever written outside of a
temporary folder.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from argparse import ArgumentParser, ArgumentTypeError, _SubParsersAction
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError, get_commands, load_command_class

from engine import command_line, games
from engine.simulation.code_cache import CACHE_FOLDER  # an empty one costs a command a minute to fill
from tools.fuzzing import Report
from tools.fuzzing.values import BODIES, Odd, dumped, shown
from webapp.common.commands import CoplayCommand
from webapp.datasets.models import Snapshot
from webapp.episodes.models import Episode

# Those that end within a second or two, whatever they are given.
QUICK = {
    *("signin", "doctor", "agents list", "agents promote", "agents rollback", "agents sync"),
    *("datasets list", "datasets snapshot", "datasets export", "datasets import", "datasets corrections"),
    *("datasets pack", "datasets take"),
    *("episodes verify", "episodes list", "episodes clip", "read", "prior", "reader show", "reader restore"),
    *("rounds list", "rounds candidate"),
}
# What one option or another takes.
GOOD = (
    *(
        "0",
        "1",
        "2",
        "3",
        "0.5",
        "40",
        "champion",
        "hanabi/random",
        "overcooked/greedy,random",
        "cramped_room",
    ),
    *("http://127.0.0.1:1/", "ws://127.0.0.1:1", "127.0.0.1", "play your newest card", "agent.lr=0.1"),
    *("data.min_marks=1", "data.sources=[]", '{"players": 3}', "player", "old", "short"),
)
OPTIONS = {"players": 3, "layout": "cramped_room", "horizon": 100, "pace": "short"}
NOBODY = "hanabi/nobody-has-this-agent"
WRITES = {command_line.new_file, command_line.new_folder}
READS = {command_line.file, command_line.file_or_folder, command_line.json_object_file}
OF_DJANGO = {
    "help",
    "version",
    "verbosity",
    "settings",
    "pythonpath",
    "traceback",
    "no_color",
    "force_color",
    "skip_checks",
}
LONGEST = 60  # seconds of a command that runs here
CHILD = 90  # seconds of one that runs beside
CHILDREN = 0.02  # of all tries
MOST_SAID = 2000  # characters of a refusal


@dataclass(frozen=True)
class Door:
    """One command, or one sub-command."""

    name: str
    path: tuple[str, ...]  # of sub-commands
    parser: ArgumentParser

    @property
    def words(self) -> str:
        return " ".join((self.name, *self.path))


class Hung(BaseException):
    """A command that ought to end at once didn't."""


def run(seconds: float, seed: int) -> Report:
    """Try odd arguments for about so long, on this database. From the main thread alone."""
    report, odd, until = Report(), Odd(seed), time.monotonic() + seconds
    here, before = Path.cwd(), signal.getsignal(signal.SIGTERM)
    with tempfile.TemporaryDirectory(prefix="coplay-fuzz-") as folder:
        try:
            os.chdir(folder)
            files = write_files(Path(folder))
            doors = [door for name in ours() for door in doors_of(name)]
            for door in doors:  # each at least once
                attempt(door, odd, files, report)
            while time.monotonic() < until:
                attempt(odd.pick(*doors), odd, files, report)
        finally:
            os.chdir(here)
            signal.signal(signal.SIGTERM, before)
    return report


def ours() -> list[str]:
    return sorted(name for name, app in get_commands().items() if app.startswith("webapp."))


def doors_of(name: str) -> Iterator[Door]:
    def walk(parser: ArgumentParser, path: tuple[str, ...]) -> Iterator[Door]:
        inner = [action for action in parser._actions if isinstance(action, _SubParsersAction)]
        if not inner:
            yield Door(name, path, parser)
        for action in inner:
            for word, command in action.choices.items():
                yield from walk(command, (*path, word))

    return walk(loaded(name).create_parser("manage.py", name), ())


def loaded(name: str) -> CoplayCommand:
    return load_command_class(get_commands()[name], name)


def write_files(folder: Path) -> list[str]:
    """Paths of odd files, and of what is no file."""
    zipped = b"PK\x03\x04" + bytes(40)
    contents = [*BODIES, b"\x00" * 5000, b"x" * 300_000, zipped, b"a,b\n1,2\n" * 100]
    paths = []
    for index, data in enumerate(contents):
        path = folder / f"file-{index}"
        path.write_bytes(data)
        paths.append(str(path))
    return [*paths, str(folder), "no-such-file", "x" * 300, f"{paths[0]}/below", "", "."]


# --- Arguments ---------------------------------------------------------------------------------------------


def arguments_of(door: Door, odd: Odd, files: list[str]) -> list[str]:
    """Arguments for a command, most of which it takes: after the first that it doesn't, no other is read."""
    argv: list[str] = list(door.path)
    share = odd.pick(0.0, 0.1, 0.5)
    for action in door.parser._actions:
        if action.dest in OF_DJANGO or not action.required and odd.chance(0.5):
            continue
        if action.option_strings:
            argv.append(odd.pick(*action.option_strings))
        if action.nargs != 0:
            argv.append(odd_value(odd) if odd.chance(share) else value_of(action, odd, files))
    if odd.chance(0.03):
        argv.insert(odd.random.randrange(len(argv) + 1), odd.text())
    return argv


def odd_value(odd: Odd) -> str:
    text = odd.number() if odd.chance(0.5) else odd.text()
    # What no option takes is tried rarely, for nothing else of the same line is looked at then.
    return text if odd.chance(0.1) or not command_line.odd_text([text]) else "-1"


def value_of(action: Any, odd: Odd, files: list[str]) -> str:
    """Something that an option takes, or a file that it may not like."""
    if action.type in WRITES:
        return odd.pick("out", "out/below", *files)
    if action.type in READS or action.dest == "file":
        return config_file(odd) if odd.chance(0.5) else odd.pick(*files)
    if action.choices:
        return "embedded" if "embedded" in action.choices else str(odd.pick(*action.choices))
    ids = [str(pk) for model in (Episode, Snapshot) for pk in model.objects.values_list("pk", flat=True)[:3]]
    known = [*GOOD, *ids, *games.names(), odd.id(), odd.text(), dumped(odd.like(OPTIONS)).decode()[:5000]]
    return odd.pick(*[text for text in known if taken(action, text)] or ["1"])


def taken(action: Any, text: str) -> bool:
    try:
        action.type(text) if action.type else text
    except (ArgumentTypeError, TypeError, ValueError):
        return False
    return not command_line.odd_text([text])


def config_file(odd: Odd) -> str:
    """A config of a job, more or less."""
    ids = [*Episode.objects.values_list("pk", flat=True)[:3]] or [odd.id()]
    good = {
        **{
            "snapshot": odd.id(),
            "filters": {"game": "hanabi", "sources": ["play"], "min_marks": 1, "seats": 2},
        },
        **{"episode": str(odd.pick(*ids)), "first": 0, "last": 4, "view": "open", "format": "gif"},
        **{"agent": "out", "additions": {"name": "a"}, "evaluation": {"self_play": {"mean": 1.0}}},
    }
    path = Path(f"config-{odd.id()[:8]}.json")
    path.write_bytes(odd.pick(dumped(good), odd.body(good)))
    return str(path)


# --- Trying ------------------------------------------------------------------------------------------------


def attempt(door: Door, odd: Odd, files: list[str], report: Report) -> None:
    argv = arguments_of(door, odd, files)
    report.tried += 1
    sent = shown(" ".join(["manage.py", door.name, *argv]))
    if problem := command_line.odd_text(argv):
        # The shell's own way in refuses these before any parser sees them.
        sentence, status, options = command_line.sentence(problem), 2, None
    else:
        sentence, status, options = parsed(door, argv)
    if options is not None:
        report.faults += [f"{sent}: takes {what}" for what in senseless(options)]
        if door.words in QUICK:
            sentence, status = ran(door, options)
        elif odd.chance(CHILDREN) and (asked := for_nobody(door, argv)):
            report.tried += 1
            sent = shown(" ".join(["manage.py", door.name, *asked]))
            sentence, status = ran_beside(door, asked)
            if status == 0:
                report.faults.append(f"{sent}: leaves with 0 for an agent that nobody has")
    report.faults += [f"{sent}: {what}" for what in faults_of(sentence, status)]


def parsed(door: Door, argv: list[str]) -> tuple[str, int, dict[str, Any] | None]:
    """(what is said, status, options) of reading arguments; options are None where they are refused."""
    noise = io.StringIO()
    try:
        with contextlib.redirect_stderr(noise), contextlib.redirect_stdout(noise):
            return "", 0, vars(loaded(door.name).create_parser("manage.py", door.name).parse_args(argv))
    except CommandError as problem:
        return str(problem), problem.returncode, None
    except SystemExit:
        return f"Traceback: it left by itself and printed {shown(noise.getvalue())}", 2, None
    except Exception:
        return traceback.format_exc(), 1, None


def senseless(options: dict[str, Any]) -> Iterator[str]:
    """What was taken although no command can mean it."""
    for name, value in options.items():
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, float) and not math.isfinite(item):
                yield f"{item} as {name}"
            elif isinstance(item, int) and abs(item) > 10**18:
                yield f"a number of {len(str(abs(item)))} digits as {name}"


def ran(door: Door, options: dict[str, Any]) -> tuple[str, int]:
    """(standard error, status) of a command that runs here."""
    out, err = io.StringIO(), io.StringIO()

    def hang(*_: Any) -> None:
        raise Hung

    before = signal.signal(signal.SIGALRM, hang)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    status = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            args = options.pop("args", ())
            loaded(door.name).execute(*args, **options)
    except CommandError as problem:
        status = 1
        err.write(f"{problem}\n")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except Hung:
        err.write(f"Traceback: it ran for {LONGEST} seconds.")
        status = 1
    except Exception:
        err.write(traceback.format_exc())
        status = 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if not status and options.get("json") and not is_json(out.getvalue()):
        return f"Traceback: --json printed {shown(out.getvalue()[-200:])}", 1
    # Commands tell on standard error what they do; a refusal is what they say last.
    return (err.getvalue() if status and door.words != "doctor" else ""), status


def is_json(text: str) -> bool:
    """Whether it is JSON, or its last line is."""
    for part in (text, (text.strip().splitlines() or [""])[-1]):
        with contextlib.suppress(ValueError):
            json.loads(part)
            return True
    return False


def for_nobody(door: Door, argv: list[str]) -> list[str]:
    """The same arguments with an agent that doesn't exist; [] where a command takes none."""
    asked = [
        action
        for action in door.parser._actions
        if action.dest in ("agent", "agents", "a", "b", "base") and action.option_strings
    ]
    if not asked:
        return []
    # The last of two counts.
    return [*argv, *(part for action in asked for part in (action.option_strings[0], NOBODY))]


def ran_beside(door: Door, argv: list[str]) -> tuple[str, int]:
    """The same of a child process, which would run for long if it began."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), door.name, *argv]
    try:
        folders = {"COPLAY_VAR": str(settings.VAR_DIR), "NUMBA_CACHE_DIR": str(CACHE_FOLDER)}
        env = {**os.environ, **folders}
        ended = subprocess.run(command, capture_output=True, timeout=CHILD, check=False, env=env)
    except subprocess.TimeoutExpired:
        return "Traceback: it began although there is no such agent.", 1
    return ended.stderr.decode(errors="replace"), ended.returncode


def faults_of(output: str, status: int) -> Iterator[str]:
    """What is wrong with how a command refused."""
    if "Traceback" in output:
        yield f"{output.strip().splitlines()[-1][:300]} ({place(output)})"
        return
    if status == 0:
        return
    last = (output.strip().splitlines() or [""])[-1]
    if status > 0 and status not in (130, 143) and output and not last.endswith((".", "…", "?", ")")):
        yield f"ends with {shown(last)}, which is no sentence"
    if str(settings.BASE_DIR / "webapp") in output or "site-packages" in output:
        yield "names a path of the program"
    if len(last) > MOST_SAID:
        yield f"says {len(last)} characters"


def place(output: str) -> str:
    """Where a traceback ends in our own files."""
    lines = [line.strip() for line in output.splitlines() if line.strip().startswith('File "')]
    ours = [line for line in lines if str(settings.BASE_DIR) in line and ".venv" not in line]
    return (ours or lines or ["nowhere"])[-1].replace(str(settings.BASE_DIR), "")[:160]

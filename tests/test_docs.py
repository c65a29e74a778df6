"""What the documents in Markdown keep to: lines that fit a screen, and commands that run as they are written.

Commands of manage.py are tried by tests/webapp/config/test_commands.py.
"""

from __future__ import annotations

import functools
import importlib
import json
import re
import runpy
import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import pytest

from engine.learning.parts.sides import suiting
from engine.learning.run.reporting import config_from

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINE, ROW = 120, 160
"""Characters of a line of text, and of a row of a table, which can't be broken: longer ones are lists."""
MODULE = re.compile(r"([\w./]*)python3? -m ((?:engine|tests|webapp|workers)[\w.]*)([^`\n]*)")


def pages(*without: str) -> list:
    return [pytest.param(page, id=address(page)) for page in PAGES if page.name not in without]


def address(page: Path) -> str:
    """A page's path in the repository: two folders have a rounds.md."""
    return str(page.relative_to(ROOT))


def joined(page: Path) -> str:
    """A page with commands of several lines in one."""
    text = re.sub(r"\\\n\s*", "", page.read_text())
    return re.sub(r"`[^`\n]+\n[^`]+`", lambda code: " ".join(code[0].split()), text)


def programs() -> list:
    """(page, folder of the Python, module, its arguments) of every command that runs a module."""
    return [
        pytest.param(page, *command.groups(), id=f"{address(page)}-{command[2]}-{number}")
        for page in PAGES
        if page.name != "CHANGELOG.md"
        for number, command in enumerate(MODULE.finditer(joined(page)))
    ]


@pytest.mark.parametrize("page", pages("CHANGELOG.md"))
def test_no_line_is_too_long_to_read(page):
    long = [
        f"{page.name}:{number}"
        for number, line in enumerate(page.read_text().splitlines(), 1)
        if len(line) > (ROW if line.lstrip().startswith("|") else LINE)
    ]
    assert long == [], f"lines have at most {LINE} characters, rows of tables {ROW}"


@functools.cache
def help_of(module: str) -> str:
    """What a program prints about its options."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setattr(sys, "argv", [module, "--help"])
        patch.delitem(sys.modules, module, raising=False)
        with pytest.raises(SystemExit, match="^0$"):
            runpy.run_module(module, run_name="__main__")
    return printed.getvalue()


@pytest.mark.parametrize(("page", "folder", "module", "arguments"), programs())
def test_every_program_in_the_docs_exists_and_has_the_options_it_names(page, folder, module, arguments):
    assert folder == ".venv/bin/", "with another Python what Coplay needs isn't there"
    if module == "engine.learning.my_algorithm":  # The page's own example.
        return
    assert find_spec(module), f"there is no {module}"
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", arguments))
    assert not options or options <= set(re.findall(r"--[a-z][a-z-]*", help_of(module)))


@pytest.mark.parametrize(("page", "folder", "module", "arguments"), programs())
def test_every_file_of_settings_in_the_docs_is_taken(page, folder, module, arguments):
    if named := re.search(r"--config (\S+\.json)", arguments):
        file = ROOT / named[1].replace("<layout>", "cramped_room")
        given = suiting(module.rsplit(".", 1)[1], json.loads(file.read_text()))
        config_from(importlib.import_module(module).Settings, given)


WALKS = ("one mark", "one instruction", "one training")


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_goes_through_ten_files_at_most_that_have_what_it_names(walk):
    text = (ROOT / "docs/architecture.md").read_text().partition(f"## The walk of {walk}\n")[2]
    steps = re.findall(r"^(\d+)\. `([\w./-]+)` `(\w+)`: ", text.partition("\n#")[0], flags=re.MULTILINE)
    assert 5 <= len(steps) <= 10
    assert [int(number) for number, *_ in steps] == [*range(1, len(steps) + 1)]
    assert len({path for _, path, _ in steps}) == len(steps)
    for _, path, name in steps:
        made = rf"^(export )?(async )?(def|class|function) {name}\b"
        assert re.search(made, (ROOT / path).read_text(), flags=re.MULTILINE), f"{path} has no {name}"

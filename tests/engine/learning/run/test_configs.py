"""The files that first agents, and those of the papers' sizes, are made from: what they ask for exists."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from engine import games, language
from engine.learning.parts.sides import suiting
from engine.learning.run.reporting import config_from

FILES = sorted(file for game in games.names() for file in (games.folder(game) / "configs").rglob("*.json"))
COMMAND = r"python -m engine\.learning\.(\w+) --config (\S+) "


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_config_is_one_of_the_program_that_its_command_names(file: Path) -> None:
    given = json.loads(file.read_text())
    program, named = re.search(COMMAND, given["command"]).groups()
    assert file.as_posix().endswith(named)
    config_from(import_module(f"engine.learning.algorithms.{program}").Settings, suiting(program, given))


def test_what_agents_are_told_in_training_can_be_read() -> None:
    given = [json.loads(file.read_text()) for file in FILES]
    texts = [
        (one["game"], text)
        for one in given
        for text in [*one.get("instructions", ()), one.get("instruction")]
    ]
    told = [language.meant(game, text) for game, text in texts if text]
    assert len(told) > 40 and all(reading.program for reading in told)

"""The commands on shipped agents' cards can be run: their programs exist and take what their files say."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from engine import games
from engine.agents.catalogue import agents_of
from engine.learning.algorithms import population
from engine.learning.parts.sides import suiting
from engine.learning.run.reporting import config_from

COMMAND = re.compile(r"python -m engine\.learning\.(\w+) --config (\S+) --out FOLDER")
ROOT = Path(games.__file__).parents[2]
CARDS = [path for game in games.names() for path in agents_of(game).glob("*/card.json")]
RECORDED = sorted({found.groups() for path in CARDS if (found := COMMAND.search(path.read_text()))})


def settings_of(program: str, path: str):
    given = suiting(program, json.loads((ROOT / path).read_text()))
    return config_from(importlib.import_module(f"engine.learning.algorithms.{program}").Settings, given)


def test_every_program_that_made_a_shipped_agent_is_still_there():
    programs = {"clone", "clone_people", "instruct_ppo", "ppo", "population", "tabular_q"}
    assert {program for program, _ in RECORDED} == programs


@pytest.mark.parametrize(("program", "path"), RECORDED)
def test_a_recorded_command_is_taken_with_its_settings(program, path, tmp_path):
    settings = settings_of(program, path)
    if program == "population":
        kept = tmp_path / "population" / "11" / "kept-300000"
        kept.mkdir(parents=True)
        by_folder = dict(population.plan(settings, tmp_path))
        assert {"self_play", "population/11", "partner"} < set(by_folder)
        partners = by_folder["partner"].partners
        assert sum(partners.values()) == pytest.approx(settings.partner_share) and str(kept) in partners
        assert by_folder["self_play"].reward_scale == 0.1 and not by_folder["self_play"].keep_best
    else:
        assert f"--config {path} --out FOLDER" in settings.command


def test_what_a_game_says_stands_behind_what_somebody_says():
    first, usual = (
        suiting("ppo", {"game": "arena"}),
        suiting("ppo", {"game": "arena", "base": "mine", "lr": 0.1}),
    )
    assert first["base"] == "arena/squad-clone" and first["critic"] == [256, 256]
    assert (usual["base"], usual["lr"], usual["gamma"]) == ("mine", 0.1, 0.995) and "critic" not in usual
    assert suiting("ppo", {"game": "hanabi"}) == {"game": "hanabi"}

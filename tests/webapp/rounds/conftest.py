"""What tests of rounds have in common: somebody's own algorithm, an agent that reads goals, a browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.conf import settings

import engine.learning.algorithms
from engine.agents import catalogue
from webapp.agents.models import Agent

SOURCE = '''"""Shaken weights. The base with some noise on its weights, to see whether anything breaks."""

import sys
from dataclasses import dataclass
from typing import Annotated

import torch
from safetensors.torch import load_file

from engine.agents.catalogue import WEIGHTS, folder_of, read_card, write_agent
from engine.learning.run.reporting import run_program
from engine.learning.run.settings import AgentName, Base, GameName, Range, Seed

MAKES = "agent"
FITS = ("turns",)
FOREMOST = ("shaking",)
SIZES = {"tiny": {"shaking": 0.25}}


@dataclass(frozen=True)
class Settings:
    start: Base
    """the agent to shake"""
    game: GameName = "hanabi"
    """which game"""
    called: AgentName = "shaken"
    """name of the agent that is made"""
    shaking: Annotated[float, Range(0, 1)] = 0.5
    """standard deviation of the noise"""
    seed: Seed = 0
    """seed of the noise"""


def train(config, out, reporter):
    folder = folder_of(config.start, config.game)
    noise = torch.Generator().manual_seed(config.seed)
    tensors = {
        name: tensor + config.shaking * torch.randn(tensor.shape, generator=noise)
        for name, tensor in load_file(folder / WEIGHTS).items()
    }
    made = {"name": config.called, "algorithm": "shaken", "hyperparameters": {"shaking": config.shaking}}
    card = write_agent(out / "agent", tensors, {**read_card(folder), **made})
    reporter.progress(1, 1)
    reporter.result(folder=str(out / "agent"), sha256=card["sha256"])


if __name__ == "__main__":
    sys.exit(run_program("shaken", Settings, train))
'''


@pytest.fixture
def shaken(tmp_path, monkeypatch):
    """The algorithm, in a folder that this process and its children look into."""
    (tmp_path / "shaken.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text('"""Broken."""\nMAKES = "soup"\n')
    monkeypatch.setenv("COPLAY_ALGORITHMS", str(tmp_path))
    known = engine.learning.algorithms
    monkeypatch.setattr(known, "__path__", [*known.__path__, str(tmp_path)])


@pytest.fixture
def fighter(db) -> Agent:
    """A network of Arena that reads goals."""
    folder = Path(settings.AGENTS_DIR) / "arena-fighter"
    shutil.copytree(catalogue.folder_of("arena/mates"), folder, dirs_exist_ok=True)
    card, kind = catalogue.read_card(folder), {"game": "arena", "kind": "network"}
    given = {"ref": "arena/fighter", "name": "Fighter", "folder": folder.name, "sha256": card["sha256"]}
    return Agent.objects.create(card=card, **kind, **given)


@pytest.fixture
def open_page(adam, page_of):
    """A function: a page at `path` in which an admin is signed in; its scripts must not fail."""

    def opened(path: str, width: int = 1280):
        page = page_of(adam, console=False, viewport={"width": width, "height": 800})
        page.goto(path)
        return page

    return opened

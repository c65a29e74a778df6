"""A game that moves from engine/games/ into a package of its own is the game that it was: agents, configs,
experiments, words, readings, held-out instructions, recorded games, pages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import games
from tests.engine.games.packages import name_games
from tests.services import ROOT


def moved(game: str, site: Path, home: str) -> None:
    """Copy our game's folder into `site` as the package `home`, which names it."""
    shutil.copytree(games.folder(game), site / home, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (site / home).rglob("*.py"):
        path.write_text(path.read_text().replace(f"engine.games.{game}", home))
    name_games(site, home, **{game: home})


def brought(game: str, *more: str, site: Path | None = None) -> dict:
    command = [sys.executable, "-m", "tests.engine.games.what_it_brings", game, *more]
    paths = os.pathsep.join([str(ROOT), *([str(site)] if site else [])])
    # Plain Python: a few games take less long than compiling a copy.
    env = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("game", ["say_select", "hanabi"])
def test_a_game_in_a_package_brings_all_that_it_brought(game, tmp_path):
    moved(game, tmp_path, f"moved_{game}")
    ours, theirs = brought(game), brought(game, "--moved", site=tmp_path)
    for part in ours:
        assert theirs[part] == ours[part], part
    assert ours["agents"]["cards"] and ours["configs"] and ours["experiments"] and ours["pages"]["files"]
    if game == "say_select":
        assert len(ours["agents"]["self_play"]) == len(ours["agents"]["cards"])
    else:
        assert ours["language"]["held_out"] and min(ours["language"]["phrasings"])
        assert ours["people"]["recorded"] and ours["evaluation"]["probes"]


def test_what_is_hidden_is_found_nowhere_else():
    with pytest.raises(AssertionError, match="engine.games.say_select is hidden"):
        brought("say_select", "--moved")

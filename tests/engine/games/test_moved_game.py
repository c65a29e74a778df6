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
from safetensors import safe_open
from safetensors.numpy import load_file, save

from engine import games
from engine.language import encoder, meaning, sureness
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


def test_a_games_package_may_bring_what_its_reader_learned(tmp_path):
    """Weights that take every text for meaningless: they are the package's own, not the shared ones."""
    moved("hanabi", tmp_path, "moved_hanabi")
    own = tmp_path / "moved_hanabi/language/weights"
    own.mkdir()
    shared = encoder.FOLDER / meaning.FILE
    with safe_open(shared, "np") as file:
        about = json.loads(file.metadata()["reader"])
    others = tuple(f"{name}." for name in about["labels"] if name != "hanabi")
    tensors = {name: value for name, value in load_file(shared).items() if not name.startswith(others)}
    tensors["hanabi.bias"][0] = -60
    labels = {"hanabi": about["labels"]["hanabi"]}
    its = {"labels": labels, "conventions": {"hanabi": about["conventions"]}}
    (own / meaning.FILE).write_bytes(save(tensors, {"reader": json.dumps(its)}))
    fitted = json.loads((encoder.FOLDER / sureness.FILE).read_text())
    (own / sureness.FILE).write_text(json.dumps({"games": {"hanabi": fitted["games"]["hanabi"]}}))
    ours = brought("hanabi", "--only", "language")["language"]
    theirs = brought("hanabi", "--moved", "--only", "language", site=tmp_path)["language"]
    assert theirs["held_out"] == ours["held_out"]
    refused = [sum("refused=True" in one for one in found["readings"]) for found in (ours, theirs)]
    assert refused[0] < refused[1]


def test_what_is_hidden_is_found_nowhere_else():
    with pytest.raises(AssertionError, match="engine.games.say_select is hidden"):
        brought("say_select", "--moved")

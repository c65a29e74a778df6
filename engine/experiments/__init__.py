"""Experiments that show whether the method works: one file each, found by name.

`engine.experiments.prove` runs them and writes their results, with where these come from. The first paragraph
of an experiment's docstring is what it claims or asks. The file has

    run(setting, seed, quick, work) -> dict  the numbers of one seed; its parts are steps of `work` and resume
    summary(rows, quick) -> dict             the table, the intervals, and whether the claim holds
    effect(found) -> (what, figure)          the main number of one setting with its interval, for the first
                                             table of docs/experiments.md
    plot(found, axes)                        the plot
    ANNOTATORS = "none"                      if no marks are used; otherwise annotators are simulated

What an experiment needs from a game lies in the folder `experiments` of that game, in a file of the
experiment's name: `settings`, and what the experiment asks for besides. Learning and evaluation never import
experiments.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from engine import brings
from engine import games as registry

SHELL = {"__init__", "prove", "work", "parts", "figures", "provenance"}


def names() -> list[str]:
    """The names of all experiments, as commands use them."""
    stems = {path.stem for path in Path(__file__).parent.glob("*.py")}
    return sorted(name.replace("_", "-") for name in stems - SHELL)


def find(name: str) -> ModuleType:
    """The experiment of this name; raises ValueError with a sentence."""
    if name not in names():
        raise ValueError(f"There is no experiment {name!r}; there are {', '.join(names())}.")
    return importlib.import_module(f"engine.experiments.{name.replace('-', '_')}")


def settings(name: str, quick: bool) -> list[dict[str, Any]]:
    """What an experiment repeats with every seed: {"name", "game", …}, of every game that brings some."""
    every: list[dict[str, Any]] = []
    for game in registry.names():
        brought = brings.Experiment.named(game, name.replace("-", "_"))
        every += [{"game": game, **row} for row in (brought.QUICK if quick else brought.SETTINGS)]
    return every

"""Experiments that show whether the method works: one file each, found by name.

`engine.experiments.prove` runs them. Such a file has a docstring, whose first sentence is the claim, and

    settings(quick) -> list[dict]            what is repeated with every seed: {"name", "game", …}
    run(setting, seed, quick, work) -> dict  one seed's numbers; its parts are steps of `work`, which resume
    summary(rows, quick) -> dict             the table, the intervals and whether the claim holds
    plot(found, axes)                        the plot
    ANNOTATORS = "none"                      where nobody marks anything; without it they are simulated

What an experiment needs to know of a game lies in the folder `experiments` of the game's. Learning and
evaluation know nothing of this room.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

SHELL = {"__init__", "prove", "work", "parts", "figures"}


def names() -> list[str]:
    """The experiments that there are, as commands name them."""
    found = {path.stem for path in Path(__file__).parent.glob("*.py")}
    return sorted(name.replace("_", "-") for name in found - SHELL)


def find(name: str) -> ModuleType:
    """One of them; raises ValueError with a sentence."""
    if name not in names():
        raise ValueError(f"There is no experiment {name!r}; there are {', '.join(names())}.")
    return importlib.import_module(f"engine.experiments.{name.replace('-', '_')}")

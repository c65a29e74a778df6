"""The games: every folder here that has rules is one, found by its name.

`spec(name)` is a game's description. Nothing here knows any game; a new one is a new folder.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from engine.simulation.spec import GameSpec, OptionError


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/rules.py"))


def spec(name: str) -> GameSpec:
    """The spec of a game; raises `OptionError` with the names there are."""
    if name not in names():
        raise OptionError(f"There is no game {name!r}; the games are {', '.join(names())}.")
    return importlib.import_module(f"engine.games.{name}").SPEC

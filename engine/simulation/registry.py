"""The games that there are, found by name: folders of `engine.games`, and packages that name themselves in
the entry-point group `coplay.games`.

Nothing here knows any game, and none is imported before it is asked for. Everybody but this room asks
`engine.games`, which has the same functions.
"""

from __future__ import annotations

import importlib
import logging
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from engine.refusal import Refusal
from engine.simulation.lazy import module_of
from engine.simulation.spec import GameSpec

OURS = "engine.games"  # every folder there that has rules is a game
GROUP = "coplay.games"
DEFAULT = "hanabi"  # the game that is meant where nobody names one
logger = logging.getLogger(__name__)


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted({*_own(), *installed()})


@cache  # asked for at every move
def spec(name: str) -> GameSpec:
    """The spec of a game; raises `Refusal` with the names there are."""
    if name not in names():
        raise Refusal(f"There is no game {name!r}; the games are {', '.join(names())}.")
    return importlib.import_module(_home(name)).SPEC


@lru_cache(maxsize=1024)  # asked for at every move
def part(name: str, module: str = "", room: str = "games") -> ModuleType | None:
    """A module of what a game brings to a room of the engine, None where it doesn't bring it (or there is no
    such game): `part("hanabi", "story")` is `story.py` of its folder, `part("hanabi", "say", "language")`
    `language/say.py`; a folder of `engine.games` is laid out like a package that brings a game.
    """
    return module_of(_full(name, module, room)) if brings(name, module, room) else None


@lru_cache(maxsize=1024)  # matches ask many times a second for what a game doesn't bring
def brings(name: str, module: str = "", room: str = "games") -> bool:
    """Whether there is such a `part`; nothing of the game is imported."""
    if name not in names():
        return False
    places = [str(folder(name))]
    inside = _full(name, module, room).removeprefix(_home(name)).split(".")[1:]
    for step in inside:
        spec = PathFinder.find_spec(step, places)
        if spec is None:
            return False
        places = list(spec.submodule_search_locations or ())
    return True


def _full(name: str, module: str, room: str) -> str:
    full = _home(name) if room == "games" else f"{_home(name)}.{room}"
    return f"{full}.{module}" if module else full


def folder(name: str) -> Path:
    """Where a game's files are; nothing of it is imported."""
    spec = find_spec(_home(name))
    if spec is None or not spec.submodule_search_locations:
        raise Refusal(f"There is no game {name!r}; the games are {', '.join(names())}.")
    return Path(next(iter(spec.submodule_search_locations)))


@cache
def installed() -> dict[str, str]:
    """{game: its module} of the games that other packages bring. One whose name is taken, or can't stand in
    an address, is left out with a warning.
    """
    modules: dict[str, str] = {}
    for entry in entry_points(group=GROUP):
        if not entry.name.isidentifier() or not entry.name.isascii() or entry.name in {*_own(), *modules}:
            logger.warning("The game %r of %s can't have this name and is left out.", entry.name, entry.value)
        elif not _is_there(entry.module):
            logger.warning("The game %r is left out: there is no package %s.", entry.name, entry.module)
        else:
            modules[entry.name] = entry.module
    return modules


def _own() -> list[str]:
    spec = find_spec(OURS)
    folders = (spec and spec.submodule_search_locations) or ()
    return [path.parent.name for folder in folders for path in Path(folder).glob("*/rules.py")]


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _home(name: str) -> str:
    return installed().get(name, f"{OURS}.{name}")

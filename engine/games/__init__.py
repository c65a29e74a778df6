"""The games: every folder here that has rules is one, and every package that names itself in the entry-point
group `coplay.games`; found by name.

`spec(name)` is a game's description, `part` a module of its folder, `make` its PettingZoo env, `make_batch`
the fast path for many games at once. Nothing here knows any game; a new one is a new folder.
"""

from __future__ import annotations

import importlib
import logging
from functools import cache, lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from engine.simulation.spec import GameSpec, OptionError

if TYPE_CHECKING:
    from engine.simulation.batch import Batch
    from engine.simulation.cuda import CudaBatch
    from engine.simulation.env import SimulationEnv

GROUP = "coplay.games"
DEFAULT = "hanabi"  # the game that is meant where nobody names one
logger = logging.getLogger(__name__)


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted({*_own(), *installed()})


def spec(name: str) -> GameSpec:
    """The spec of a game; raises `OptionError` with the names there are."""
    if name not in names():
        raise OptionError(f"There is no game {name!r}; the games are {', '.join(names())}.")
    return importlib.import_module(_home(name)).SPEC


def part(name: str, module: str = "", room: str = "games") -> ModuleType | None:
    """A module of what a game brings to a room of the engine, None where it doesn't bring it (or there is no
    such game): `part("hanabi", "story")` is `engine.games.hanabi.story`, `part("hanabi", "say", "language")`
    is `engine.language.hanabi.say`; of a game from another package, `package.story` and
    `package.language.say`.
    """
    return importlib.import_module(_full(name, module, room)) if brings(name, module, room) else None


@lru_cache(maxsize=1024)  # matches ask many times a second for what a game doesn't bring
def brings(name: str, module: str = "", room: str = "games") -> bool:
    """Whether there is such a `part`; of it itself nothing is imported."""
    full = _full(name, module, room)
    try:
        return name in names() and find_spec(full) is not None
    except ModuleNotFoundError as missing:
        # A folder on the way isn't there; what one that is there lacks is an error.
        if full.startswith(f"{missing.name}.") or full == missing.name:
            return False
        raise


def _full(name: str, module: str, room: str) -> str:
    home = installed().get(name)
    if home is None:
        full = f"engine.{room}.{name}"
    else:
        full = home if room == "games" else f"{home}.{room}"
    return f"{full}.{module}" if module else full


def folder(name: str) -> Path:
    """Where a game's files are; nothing of it is imported."""
    found = find_spec(_home(name))
    if found is None or not found.submodule_search_locations:
        raise OptionError(f"There is no game {name!r}; the games are {', '.join(names())}.")
    return Path(next(iter(found.submodule_search_locations)))


@cache
def installed() -> dict[str, str]:
    """{game: its module} of the games that other packages bring. One whose name is taken, or can't stand in
    an address, is left out with a warning.
    """
    found: dict[str, str] = {}
    for entry in entry_points(group=GROUP):
        if not entry.name.isidentifier() or not entry.name.isascii() or entry.name in {*_own(), *found}:
            logger.warning("The game %r of %s can't have this name and is left out.", entry.name, entry.value)
        elif not _is_there(entry.module):
            logger.warning("The game %r is left out: there is no package %s.", entry.name, entry.module)
        else:
            found[entry.name] = entry.module
    return found


def _own() -> list[str]:
    return [path.parent.name for folder in __path__ for path in Path(folder).glob("*/rules.py")]


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _home(name: str) -> str:
    return installed().get(name, f"engine.games.{name}")


def make(name: str, **options: Any) -> SimulationEnv:
    """A PettingZoo `ParallelEnv` of a game; raises `OptionError` for an option that it doesn't know."""
    from engine.simulation.env import SimulationEnv

    return SimulationEnv(name, **options)


def make_batch(
    name: str, n: int, device: str = "cpu", observations: str = "float", seed: int = 0, **options: Any
) -> Batch | CudaBatch:
    """n games at once, on the CPU (NumPy arrays) or on a GPU (torch tensors).

    `observations` is "float", "packed" (eight bits a byte, or a byte a number) or "none" (masks only). Raises
    `OptionError` for a bad option or device, and when there is no GPU.
    """
    if device == "cpu":
        from engine.simulation.batch import Batch

        return Batch(spec(name), options, n, observations, seed)
    if device == "cuda" or device.startswith("cuda:"):
        from engine.simulation.cuda import CudaBatch

        return CudaBatch(spec(name), options, n, observations, seed, device)
    raise OptionError(f"A batch runs on device 'cpu' or 'cuda', not {device!r}.")

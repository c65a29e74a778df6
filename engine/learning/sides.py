"""What rounds need to know of games whose seats play against each other, found by the game's name.

Such a game has `engine/games/<game>/training.py` with `sides(options)`, `rewards(states)`, `OPTIONS` and
`YARDSTICK`; in the others all seats are on one side and share the game's reward. Not for algorithms.
"""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType
from typing import Any

from engine import games


def training_of(game: str) -> ModuleType | None:
    """A game's module for training, None for games that need none."""
    name = f"engine.games.{game}.training"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def round_options(game: str, card: dict[str, Any]) -> dict[str, Any]:
    """The complete options of the games that a round plays with the agent of a card; raises OptionError."""
    module = training_of(game)
    return games.spec(game).validate({**(module.OPTIONS if module else {}), **card.get("options", {})})


def sides_of(game: str, options: dict[str, Any]) -> list[int]:
    """The side of each seat, from 0 on, with complete options; all 0 where everybody plays together."""
    module = training_of(game)
    return [0] * games.spec(game).seats(options) if module is None else module.sides(options)


def against(game: str, options: dict[str, Any], first: Any, others: Any) -> list[Any]:
    """By seat: `first` on the side of player_0, `others` on the other sides; `first` everywhere where there
    is but one.
    """
    return [first if side == 0 else others for side in sides_of(game, options)]

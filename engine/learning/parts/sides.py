"""What learning needs to know of a game, by its name: what suits its trainings (`engine.brings.Training`),
and the sides of seats. Not for algorithms.
"""

from __future__ import annotations

from typing import Any

from engine import brings, games
from engine.learning.run.programs import find
from engine.learning.run.settings import Role


def suiting(program: str, given: dict[str, Any]) -> dict[str, Any]:
    """Settings as somebody gives them, before them what the game says suits a program: in rounds, or without
    a base to go on from, for a first agent.
    """
    settings = brings.Training.of(str(given.get("game", ""))).SETTINGS.get(program, {})
    return {**settings.get("usual" if given.get(find(program).named(Role.BASE)) else "first", {}), **given}


def round_options(game: str, card: dict[str, Any]) -> dict[str, Any]:
    """The complete options of a training's games with the agent of a card; raises Refusal."""
    return games.spec(game).validate({**brings.Training.of(game).OPTIONS, **card.get("options", {})})


def has_sides(game: str) -> bool:
    """Whether seats of a game may play against each other."""
    return games.spec(game).side is not None


def sides_of(game: str, options: dict[str, Any]) -> list[int]:
    """The side of each seat, from 0 on, with complete options; all 0 where everybody plays together."""
    spec = games.spec(game)
    return [spec.side_of(options, seat) for seat in range(spec.seats(options))]


def against(game: str, options: dict[str, Any], first: Any, others: Any) -> list[Any]:
    """By seat: `first` on the side of player_0, `others` on the other sides; `first` everywhere where there
    is but one.
    """
    return [first if side == 0 else others for side in sides_of(game, options)]

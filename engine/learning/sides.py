"""What rounds need to know of a game, by its name: what its `training` module says, and who is on which side.

A game may have a module `training` with any of: `SETTINGS` ({program: {size: {setting: value}}}), `EPISODES`
(simulated ones for a round), `OPTIONS` (of a round's games), `rewards(states)` (what the last tick earned a
seat where that isn't shared, float32 (n, seats)), `YARDSTICK` and `YARDSTICK_WORDS` (the agent that sides are
measured against), `MEANING` and `UNIT` (what scores are). Not for algorithms.
"""

from __future__ import annotations

from typing import Any

from engine import games


def said(game: str, name: str, default: Any = None) -> Any:
    """What a game's `training` module says under a name; `default` where it says nothing."""
    return getattr(games.part(game, "training"), name, default)


def round_options(game: str, card: dict[str, Any]) -> dict[str, Any]:
    """The complete options of the games that a round plays with the agent of a card; raises OptionError."""
    return games.spec(game).validate({**said(game, "OPTIONS", {}), **card.get("options", {})})


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

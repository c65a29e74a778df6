"""What learning needs to know of a game, by its name: the content of its `training` module, and the sides of
seats.

A game may have a module `training` with any of these. Settings: `SETTINGS` ({program: {size: {setting:
value}}}; the size "first" is for first agents), `EPISODES` (simulated ones for a round), `OPTIONS` (of a
training's games), `card(options, reads)` (fields for the card of its networks), `elsewhere(count)` (other
options to learn in). Scores: `MEANING`, `UNIT`, `YARDSTICK` and `YARDSTICK_WORDS` (the agent that sides are
measured against). For S seats of n games whose rewards aren't shared: `rewards(states, weights, reached)` (of
the last tick, by group, float32 (n, S, groups)), `discounts(weights)` (of each group), `out(states)` (seats
that are out, bool (n, S)). If agents have goals: `renew_goals(states, world, goals, share, seed, count)` and
`reached(states, world, goals)`. Inputs of critics alone: `privileged(states, world)`, float32 (n, S,
numbers). Not for algorithms.
"""

from __future__ import annotations

from typing import Any

from engine import games
from engine.learning.run.programs import find
from engine.learning.run.settings import Role


def training_of(game: str, name: str, default: Any = None) -> Any:
    """What a game's `training` module says under a name; `default` where it says nothing."""
    return getattr(games.part(game, "training"), name, default)


def suiting(program: str, given: dict[str, Any]) -> dict[str, Any]:
    """Settings as somebody gives them, before them what the game says suits a program: in rounds, or without
    a base to go on from, for a first agent.
    """
    settings = training_of(str(given.get("game", "")), "SETTINGS", {}).get(program, {})
    usual = "usual" if given.get(find(program).named(Role.BASE)) else "first"
    return {**settings.get(usual, {}), **given}


def round_options(game: str, card: dict[str, Any]) -> dict[str, Any]:
    """The complete options of a training's games with the agent of a card; raises Refusal."""
    return games.spec(game).validate({**training_of(game, "OPTIONS", {}), **card.get("options", {})})


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

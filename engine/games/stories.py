"""What is said of a game that is over, by the game's own folder where it brings a `story.py`, else plainly.

A `story.py` may have any of these, found by name; for what it lacks there is a default here:

    ALIKE                         the options in which games must agree for their results to compare; else all
    outcomes(view)                by seat, where seats play against each other: its place, 0 while it is in
    headline(end, seat)           how it ended, in a few words
    detail(state, seat)           what a seat did, in one sentence, from the last state alone
    result(end, seat)             (number, unit), for lists and as the big number of the page
    worth(end, seat)              the number by which games of a seat compare
    story(moments, names, seat)   a few sentences; `moments`: the game at each tick, of which nothing is kept
    advice(end, last, seat)       of a game that came to nothing: (what happened, what to try), else None
    compared(now, earlier)        a sentence: a seat's worth beside those of earlier games
    usually(name, mean, games, whom)   a sentence about an agent's worth on average

`seat` is who reads, None for somebody who only watched. Not for single moves (a game's words.py), pages and
rows (webapp.matches.results).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import brings, games
from engine.simulation.simulation import Simulation

LEFT = "This game was left before its end"


@dataclass(frozen=True)
class Ending:
    """How a game ended, as the row of its episode keeps it: `outcomes` as of `story.outcomes`."""

    game: str
    options: dict[str, Any]
    score: float
    finished: bool
    outcomes: Sequence[int] = field(default_factory=tuple)


def outcomes(game: str, view: dict[str, Any]) -> list[int]:
    """The place of each seat by the last open view; [] where all share one score."""
    return (brings.Story.of(game).outcomes or (lambda view: []))(view)


def alike(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options in which another game must agree for its results to compare with this one's; options that
    came after it are at their defaults.
    """
    known = games.spec(game).options if game in games.names() else {}
    complete = {name: option.default for name, option in known.items()} | options
    return {name: complete[name] for name in (brings.Story.of(game).ALIKE or complete) if name in complete}


def headline(end: Ending, seat: int | None) -> str:
    """How it ended, in a few words."""
    if not end.finished:
        return LEFT
    return (brings.Story.of(end.game).headline or (lambda end, seat: "The game is over"))(end, seat)


def detail(game: str, state: np.ndarray, seat: int | None) -> str:
    """What a seat did, in one sentence; "" where the game has none or nobody sat there."""
    return "" if seat is None else (brings.Story.of(game).detail or (lambda state, seat: ""))(state, seat)


def result(end: Ending, seat: int | None) -> tuple[str, str]:
    """("21", "points"): what stands large on the page, and in lists."""
    return (brings.Story.of(end.game).result or _points)(end, seat)


def _points(end: Ending, seat: int | None) -> tuple[str, str]:
    unit = "point" if abs(end.score) == 1 else "points"
    return f"{end.score:g}".replace("-", "−"), unit if end.finished else f"{unit} so far"


def worth(end: Ending, seat: int) -> float:
    """The number by which the games of a seat compare: the score, or what the game says."""
    return float((brings.Story.of(end.game).worth or (lambda end, seat: end.score))(end, seat))


def story(game: str, moments: Iterable[Simulation], names: Sequence[str], seat: int | None) -> str:
    """A few sentences on what happened, told to a seat."""
    return (brings.Story.of(game).story or _plainly)(moments, names, seat)


def _plainly(moments: Iterable[Simulation], names: Sequence[str], seat: int | None) -> str:
    last = None
    for last in moments:  # noqa: B007
        pass
    if last is None:
        return ""
    steps = f"{last.tick} {'move' if last.spec.turn_based else 'step'}{'' if last.tick == 1 else 's'}"
    return f"It ended after {steps}." if last.over else f"It was left after {steps}."


def advice(end: Ending, last: Simulation, seat: int | None) -> tuple[str, str] | None:
    """What happened in a game without points, and advice for the next; None for other games. `last`: the game
    as it ended.
    """
    return (brings.Story.of(end.game).advice or _without_points)(end, last, seat)


def _without_points(end: Ending, last: Simulation, seat: int | None) -> tuple[str, str] | None:
    if end.score > 0 or not last.tick or last.spec.side is not None:
        return None
    steps = counted(last.tick, "move" if last.spec.turn_based else "step")
    points = "nothing was scored" if end.score == 0 else f"more points were lost than made ({end.score:g})"
    return (
        f"In {steps} {points}.",
        "Look at what changed most, below, or watch the replay; then play again and tell your partner before "
        "the first move what you would like it to do.",
    )


def compared(game: str, now: float, earlier: Sequence[float]) -> str:
    """A seat's worth beside those of the same person's earlier games."""
    return (brings.Story.of(game).compared or _beside_the_mean)(now, earlier)


def _beside_the_mean(now: float, earlier: Sequence[float]) -> str:
    if not earlier:
        return "Your first finished game with these settings: there is nothing to compare with yet."
    mean = sum(earlier) / len(earlier)
    average = f"your average of {mean:.1f} over {counted(len(earlier), 'game')}"
    difference = round(now - mean, 1)
    if not difference:
        return f"Exactly {average}."
    return f"{abs(difference):.1f} {'more' if difference > 0 else 'less'} than {average}."


def usually(game: str, name: str, mean: float, number: int | None, whom: str) -> str:
    """An agent's mean score in a sentence: with `whom`, over a number of games where that is known."""
    return (brings.Story.of(game).usually or _on_average)(name, mean, number, whom)


def _on_average(name: str, mean: float, number: int | None, whom: str) -> str:
    over = f" ({counted(number, 'game')})" if number else ""
    return f"{name} makes {mean:.1f} on average with {whom}{over}."


def counted(number: int, word: str) -> str:
    """ "1 game", "1,200 games" """
    return f"{number:,} {word}{'' if number == 1 else 's'}"

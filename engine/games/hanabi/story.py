"""A game of Hanabi that is over, told in one line. Not for single moves (see `words`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.hanabi import rules

if TYPE_CHECKING:
    from engine.games.stories import Ending
    from engine.simulation.simulation import Simulation

# From this part of the highest score on, this is what a finished game was.
HEADLINES = ((21 / 25, "A very good game"), (16 / 25, "A good game"))


def headline(end: Ending, seat: int | None) -> str:
    """ "A good game" """
    highest = end.options.get("colors", 5) * end.options.get("ranks", 5)
    if end.score == highest:
        return "A perfect game"
    return next((words for part, words in HEADLINES if end.score >= part * highest), "Game over")


def detail(state: np.ndarray, seat: int) -> str:
    """Why the game ended, which the score doesn't show."""
    if not int(state[rules.OVER]):
        return ""
    return "The last life was lost." if int(state[rules.LIVES]) == 0 else ""


def advice(end: Ending, last: Simulation, seat: int | None) -> tuple[str, str] | None:
    """A game that was lost with its last life, or that made no point."""
    state = last.state
    if end.score > 0 or not last.tick:
        return None
    built = sum(int(state[rules.FIREWORKS + color]) for color in range(int(state[rules.COLORS])))
    lives = int(state[rules.LIVES_MAX])
    if int(state[rules.OVER]) != rules.OUT_OF_LIVES:
        return (
            "No card was played onto a firework.",
            "Hint the 1s first: a hint of the rank tells a partner that each of those cards may fit.",
        )
    cards = "No card had" if not built else "1 card had" if built == 1 else f"{built} cards had"
    count = "the first card" if lives == 1 else f"{lives} cards"
    return (
        f"{cards} been played onto the fireworks when {count} that didn’t fit took the last life, and a game "
        "that is lost so counts 0.",
        "Play a card only once hints say that it fits; when in doubt, discard or hint: that costs no life. "
        "Tell your partner “play it safe” before the first move, or start with points that count whatever "
        "happens (under Options).",
    )


def story(moments: Iterable[Simulation], names: Sequence[str], seat: int | None) -> str:
    """One line of what happened, told to the player in `seat`: misplays, lost cards, how it ended."""
    views = [moment.view(None) for moment in moments]
    last = views[-1]
    misplays: Counter[int] = Counter()
    hints = 0
    lost: list[str] = []
    for before, after in zip(views, views[1:], strict=False):
        move = after["last"]
        hints += move["kind"].startswith("hint")
        if move["kind"] == "play" and not move["success"]:
            misplays[move["seat"]] += 1
        if move["kind"] == "discard" and _was_critical(before, move):
            lost.append(
                f"{_whose(move['seat'], seat, names)} discarded the last {_card(before, move['card'])}"
            )
    parts = [f"{hints} hint{'' if hints == 1 else 's'}"]
    for who, count in sorted(misplays.items()):
        times = f"{count} misplay{'s' if count > 1 else ''}"
        parts.append(f"{times} of yours" if who == seat else f"{times} by {names[who]}")
    if not misplays:
        parts.append("no misplay")
    parts += lost[:2]
    if len(lost) > 2:
        parts.append(f"{len(lost) - 2} more last copies went")
    return f"{_ending(last)} {_sentence(parts)}"


def _ending(view: dict[str, Any]) -> str:
    if view["score"] == view["max_score"]:
        return "Every firework is complete."
    if view["lives"] == 0:
        return "The last life was lost."
    if view["over"]:
        return "The deck ran out."
    moves = view["tick"]
    return f"Until then, in {moves} move{'' if moves == 1 else 's'}:"


def _sentence(parts: list[str]) -> str:
    return (parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}") + "."


def _whose(who: int, seat: int | None, names: Sequence[str]) -> str:
    return "you" if who == seat else names[who]


def _card(view: dict[str, Any], card: int) -> str:
    names = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}
    return f"{names[view['colors'][card // 5]]} {card % 5 + 1}"


def _was_critical(view: dict[str, Any], move: dict[str, Any]) -> bool:
    return any(
        card["key"] in move["keys"] and card["critical"] for hand in view["hands"] for card in hand["cards"]
    )

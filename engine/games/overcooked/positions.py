"""Little Overcooked positions in one small kitchen: each a few joint steps.

Steps are written as one letter a tick and seat: N S E W go or turn, I interacts, . stays.
"""

from __future__ import annotations

from typing import Any

from engine.games.position import Position

LETTERS = "NSEW.I"
KITCHEN = """orders: onion onion onion

XXPXX
O  2T
X1  X
XDXSX"""
CRAMPED = {"layout": "cramped_room"}


def steps(*seats: str) -> tuple[tuple[int, ...], ...]:
    """Joint steps of these seats' letters; a seat with fewer letters stays at the end."""
    length = max(len(moves) for moves in seats)
    return tuple(zip(*([LETTERS.index(c) for c in moves.ljust(length, ".")] for moves in seats), strict=True))


def position(**given: Any) -> Position:
    return Position(game="overcooked", partner="overcooked/greedy", **given)


MARKING = (
    position(
        slug="puts-the-onion-in",
        title="It does what it was told",
        text="The player asked for one thing. Mark the moment at which the agent has done it.",
        options=CRAMPED,
        moves=steps("........S.", "EIWNI....E"),
        told="Put an onion into the pot.",
        seat=1,
        sign=1,
        tick=5,
        window=1,
        why="The instruction is carried out at the tick at which the onion is in the pot, not when the agent "
        "takes it.",
        hints={"tick": "Watch the pot: when does the onion get into it?"},
    ),
    position(
        slug="fetches-a-dish-in-time",
        title="It comes closer",
        text="Nobody was told anything, so a high score is the goal. The player has filled the pot. One "
        "thing that the agent does makes the delivery come sooner. Find it.",
        options=CRAMPED,
        moves=steps("............W...SI.N", "EIWNIEIWNIEIWNI....."),
        seat=0,
        sign=1,
        tick=18,
        window=1,
        why="A dish in the hand before the soup is ready: the delivery comes sooner. It scores nothing yet, "
        "and it brings the score closer.",
        hints={"tick": "What is needed to take a soup out of a pot? When does the agent get it?"},
    ),
    position(
        slug="spoils-a-soup",
        title="A clear mistake",
        text="Only soups of three onions are ordered here. One thing that the agent did costs a soup. "
        "Mark it.",
        options={"layout": KITCHEN},
        moves=steps("NWIENIWWIENIW..W....", "............EIWNI.E."),
        seat=1,
        sign=-1,
        tick=17,
        window=1,
        why="A tomato in a pot with two onions makes a soup that nobody ordered, and the pot is busy "
        "with it.",
        hints={"tick": "Taking a tomato can still be put right. When is it too late?"},
    ),
    position(
        slug="fetches-the-wrong-thing",
        title="Busy with something else",
        text="The player asked for a dish. Mark the moment at which the agent does something else instead.",
        options=CRAMPED,
        moves=steps("......E..", "W.SE..NEI.."),
        told="Bring me a dish.",
        seat=1,
        sign=-1,
        tick=9,
        window=1,
        why="Taking an onion has nothing to do with what was asked, and its hands aren't free for a dish "
        "now.",
        hints={"tick": "Walking about is neither. What does it take into its hands, and when?"},
    ),
)

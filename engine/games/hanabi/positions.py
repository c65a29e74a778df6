"""Little Hanabi positions: each a fixed deck and a few moves. Cards are written as colour letter and rank
("R1"), hands oldest card first, two players.
"""

from __future__ import annotations

import random
from typing import Any

from engine.games.position import Position

COLORS = "RYGWB"
COPIES = (3, 2, 2, 2, 1)


def discard(slot: int) -> int:
    """The action id of discarding a slot (two players)."""
    return slot


def play(slot: int) -> int:
    return 5 + slot


def color(letter: str) -> int:
    return 10 + COLORS.index(letter)


def rank(number: int) -> int:
    return 14 + number


def card_id(text: str) -> int:
    return COLORS.index(text[0]) * 5 + int(text[1]) - 1


def position(slug: str, hands: tuple[str, str], draws: str = "", **rest: Any) -> Position:
    """A position with all 50 card ids in dealing order: what is written first, the rest in a fixed
    shuffle.
    """
    written = [card_id(card) for card in " ".join((*hands, draws)).split()]
    others = [c * 5 + r for c in range(5) for r in range(5) for _ in range(COPIES[r])]
    for card in written:
        others.remove(card)
    random.Random(slug).shuffle(others)
    return Position(
        slug=slug,
        game="hanabi",
        options={"players": 2},
        deck=(*written, *others),
        partner="hanabi/convention-bot",
        **rest,
    )


MARKING = (
    position(
        slug="does-what-it-was-told",
        title="It does what it was told",
        text="The player said what colour hints mean, then hinted red. Mark the moment at which the agent "
        "carried "
        "the instruction out.",
        hands=("G4 W3 B2 Y4 G2", "W4 R1 B3 Y3 G3"),
        moves=(color("R"), play(1), discard(0)),
        told="If I tell you a colour, play that card.",
        sign=1,
        tick=2,
        why="The agent completed the instruction: it was told red and played that card.",
        hints={
            "tick": "Look for the agent's own move after the hint: that is where the instruction was "
            "carried out."
        },
    ),
    position(
        slug="comes-closer",
        title="It comes closer",
        text="Nothing was finished here, but one move of the agent made a later success likely. Find it.",
        hands=("R1 Y1 W4 B4 G3", "G4 W3 B2 Y4 G2"),
        moves=(rank(4), rank(1), play(0)),
        told="Tell me about my ones first.",
        sign=1,
        tick=2,
        why="The hint itself scores nothing, but it told both ones, as asked, and they can be played.",
        hints={"tick": "Tick 3 is the player's move. What did the agent do that made it possible?"},
    ),
    position(
        slug="clear-mistake",
        title="A clear mistake",
        text="A life was lost here. Mark the move of the agent that did it.",
        hands=("R1 Y3 W4 B4 G3", "G4 W3 B2 Y4 G2"),
        moves=(rank(2), rank(4), rank(3), play(2), rank(3)),
        sign=-1,
        tick=4,
        why="The card was known to be no more than one of many; it was played all the same and cost a life.",
        hints={"tick": "Lives are the hearts on the board. Go on tick by tick and watch where one goes."},
    ),
    position(
        slug="not-what-was-asked",
        title="Busy with something else",
        text="The agent was told to hint ones. Mark the move that has nothing to do with that.",
        hands=("R1 Y1 W4 B4 G3", "G4 W3 B2 Y4 G2"),
        moves=(color("G"), rank(4), discard(2)),
        told="Hint my ones before anything else.",
        sign=-1,
        tick=2,
        why="The hint isn't wrong in itself, but it is not relevant to what the player asked for.",
        hints={"tick": "The agent has made one move so far. Was that hint about ones?"},
    ),
)

PLAYING = (
    position(
        slug="play-a-hinted-card",
        title="Play a card you know about",
        text="You never see your own cards. Your partner has hinted your ones: both are lit. No firework "
        "has begun, so "
        "every one can be played. Click a lit card, then Play.",
        hands=("W4 R1 B3 Y1 G3", "G4 W3 B2 Y4 G2"),
        moves=(color("W"), rank(1)),
        accepted=(play(1), play(3)),
        asks="act",
        why="It was playable, and the firework has begun. Fireworks are built from 1 to 5, one for each "
        "colour.",
        hints={play(0): "You know nothing about that card, and it was no one. The lit cards are the ones."},
    ),
    position(
        slug="give-a-hint",
        title="Give a hint",
        text="It is your turn and your partner holds a red one that can be played. Click it and hint its "
        "colour or its "
        "rank. A hint costs one of the eight tokens and tells all cards of that colour or rank.",
        hands=("W4 R3 B3 Y1 G3", "G4 W3 R1 Y4 G2"),
        accepted=(color("R"), rank(1)),
        asks="act",
        why="Now your partner knows which card to play.",
        hints={
            color("G"): "That tells the two green cards, and neither can be played yet.",
            rank(4): "Fours can't be played for a long time. Look for the one.",
        },
    ),
    position(
        slug="discard-for-a-token",
        title="Discard for a token",
        text="Hints were spent, and you know nothing that could be played. Discard a card to get a token "
        "back: your "
        "oldest card that nobody hinted, on the left, is the usual one. Your five was hinted: keep it, "
        "there is only "
        "one of each.",
        hands=("W4 R5 B3 Y3 G3", "G4 W3 R2 Y4 G2"),
        moves=(color("R"), rank(5)),
        accepted=(discard(0),),
        asks="act",
        why="A token is back, and you drew a new card on the right. Fives and other last copies are worth "
        "keeping.",
        hints={
            discard(1): "That was the only red five: red can't be finished any more. Keep what was hinted.",
            **{
                discard(slot): "That gives a token, but leave newer cards; the oldest goes first."
                for slot in (2, 3, 4)
            },
        },
    ),
    position(
        slug="tell-your-partner",
        title="Tell your partner how to play",
        text="Before and during a game you can tell the agent how to play, in your own words. Try it: "
        "what should a "
        "colour hint mean?",
        hands=("W4 R3 B3 Y1 G3", "G4 W3 R1 Y4 G2"),
        asks="tell",
        why="That is how I read it. In a game you confirm the reading, and the agent keeps to it from its "
        "next move on.",
    ),
)

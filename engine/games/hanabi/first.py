"""The first game of Hanabi: a hint, an instruction that the partner obeys, a card that one knows about.

The deal is one in which the person holds two ones and the companion, left alone, hints something else first.
"""

from __future__ import annotations

from engine.games.first import First, Scene, Step, has_instruction
from engine.games.pages import ME

ONE = 0  # the rank, counted from 0


def hinted(scene: Scene) -> bool:
    """The person gave a hint."""
    return scene.did(scene.seat, "hint_color", "hint_rank")


def hinted_ones(scene: Scene) -> bool:
    """The partner hinted ones."""
    return any(
        event["seat"] == scene.partner and event["kind"] == "hint_rank" and event["value"] == ONE
        for event in scene.news
    )


def played(scene: Scene) -> bool:
    """The person played a card."""
    return scene.did(scene.seat, "play")


FIRST = First(
    about="Give a hint, tell your partner what to do, play a card that you know about.",
    options={"players": 2},
    wishes=(ME, "agent:companion"),
    seed=217,
    steps=(
        Step(
            say="You see {partner}'s cards and not your own; together you build each colour from 1 to 5. "
            "Give a hint: choose one of {partner}'s cards, then its colour or its rank.",
            done=hinted,
            noticed="You gave a hint.",
        ),
        Step(
            say="{partner} sees your cards. Tell it what to do with that: take this sentence, or write it "
            "and say that it was read right.",
            tell=("Hint my ones.",),
            done=has_instruction,
            noticed="{partner} has understood you.",
        ),
        Step(
            say="Give one more hint, then watch what {partner} does with what you said.",
            done=hinted_ones,
            noticed="{partner} hinted your ones, as you had asked.",
            shows=True,
        ),
        Step(
            say="Your ones are lit. Every row begins with a 1, so play one of them: choose it, then Play.",
            done=played,
            noticed="You played a card that you had never seen.",
        ),
    ),
)

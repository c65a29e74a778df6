"""What the pages offer and say of Say-Select."""

from __future__ import annotations

from engine.games.pages import Key, Pages

from . import rules

PAGES = Pages(
    place=4,
    heading="Say a number, and have the right ball picked up",
    invited="one of you sees which balls are worth a point and can only say a number, the other picks",
    rules="Say-Select is played together: Alice sees which of five balls are worth a point and can only say "
    "a number; Bob sees none of it, picks up a ball or quits. A ball that was picked up is worth −1 then.",
    lasts="a minute",
    seats_help="The first seat is Alice, who sees the balls; the second is Bob, who picks.",
    untold="There is nothing to tell in words here: the numbers are the whole language. What they mean, the "
    "agents have learned before; see what happens when you say one twice.",
    labels={"good": ("Balls worth a point", "How many of the five there are at most at the start.")},
    keys_title="The Say-Select table",
    keys=(
        *(
            Key(f"balls-{ball}", f"Say {ball}, or pick up ball {ball}", (str(ball),))
            for ball in range(1, rules.BALLS + 1)
        ),
        Key("balls-quit", "Quit, where you pick", ("q", "0")),
        Key("balls-tell", "Say something to the others", ("t",)),
    ),
    score_note="At most one point for each ball that is worth one.",
    highest=5.0,
)

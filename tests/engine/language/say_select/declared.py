"""What could be said about Say-Select: a game whose language the model has not learned."""

from __future__ import annotations

from engine.language.declared import Act, Declared, Slot

DECLARED = Declared(
    game="say_select",
    about=(
        "Say-Select: five balls, each worth +1 or -1. Alice sees which are worth +1 and says a number from "
        "1 to 5; then Bob, who sees none, picks up a ball or quits, which ends the game. A ball that was "
        "picked up is put back worth -1. Alice and Bob take turns until Bob quits. One of the two (“me”) "
        "types to the other, the agent."
    ),
    by={
        "me": "what the speaker does (“I'll say the lowest good ball”)",
        "both": "a convention that holds for both",
    },
    acts={
        "pick": Act("Bob: pick up a ball", ("which", "ball")),
        "quit": Act("Bob: quit, end the game"),
        "say": Act("Alice: say a number", ("of", "ball")),
    },
    slots={
        "which": Slot(
            "which ball, by what was said",
            {
                "said": "the one whose number Alice has just said",
                "before": "the one whose number she said the time before",
                "other": "one whose number she has not just said",
                "new": "one that was not picked up last",
            },
        ),
        "ball": Slot("a ball or a number, 1 to 5", number=True),
        "of": Slot(
            "the number of which ball Alice says",
            {
                "good": "of one that is worth +1",
                "lowest": "of the lowest that is worth +1",
                "highest": "of the highest that is worth +1",
                "bad": "of one that is worth -1",
                "picked": "of the one that was just picked up, the same number once more",
            },
        ),
    },
    limits={"told": Slot("of the number in `when`: that one alone (“when I say 3”)", number=True)},
    events={
        "said": "a number is said (with `told`: that number)",
        "again": "the same number is said twice in a row",
        "picked": "a ball was picked up",
        "gained": "the last ball was worth +1",
        "lost": "the last ball was worth -1",
        "none_good": "no ball is worth +1 any more",
        "start": "the beginning: nothing has been said or picked up",
        "late": "the last moves of the game",
        "signal": "the speaker says so",
    },
)

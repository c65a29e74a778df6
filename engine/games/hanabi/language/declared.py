"""What can be said about Hanabi, declared (engine.language.declared), and how it is carried out."""

from __future__ import annotations

from engine.language.declared import Act, Declared, Slot

_COLORS = {"red": "", "yellow": "", "green": "", "white": "", "blue": ""}

DECLARED = Declared(
    game="hanabi",
    about=(
        "Hanabi for two to five players: each sees the others' cards and not their own; a turn plays a card, discards "
        "one, or hints another player all their cards of a colour or a rank. Cards lie by age: the newest was drawn "
        "last, the oldest is discarded first by most players (“chop”). One player (“me”) types to the partner, the "
        "agent, mostly about conventions: what a hint means, which card to play or discard, what to hint."
    ),
    by={
        "me": "what the speaker does (“I'll discard my oldest”)",
        "both": "a convention that nobody owns: it holds for the speaker's hints and the agent's (“colour = play”)",
    },
    acts={
        "play": Act("play a card", ("cards", "slot", "color", "rank", "except")),
        "discard": Act("discard a card", ("cards", "slot", "color", "rank", "except")),
        "keep": Act("don't lose a card, save it", ("cards", "slot", "color", "rank")),
        "hint": Act(
            "give a hint: kind (colours or ranks), color or rank (that one), about (which of the other's cards)",
            ("kind_of", "color", "rank", "about"),
        ),
    },
    slots={
        "cards": Slot(
            "which of the agent's cards",
            {
                "touched": "those that a hint of the speaker touched",
                "touched_newest": "the newest of those",
                "touched_oldest": "the oldest of those",
                "untouched": "those that no hint touched",
                "untouched_newest": "",
                "untouched_oldest": "",
                "newest": "newest, last drawn, rightmost",
                "oldest": "oldest, leftmost, “chop”",
                "unsure": "cards of which the agent doesn't know that they can be played (blind, guess, risk)",
                "sure": "cards of which it knows that they can be played",
                "critical": "the last of its kind, what must not be lost",
                "useless": "cards that nobody needs any more",
                "any": "any card, cards in general",
            },
        ),
        "slot": Slot("a position, 1 is the oldest (“card A”, “slot 1”)", number=True),
        "color": Slot("a colour", _COLORS),
        "rank": Slot("a rank, 1 to 5", number=True),
        "except": Slot(
            "cards that are left out: colours, ranks or critical", {**_COLORS, "critical": ""}, number=True
        ),
        "kind_of": Slot("which kind of hint; without it any", {"color": "colours", "rank": "numbers"}),
        "about": Slot(
            "which of the other player's cards a hint is to be about",
            {
                "playable": "",
                "critical": "last of their kind, to be saved",
                "useless": "to be discarded",
                "new": "what the other doesn't know yet",
                "oldest": "the other's oldest card, the one about to be discarded",
                "newest": "",
            },
        ),
    },
    limits={
        "told": Slot(
            "of the hint in `when`: its colour or rank alone (“when I hint red”)", _COLORS, number=True
        ),
        "touch": Slot(
            "of the hint in `when`: how many cards it touches", {"one": "", "many": "more than one"}
        ),
    },
    events={
        "hint": "the speaker gives a hint, of either kind",
        "hint_color": "the speaker hints a colour",
        "hint_rank": "the speaker hints a rank (a number)",
        "play": "the speaker plays a card",
        "discard": "the speaker discards a card",
        "start": "nobody has moved yet",
        "you_hinted": "the agent has given a hint",
        "you_know": "the agent knows what the card is, is sure",
        "you_doubt": "the agent isn't sure",
        "playable": "there is a card that can be played (known, or seen with the other)",
        "nothing": "there is nothing to play or nothing better to do",
        "critical": "the other's card is the last of its kind, is in danger",
        "many_hints": "all or many hint tokens are left",
        "few_hints": "few hint tokens are left",
        "no_hints": "no hint token is left",
        "few_lives": "one life is left, lives are short",
        "lives": "there are lives to spare",
        "late": "the deck is nearly empty, the end of the game",
        "early": "the beginning of the game",
        "signal": "the speaker says so",
    },
    did=("hint_color", "hint_rank", "play", "discard", "start"),
    sums={"hint": ("hint_color", "hint_rank")},
)

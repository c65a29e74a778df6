"""What the pages offer and say of Hanabi."""

from __future__ import annotations

from engine.games.pages import Key, Pages

PAGES = Pages(
    place=1,
    invited="you see everybody's cards but your own, and tell each other about them",
    rules="Hanabi is played together: everyone sees the others' cards and not their own. Build a firework of "
    "each colour from 1 to 5.",
    lasts="about ten minutes",
    seats_help="The first seat moves first. Two to five people and agents.",
    watched=" (all hands stay face down until the end)",
    example="If I tell you a colour, play those cards. Discard your oldest card.",
    offered={
        "colors": (5, 4, 3),
        "information_tokens": (8, 6, 4),
        "lives": (3, 2, 1),
        "bomb": ("zero", "keep"),
        "discard": ("short", "always"),
    },
    labels={
        "colors": ("Colours", "Fewer colours make a shorter, easier game."),
        "information_tokens": ("Hint tokens", "How many hints there are at the start, and at most."),
        "lives": ("Lives", "The game is lost with the last one: a misplayed card costs one."),
        "bomb": ("When the last life is lost", "What the game counts for then."),
        "discard": ("Discarding", "With every hint there, the printed rules don't allow it."),
    },
    words={
        ("bomb", "zero"): "the score is 0",
        ("bomb", "keep"): "points so far count",
        ("discard", "short"): "while a hint is missing",
        ("discard", "always"): "at any time",
    },
    keys_title="The Hanabi table",
    keys=(
        Key("table-previous", "Choose the card to the left", ("ArrowLeft",)),
        Key("table-next", "Choose the card to the right", ("ArrowRight",)),
        Key("table-up", "Choose in a partner's hand", ("ArrowUp",)),
        Key("table-down", "Choose in your own hand", ("ArrowDown",)),
        Key("table-act", "Act: play your card, or hint the colour of your partner's", ("Space",)),
        Key("table-act-rank", "Hint the rank of your partner's card", ("Shift+Space",)),
        Key("table-play", "Play the chosen card", ("p", "+")),
        Key("table-discard", "Discard the chosen card", ("d", "-")),
        *(Key(f"table-rank-{rank}", f"Hint rank {rank}", (str(rank),)) for rank in range(1, 6)),
        *(
            Key(f"table-{colour}", f"Hint {colour}", (colour[0],))
            for colour in ("red", "yellow", "green", "white", "blue")
        ),
        Key("table-instruct", "Tell your partner something", ("Enter", "t")),
        Key("table-close", "Let go of the chosen card", ("Escape",)),
    ),
    score_note="A lost game counts 0.",
    highest=25.0,
)

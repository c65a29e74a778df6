"""The settings of a game of Hanabi: what they may be, their defaults, and what follows from them.

Also the check of a deck that somebody hands in. Not the rules (see `rules`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.games.hanabi import rules
from engine.refusal import Refusal
from engine.simulation.rng import put32
from engine.simulation.spec import Option

COLOR_LETTERS = "RYGWB"
COLOR_NAMES = ("red", "yellow", "green", "white", "blue")

OPTIONS: dict[str, Option] = {
    "players": Option(2, (2, 3, 4, 5), "number of players"),
    "colors": Option(5, (1, 2, 3, 4, 5), "number of colours, the first of red, yellow, green, white, blue"),
    "ranks": Option(5, (1, 2, 3, 4, 5), "cards on a complete firework"),
    "hand_size": Option(
        None, (1, 2, 3, 4, 5), "cards in a hand; by default 5 for 2 or 3 players, 4 for more"
    ),
    "information_tokens": Option(8, tuple(range(1, 17)), "hints at the start, and the most there can be"),
    "lives": Option(3, tuple(range(1, 10)), "the game is lost with the last of them"),
    "bomb": Option("zero", ("zero", "keep"), "score after the last life is lost: zero, or the points so far"),
    "discard": Option(
        "short", ("short", "always"), "when cards may be discarded: while a hint is missing, or always"
    ),
}


def validate(options: dict[str, Any]) -> dict[str, Any]:
    """All options with defaults filled in; raises `Refusal` for an unknown name or a bad value."""
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise Refusal(f"Hanabi has no option {unknown[0]!r}; its options are {', '.join(OPTIONS)} and deck.")
    complete: dict[str, Any] = {}
    for name, option in OPTIONS.items():
        value = options.get(name)
        if value is None:
            value = option.default
            if name == "hand_size":
                value = 5 if complete["players"] < 4 else 4
        elif isinstance(value, bool) or value not in option.choices:
            allowed = ", ".join(str(choice) for choice in option.choices)
            raise Refusal(f"Hanabi's option {name!r} is one of {allowed}, not {value!r}.")
        complete[name] = value if isinstance(value, str) else int(value)
    dealt, size = complete["players"] * complete["hand_size"], len(sorted_deck(complete))
    if dealt > size:
        raise Refusal(
            f"Hanabi with {complete['colors']} colours and {complete['ranks']} ranks has {size} cards, too "
            f"few to deal {complete['players']} hands of {complete['hand_size']}; choose more colours "
            "or smaller hands."
        )
    return complete


def sorted_deck(options: dict[str, Any]) -> list[int]:
    """Every card of the game as card ids (colour * 5 + rank), in order."""
    ranks = options["ranks"]
    return [
        color * rules.MAX_RANKS + rank
        for color in range(options["colors"])
        for rank in range(ranks)
        for _ in range(rules.copies(rank, ranks))
    ]


def check_deck(deck: Sequence[int], options: dict[str, Any]) -> list[int]:
    """The deck as a list of ints; raises `Refusal` unless it holds exactly the cards of the game."""
    expected = sorted_deck(options)
    try:
        cards = [int(card) for card in deck]
    except (TypeError, ValueError):
        raise Refusal("A Hanabi deck is a list of card ids (colour x 5 + rank) in dealing order.") from None
    if len(cards) != len(expected):
        raise Refusal(f"A deck of this game has {len(expected)} cards, not {len(cards)}.")
    have, want = Counter(cards), Counter(expected)
    for card in sorted(have | want):
        if have[card] != want[card]:
            name = card_name(card) if 0 <= card < rules.MAX_CARDS else "which doesn't exist"
            raise Refusal(
                f"The deck has card {card} ({name}) {have[card]} times; this game has it {want[card]} times."
            )
    return cards


def card_name(card: int) -> str:
    """A card id in two characters, such as R1 or B5."""
    return f"{COLOR_LETTERS[card // rules.MAX_RANKS]}{card % rules.MAX_RANKS + 1}"


def num_actions(options: dict[str, Any]) -> int:
    """Number of action ids, the no-op included."""
    others = options["players"] - 1
    return 2 * options["hand_size"] + others * (options["colors"] + options["ranks"]) + 1


def max_score(options: dict[str, Any]) -> int:
    """Points for complete fireworks."""
    return options["colors"] * options["ranks"]


def prepare(state: np.ndarray, options: dict[str, Any], key_a: int, key_b: int) -> None:
    """Write settings and random stream into a record; `rules.new_game` then begins its first game."""
    rules.configure(
        state,
        options["players"],
        options["colors"],
        options["ranks"],
        options["hand_size"],
        options["information_tokens"],
        options["lives"],
        1 if options["bomb"] == "keep" else 0,
        1 if options["discard"] == "always" else 0,
    )
    rules.seed(state, key_a, key_b)


def start_with_deck(state: np.ndarray, deck: list[int]) -> None:
    """Begin a game of a prepared record with a checked deck."""
    put32(state, rules.EPISODE, 0)
    state[rules.DECK : rules.DECK + len(deck)] = deck
    rules.deal(state)


def deck_of(state: np.ndarray) -> list[int]:
    """The full dealing order of the game in a record."""
    return [int(card) for card in state[rules.DECK : rules.DECK + int(state[rules.DECK_SIZE])]]


def canonical(state: np.ndarray) -> np.ndarray:
    """A copy of the record with what the game's past doesn't determine set to 0: random stream, unused
    fields.
    """
    copy = np.array(state, dtype=np.int32)
    copy[rules.KEY_A : rules.TURN] = 0
    copy[rules.DECK + int(copy[rules.DECK_SIZE]) : rules.CARDS] = 0
    copy[rules.CARDS + int(copy[rules.DEALT]) * rules.CARD_STRIDE : rules.HISTORY] = 0
    copy[rules.HISTORY + int(copy[rules.TURN]) :] = 0
    return copy

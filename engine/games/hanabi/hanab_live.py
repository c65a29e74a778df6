"""Games of people on hanab.live (`hanab-live`): what `https://hanab.live/export/<id>` gives out for a game; a
file of one, of a list of them, or of one a line.

Relied on, as Hanabi-Live's misc/example_game_with_comments.jsonc has it:

- `players`: names in the order of play, the first begins; `id`: the site's number of the game.
- `deck`: `{"suitIndex", "rank"}` from top to bottom, dealt whole hand by whole hand. Suits 0 to 4 of "No
  Variant" are red, yellow, green, blue and purple; there is no purple here, so it is white.
- `actions`: `{"type", "target", "value"}`: 0 play and 1 discard, `target` a card by its place in the deck; 2
  a hint of a colour and 3 of a rank, `target` a player, `value` the suit, or the rank from 1; 4 ends a game
  by hand.
- A game ends there, too, when no card that is left can be played; the rules here would go on.
- `options` may be missing; what isn't "No Variant" by the usual rules is another game and refused. As there,
  a game in which the last life is lost scores 0.

The score isn't in it, so that it comes out as it did there can't be checked, only that it comes to its end. A
game without an `id` (or with 0, as games that were never stored have) is known by its content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine.games.hanabi import rules
from engine.games.people import (
    Format,
    Played,
    Source,
    dealt,
    field_of,
    identity_of,
    lines_of,
    person,
    pseudonym,
    refuse,
    step,
    whole,
    whole_of,
)
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

SUITS = (0, 1, 2, 4, 3)  # of hanab.live: the colour here
VARIANT = "No Variant"
NOTHING_LEFT = "no card that was left could be played"
# Options that change no rule, whatever they say.
HARMLESS = ("numPlayers", "timed", "timeBase", "timePerTurn", "speedrun", "tableName", "maxPlayers")


def games_of(path: Path | str, skip: Callable[[str], None] = refuse) -> Iterator[dict[str, Any]]:
    """The games of a file: one JSON object in all, a list of them, or one a line."""
    content = whole_of(path)
    if not isinstance(content, dict | list):
        yield from lines_of(path, skip)
        return
    rows = content if isinstance(content, list) else [content]
    yield from (row for row in rows if isinstance(row, dict))
    if wrong := sum(not isinstance(row, dict) for row in rows):
        skip(f"The list holds {wrong} of {len(rows)} that aren't JSON objects.")


def played(row: dict[str, Any]) -> Played:
    """A game of hanab.live, played again to its end; raises Refusal."""
    names, deck, actions = (field_of(row, name, list) for name in ("players", "deck", "actions"))
    if not all(isinstance(name, str) for name in names):
        raise Refusal("Its 'players' aren't names.")
    _check_usual(row.get("options") or {})
    cards = [_card(card, number) for number, card in enumerate(deck, 1)]
    simulation = dealt("hanabi", {"players": len(names)}, cards)
    for number, action in enumerate(actions, 1):
        if simulation.over:
            raise Refusal(f"It goes on after its end: action {number} of {len(actions)}.")
        joint = [simulation.no_op] * len(names)
        joint[int(simulation.state[rules.CURRENT])] = _action(simulation, action, number)
        step(simulation, joint)
    if not simulation.over and _anything_left(simulation.state):
        raise Refusal(f"It breaks off after {len(actions)} actions, before its end.")
    identity = identity_of(row)
    people = [person(pseudonym("L", name)) for name in names]
    url = f"https://hanab.live/replay/{identity}" if identity.isdigit() else ""
    ended = "" if simulation.over else NOTHING_LEFT
    return Played(identity, f"{len(names)} players", simulation, people, url=url, ended=ended)


def _anything_left(state: np.ndarray) -> bool:
    """Whether a card that isn't discarded may still be played: there the game ends when none may."""
    for color in range(rules.MAX_RANKS):
        rank = int(rules.firework(state, color))
        if rank < rules.MAX_RANKS:
            gone = int(state[rules.DISCARDED + color * rules.MAX_RANKS + rank])
            if gone < int(rules.copies(rank, rules.MAX_RANKS)):
                return True
    return False


def _card(card: Any, number: int) -> int:
    """The card id of a card of the deck; raises Refusal."""
    if not isinstance(card, dict):
        raise Refusal(f"Card {number} of its deck has no 'suitIndex' and 'rank'.")
    suit = whole(card.get("suitIndex"), 0, 4, f"The suit of card {number}")
    return SUITS[suit] * rules.MAX_RANKS + whole(card.get("rank"), 1, 5, f"The rank of card {number}") - 1


def _check_usual(options: Any) -> None:
    if not isinstance(options, dict):
        raise Refusal("Its 'options' are no object.")
    for name, value in options.items():
        usual = value in (None, False, 0) or (name in ("variant", "variantName") and value == VARIANT)
        if name not in HARMLESS and not usual:
            raise Refusal(f"It was played by other rules ({name[:40]}: {str(value)[:40]}).")


def _action(simulation: Simulation, action: Any, number: int) -> int:
    """The action id of an action of hanab.live by the seat to move; raises Refusal."""
    try:
        kind, target, value = action["type"], action["target"], action.get("value")
    except (TypeError, KeyError, AttributeError):
        raise Refusal(f"Action {number} has no 'type' and 'target'.") from None
    kind, target = whole(kind, 0, 9, f"The type of action {number}"), whole(target, -1, 99, "Its target")
    if kind == 4:
        raise Refusal(f"It was ended by hand at action {number}, before its end.")
    state, seat = simulation.state, int(simulation.state[rules.CURRENT])
    if kind in (0, 1):
        keys = [rules.key_at(state, seat, slot) for slot in range(int(rules.hand_size(state, seat)))]
        if target not in keys:
            raise Refusal(f"Action {number} is of card {str(target)[:20]}, which isn't in the hand to move.")
        slot = keys.index(target)
        return int(rules.play_action(state, slot)) if kind == 0 else slot
    number_ok = type(value) is int and type(target) is int and 0 <= target < simulation.seats
    if kind in (2, 3) and number_ok and 0 <= value - (kind == 3) < rules.MAX_RANKS:
        if target == seat:
            raise Refusal(f"Action {number} is a hint to oneself, which the rules don't allow.")
        offset = (target - seat) % simulation.seats
        if kind == 2:
            return int(rules.color_action(state, offset, SUITS[value]))
        return int(rules.rank_action(state, offset, value - 1))
    raise Refusal(f"Action {number} isn't one that hanab.live has.")


FORMAT = Format(
    "hanab-live",
    Source(
        title="Hanab Live",
        url="https://hanab.live/",
        licence="none stated: ask before you pass it on",
        licence_url="",
        attribution="The players of this game on Hanab Live.",
        changed="Purple became white; made into an episode log, players renamed.",
    ),
    games_of,
    played,
)

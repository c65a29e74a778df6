"""Games of people on hanab.live (`hanab-live`): what `https://hanab.live/export/<id>` gives out for a game; a
file of one, of a list of them, or of one a line.

Relied on, as Hanabi-Live's misc/example_game_with_comments.jsonc has it:

- `players`: names in the order of play, the first begins; `id`: the site's number of the game.
- `deck`: `{"suitIndex", "rank"}` from top to bottom, dealt whole hand by whole hand. Suits 0 to 4 of "No
  Variant" are red, yellow, green, blue and purple; there is no purple here, so it is white.
- `actions`: `{"type", "target", "value"}`: 0 play and 1 discard, `target` a card by its place in the deck; 2
  a hint of a colour and 3 of a rank, `target` a player, `value` the suit, or the rank from 1; 4 ends a game
  by hand.
- `options` may be missing; what isn't "No Variant" by the usual rules is another game and refused. As there,
  a game in which the last life is lost scores 0.

The score isn't in it, so that it comes out as it did there can't be checked, only that it comes to its end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.games.hanabi import rules
from engine.games.people import (
    BadRow,
    Format,
    Played,
    Source,
    dealt,
    field_of,
    lines_of,
    person,
    pseudonym,
    refuse,
    step,
)
from engine.simulation.simulation import Simulation

SUITS = (0, 1, 2, 4, 3)  # of hanab.live: the colour here
VARIANT = "No Variant"
# Options that change no rule, whatever they say.
HARMLESS = ("numPlayers", "timed", "timeBase", "timePerTurn", "speedrun", "tableName", "maxPlayers")


def games_of(path: Path | str, skip: Callable[[str], None] = refuse) -> Iterator[dict[str, Any]]:
    """The games of a file: one JSON object in all, a list of them, or one a line."""
    text = Path(path).read_bytes()
    if text[:2] != b"\x1f\x8b":
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            whole = None
        if isinstance(whole, dict | list):
            for row in whole if isinstance(whole, list) else [whole]:
                if isinstance(row, dict):
                    yield row
                else:
                    skip("The list holds something else than JSON objects.")
            return
    yield from lines_of(path, skip)


def played(row: dict[str, Any]) -> Played:
    """A game of hanab.live, played again to its end; raises BadRow."""
    names, deck, actions = (field_of(row, name, list) for name in ("players", "deck", "actions"))
    if not all(isinstance(name, str) for name in names):
        raise BadRow("Its 'players' aren't names.")
    _check_usual(row.get("options") or {})
    try:
        cards = [SUITS[card["suitIndex"]] * rules.MAX_RANKS + card["rank"] - 1 for card in deck]
    except (TypeError, KeyError, IndexError):
        raise BadRow("Its deck isn't one of five suits with ranks 1 to 5.") from None
    simulation = dealt("hanabi", {"players": len(names)}, cards)
    for number, action in enumerate(actions, 1):
        if simulation.over:
            raise BadRow(f"It goes on after its end: action {number} of {len(actions)}.")
        joint = [simulation.no_op] * len(names)
        joint[int(simulation.state[rules.CURRENT])] = _action(simulation, action, number)
        step(simulation, joint)
    if not simulation.over:
        raise BadRow(f"It breaks off after {len(actions)} actions, before its end.")
    identity = str(field_of(row, "id", (int, str)))
    people = [person(pseudonym("L", name)) for name in names]
    url = f"https://hanab.live/replay/{identity}"
    return Played(identity, f"{len(names)} players", simulation, people, url=url)


def _check_usual(options: Any) -> None:
    if not isinstance(options, dict):
        raise BadRow("Its 'options' are no object.")
    for name, value in options.items():
        usual = value in (None, False, 0) or (name in ("variant", "variantName") and value == VARIANT)
        if name not in HARMLESS and not usual:
            raise BadRow(f"It was played by other rules ({name[:40]}: {str(value)[:40]}).")


def _action(simulation: Simulation, action: Any, number: int) -> int:
    """The action id of an action of hanab.live by the seat to move; raises BadRow."""
    try:
        kind, target, value = action["type"], action["target"], action.get("value")
    except (TypeError, KeyError, AttributeError):
        raise BadRow(f"Action {number} has no 'type' and 'target'.") from None
    if kind == 4:
        raise BadRow(f"It was ended by hand at action {number}, before its end.")
    state, seat = simulation.state, int(simulation.state[rules.CURRENT])
    if kind in (0, 1):
        keys = [rules.key_at(state, seat, slot) for slot in range(int(rules.hand_size(state, seat)))]
        if target not in keys:
            raise BadRow(f"Action {number} is of card {str(target)[:20]}, which isn't in the hand to move.")
        slot = keys.index(target)
        return int(rules.play_action(state, slot)) if kind == 0 else slot
    number_ok = type(value) is int and type(target) is int and 0 <= target < simulation.seats
    if kind in (2, 3) and number_ok and 0 <= value - (kind == 3) < rules.MAX_RANKS:
        if target == seat:
            raise BadRow(f"Action {number} is a hint to oneself, which the rules don't allow.")
        offset = (target - seat) % simulation.seats
        if kind == 2:
            return int(rules.color_action(state, offset, SUITS[value]))
        return int(rules.rank_action(state, offset, value - 1))
    raise BadRow(f"Action {number} isn't one that hanab.live has.")


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

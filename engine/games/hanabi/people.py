"""Recorded games of people at Hanabi: HanabiData as JSON (`people-hanabi`); those of hanab.live are read in
`hanab_live`. Not for what becomes of them (the site, learning).

One game a line (docs/people.md has the fields): two players, an agent in seat 0 and a person in seat 1, hand
index 0 the oldest card. Where the rules of that experiment differ, options say so: points are kept at the
last misplay, and cards may be discarded with all hints there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.games.hanabi import hanab_live, rules
from engine.games.hanabi.options import COLOR_LETTERS
from engine.games.people import (
    Format,
    Played,
    Source,
    dealt,
    field_of,
    lines_of,
    person,
    pseudonym,
    refuse,
    same,
    step,
    whole,
)
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

KINDS = ("play", "discard", "color", "rank")
AGENTS = {"outer": "Outer (2017)", "intentional": "Intentional (2017)", "full": "Full (2017)"}
OPTIONS = {"players": 2, "bomb": "keep", "discard": "always"}
# "How much did you enjoy playing with this AI?", on the scale of this site.
LIKED = {"vhate": 1, "hate": 2, "neutral": 4, "like": 6, "vlike": 7}
ENDS = {rules.OUT_OF_LIVES: "lives", rules.OUT_OF_CARDS: "cards"}


def games_of(path: Path | str, skip: Callable[[str], None] = refuse) -> Iterator[dict[str, Any]]:
    """The rows of a file of the format `people-hanabi`; damaged lines are told to `skip`."""
    return lines_of(path, skip)


def played(row: dict[str, Any]) -> Played:
    """A row of `people-hanabi`, played again: every move, card, hint and hand is as recorded, or Refusal."""
    moves, hints, shown = (field_of(row, name, list) for name in ("moves", "hints_left", "shown"))
    if not len(moves) == len(hints) == len(shown):
        raise Refusal("Its 'moves', 'hints_left' and 'shown' aren't of one length.")
    agent, human = field_of(row, "ai", str), field_of(row, "human_seat", int)
    if agent not in AGENTS or human not in (0, 1):
        raise Refusal("Its 'ai' or 'human_seat' isn't what the format says.")
    simulation = dealt("hanabi", OPTIONS, field_of(row, "deck", list))
    hands = [_hand(simulation, seat) for seat in (0, 1)]
    for number, (move, left, card) in enumerate(zip(moves, hints, shown, strict=True), 1):
        if simulation.over:
            raise Refusal(f"It goes on after its end: move {number} of {len(moves)}.")
        seat, action = _move(move, number)
        same(f"The seat to make move {number}", simulation.current, seat)
        hands = [_hand(simulation, player) for player in (0, 1)]
        step(simulation, [action if player == seat else simulation.no_op for player in (0, 1)])
        _as_shown(simulation, number, left, card)
    state = simulation.state
    same("The end", ENDS.get(int(state[rules.OVER]), "not there"), field_of(row, "end", str))
    same("The score", simulation.score, field_of(row, "score", int))
    _as_printed(row.get("last_hands"), hands, [_hand(simulation, seat) for seat in (0, 1)])
    survey = {str(name): str(answer) for name, answer in (row.get("survey") or {}).items()}
    name = pseudonym("H", field_of(row, "participant", str))
    seats: list[dict[str, Any]] = [{}, {}]
    seats[human] = person(name)
    seats[1 - human] = {"kind": "agent", "name": AGENTS[agent], "agent": None, "pseudonym": None}
    liked = LIKED.get(survey.get("like", ""))
    rating = {"seat": human, "partner_seat": 1 - human, "partner": liked, "person": name}
    return Played(
        id=field_of(row, "id", str),
        kind=agent,
        simulation=simulation,
        seats=seats,
        when=_when(row.get("time")),
        url=f"{HANABI_DATA.url}/blob/master/log/game{row['id']}.log",
        survey=survey,
        ratings=[rating] if liked else [],
    )


def _when(seconds: Any) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(whole(seconds, 0, 2**33, "Its time"), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        raise Refusal("Its 'time' is no time.") from None


def _hand(simulation: Simulation, seat: int) -> list[int]:
    """Card ids, the oldest first."""
    state = simulation.state
    slots = range(int(rules.hand_size(state, seat)))
    return [int(rules.card_of(state, rules.key_at(state, seat, slot))) for slot in slots]


def _move(move: Any, number: int) -> tuple[int, int]:
    """(seat, action id) of `[seat, kind, where, color, rank]`; raises Refusal."""
    try:
        seat, kind, where, color, rank = move
        kind = KINDS.index(kind)
        hint = COLOR_LETTERS.index(color) if kind == rules.HINT_COLOR else rank - 1 if kind > 1 else 0
    except (TypeError, ValueError):
        raise Refusal(f"Move {number} isn't written as the format says.") from None
    if not all(type(number) is int for number in (seat, where, hint)) or seat not in (0, 1):
        raise Refusal(f"Move {number} isn't written as the format says.")
    if kind >= rules.HINT_COLOR:
        if where == seat:
            raise Refusal(f"Move {number} is a hint to oneself, which the rules don't allow.")
        whole(where, 0, 1, f"The seat that move {number} tells")
        first, top = (10, 5) if kind == rules.HINT_COLOR else (15, 5)
    else:
        first, top, hint = (5 if kind == rules.PLAY else 0), 5, where
    if not 0 <= hint < top:
        raise Refusal(f"Move {number} is of a card, colour or rank that there isn't.")
    return seat, first + hint


def _as_shown(simulation: Simulation, number: int, left: Any, card: Any) -> None:
    """Raise Refusal unless the last move left as many hints and showed the card that was recorded."""
    state = simulation.state
    if left is not None:
        same(f"The number of hints left after move {number}", int(state[rules.INFORMATION]), left)
    if card is not None:
        success = int(state[rules.LAST_SCORED]) if int(state[rules.LAST_KIND]) == rules.PLAY else None
        same(f"What move {number} showed", [int(state[rules.LAST_CARD]), success], card)


def _as_printed(printed: Any, before: list[list[int]], after: list[list[int]]) -> None:
    """Raise Refusal unless each hand is as last printed: before the last move, or after it."""
    for seat, hand in enumerate(printed if isinstance(printed, list) else []):
        if hand is not None and hand not in (before[seat], after[seat]):
            same(f"The last hand of seat {seat}", after[seat], hand)


HANABI_DATA = Source(
    title="HanabiData",
    url="https://github.com/yawgmoth/HanabiData",
    licence="CC BY 4.0",
    licence_url="https://creativecommons.org/licenses/by/4.0/",
    attribution="Markus Eger, with Chris Martens (Principles of Expressive Machines Lab, NC State "
    "University). M. Eger, C. Martens, M. Alfaro Cordoba: An Intentional AI for Hanabi, IEEE CIG 2017.",
    changed="Turned into JSON, colours renumbered, decks written out, times and surveys joined; made into an "
    "episode log, participants renamed.",
    year=2017,
)
FORMATS = (
    Format("people-hanabi", HANABI_DATA, games_of, played, lambda kind: f"with {AGENTS.get(kind, kind)}"),
    hanab_live.FORMAT,
)

"""How seats are called, at tables, in replays and after games alike: oneself "You", other people by
pseudonym, agents by name, twins with a number that one can say aloud ("Squad 2").

Not for: names inside sentences, which say "Player 3" until a page puts the name there (static/js/names.js).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.simulation.log import EpisodeLog
from webapp.accounts.models import User
from webapp.episodes.models import Episode

SURPRISE_NAME = "Surprise agent"


def is_own_seat(seat: dict, user: User) -> bool:
    """Whether this person sat there."""
    return seat.get("kind") == "person" and seat.get("pseudonym") == user.pseudonym


def hidden_seats(episode: Episode) -> set[int]:
    """The seats whose agents have no name yet: those of a running match that hides them until the end."""
    if episode.status != Episode.RUNNING or not hasattr(episode, "match"):
        return set()
    return set(episode.match.seats.filter(hidden=True).values_list("index", flat=True))


def nameless(log: EpisodeLog, hidden: set[int]) -> EpisodeLog:
    """The log as it may be told while the agents of these seats are hidden."""

    def shown(seat: int, controller: dict[str, Any]) -> dict[str, Any]:
        seat_then = log.header["seats"][seat]
        is_own = controller.get("kind") == "agent" and controller.get("agent") == seat_then.get("agent")
        return (
            {**controller, "name": SURPRISE_NAME, "agent": None} if seat in hidden and is_own else controller
        )

    seats = [shown(seat, controller) for seat, controller in enumerate(log.header["seats"])]
    records = (
        {**record, "controller": shown(record["seat"], record.get("controller") or {})}
        if record["type"] == "control"
        else record
        for record in log.records
    )
    return EpisodeLog({**log.header, "seats": seats}, records)


def blinded(log: EpisodeLog) -> EpisodeLog:
    """The log as it is told to who marks blindly: no agent has a name."""

    def shown(controller: dict[str, Any]) -> dict[str, Any]:
        return {**controller, "name": "", "agent": None} if controller.get("kind") == "agent" else controller

    records = (
        {**record, "controller": shown(record.get("controller") or {})}
        if record["type"] == "control"
        else record
        for record in log.records
    )
    return EpisodeLog({**log.header, "seats": [shown(seat) for seat in log.header["seats"]]}, records)


def seat_names(episode: Episode, user: User, blind: bool = False) -> list[str]:
    """Names by seat, twins with their numbers. While a match runs, hidden agents stay hidden; who marks
    blindly learns which seats were agents' and no name.
    """
    if blind:
        kinds = ("Agent" if seat.get("kind") == "agent" else "Player" for seat in episode.seats)
        return [f"{kind} {number}" for number, kind in enumerate(kinds, 1)]
    return told_apart(names(episode, user))


def names(episode: Episode, user: User) -> list[str]:
    """Names by seat, as `seat_names` has them before twins are told apart."""
    hidden = hidden_seats(episode)
    names_then: list[str] = []
    for index, seat in enumerate(episode.seats):
        if is_own_seat(seat, user):
            name = "You"
        elif seat.get("kind") == "person":
            name = seat.get("pseudonym") or f"Player {index + 1}"
        elif index in hidden:
            name = SURPRISE_NAME
        else:
            name = seat.get("name") or seat.get("agent") or f"Agent {index + 1}"
        names_then.append(name)
    return names_then


def told_apart(names: Sequence[str]) -> list[str]:
    """The names by seat, those that several have with a number each: "Squad 1", "Squad 2"."""
    return [
        f"{name} {names[: seat + 1].count(name)}" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def listing(names: Sequence[str]) -> str:
    """ "Ada, 3 × Squad", each name once."""
    return ", ".join(f"{n} × {name}" if n > 1 else name for name, n in Counter(names).items())

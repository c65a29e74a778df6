"""How the seats of an episode are called on pages: oneself "You", other people by pseudonym, agents by
name.
"""

from __future__ import annotations

from typing import Any

from engine.simulation.log import EpisodeLog
from webapp.accounts.models import User
from webapp.replays.models import Episode

SURPRISE = "Surprise agent"


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

    def told(seat: int, controller: dict[str, Any]) -> dict[str, Any]:
        own = log.header["seats"][seat]
        is_own = controller.get("kind") == "agent" and controller.get("agent") == own.get("agent")
        return {**controller, "name": SURPRISE, "agent": None} if seat in hidden and is_own else controller

    seats = [told(seat, one) for seat, one in enumerate(log.header["seats"])]
    records = (
        {**record, "controller": told(record["seat"], record.get("controller") or {})}
        if record["type"] == "control"
        else record
        for record in log.records
    )
    return EpisodeLog({**log.header, "seats": seats}, records)


def seat_names(episode: Episode, user: User) -> list[str]:
    """Names by seat, each different from the others. While a match runs, hidden agents stay hidden."""
    hidden = hidden_seats(episode)
    names: list[str] = []
    for index, seat in enumerate(episode.seats):
        if is_own_seat(seat, user):
            name = "You"
        elif seat.get("kind") == "person":
            name = seat.get("pseudonym") or f"Player {index + 1}"
        elif index in hidden:
            name = SURPRISE
        else:
            name = seat.get("name") or seat.get("agent") or f"Agent {index + 1}"
        names.append(name)
    return [f"{name} ({index + 1})" if names.count(name) > 1 else name for index, name in enumerate(names)]

"""How the seats of an episode are called on pages: oneself "You", other people by pseudonym, agents by
name.
"""

from __future__ import annotations

from webapp.accounts.models import User
from webapp.replays.models import Episode


def is_own_seat(seat: dict, user: User) -> bool:
    """Whether this person sat there."""
    return seat.get("kind") == "person" and seat.get("pseudonym") == user.pseudonym


def seat_names(episode: Episode, user: User) -> list[str]:
    """Names by seat, each different from the others. While a match runs, hidden agents stay hidden."""
    hidden: set[int] = set()
    if episode.status == Episode.RUNNING and hasattr(episode, "match"):
        hidden = set(episode.match.seats.filter(hidden=True).values_list("index", flat=True))
    names: list[str] = []
    for index, seat in enumerate(episode.seats):
        if is_own_seat(seat, user):
            name = "You"
        elif seat.get("kind") == "person":
            name = seat.get("pseudonym") or f"Player {index + 1}"
        elif index in hidden:
            name = "Surprise agent"
        else:
            name = seat.get("name") or seat.get("agent") or f"Agent {index + 1}"
        names.append(name)
    return [f"{name} ({index + 1})" if names.count(name) > 1 else name for index, name in enumerate(names)]

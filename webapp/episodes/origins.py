"""Where published games of people come from, as it stands with their episodes. Not for taking them in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.games.people import Source

SOURCE = "people"  # of their episodes


def sources(origins: Iterable[dict[str, Any]]) -> list[Source]:
    """The different sources of some episodes, as they stand with them."""
    names = Source.__dataclass_fields__
    return sorted(
        {Source(**{name: origin.get(name) for name in names}) for origin in origins if origin},
        key=lambda source: source.title,
    )

"""Games by their options, also those that were played before an option came. Not for what options mean."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from engine import games


def with_options(game: str, wanted: dict[str, Any], at: str = "options") -> Q:
    """Rows of a game whose options (the JSON field `at`) are these; one that a row doesn't know is at its
    default.
    """
    known, condition = games.spec(game).options, Q()
    for name, value in wanted.items():
        same = Q(**{f"{at}__{name}": value})
        if name in known and known[name].default == value:
            same |= Q(**{f"{at}__{name}__isnull": True})
        condition &= same
    return condition

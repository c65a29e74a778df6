"""Statistics of the people in the episodes that filters select, from rows: may they be enough to make a human
proxy? Not for what they did (engine.evaluation.imitation reads that from the logs).
"""

from __future__ import annotations

import json

from django.db.models import Sum, TextField
from django.db.models.functions import Cast

from engine import games
from engine.evaluation.imitation import little, too_few
from webapp.datasets import selection
from webapp.datasets.selection import Filters


def lacking(filters: Filters, divide: int) -> tuple[str, str]:
    """(why nobody can be cloned, that those who can are few): a sentence each, "" where it isn't so."""
    spec, tables, moves = games.spec(filters.game), [], 0
    found = selection.episodes(filters).order_by().values_list(Cast("seats", TextField()))
    for text, ticks in found.annotate(
        ticks_in_all=Sum("ticks")
    ):  # those who sit together often are read once
        seats = json.loads(text)
        names = [
            str(seat.get("pseudonym") or seat.get("name")) for seat in seats if seat.get("kind") == "person"
        ]
        if names:
            tables.append(names)
            moves += ticks * len(names) // (len(seats) if spec.turn_based else spec.decision_ticks)
    return too_few(tables, divide), little(moves)

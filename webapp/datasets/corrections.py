"""Players' corrections of readings, as data for the reader: one row per correction.

Three kinds: the player chose another reading of the same words ("chosen"), replaced the words ("rewritten"),
or kept a reading of the site's language model that differs from the embedded reader's ("opinion"). Not for
confirmed or withdrawn instructions; those are in a snapshot's table of instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from engine.simulation.life import State
from webapp.matches.models import Instruction


def rows(game: str = "") -> Iterator[dict[str, Any]]:
    """All corrections, the oldest first, of one game or ("") of all: {"id", "game", "kind", "text",
    "offered", "meant_text", "meant", "status", "at", "player"}.

    `offered` and `meant` are {"refused", "sentence", "program"}: what the embedded reader made of it first,
    and what the player chose or let stand, or the new words mean. `status` says what became of the latter,
    `player` is a pseudonym, or null when the account is gone.
    """
    opinion = Q(reading__embedded__isnull=False, status=State.CONFIRMED)
    found = Instruction.objects.filter(Q(reading__chosen__gt=0) | Q(replaces__isnull=False) | opinion)
    found = found.exclude(reading__has_key="changed")  # what no words say
    if game:
        found = found.filter(match__game=game)
    for one in found.select_related("match", "user", "replaces").order_by("created_at").iterator(500):
        first = one.replaces or one
        reading = one.reading or {}
        kind = "rewritten" if first.text != one.text else "opinion" if "embedded" in reading else "chosen"
        yield {
            "id": str(one.pk),
            "game": one.match.game,
            "kind": kind,
            "text": first.text,
            "offered": _told(_offered(first.reading or {})),
            "meant_text": one.text,
            "meant": _told(reading),
            "status": one.status,
            "at": one.created_at.isoformat(),
            "player": one.user.pseudonym if one.user else None,
        }


def _offered(reading: dict[str, Any]) -> dict[str, Any]:
    return reading.get("embedded") or reading.get("offered") or reading


def _told(reading: dict[str, Any]) -> dict[str, Any]:
    return {key: reading.get(key) for key in ("refused", "sentence", "program")}

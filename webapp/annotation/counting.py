"""Which marks count, and as what: the one rule that agreement, gold results and snapshots read.

Whoever was handed an episode counts by what they submitted, as it stood then (`Mark.submitted`); whoever
marks without being asked counts by what stands now. Not for: who may see marks (`access`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast, Coalesce

from webapp.accounts.models import User
from webapp.annotation.models import Assignment, Mark, Tally
from webapp.episodes.models import Episode


def stood(mark: Mark) -> dict[str, Any]:
    """{"seat", "tick", "sign", "revision", "context", "made_at"} of a mark that counts."""
    return mark.submitted or as_it_stands(mark)


def place(mark: Mark) -> tuple[int, int, int]:
    """(seat, tick, sign) of a mark that counts."""
    said = stood(mark)
    return said["seat"], said["tick"], said["sign"]


def submitted_places(marks: QuerySet[Mark]) -> dict[tuple[UUID, int], list[tuple[int, int, int]]]:
    """Of those that are part of a submission, (seat, tick, sign) by episode and annotator. What was submitted
    is read as one text: a database's values one by one take many times as long.
    """
    said = marks.filter(submitted__isnull=False).annotate(said=Cast("submitted", TextField()))
    rows = list(said.values_list("episode", "annotator", "said"))
    stood = json.loads(f"[{','.join(text for *_, text in rows)}]")
    found: dict[tuple[UUID, int], list[tuple[int, int, int]]] = defaultdict(list)
    for (episode, annotator, _), one in zip(rows, stood, strict=True):
        found[episode, annotator].append((one["seat"], one["tick"], one["sign"]))
    return found


def as_it_stands(mark: Mark) -> dict[str, Any]:
    """The same of any mark as it is now; JSON."""
    return {
        "seat": mark.seat,
        "tick": mark.tick,
        "sign": mark.sign,
        "revision": mark.revision,
        "context": mark.context,
        "made_at": mark.made_at.isoformat() if mark.made_at else None,
    }


def is_free(submitted: dict[str, Any] | None, simulated: bool) -> bool:
    """Whether a person made a mark that counts on an episode that nobody handed to them, by what was
    submitted of it and whether its maker is simulated.
    """
    return submitted is None and not simulated


def freeze(user: User, episode: Episode) -> None:
    """What stands of this person's marks on an episode is what counts from now on, whatever is changed later.

    In the transaction that submits, which holds the assignment's row (see `queue`).
    """
    own = Mark.objects.filter(episode=episode, annotator=user)
    own.update(submitted=None)
    standing = list(own.filter(deleted=False))
    for mark in standing:
        mark.submitted = as_it_stands(mark)
    Mark.objects.bulk_update(standing, ["submitted"], batch_size=200)


def counted() -> QuerySet[Mark]:
    """The marks that count; `stood` says as what."""
    handed = Assignment.objects.filter(episode=OuterRef("episode"), annotator=OuterRef("annotator"))
    return Mark.objects.filter(Q(submitted__isnull=False) | Q(deleted=False) & ~Exists(handed))


def signed(sign: int) -> Q:
    """Those of `counted` that count with this sign."""
    return Q(submitted__sign=sign) | Q(submitted__isnull=True, sign=sign)


def unsubmitted(user: User, episode: Episode) -> int:
    """How many of this person's marks on an episode were changed since it was submitted."""
    return sum(
        mark.submitted["revision"] != mark.revision if mark.submitted else not mark.deleted
        for mark in Mark.objects.filter(episode=episode, annotator=user)
    )


def marks_of(user: User, episode: str) -> Coalesce:
    """How many marks of a person stand on an episode, for rows of which `episode` names it."""
    tally = Tally.objects.filter(episode=OuterRef(episode), annotator=user)
    return Coalesce(Subquery(tally.values("standing")[:1]), 0)

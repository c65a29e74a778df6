"""Which marks count, and as what: the one rule that agreement, gold results and snapshots read.

Whoever was handed an episode counts by what they submitted, as it stood then (the version of the mark that
`Mark.submitted` names); whoever marks without being asked counts by what stands now. Not for: who may see
marks (`access`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db.models import Case, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from webapp.accounts.models import User
from webapp.annotation.models import Assignment, Mark, MarkVersion, Tally
from webapp.episodes.models import Episode


def with_version(marks: QuerySet[Mark]) -> QuerySet[Mark]:
    """Marks that count with `version`, the one that does, where that isn't the newest, the row itself."""
    version = FilteredRelation("versions", condition=Q(versions__revision=F("submitted")))
    return marks.annotate(version=version)


def as_counted(name: str) -> Coalesce:
    """A column of marks `with_version`, as it counts."""
    return Coalesce(f"version__{name}", name)


def stood(mark: Mark) -> Mark | MarkVersion:
    """The version of a mark that counts. It is looked for among `versions`, which the caller may prefetch."""
    if mark.submitted in (None, mark.revision):
        return mark
    return next((one for one in mark.versions.all() if one.revision == mark.submitted), mark)


def place(mark: Mark) -> tuple[int, int, int]:
    """(seat, tick, sign) of a mark that counts."""
    version = stood(mark)
    return version.seat, version.tick, version.sign


def submitted_places(marks: QuerySet[Mark]) -> dict[tuple[UUID, int], list[tuple[int, int, int]]]:
    """Of those that are part of a submission, (seat, tick, sign) by episode and annotator."""
    said = with_version(marks.filter(submitted__isnull=False))
    rows = said.values_list("episode", "annotator", *map(as_counted, ("seat", "tick", "sign")))
    found: dict[tuple[UUID, int], list[tuple[int, int, int]]] = defaultdict(list)
    for episode, annotator, *one in rows:
        found[episode, annotator].append(tuple(one))
    return found


def is_free(submitted: int | None, simulated: bool) -> bool:
    """Whether a person made a mark that counts on an episode that nobody handed to them, by what was
    submitted of it and whether its maker is simulated.
    """
    return submitted is None and not simulated


def freeze(user: User, episode: Episode) -> None:
    """What stands of this person's marks on an episode is what counts from now on, whatever is changed later.

    In the transaction that submits, which holds the assignment's row (see `queue`).
    """
    stands = Case(When(deleted=False, then=F("revision")), default=None)
    Mark.objects.filter(episode=episode, annotator=user).update(submitted=stands)


def counted(episodes: Sequence[Episode | UUID]) -> QuerySet[Mark]:
    """The marks on some episodes that count; `stood` says as what."""
    chosen = Q(episode__among=[getattr(one, "pk", one) for one in episodes])
    # Named here, too: else a database may look through all that was ever handed out for the marks of a few.
    handed = Assignment.objects.filter(chosen, episode=OuterRef("episode"))
    stands = Q(deleted=False) & ~Exists(handed.filter(annotator=OuterRef("annotator")))
    return Mark.objects.filter(chosen, Q(submitted__isnull=False) | stands)


def unsubmitted(user: User, episode: Episode) -> int:
    """How many of this person's marks on an episode were changed since it was submitted."""
    changed = Q(submitted__isnull=False) & ~Q(submitted=F("revision"))
    new = Q(submitted__isnull=True, deleted=False)
    return Mark.objects.filter(changed | new, episode=episode, annotator=user).count()


def marks_of(user: User, episode: str) -> Coalesce:
    """How many marks of a person stand on an episode, for rows of which `episode` names it."""
    tally = Tally.objects.filter(episode=OuterRef(episode), annotator=user)
    return Coalesce(Subquery(tally.values("standing")[:1]), 0)

"""What the queue's episodes are worth being marked, by the newest reward model that can read each: a short
job of the kind "worth", whose program is `manage.py episodes rank`.

Which episodes it is not known of (`due`), the job's row (`ask`), the work (`measured`, in the job's program),
and its rows (`keep`). What it is made of is in engine.learning.parts.worth, how it orders episodes in
`queue`.

Only episodes that nobody has marked or submitted are ranked, so no model has learned from them: what is said
of them to annotators, and their place in the queue, tells nothing of others' marks there (see `access`).
Later they keep the value from before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from engine.simulation.log import EpisodeLog
from webapp.annotation.judges import made_for
from webapp.annotation.models import Assignment, Mark, Worth
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.jobs.models import Job

KIND = "worth"
SECONDS = 10  # of a job, so that clips and curves don't wait for long; what is left is the next one's
AGAIN = timedelta(hours=1)  # after a job that went wrong


def finished(game: str) -> QuerySet[Episode]:
    """What queues of a game hand out: episodes that came to an end and are open to annotators."""
    return Episode.objects.filter(game=game, status=Episode.FINISHED, for_annotators=True, ticks__gt=0)


def newest(game: str) -> datetime | None:
    """When the newest reward model of a game was made; None where there is none."""
    return made_for(game).aggregate(at=Max("finished_at"))["at"]


def due(game: str) -> QuerySet[Episode]:
    """Episodes that nobody has marked, or submitted without a mark, and that were not ranked since the newest
    reward model was made, oldest first.
    """
    seen = newest(game)
    if seen is None:
        return Episode.objects.none()
    marked = Exists(Mark.objects.filter(episode=OuterRef("pk")))
    submitted = Exists(Assignment.objects.filter(episode=OuterRef("pk"), status=Assignment.SUBMITTED))
    known = Exists(Worth.objects.filter(episode=OuterRef("pk"), seen=seen))
    return finished(game).filter(~marked, ~submitted, ~known).order_by("started_at", "pk")


def ask(game: str) -> Job | None:
    """A new job, if episodes are due and none is under way or went wrong just now. Where two workers ask at
    the same moment there are two, which write the same.
    """
    wrong = Q(state__in=(*Job.RESUMABLE, Job.REFUSED), finished_at__gt=timezone.now() - AGAIN)
    busy = Q(state__in=(Job.QUEUED, Job.RUNNING, Job.CANCELLING))
    if not due(game).exists() or Job.objects.filter(wrong | busy, kind=KIND, settings__game=game).exists():
        return None
    return Job.objects.create(kind=KIND, queue=Job.SHORT, settings={"game": game})


def measured(game: str, tell: Callable[[str], object]) -> dict[str, Any]:
    """{"seen": when the newest model was made, "found": [{"episode", "value", "round"}]} of some of what is
    due: as much as fits in SECONDS. `tell` hears what went wrong with an episode; others don't wait for it.
    """
    import torch

    from engine.agents import utility

    torch.set_num_threads(1)  # a short job that runs beside matches and trainings
    seen, until, worths = newest(game), time.monotonic() + SECONDS, []
    load = cache(utility.load)
    for episode in due(game)[:1000]:
        try:
            value, number = value_of(episode, log_store().read(episode.pk), load)
        except Exception as error:
            tell(f"Episode {episode.pk} can't be ranked: {error or type(error).__name__}")
            value, number = None, None
        worths.append({"episode": str(episode.pk), "value": value, "round": number})
        if time.monotonic() > until:
            break
    return {"seen": seen and seen.isoformat(), "found": worths}


def value_of(episode: Episode, log: EpisodeLog, load: Callable[..., Any]) -> tuple[float | None, int | None]:
    """An episode's worth and whose model says so, the newest round's that can read it; two times None where
    none can."""
    from engine.learning.parts.worth import QUEUES, worth
    from webapp.annotation.utility import models_for

    for model in models_for(episode):
        try:
            if not model.why_not:
                return worth(load(model.folder), log, QUEUES)[QUEUES], model.number
        except ValueError:  # it is gone, reads other numbers, or has one member
            continue
    return None, None


def keep(made: dict[str, Any]) -> None:
    """Write what was `measured`, but of episodes that were deleted meanwhile."""
    there = set(
        Episode.objects.filter(pk__in=[row["episode"] for row in made["found"]]).values_list("pk", flat=True)
    )
    seen = {"seen": made["seen"] and datetime.fromisoformat(made["seen"])}
    rows = [
        Worth(episode_id=UUID(row["episode"]), **seen, value=row["value"], round=row["round"])
        for row in made["found"]
    ]
    Worth.objects.bulk_create(
        [row for row in rows if row.episode_id in there],
        update_conflicts=True,
        unique_fields=["episode"],
        update_fields=["value", "round", "seen", "at"],
    )

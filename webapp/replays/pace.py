"""How annotators work: time an episode, marks a minute, submissions without a mark, and floods of marks,
which no person makes. Not for: how far they agree (`agreement`).
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from statistics import median

from django.db.models import Count, Exists, Max, Min, OuterRef

from webapp.accounts.models import User
from webapp.replays.access import blind_spots
from webapp.replays.models import Assignment, Mark, Tally
from webapp.studies.models import Study

MANY = 20  # marks on an episode; fewer are no flood
FASTEST = 40  # marks a minute that a person may make while looking at what they mark
BEYOND = 5  # times as many marks as others put on an episode


@dataclass(frozen=True)
class Work:
    """One submitted episode of one annotator; `minutes` from its hand-out to its first submission, None
    where that is unknown, as of what was imported.
    """

    who: str
    episode: uuid.UUID
    ticks: int
    marks: int
    minutes: float | None


@dataclass(frozen=True)
class Pace:
    """All that one annotator has submitted in a study; the times are of what has one."""

    who: str
    episodes: int
    empty: int
    marks: int
    minutes: float | None  # an episode, the median
    per_minute: float | None


@dataclass(frozen=True)
class Flood:
    episode: uuid.UUID
    sentence: str


def works(study: Study, viewer: User) -> list[Work]:
    """What was submitted, without the episodes of whose marks the viewer may not know yet."""
    submitted = Assignment.objects.filter(study=study, status=Assignment.SUBMITTED)
    submitted = submitted.exclude(episode__in=blind_spots(viewer)).order_by(
        "annotator__pseudonym", "handed_at"
    )
    tallies = Tally.objects.filter(episode__in=submitted.values("episode"))
    counted = {
        (episode, annotator): up + down
        for episode, annotator, up, down in tallies.values_list(
            "episode", "annotator", "progress", "regression"
        )
    }
    columns = ("annotator__pseudonym", "annotator", "episode", "episode__ticks", "handed_at", "closed_at")
    return [
        Work(
            who,
            episode,
            ticks,
            counted.get((episode, annotator), 0),
            (closed_at - handed_at).total_seconds() / 60 if closed_at and closed_at > handed_at else None,
        )
        for who, annotator, episode, ticks, handed_at, closed_at in submitted.values_list(*columns)
    ]


def paces(found: list[Work]) -> list[Pace]:
    """The same by annotator."""
    by_person: dict[str, list[Work]] = defaultdict(list)
    for work in found:
        by_person[work.who].append(work)
    return [_pace(who, own) for who, own in by_person.items()]


def _pace(who: str, own: list[Work]) -> Pace:
    timed = [(work.marks, work.minutes) for work in own if work.minutes is not None]
    times = [minutes for _, minutes in timed]
    return Pace(
        who,
        len(own),
        sum(not work.marks for work in own),
        sum(work.marks for work in own),
        median(times) if times else None,
        sum(marks for marks, _ in timed) / max(sum(times), 1 / 60) if times else None,
    )


def floods(study: Study, found: list[Work], viewer: User) -> list[Flood]:
    """Submissions, and free marks on the study's game, of more than a person makes, or than others do."""

    @cache
    def usual_for(who: str) -> float | None:
        """The marks a tick that the others make."""
        others = [work.marks / max(1, work.ticks) for work in found if work.who != who]
        return median(others) if others else None

    mine = (flood for work in found if (flood := _flood(work, usual_for)))
    return [*mine, *free_floods(study, viewer)]


def _flood(work: Work, usual_for: Callable[[str], float | None]) -> Flood | None:
    if work.marks < MANY:
        return None
    said = f"{work.who} put {work.marks} marks on it"
    if work.minutes is not None and (rate := work.marks / max(work.minutes, 1 / 60)) > FASTEST:
        return Flood(
            work.episode,
            f"{said} in {_time(work.minutes)}, {rate:.0f} a minute: faster than a person looks.",
        )
    others = usual_for(work.who)
    usual = None if others is None else others * work.ticks
    if usual is not None and work.marks > BEYOND * max(1.0, usual):
        return Flood(work.episode, f"{said}, where others put about {usual:.0f} on an episode of its length.")
    return None


def free_floods(study: Study, viewer: User) -> list[Flood]:
    """Marks of people on what nobody handed to them, many and at once by the server's clock."""
    handed = Assignment.objects.filter(episode=OuterRef("episode"), annotator=OuterRef("annotator"))
    free = Mark.objects.filter(submitted__isnull=True, deleted=False, episode__game=study.game)
    free = free.filter(~Exists(handed), annotator__is_simulated=False).exclude(
        episode__in=blind_spots(viewer)
    )
    rows = free.values_list("annotator__pseudonym", "episode").order_by("annotator__pseudonym", "episode")
    rows = rows.annotate(count=Count("pk"), first=Min("created_at"), last=Max("created_at")).filter(
        count__gte=MANY
    )
    return [
        Flood(
            episode,
            f"{who} put {count} free marks on it in {_time(minutes)}, "
            f"{count / max(minutes, 1 / 60):.0f} a minute: faster than a person looks, "
            "unless they were made offline.",
        )
        for who, episode, count, first, last in rows
        if count / max(minutes := (last - first).total_seconds() / 60, 1 / 60) > FASTEST
    ]


def _time(minutes: float) -> str:
    return f"{minutes:.0f} minutes" if minutes >= 1.5 else f"{max(1, round(60 * minutes))} seconds"

"""How annotators have worked lately: time per episode, marks per minute, submissions without a mark, and more
marks than a person can make. Not for: how much they agree (`agreement`).
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from statistics import median

from django.db.models import Exists, F, Max, Min, OuterRef, Subquery

from webapp.accounts.models import User
from webapp.annotation.access import told_of
from webapp.annotation.models import Assignment, Mark, Tally
from webapp.episodes.models import Episode
from webapp.studies.models import Study

LATEST = 500  # submissions that are looked at, and as many free tallies
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

    @property
    def figures(self) -> tuple[float | None, ...]:
        """As a table's row shows them."""
        return self.episodes, self.empty, self.marks, self.minutes, self.per_minute


@dataclass(frozen=True)
class Flood:
    episode: uuid.UUID
    sentence: str


def works(study: Study, viewer: User) -> list[Work]:
    """The last submissions, the latest first, without episodes whose marks the viewer may not see yet."""
    submitted = Assignment.objects.filter(told_of(viewer), study=study, status=Assignment.SUBMITTED)
    tally = Tally.objects.filter(episode=OuterRef("episode"), annotator=OuterRef("annotator"))
    counted = Subquery(tally.values(n=F("progress") + F("regression"))[:1])
    columns = ("annotator__pseudonym", "episode", "episode__ticks", "handed_at", "closed_at")
    rows = submitted.order_by("-closed_at", "pk").values_list(*columns, counted)[:LATEST]
    return [
        Work(
            who,
            episode,
            ticks,
            marks or 0,
            (closed_at - handed_at).total_seconds() / 60 if closed_at and closed_at > handed_at else None,
        )
        for who, episode, ticks, handed_at, closed_at, marks in rows
    ]


def paces(works: list[Work]) -> list[Pace]:
    """The same by annotator."""
    return [_pace(who, theirs) for who, theirs in sorted(_by_person(works).items())]


def _by_person(works: list[Work]) -> dict[str, list[Work]]:
    by_person: dict[str, list[Work]] = defaultdict(list)
    for work in works:
        by_person[work.who].append(work)
    return by_person


def _pace(who: str, works: list[Work]) -> Pace:
    timed = [(work.marks, work.minutes) for work in works if work.minutes is not None]
    times = [minutes for _, minutes in timed]
    return Pace(
        who,
        len(works),
        sum(not work.marks for work in works),
        sum(work.marks for work in works),
        float(median(times)) if times else None,
        sum(marks for marks, _ in timed) / max(sum(times), 1 / 60) if times else None,
    )


def floods(study: Study, works: list[Work], viewer: User) -> list[Flood]:
    """Submissions, and free marks on the study's game, of more than a person makes, or than others do."""
    # Of each annotator, the marks a tick that they usually make.
    usual = {
        who: median(work.marks / max(1, work.ticks) for work in theirs)
        for who, theirs in _by_person(works).items()
    }

    @cache
    def usual_for(who: str) -> float | None:
        """The number of marks that other annotators usually make."""
        others = [rate for other, rate in usual.items() if other != who]
        return median(others) if others else None

    mine = (flood for work in works if (flood := _flood(work, usual_for)))
    return [*mine, *free_floods(study, viewer)]


def _flood(work: Work, usual_for: Callable[[str], float | None]) -> Flood | None:
    if work.marks < MANY:
        return None
    sentence = f"{work.who} put {work.marks} marks on it"
    if work.minutes is not None and (rate := work.marks / max(work.minutes, 1 / 60)) > FASTEST:
        return Flood(
            work.episode,
            f"{sentence} in {_time(work.minutes)}, {rate:.0f} a minute: faster than a person looks.",
        )
    others = usual_for(work.who)
    usual = None if others is None else others * work.ticks
    if usual is not None and work.marks > BEYOND * max(1.0, usual):
        return Flood(
            work.episode, f"{sentence}, where others put about {usual:.0f} on an episode of its length."
        )
    return None


def free_floods(study: Study, viewer: User) -> list[Flood]:
    """Many free marks of a person that arrived at once by the server's clock."""
    people = User.objects.filter(is_simulated=False).values("pk")
    tallies = Tally.objects.filter(told_of(viewer), handed=False, annotator__in=people)
    # Few, and found by an index; a join would begin with all episodes of the game.
    of_game = Exists(Episode.objects.filter(pk=OuterRef("episode"), game=study.game))
    many = tallies.filter(of_game, standing__gte=MANY)
    rows = list(
        many.order_by("-pk").values_list("annotator__pseudonym", "episode", "standing", "annotator")[:LATEST]
    )
    marks = Mark.objects.filter(
        submitted__isnull=True,
        deleted=False,
        annotator__in={annotator for *_, annotator in rows},
        episode__in={episode for _, episode, *_ in rows},
    )
    made = marks.order_by().values_list("episode", "annotator")
    made = made.annotate(first=Min("created_at"), last=Max("created_at"))
    times = {(episode, annotator): (first, last) for episode, annotator, first, last in made}
    works = [
        _free_flood(who, episode, count, *times.get((episode, annotator), (None, None)))
        for who, episode, count, annotator in rows
    ]
    return sorted(filter(None, works), key=lambda flood: flood.sentence)


def _free_flood(
    who: str, episode: uuid.UUID, count: int, first: datetime | None, last: datetime | None
) -> Flood | None:
    minutes = (last - first).total_seconds() / 60 if first and last else 0.0
    rate = count / max(minutes, 1 / 60)
    if rate <= FASTEST:
        return None
    return Flood(
        episode,
        f"{who} put {count} free marks on it in {_time(minutes)}, {rate:.0f} a minute: faster than a person "
        "looks, unless they were made offline.",
    )


def _time(minutes: float) -> str:
    return f"{minutes:.0f} minutes" if minutes >= 1.5 else f"{max(1, round(60 * minutes))} seconds"

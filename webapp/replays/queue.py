"""The annotators' queue: which episode comes next, who holds it until when, how it is closed.

Hand-outs of one study are serialised by a write on the study's row that changes nothing: that takes the
row's lock on PostgreSQL and the write lock on SQLite, so the overlap holds however many people ask at once.
Not for: marks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from webapp.accounts.models import User
from webapp.replays.models import Assignment, Episode, Gold
from webapp.studies.models import Study

COUNTED = Q(assignments__status__in=(Assignment.OPEN, Assignment.SUBMITTED), assignments__is_gold=False)


@dataclass(frozen=True)
class HandOut:
    """An assignment and the sentence that says why this episode was chosen."""

    assignment: Assignment
    why: str


def expire_locks(study: Study) -> int:
    """Close the assignments whose lock has run out, so that their episodes go to others."""
    late = Assignment.objects.filter(study=study, status=Assignment.OPEN, expires_at__lt=timezone.now())
    return late.update(status=Assignment.EXPIRED)


def candidates(study: Study, user: User) -> QuerySet[Episode]:
    """Episodes that this person may get: finished, of the study's game, short of annotators, neither played
    nor ever held by the person; played ones before simulated ones, those already begun first, then the
    oldest.
    """
    held = Exists(Assignment.objects.filter(study=study, episode=OuterRef("pk"), annotator=user))
    played = Exists(Episode.players.through.objects.filter(episode=OuterRef("pk"), user=user))
    gold = Exists(Gold.objects.filter(study=study, episode=OuterRef("pk")))
    finished = Episode.objects.filter(game=study.game, status=Episode.FINISHED, public=True, ticks__gt=0)
    taken = Count("assignments", filter=COUNTED & Q(assignments__study=study))
    return (
        finished.exclude(held | played | gold)
        .annotate(taken=taken)
        .filter(taken__lt=study.overlap)
        .order_by("source", "-taken", "started_at", "pk")
    )


def next_gold(study: Study, user: User) -> Gold | None:
    """The gold episode that is due for this person, if one is: every `gold_every`-th episode, none twice."""
    if not study.gold_every:
        return None
    handed = Assignment.objects.filter(study=study, annotator=user).count()
    if (handed + 1) % study.gold_every:
        return None
    held = Exists(Assignment.objects.filter(study=study, episode=OuterRef("episode"), annotator=user))
    return Gold.objects.filter(~held, study=study).select_related("episode").order_by("pk").first()


@transaction.atomic
def hand_out(study: Study, user: User) -> HandOut | None:
    """The person's next assignment, or None when nothing is left.

    An episode that the person still holds, or held until the lock ran out while it still needs annotators,
    comes back first; nobody ever gets an episode of a study a second time after submitting or skipping it.
    """
    Study.objects.filter(pk=study.pk).update(overlap=F("overlap"))
    study.refresh_from_db()
    expire_locks(study)
    until = timezone.now() + timedelta(minutes=study.lock_minutes)
    mine = Assignment.objects.filter(study=study, annotator=user).select_related("episode", "study")
    held = mine.filter(status=Assignment.OPEN).first()
    if held:
        return _renew(held, until, "You had begun it.")
    for late in mine.filter(status=Assignment.EXPIRED).order_by("-handed_at"):
        if late.is_gold or _taken(study, late.episode) < study.overlap:
            return _renew(late, until, "You had begun it and its lock ran out; nobody has taken it since.")
    gold = next_gold(study, user)
    if gold:
        episode, why = gold.episode, _why(0, study)
    else:
        episode = candidates(study, user).first()
        if episode is None:
            return None
        why = _why(episode.taken, study)
    assignment = Assignment.objects.create(
        study=study, episode=episode, annotator=user, is_gold=gold is not None, expires_at=until
    )
    return HandOut(assignment, why)


def _taken(study: Study, episode: Episode) -> int:
    return Assignment.objects.filter(
        study=study, episode=episode, is_gold=False, status__in=(Assignment.OPEN, Assignment.SUBMITTED)
    ).count()


def _why(taken: int, study: Study) -> str:
    if taken:
        return f"{taken} of {study.overlap} annotators {'has' if taken == 1 else 'have'} it already."
    return "It is the oldest episode that nobody has marked yet."


def _renew(assignment: Assignment, until, why: str) -> HandOut:
    Assignment.objects.filter(pk=assignment.pk).update(status=Assignment.OPEN, expires_at=until)
    assignment.status, assignment.expires_at = Assignment.OPEN, until
    return HandOut(assignment, why)


def close(assignment: Assignment, status: str, reason: str = "") -> bool:
    """Submit or skip; whether this call did it. One that ran out is still taken: marks made late are marks.

    A conditional update, so a second press of Enter does nothing.
    """
    unclosed = Assignment.objects.filter(pk=assignment.pk, status__in=(Assignment.OPEN, Assignment.EXPIRED))
    return bool(unclosed.update(status=status, reason=reason[:300], closed_at=timezone.now()))


def editable_until(assignment: Assignment):
    """When the marks of a submitted assignment become final."""
    return assignment.closed_at + timedelta(minutes=assignment.study.editable_minutes)


def left_for(study: Study, user: User) -> int:
    """Episodes that this person could still get."""
    return candidates(study, user).count()

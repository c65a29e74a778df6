"""The annotators' queue: which episode comes next, who holds it until when, how it is closed.

Whatever takes one of an episode's places (a hand-out, taking up again what ran out) is serialised by the lock
of the study's row on PostgreSQL and by the write lock, with which every transaction begins, on SQLite, so the
overlap holds however many people ask at once. Marks and submission write to the assignment's row, which takes
the row's lock, so that what counts is what stood at one moment. Not for: marks.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import BooleanField, Exists, OuterRef, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from webapp.accounts.models import User
from webapp.annotation.counting import freeze
from webapp.annotation.models import Assignment, Gold, InQueue, Look
from webapp.common.pages import COUNTED
from webapp.episodes.models import Episode
from webapp.studies.models import Study

# The sources of episodes in the order in which those who know a study get them.
KINDS = ("import", "play", "people", "simulated")
RENEWED_AFTER = timedelta(seconds=10)
COMPARED = 400  # of what a model has read, with which one is compared
SOME_STUDY, SOMEBODY = -1, -2  # no row's numbers


@dataclass(frozen=True)
class HandOut:
    """An assignment and the sentence that says why this episode was chosen."""

    assignment: Assignment
    why: str


def expire_locks(study: Study) -> int:
    """Close the assignments whose lock has run out, so that their episodes go to others."""
    late = Assignment.objects.filter(study=study, status=Assignment.OPEN, expires_at__lt=timezone.now())
    return late.update(status=Assignment.EXPIRED)


def known_to(user: User, episode: str) -> Exists:
    """Whether this person played an episode, ever held it in any study (marks are one's own, not a study's),
    or has looked at others' marks on it; `episode` is its name in the outer query.
    """
    return (
        Exists(Assignment.objects.filter(episode=OuterRef(episode), annotator=user))
        | Exists(Episode.players.through.objects.filter(episode=OuterRef(episode), user=user))
        | Exists(Look.objects.filter(episode=OuterRef(episode), user=user))
    )


def candidates(study: Study, user: User) -> QuerySet[InQueue]:
    """The places in the queue that this person may get: finished episodes of the study's game, short of
    annotators, not known to the person, no gold.
    """
    return unknown(study, user).filter(taken__lt=study.overlap)


def unknown(study: Study, user: User) -> QuerySet[InQueue]:
    """The same, with those that have all their annotators."""
    gold = Exists(Gold.objects.filter(study=study, episode=OuterRef("episode")))
    return InQueue.objects.filter(study=study).exclude(known_to(user, "episode") | gold)


def to_choose_from(study: Study, user: User) -> QuerySet[InQueue]:
    """The same as `unknown`, of which the SQL is made once: to make it takes longer than to run it."""
    sql, values = _sql_of_unknown()
    given = {SOME_STUDY: study.pk, SOMEBODY: user.pk}
    return InQueue.objects.filter(RawSQL(sql, [given.get(one, one) for one in values], BooleanField()))


@cache
def _sql_of_unknown() -> tuple[str, tuple[Any, ...]]:
    """What a row must be, with SOME_STUDY and SOMEBODY among its values."""
    rows = unknown(Study(pk=SOME_STUDY), User(pk=SOMEBODY))
    return rows.query.get_compiler(rows.db).compile(rows.query.where)


def choose(study: Study, user: User, is_new: bool) -> tuple[InQueue | None, bool]:
    """The place that is next for a person, and whether it was drawn.

    Played episodes come before those of people elsewhere before simulated ones, those already begun first;
    whoever is new to the study (`is_new`) begins with people's games. Of those that nobody has begun, the
    study's share is drawn; the others come by worth, then the oldest. Each step reads the first rows of an
    index, however many episodes wait.
    """
    mine = to_choose_from(study, user)
    for source in (*(["people"] if is_new else []), *KINDS):
        kind = mine.filter(source=source)
        most = kind.filter(taken__lt=study.overlap).order_by("-taken", "draw").values_list("taken", flat=True)
        if (taken := most.first()) is None:
            continue
        alike = kind.filter(taken=taken)
        if not taken and random.randrange(100) < study.random_share:
            return drawn(alike), True
        return most_worth(study, alike), False
    return None, False


def drawn(waiting: QuerySet[InQueue]) -> InQueue | None:
    """Any of these: the next one from a random point on, in an order that chance has made."""
    waiting = waiting.order_by("draw")
    return waiting.filter(draw__gte=random.random()).first() or waiting.first()


def most_worth(study: Study, waiting: QuerySet[InQueue]) -> InQueue | None:
    """The episode most worth marking, the oldest among equals; episodes that no model has read come last, by
    age.
    """
    waiting = waiting.order_by("judge", "-worth", "started_at", "episode_id")
    firsts: list[InQueue] = []  # one a model, for each has a scale of its own
    read = waiting.filter(judge__isnull=False)
    while first := read.filter(judge__gt=firsts[-1].judge).first() if firsts else read.first():
        firsts.append(first)
    if len(firsts) > 1:
        firsts.sort(key=lambda first: (-place(study, first), first.started_at, first.episode_id))
    return firsts[0] if firsts else waiting.filter(judge=None, worth=None).first()


def place(study: Study, entry: InQueue) -> float:
    """The share of what this one's model has read that is worth as much or less; of much, that of a fair
    sample.
    """
    read = InQueue.objects.filter(study=study, judge=entry.judge, worth__isnull=False).order_by("draw")
    worths = read.values_list("worth", flat=True)[:COMPARED]
    return sum(worth <= entry.worth for worth in worths) / len(worths)


def next_gold(study: Study, user: User, handed: int) -> Gold | None:
    """The gold episode that is due for this person, who was handed so many, if one is: every `gold_every`-th
    episode, none twice.
    """
    if not study.gold_every or (handed + 1) % study.gold_every:
        return None
    return unknown_gold(study, user).order_by("pk").first()


def unknown_gold(study: Study, user: User) -> QuerySet[Gold]:
    """The gold that this person may get some day: none of a study that hands out no gold."""
    if not study.gold_every:
        return Gold.objects.none()
    return Gold.objects.filter(~known_to(user, "episode"), study=study).exclude(created_by=user)


def gold_to_come(study: Study, user: User, left: int) -> int:
    """How many gold episodes come between the `left` other ones, each in the place of one."""
    if not (left and study.gold_every):
        return 0
    handed = Assignment.objects.filter(study=study, annotator=user).count()
    places = [
        (handed // study.gold_every + number) * study.gold_every - handed - number
        for number in range(1, unknown_gold(study, user).count() + 1)
    ]
    return sum(before < left for before in places)


@transaction.atomic
def hand_out(study: Study, user: User) -> HandOut | None:
    """The person's next assignment, or None when nothing is left.

    An episode that the person still holds, or held until the lock ran out while it still needs annotators,
    comes back first; nobody ever gets an episode of a study a second time after submitting or skipping it.
    """
    lock(study)
    expire_locks(study)
    until = timezone.now() + timedelta(minutes=study.lock_minutes)
    mine = Assignment.objects.filter(study=study, annotator=user)
    begun = list(mine.filter(status__in=(Assignment.OPEN, Assignment.EXPIRED)).order_by("-handed_at"))
    for held in begun:
        held.study = study
        if held.status == Assignment.OPEN:
            return _renew(held, until, "You had begun it.")
    for late in begun:
        if has_room(late) and not Look.objects.filter(episode=late.episode_id, user=user).exists():
            return _renew(late, until, "You had begun it, your time ran out, and nobody has taken it since.")
    handed = mine.count()
    chosen, is_drawn = choose(study, user, is_new=not handed)
    if chosen is None:
        return None
    gold = next_gold(study, user, handed)
    why, said = _why(chosen, is_drawn, study), {"annotator": user, "is_gold": gold is not None}
    assignment = Assignment.objects.create(
        study=study, episode_id=(gold or chosen).episode_id, expires_at=until, why=why, **said
    )
    return HandOut(assignment, why)


def lock(study: Study) -> None:
    """Nobody else takes a place in this study until the transaction ends; its settings are read anew."""
    study.refresh_from_db(from_queryset=Study.objects.select_for_update(no_key=True))


def has_room(assignment: Assignment) -> bool:
    """Whether an assignment that ran out may still be taken up again: nobody else has its place."""
    taken = Assignment.objects.filter(
        study=assignment.study,
        episode=assignment.episode_id,
        is_gold=False,
        status__in=(Assignment.OPEN, Assignment.SUBMITTED),
    )
    return assignment.is_gold or taken.count() < assignment.study.overlap


def _why(chosen: InQueue, is_drawn: bool, study: Study) -> str:
    """As it is now, in the past tense: it is read later. Gold says what the one says whose turn it takes, and
    nothing here says where an episode comes from: nobody may tell them apart.

    That a reward model is unsure may be said while one's marks can change: it is said of episodes that it has
    not learned from (see `worth`), so it is made of no marks on this one, and names neither a tick nor a sign
    nor a number.
    """
    if chosen.taken:
        return f"{chosen.taken} of {study.overlap} annotators had it already."
    if is_drawn:
        return (
            "It was drawn at random from the episodes that were next for you, so that the marked ones "
            "are a fair sample."
        )
    if chosen.judge:
        return (
            f"Of the episodes that were next for you, the reward model of round {chosen.judge} was least "
            "sure about this one."
        )
    return "It was the oldest of the episodes that were next for you."


def _renew(assignment: Assignment, until, why: str) -> HandOut:
    Assignment.objects.filter(pk=assignment.pk).update(status=Assignment.OPEN, expires_at=until)
    assignment.status, assignment.expires_at = Assignment.OPEN, until
    return HandOut(assignment, why)


@transaction.atomic(savepoint=False)
def hold(user: User, episodes: Iterable[uuid.UUID]) -> list[Assignment]:
    """Before marks on these episodes are taken: who works is not interrupted, and what ran out is taken up
    again, unless somebody else has it now. Until the transaction ends, none of them is submitted. What of
    them was handed to this person, the latest first.
    """
    mine = Assignment.objects.filter(annotator=user, episode__in=list(episodes)).select_related("study")
    held = list(mine.order_by("study", "pk"))
    for assignment in held:  # the study's lock goes before that of any assignment, as in `hand_out`
        if assignment.status == Assignment.EXPIRED:
            lock(assignment.study)
            if has_room(assignment):
                late = Assignment.objects.filter(pk=assignment.pk, status=Assignment.EXPIRED)
                late.update(status=Assignment.OPEN)
    rows = Assignment.objects.filter(pk__in=[assignment.pk for assignment in held]).order_by("pk")
    locked = rows.select_for_update(no_key=True).values_list("pk", "status", "final_at") if held else ()
    states = {pk: (status, final_at) for pk, status, final_at in locked}
    held = [assignment for assignment in held if assignment.pk in states]
    now = timezone.now()
    for assignment in held:
        assignment.status, assignment.final_at = states[assignment.pk]
        until = now + timedelta(minutes=assignment.study.lock_minutes)
        # Not at every mark: it stands in indexes.
        if assignment.status == Assignment.OPEN and until - assignment.expires_at > RENEWED_AFTER:
            Assignment.objects.filter(pk=assignment.pk).update(expires_at=until)
            assignment.expires_at = until
    return sorted(held, key=lambda assignment: assignment.handed_at, reverse=True)


@transaction.atomic
def close(assignment: Assignment, status: str, reason: str = "") -> bool:
    """Submit or skip; whether this call did it. One that ran out is still taken, unless somebody else has its
    place by now.

    A conditional update, so a second press of Enter does nothing.
    """
    lock(assignment.study)
    states = [Assignment.OPEN]
    if status == Assignment.SKIPPED or has_room(assignment):
        states.append(Assignment.EXPIRED)
    now = timezone.now()
    final = now + timedelta(minutes=assignment.study.editable_minutes)
    unclosed = Assignment.objects.filter(pk=assignment.pk, status__in=states)
    done = unclosed.update(
        status=status,
        reason=reason[:300],
        closed_at=now,
        final_at=final if status == Assignment.SUBMITTED else None,
    )
    if done and status == Assignment.SUBMITTED:
        freeze(assignment.annotator, assignment.episode)
    return bool(done)


@transaction.atomic
def submit_again(assignment: Assignment) -> bool:
    """Submit the marks as they are now in place of the earlier submission, while that is allowed; returns
    whether this call did it.
    """
    now = timezone.now()
    mine = Assignment.objects.filter(pk=assignment.pk, status=Assignment.SUBMITTED, final_at__gt=now)
    done = mine.update(status=Assignment.SUBMITTED)  # closed when it was first submitted
    if done:
        freeze(assignment.annotator, assignment.episode)
    return bool(done)


def may_still_get(user: User, episode: Episode) -> bool:
    """Whether a queue may hand this episode to this person some day, gold included."""
    return any(
        candidates(study, user).filter(episode=episode).exists()
        or unknown_gold(study, user).filter(episode=episode).exists()
        for study in Study.objects.filter(game=episode.game, active=True)
    )


def left_for(study: Study, user: User) -> int:
    """Episodes that this person could still get, gold included: handing one out leaves one less. Of more than
    COUNTED there are COUNTED + 1.
    """
    left = candidates(study, user).filter(source__in=KINDS)[: COUNTED + 1].count()
    return min(left + gold_to_come(study, user, left), COUNTED + 1)


def judged(study: Study, user: User) -> bool:
    """Whether a reward model has a say in what this person gets."""
    read = unknown(study, user).filter(source__in=KINDS, taken__in=range(study.overlap))
    return read.filter(judge__isnull=False).exists()

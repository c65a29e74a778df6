"""Marks as they arrive from browsers: each is checked, then written so that it has exactly one effect.

One person's posts are taken one after the other, under a lock on the person's row, so the same post, however
often and however concurrently it arrives, does its work once; a late older revision changes nothing. There
is one mark a person, seat and tick: one that arrives at a place where another of theirs stands takes that
place, and the other is removed as if its maker had done so (its revision stays, so that a later version of it
still counts). Not for: HTTP (see `views.marks`).
"""

from __future__ import annotations

import logging
import uuid
from datetime import datetime
from typing import Annotated, Any

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from pydantic import BeforeValidator, Field, Strict

from engine.refusal import Refusal
from engine.shapes import Count, Shape, checked, fitting
from webapp.accounts.models import User
from webapp.annotation.access import get_episode_for, replay_access
from webapp.annotation.models import Assignment, Mark, MarkVersion
from webapp.annotation.queue import hold
from webapp.common.inputs import LARGEST, problem_of
from webapp.episodes.models import Episode

MAX_BATCH = 200
MAX_NOTE = 2000
MAX_CONTEXT = 12  # keys
WRITTEN = ("seat", "tick", "sign", "revision", "deleted", "note", "context", "made_at")
VERSION = [field for field in MarkVersion._meta.concrete_fields if field.name not in ("id", "mark")]
YEARS = 2000, 2200  # in which a mark may say that it was made
# Why a mark was made, in one word of its context: key, label, what it says. No training reads it.
REASONS = (
    ("asked", "As asked", "It follows the instruction, or goes against it"),
    ("score", "Score", "It gains or loses points, lives or time"),
    ("partner", "Partner", "It helps a partner, or is in their way"),
    ("mixed", "Mixed", "Good and bad at once, settled by the guidelines"),
)
KEYS = tuple(key for key, _, _ in REASONS)
UNKEPT = "The database can't keep this mark as it is. Write its note anew, or remove it and mark again."
logger = logging.getLogger(__name__)


def clean_time(value: object) -> datetime | None:
    try:
        made = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return made if made and timezone.is_aware(made) and YEARS[0] <= made.year < YEARS[1] else None


def _is_small(context: dict[str, Any]) -> bool:
    return len(context) <= MAX_CONTEXT and len(str(context)) <= MAX_NOTE


def _has_reason(context: dict[str, Any]) -> bool:
    return context.get("reason") in (None, *KEYS)


Sign = Annotated[int, *fitting((1, -1).__contains__, "1 (progress) or -1 (regression)")]


class Posted(Shape):
    """A mark as browsers send it."""

    id: Annotated[uuid.UUID, Strict(False)]
    episode: Annotated[uuid.UUID, Strict(False)]
    seat: Count
    tick: Count
    sign: Sign
    revision: Annotated[int, Field(ge=1, le=LARGEST)] = 1
    """Higher with every change of a mark."""
    deleted: Annotated[bool, BeforeValidator(lambda value: value is True)] = False
    note: Annotated[str, Field(max_length=MAX_NOTE)] = ""
    context: Annotated[
        dict[str, Any],
        *fitting(_is_small, ""),
        *fitting(_has_reason, f"a small object, whose reason is {', '.join(KEYS)} or none"),
    ] = {}
    """How it was made, and why."""
    made_at: Annotated[datetime | None, BeforeValidator(clean_time)] = None


def clean(data: object) -> dict:
    """One mark of a batch as typed values; raises Refusal with a sentence that says what is wrong."""
    for name in Posted.model_fields if isinstance(data, dict) else ():
        if problem := problem_of(data.get(name)):
            raise Refusal(f"The {name} of a mark may not hold {problem}.")
    return checked(Posted, data, "The {} of a mark", "A mark").model_dump()


def mark_id(data: object) -> str:
    """The id that a posted mark claims; empty if that is no text."""
    found = data.get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) else ""


def episode_of(data: object) -> uuid.UUID | None:
    """The episode that a posted mark claims, if that is an id."""
    try:
        return uuid.UUID(data["episode"]) if isinstance(data, dict) else None
    except (KeyError, ValueError, AttributeError, TypeError):
        return None


class Batch:
    """The marks of one post by one person; what is looked up for one mark of an episode serves all of
    them.
    """

    def __init__(self, user: User, handed: list[Assignment]) -> None:
        self.user, self.handed = user, handed
        self.episodes: dict[uuid.UUID, Episode] = {}
        # What lost its place to another mark of this batch.
        self.displaced: set[uuid.UUID] = set()

    def episode(self, episode_id: uuid.UUID) -> Episode:
        """The episode, if this person may mark it."""
        if episode_id not in self.episodes:
            try:
                episode = get_episode_for(self.user, episode_id)
            except Http404:
                raise Refusal("There is no such episode, or it isn't yours to see.") from None
            handed = [assignment for assignment in self.handed if assignment.episode_id == episode_id]
            access = replay_access(self.user, episode, handed)
            if not access.may_mark:
                raise Refusal(access.why_not)
            self.episodes[episode_id] = episode
        return self.episodes[episode_id]

    def write(self, data: object) -> dict:
        """Take one mark; the result says "saved", "stale" (a newer version is kept, and sent back) or
        "refused".
        """
        result = {"id": mark_id(data) or None}
        try:
            values = clean(data)
            try:
                episode = self.episode(values["episode"])
            except Refusal:
                # It may have been saved before it was too late, and only the answer was lost.
                kept = Mark.objects.filter(pk=values["id"], episode=values["episode"], annotator=self.user)
                if (mark := kept.first()) and (arrived := outcome(mark, values))["status"] == "saved":
                    return result | arrived
                raise
            if not 1 <= values["tick"] <= episode.ticks:
                raise Refusal(
                    f"Tick {values['tick']} can't be marked: this episode has moves 1 to {episode.ticks}."
                )
            if not 0 <= values["seat"] < len(episode.seats):
                raise Refusal(
                    f"There is no seat {values['seat']}: this episode has {len(episode.seats)} seats."
                )
            return result | self.keep(episode, values)
        except Refusal as refusal:
            return result | {"status": "refused", "sentence": str(refusal)}

    def keep(self, episode: Episode, values: dict) -> dict:
        """Insert the mark or raise it to this revision, under the person's lock."""
        place = {"seat": values["seat"], "tick": values["tick"], "deleted": False}
        here = Q(episode=episode, annotator=self.user, **place)
        others = {mark.pk: mark for mark in Mark.objects.filter(Q(pk=values["id"]) | here)}
        kept = others.pop(values["id"], None)
        if kept and (kept.episode_id, kept.annotator_id) != (episode.pk, self.user.pk):
            raise Refusal("This mark belongs to somebody else or to another episode.")
        if kept is None or kept.revision < values["revision"]:
            displaced = {} if values["deleted"] else others
            if displaced:
                Mark.objects.filter(pk__in=displaced).update(deleted=True, updated_at=timezone.now())
            kept = self._put(episode, values, kept)
            if displaced:
                self.displaced.update(displaced)
                lost = [as_json(mark) | {"deleted": True} for mark in displaced.values()]
                return outcome(kept, values) | {"displaced": lost}
        return outcome(kept, values)

    def _put(self, episode: Episode, values: dict, before: Mark | None) -> Mark:
        """The row of this version, and one of what the mark was before."""
        fields = {name: values[name] for name in WRITTEN} | {"updated_at": timezone.now()}
        if before is None:
            mark = Mark(id=values["id"], episode=episode, annotator=self.user, **fields)
            mark.save(force_insert=True)
            return mark
        said = {field.name: getattr(before, field.name) for field in VERSION}
        MarkVersion.objects.create(mark=before, **said)
        for name, value in fields.items():
            setattr(before, name, value)
        before.save(update_fields=[*fields])
        return before


def outcome(kept: Mark, values: dict) -> dict:
    """Whether this version of a mark is the one that is kept."""
    same = all(getattr(kept, name) == values[name] for name in ("seat", "tick", "sign", "deleted", "note"))
    same = same and kept.context.get("reason") == values["context"].get("reason")
    if kept.revision == values["revision"] and same:
        return {"status": "saved", "revision": kept.revision}
    return {"status": "stale", "revision": kept.revision, "mark": as_json(kept)}


def write_batch(user: User, marks: list) -> list[dict]:
    """Write a batch of marks in order. The caller answers after this returns, that is, after the commit.

    If an unexpected error occurs, the marks are written one by one, so that only the mark that causes it is
    refused. If the database fails, the error is raised, and the browser keeps all marks.
    """
    try:
        return _write_together(user, marks)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        if len(marks) > 1:
            return [result for mark in marks for result in write_batch(user, [mark])]
        logger.exception("a mark of user %s can't be kept", user.pk)
        return [{"id": mark_id(marks[0]) or None, "status": "refused", "sentence": UNKEPT}]


@transaction.atomic
def _write_together(user: User, marks: list) -> list[dict]:
    """Write all marks in one transaction. If the person holds one of these episodes from the queue, this also
    renews the lock, so that nobody who is marking is interrupted.
    """
    handed = hold(user, {episode for mark in marks if (episode := episode_of(mark))})
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    batch = Batch(user, handed)
    done = [batch.write(mark) for mark in marks]
    lost = Mark.objects.filter(pk__in=batch.displaced, deleted=True) if batch.displaced else ()
    kept = {str(mark.pk): as_json(mark) for mark in lost}
    return [
        one | {"status": "stale", "mark": kept[one["id"]]}
        if one["status"] == "saved" and one["id"] in kept
        else one
        for one in done
    ]


def as_json(mark: Mark) -> dict:
    """A mark as browsers know it."""
    return {
        "id": str(mark.id),
        "episode": str(mark.episode_id),
        "seat": mark.seat,
        "tick": mark.tick,
        "sign": mark.sign,
        "revision": mark.revision,
        "deleted": mark.deleted,
        "note": mark.note,
        "context": mark.context,
    }

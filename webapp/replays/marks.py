"""Marks as they arrive from browsers: each is checked, then written so that it has exactly one effect.

A mark is written by one conditional update or one insert that ignores conflicts, so the same post, however
often and however concurrently it arrives, does its work once; a late older revision changes nothing. Not
for: HTTP (see `views.marks`).
"""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from webapp.accounts.models import User
from webapp.play.models import Instruction
from webapp.replays.access import get_episode_for, replay_access
from webapp.replays.models import Assignment, Episode, Mark

MAX_BATCH = 200
MAX_NOTE = 2000
MAX_CONTEXT = 12  # keys


class Refused(Exception):
    """A mark that is not taken; its text is a sentence for the person."""


def clean(data: object) -> dict:
    """One mark of a batch as typed values; raises Refused with a sentence that says what is wrong."""
    if not isinstance(data, dict):
        raise Refused("A mark must be an object.")
    try:
        mark = {"id": uuid.UUID(str(data.get("id"))), "episode": uuid.UUID(str(data.get("episode")))}
    except ValueError:
        raise Refused("A mark needs an id and an episode, both UUIDs.") from None
    for name in ("seat", "tick", "sign", "revision"):
        value = data.get(name, 1 if name == "revision" else None)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Refused(f"The {name} of a mark must be a whole number.")
        mark[name] = value
    if mark["sign"] not in (1, -1):
        raise Refused(f"The sign of a mark is 1 (progress) or -1 (regression), not {mark['sign']}.")
    if not 1 <= mark["revision"] < 2**31:
        raise Refused("The revision of a mark starts at 1.")
    note, context = data.get("note", ""), data.get("context", {})
    if not isinstance(note, str) or len(note) > MAX_NOTE:
        raise Refused(f"A note is text of at most {MAX_NOTE} characters.")
    if not isinstance(context, dict) or len(context) > MAX_CONTEXT or len(str(context)) > MAX_NOTE:
        raise Refused("The context of a mark must be a small object.")
    if "\\u0000" in json.dumps(context):  # PostgreSQL can't keep it
        raise Refused("The context of a mark may not hold a NUL character.")
    return mark | {
        "deleted": data.get("deleted") is True,
        "note": note.replace("\x00", ""),
        "context": context,
        "made_at": clean_time(data.get("made_at")),
    }


def mark_id(data: object) -> str:
    """The id that a posted mark claims, whatever it is."""
    return str(data.get("id")) if isinstance(data, dict) else ""


def clean_time(value: object) -> datetime | None:
    try:
        made = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return made if made and timezone.is_aware(made) else None


class Batch:
    """The marks of one post by one person; what is looked up for one mark of an episode serves all of
    them.
    """

    def __init__(self, user: User) -> None:
        self.user = user
        self.episodes: dict[uuid.UUID, tuple[Episode, list[tuple[int, Instruction]]]] = {}

    def episode(self, episode_id: uuid.UUID) -> tuple[Episode, list[tuple[int, Instruction]]]:
        """The episode, if this person may mark it, and its confirmed instructions by tick."""
        if episode_id not in self.episodes:
            try:
                episode = get_episode_for(self.user, episode_id)
            except Http404:
                raise Refused("There is no such episode, or it isn't yours to see.") from None
            access = replay_access(self.user, episode)
            if not access.may_mark:
                raise Refused(access.why_not)
            confirmed = Instruction.objects.filter(match__episode=episode, status=Instruction.CONFIRMED)
            self.episodes[episode_id] = (
                episode,
                [(i.tick, i) for i in confirmed.order_by("tick", "created_at")],
            )
        return self.episodes[episode_id]

    def write(self, data: object) -> dict:
        """Take one mark; the result says "saved", "stale" (a newer version is kept, and sent back) or
        "refused".
        """
        result = {"id": data.get("id") if isinstance(data, dict) else None}
        try:
            values = clean(data)
            episode, instructions = self.episode(values["episode"])
            if not 1 <= values["tick"] <= episode.ticks:
                raise Refused(
                    f"Tick {values['tick']} can't be marked: this episode has moves 1 to {episode.ticks}."
                )
            if not 0 <= values["seat"] < len(episode.seats):
                raise Refused(
                    f"There is no seat {values['seat']}: this episode has {len(episode.seats)} seats."
                )
            told = [instruction for tick, instruction in instructions if tick < values["tick"]]
            return result | write_mark(self.user, episode, values, told[-1] if told else None)
        except Refused as refusal:
            return result | {"status": "refused", "sentence": str(refusal)}


def write_mark(user: User, episode: Episode, values: dict, instruction: Instruction | None) -> dict:
    """Insert the mark or raise it to this revision. Safe against any number of concurrent posts of it."""
    fields = {
        name: values[name] for name in ("seat", "tick", "sign", "revision", "deleted", "note", "context")
    }
    fields |= {"made_at": values["made_at"], "instruction": instruction, "updated_at": timezone.now()}
    mark = Mark(id=values["id"], episode=episode, annotator=user, **fields)
    Mark.objects.bulk_create([mark], ignore_conflicts=True)
    mine = Mark.objects.filter(pk=values["id"], annotator=user, episode=episode)
    mine.filter(revision__lt=values["revision"]).update(**fields)
    kept = mine.first()
    if kept is None:
        raise Refused("This mark belongs to somebody else or to another episode.")
    same = all(getattr(kept, name) == values[name] for name in ("seat", "tick", "sign", "deleted", "note"))
    if kept.revision == values["revision"] and same:
        return {"status": "saved", "revision": kept.revision}
    return {"status": "stale", "revision": kept.revision, "mark": as_json(kept)}


@transaction.atomic
def write_batch(user: User, marks: list) -> list[dict]:
    """Take a batch in order; the caller answers after this returns, that is after the commit.

    A mark by someone who holds an episode of the queue also renews that lock: who works is not interrupted.
    """
    batch = Batch(user)
    # In the order of ids, so that two posts of the same marks never wait for each other in a circle.
    order = sorted(range(len(marks)), key=lambda index: mark_id(marks[index]))
    done = {index: batch.write(marks[index]) for index in order}
    results = [done[index] for index in range(len(marks))]
    held = Assignment.objects.filter(annotator=user, episode__in=batch.episodes, status=Assignment.OPEN)
    for assignment in held.select_related("study"):
        until = timezone.now() + timedelta(minutes=assignment.study.lock_minutes)
        Assignment.objects.filter(pk=assignment.pk, status=Assignment.OPEN).update(expires_at=until)
    return results


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
    }

"""Writing the logs of many matches in one transaction.

What is written together or not at all is an `Entry`. One that the database or the encoder refuses is set
aside, for good and by itself: everything beside it is written. Only what is away (the database, the logs'
store) is waited for. Blocking; the log writer calls it in its thread. Not for: when to write, whom to tell
(writer, match).
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from engine.refusal import Refusal
from engine.simulation.life import State
from engine.simulation.log import encode_line
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import Instruction, Match, Seat

logger = logging.getLogger(__name__)
# The database or the store of the logs is away, busy, full or damaged: no record's fault.
AWAY = (OperationalError, InterfaceError, OSError, Refusal)
SHOWN = 2000  # characters of what was set aside, in the host's own log


class NotKept(Refusal):
    """Something can't be written, now or ever. Caught here, apart from a log that is damaged, for which the
    whole match waits.
    """


@dataclass(eq=False)
class Entry:
    """Records of a match's log, and what is done to rows with them. `done` comes with None once both are
    durable, else with why they never will be: NotKept or Fenced. `before`: what instructions go back to then.
    """

    records: list[dict[str, Any]]
    operation: Callable[[], None] | None
    done: asyncio.Future[Exception | None]
    before: list[dict[str, Any]] = field(default_factory=list)
    at: float = field(default_factory=time.monotonic)

    def ticks(self) -> list[int]:
        """How many ticks the game has after each of its steps."""
        return [record["tick"] + 1 for record in self.records if record["type"] == "step"]


@dataclass(frozen=True)
class Batch:
    """What one match has to write. `durable`: how many records its log had before; `tried`: some of these may
    have got there in a try that failed later.
    """

    match_id: uuid.UUID
    epoch: int
    entries: list[Entry]
    durable: int
    tried: bool


@dataclass
class Outcome:
    """`lost`: matches that are no longer ours, of which nothing was written; `waiting`: those that can't be
    written yet; `refused`: what was set aside. All the rest is durable.
    """

    lost: set[uuid.UUID] = field(default_factory=set)
    waiting: set[uuid.UUID] = field(default_factory=set)
    refused: dict[Entry, NotKept] = field(default_factory=dict)


def write_batches(batches: list[Batch]) -> Outcome:
    """All in one transaction; if that fails for another reason than that the database is away, each match in
    one of its own, and each of its entries by itself.
    """
    try:
        return Outcome(lost=_write(batches, _done))
    except (OperationalError, InterfaceError) as error:  # so it is for each of them
        logger.warning("%s matches wait for the database: %s", len(batches), error)
        return Outcome(waiting={batch.match_id for batch in batches})
    except Exception as error:
        logger.warning("%s matches could not be written together: %s", len(batches), error)
    outcome = Outcome()
    for batch in batches:
        refused: dict[Entry, NotKept] = {}
        done = partial(_done_or_set_aside, batch.match_id, refused)
        try:
            outcome.lost |= _write([replace(batch, tried=True)], done)
            outcome.refused |= refused
        except Exception:
            logger.exception("match %s: its log waits to be written", batch.match_id)
            outcome.waiting.add(batch.match_id)
    return outcome


def _write(batches: list[Batch], done: Callable[[Entry], bool]) -> set[uuid.UUID]:
    """The matches that are not ours. `done` does an entry's operation; False: the entry is set aside."""
    with transaction.atomic():
        rows = Match.objects.select_for_update().filter(
            pk__in=[batch.match_id for batch in batches], status=Match.PLAYING
        )
        epochs = dict(rows.values_list("pk", "epoch"))
        ours = [batch for batch in batches if epochs.get(batch.match_id) == batch.epoch]
        ours = [replace(batch, entries=[entry for entry in batch.entries if done(entry)]) for batch in ours]
        ticks = {batch.match_id: [n for entry in batch.entries for n in entry.ticks()] for batch in ours}
        _save_ticks({name: max(counts) for name, counts in ticks.items() if counts})
        # Last, because a file isn't rolled back.
        missing = {batch.match_id: _missing(batch) for batch in ours}
        log_store().append_all({name: records for name, records in missing.items() if records})
    return {batch.match_id for batch in batches} - {batch.match_id for batch in ours}


def _save_ticks(ticks: dict[uuid.UUID, int]) -> None:
    """As SQL, because this is done for all matches several times a second: `bulk_update` took more time than
    all else that is written together.
    """
    table, name = Episode._meta.db_table, Episode._meta.pk
    rows = [(count, name.get_db_prep_value(episode, connection)) for episode, count in ticks.items()]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table} SET ticks = %s WHERE {name.column} = %s", rows)


def _done(entry: Entry) -> bool:
    if entry.operation:
        entry.operation()
    return True


def _done_or_set_aside(match_id: uuid.UUID, refused: dict[Entry, NotKept], entry: Entry) -> bool:
    try:
        if any(batch.ticks() for batch in refused):
            raise NotKept("The game could not be kept from here on.")
        for record in entry.records:
            encode_line(record)
        with transaction.atomic():
            return _done(entry)
    except NotKept as why:
        refused[entry] = why
        logger.warning("match %s: set aside: %s %.*s", match_id, why, SHOWN, ascii(entry.records))
    except AWAY:
        raise
    except Exception:
        number = uuid.uuid4().hex[:8]
        refused[entry] = NotKept(f"This could not be kept, so it doesn't count (problem {number}).")
        logger.exception(
            "match %s: set aside as problem %s: %.*s", match_id, number, SHOWN, ascii(entry.records)
        )
    return False


def _missing(batch: Batch) -> list[dict[str, Any]]:
    """The records that aren't in the log yet."""
    records = [record for entry in batch.entries for record in entry.records]
    if not batch.tried:
        return records
    return records[len(log_store().read(batch.match_id).records) - batch.durable :]


def save_instruction(match_id: uuid.UUID, values: dict[str, Any], replaces: str | None) -> None:
    """The row of a new instruction, and of the one that it replaces; the same when done twice. Raises NotKept
    for an id that isn't this match's.
    """
    if Instruction.objects.filter(pk=values["id"]).exclude(match_id=match_id).exists():
        raise NotKept("An instruction of another game has this id; send it again with a new one.")
    if replaces:
        Instruction.objects.filter(match_id=match_id, pk=replaces).update(status=State.REWRITTEN)
    row = {**values, "replaces_id": replaces}
    Instruction.objects.update_or_create(pk=values["id"], match_id=match_id, defaults=row)
    _first_said(match_id, values)


def save_status(match_id: uuid.UUID, record: dict[str, Any]) -> None:
    """The row of an instruction that was confirmed or withdrawn. It keeps the tick at which it was typed; the
    record in the log has that of the change.
    """
    Instruction.objects.filter(match_id=match_id, pk=record["id"]).update(status=record["status"])
    _first_said(match_id, record)


def save_judged(match_id: uuid.UUID, record: dict[str, Any]) -> None:
    """The row of an instruction whose player says whether what was done is what was meant."""
    Instruction.objects.filter(match_id=match_id, pk=record["id"]).update(judged=record["sign"])


def save_left(match_id: uuid.UUID, seat: int) -> None:
    """The row of a seat whose person has left for good."""
    Seat.objects.filter(match_id=match_id, index=seat).update(left_at=timezone.now())


def _first_said(match_id: uuid.UUID, record: dict[str, Any]) -> None:
    if record["status"] == State.CONFIRMED:
        Episode.objects.filter(pk=match_id, instruction="").update(instruction=record["text"])

"""Writing the logs of many real-time matches in one transaction.

Blocking; the log writer calls it in its thread. Not for: when to write, what to do while it fails (writer).
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from django.db import DatabaseError, OperationalError, transaction

from engine.simulation.log import LogError
from webapp.play.models import Instruction, Match
from webapp.replays.models import Episode
from webapp.replays.stores import log_store

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Batch:
    """What one match has to write. `durable`: how many records its log had before; `tried`: some of these may
    have got there in a try that failed later.
    """

    match_id: uuid.UUID
    epoch: int
    records: list[dict]
    operations: list[Callable[[], None]]
    ticks: int
    durable: int
    tried: bool


def write_batches(batches: list[Batch]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """(matches that are no longer ours, matches that couldn't be written).

    One that can't be written (a damaged log) doesn't hold up the others.
    """
    try:
        return _write(batches), set()
    except OperationalError as error:  # the database is busy or away: so it is for each of them
        logger.warning("%s matches wait for the database: %s", len(batches), error)
        return set(), {batch.match_id for batch in batches}
    except (DatabaseError, OSError, LogError):
        logger.exception("%s matches could not be written together", len(batches))
    lost: set[uuid.UUID] = set()
    failed: set[uuid.UUID] = set()
    for batch in batches:
        try:
            lost |= _write([replace(batch, tried=True)])
        except (DatabaseError, OSError, LogError):
            logger.exception("match %s: its log could not be written", batch.match_id)
            failed.add(batch.match_id)
    return lost, failed


def _write(batches: list[Batch]) -> set[uuid.UUID]:
    with transaction.atomic():
        rows = Match.objects.select_for_update().filter(
            pk__in=[batch.match_id for batch in batches], status=Match.PLAYING
        )
        epochs = dict(rows.values_list("pk", "epoch"))
        ours = [batch for batch in batches if epochs.get(batch.match_id) == batch.epoch]
        for batch in ours:
            for operation in batch.operations:
                operation()
        Episode.objects.bulk_update([Episode(pk=one.match_id, ticks=one.ticks) for one in ours], ["ticks"])
        # Last, because a file isn't rolled back.
        store = log_store()
        for batch in ours:
            store.append(batch.match_id, _missing(batch))
    return {batch.match_id for batch in batches} - {batch.match_id for batch in ours}


def _missing(batch: Batch) -> list[dict]:
    """The records that aren't in the log yet."""
    if not batch.tried:
        return batch.records
    return batch.records[len(log_store().read(batch.match_id).records) - batch.durable :]


def save_instruction(match_id: uuid.UUID, values: dict, replaces: str | None) -> None:
    """The row of a new instruction, and of the one that it replaces; the same when done twice."""
    if replaces:
        Instruction.objects.filter(match_id=match_id, pk=replaces).update(status=Instruction.REWRITTEN)
    row = {**values, "replaces_id": replaces}
    Instruction.objects.update_or_create(pk=values["id"], match_id=match_id, defaults=row)
    if values["status"] == Instruction.CONFIRMED:
        Episode.objects.filter(pk=match_id, instruction="").update(instruction=values["text"])


def save_status(match_id: uuid.UUID, instruction_id: str, status: str) -> None:
    """The row of an instruction that was withdrawn."""
    Instruction.objects.filter(match_id=match_id, pk=instruction_id).update(status=status)

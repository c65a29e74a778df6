"""Writes what all matches of a host note down, together and beside their ticks.

What was noted is durable within a quarter of a second, or at once where somebody waits for it; it is
appended in a thread of the writer's own, in one transaction under each match's fence. While the database is
away it goes on waiting, in order. Not for: what can't be written at all (batches), what a match does about it
(match).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.refusal import Refusal
from webapp.host.batches import Batch, Entry, Outcome, write_batches
from webapp.host.database import DatabaseThread
from webapp.host.storage import Fenced

logger = logging.getLogger(__name__)
DURABLE_WITHIN = 0.25  # seconds from a record to its end on the disk; a flush begins early enough for that,
GATHER = 0.2  # and at most so long after the first record
TRY_AGAIN_AFTER = 0.5  # seconds


@dataclass
class Ledger:
    """What one match has to write. `durable`: records of its log that are there already."""

    match_id: uuid.UUID
    epoch: int
    durable: int
    on_lost: Callable[[], None]
    on_refused: Callable[[Entry, Refusal], None]
    entries: list[Entry] = field(default_factory=list)
    tried: bool = False  # an append may have happened although it was reported as failed
    closed: bool = False

    def unsaved_for(self) -> float:
        """Seconds that the oldest unsaved record has waited."""
        return time.monotonic() - self.entries[0].at if self.entries else 0.0

    def batch(self) -> Batch:
        """A snapshot of what is to be written."""
        return Batch(self.match_id, self.epoch, list(self.entries), self.durable, self.tried)

    def close(self) -> None:
        """Nothing more is written: another host has the match, or it has to be read anew."""
        self.closed = True
        for entry in self.entries:
            _settle(entry, Fenced())
        self.entries.clear()


class Writer:
    """One a host."""

    def __init__(self) -> None:
        self._thread = DatabaseThread("log-writer")
        self._dirty: dict[uuid.UUID, Ledger] = {}
        self._wake, self._now = asyncio.Event(), asyncio.Event()
        self._took = 0.0  # seconds, the last flush
        self._flushing = asyncio.Lock()
        self._task = asyncio.ensure_future(self._run())

    def put(
        self,
        ledger: Ledger,
        records: list[dict[str, Any]],
        operation: Callable[[], None] | None = None,
        before: list[dict[str, Any]] | None = None,
        now: bool = False,
    ) -> Entry:
        """Note records down, and something to do in the same transaction. Returns at once; `now`: somebody
        waits for it.
        """
        entry = Entry(records, operation, asyncio.get_running_loop().create_future(), before or [])
        if ledger.closed:
            _settle(entry, Fenced())
            return entry
        ledger.entries.append(entry)
        self._dirty[ledger.match_id] = ledger
        self._wake.set()
        if now:
            self._now.set()
        return entry

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause()):
                    await self._now.wait()
            self._wake.clear()
            self._now.clear()
            if not await self.flush():
                self._wake.set()
                await asyncio.sleep(TRY_AGAIN_AFTER)

    def _pause(self) -> float:
        """Seconds for which more may gather until the next flush."""
        oldest = max((ledger.unsaved_for() for ledger in self._dirty.values()), default=0.0)
        return max(0.0, min(GATHER, DURABLE_WITHIN - 2 * self._took) - oldest)

    async def flush(self) -> bool:
        """Write what waits, now; False when some of it couldn't be written yet."""
        async with self._flushing:
            dirty, self._dirty = list(self._dirty.values()), {}
            if not dirty:
                return True
            batches = [ledger.batch() for ledger in dirty]
            began = time.monotonic()
            try:
                outcome = await self._thread.run(write_batches, batches)
            except Exception:
                logger.exception("the log writer failed; %s matches wait", len(dirty))
                outcome = Outcome(waiting={ledger.match_id for ledger in dirty})
            self._took = time.monotonic() - began
            for ledger, batch in zip(dirty, batches, strict=True):
                if ledger.match_id in outcome.waiting:
                    ledger.tried = True
                    self._dirty.setdefault(ledger.match_id, ledger)
                elif ledger.match_id in outcome.lost:
                    ledger.close()
                    ledger.on_lost()
                else:
                    _written(ledger, batch, outcome.refused)
            return not outcome.waiting

    async def stop(self) -> None:
        """Write what waits, once, and end."""
        self._task.cancel()
        await self.flush()
        self._thread.stop()


def _written(ledger: Ledger, batch: Batch, refused: dict[Entry, Refusal]) -> None:
    """Forget what was written; tell who waited for it."""
    del ledger.entries[: len(batch.entries)]
    ledger.tried = False
    for entry in batch.entries:
        problem = refused.get(entry)
        _settle(entry, problem)
        if problem is None:
            ledger.durable += len(entry.records)
        else:
            ledger.on_refused(entry, problem)


def _settle(entry: Entry, problem: Exception | None) -> None:
    if not entry.done.done():
        entry.done.set_result(problem)

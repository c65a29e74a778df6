"""Writes what real-time matches note down, for all of them together and beside their ticks.

Records wait in memory for at most FLUSH_EVERY and are then appended in a thread of the writer's own, in one
transaction under each match's fence. While the database hangs they go on waiting, in order. Not for
turn-based moves, which count only once they are durable (turns.py).
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from channels.db import database_sync_to_async

from webapp.play.host.batches import Batch, write_batches
from webapp.play.host.storage import Fenced

logger = logging.getLogger(__name__)
FLUSH_EVERY = 0.2  # seconds from the first record to its append
TRY_AGAIN_AFTER = 0.5  # seconds


@dataclass
class Ledger:
    """What one match has to write. `durable`: records of its log that are there already."""

    match_id: uuid.UUID
    epoch: int
    durable: int
    on_lost: Callable[[], None]
    records: list[dict[str, Any]] = field(default_factory=list)
    operations: list[Callable[[], None]] = field(default_factory=list)
    # (how many records must be durable, whom to wake then)
    waiting: list[tuple[int, asyncio.Future[None]]] = field(default_factory=list)
    ticks: int = 0
    since: float | None = None  # when the oldest unsaved record came, time.monotonic()
    tried: bool = False  # an append may have happened although it was reported as failed

    def unsaved_for(self) -> float:
        """Seconds that the oldest unsaved record has waited."""
        return 0.0 if self.since is None else time.monotonic() - self.since

    def batch(self) -> Batch:
        """A snapshot of what is to be written."""
        return Batch(
            self.match_id,
            self.epoch,
            list(self.records),
            list(self.operations),
            self.ticks,
            self.durable,
            self.tried,
        )


class Writer:
    """One a host."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "log-writer")
        self._dirty: dict[uuid.UUID, Ledger] = {}
        self._wake = asyncio.Event()
        self._flushing = asyncio.Lock()
        self._task = asyncio.ensure_future(self._run())

    def put(
        self,
        ledger: Ledger,
        records: list[dict[str, Any]],
        ticks: int,
        operation: Callable[[], None] | None = None,
    ) -> None:
        """Note records down (and something to do in the same transaction). Returns at once."""
        ledger.records += records
        ledger.ticks = ticks
        if operation:
            ledger.operations.append(operation)
        ledger.since = ledger.since or time.monotonic()
        self._dirty[ledger.match_id] = ledger
        self._wake.set()

    async def saved(self, ledger: Ledger) -> None:
        """Wait until all that was put so far is durable. Raises Fenced."""
        if ledger.since is None:
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ledger.waiting.append((ledger.durable + len(ledger.records), done))
        await done

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await asyncio.sleep(FLUSH_EVERY)
            self._wake.clear()
            if not await self.flush():
                self._wake.set()
                await asyncio.sleep(TRY_AGAIN_AFTER)

    async def flush(self) -> bool:
        """Write what waits, now; False when it couldn't be written."""
        async with self._flushing:
            dirty, self._dirty = list(self._dirty.values()), {}
            if not dirty:
                return True
            batches = [one.batch() for one in dirty]
            try:
                lost, failed = await database_sync_to_async(
                    write_batches, thread_sensitive=False, executor=self._thread
                )(batches)
            except Exception:
                logger.exception("the log writer failed; %s matches wait", len(dirty))
                lost, failed = set(), {one.match_id for one in dirty}
            for ledger, batch in zip(dirty, batches, strict=True):
                if ledger.match_id in failed:
                    ledger.tried = True
                    self._dirty.setdefault(ledger.match_id, ledger)
                else:
                    self._settle(ledger, batch, ledger.match_id in lost)
            return not failed

    def _settle(self, ledger: Ledger, batch: Batch, lost: bool) -> None:
        """Forget what was written; wake who waited for it."""
        del ledger.records[: len(batch.records)]
        del ledger.operations[: len(batch.operations)]
        ledger.durable += len(batch.records)
        ledger.tried = False
        ledger.since = time.monotonic() if ledger.records else None
        for needed, done in list(ledger.waiting):
            if lost or needed <= ledger.durable:
                ledger.waiting.remove((needed, done))
                if not done.done():
                    done.set_exception(Fenced()) if lost else done.set_result(None)
        if lost:
            self._dirty.pop(ledger.match_id, None)
            ledger.on_lost()

    async def stop(self) -> None:
        """Write what waits, once, and end."""
        self._task.cancel()
        await self.flush()
        self._thread.shutdown(wait=False)

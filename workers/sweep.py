"""A worker's part of the queue: working through ready jobs, saying that it is alive, finding lost jobs.

Messages of the broker only wake it; a sweep finds every queued job by itself, so a lost message loses no
work. One process works on one job at a time.
"""

from __future__ import annotations

import logging
import os
import threading
from datetime import timedelta

from django.db import close_old_connections, connection
from django.db.utils import Error as DatabaseError
from django.utils import timezone

from webapp.rounds.models import Job, WorkerHeartbeat
from workers import jobs, runner

logger = logging.getLogger(__name__)

SWEEP_SECONDS = float(os.environ.get("COPLAY_WORKER_SWEEP_SECONDS", "2"))
FORGET = timedelta(hours=1)

_busy = threading.Lock()
_current: list[Job] = []
_threads: list[threading.Thread] = []


def work() -> int:
    """Run ready jobs until there are none left; returns how many this call ran (0 if the worker is busy)."""
    if not _busy.acquire(blocking=False):
        return 0
    done = 0
    try:
        while not runner.stopping.is_set() and (claim := _next()):
            _current[:] = [claim.job]
            state = runner.run(claim)
            done += 1
            logger.info("job %s (%s) is %s", claim.job.pk, claim.job.kind, state)
    finally:
        _current.clear()
        _busy.release()
    return done


def _next() -> jobs.Claim | None:
    for job_id in jobs.ready().values_list("pk", flat=True)[:10]:
        if claim := jobs.claim(job_id, jobs.worker_name()):
            return claim
    return None


def beat() -> None:
    """Write this worker's heartbeat, requeue lost jobs, forget workers that are long gone."""
    now = timezone.now()
    WorkerHeartbeat.objects.update_or_create(
        name=jobs.worker_name(), defaults={"at": now, "job": _current[0] if _current else None}
    )
    WorkerHeartbeat.objects.filter(at__lt=now - FORGET).delete()
    if found := jobs.reap():
        logger.warning("%d lost jobs found", found)


def _forever(what) -> None:
    while not runner.stopping.is_set():
        close_old_connections()
        try:
            what()
        except DatabaseError:
            logger.exception("the database did not answer; trying again")
        except Exception:
            logger.exception("%s failed; trying again", what.__name__)
        runner.stopping.wait(SWEEP_SECONDS)
    connection.close()


def start(works: bool = True) -> None:
    """Start the heartbeat and, if `works`, the sweep; both end when `runner.stopping` is set."""
    for what in (beat, work) if works else (beat,):
        thread = threading.Thread(target=_forever, args=(what,), name=f"coplay-{what.__name__}", daemon=True)
        thread.start()
        _threads.append(thread)


def stop(timeout: float = 8.0) -> None:
    """Stop the child at its next checkpoint, put its job back, and end the threads."""
    runner.stopping.set()
    for thread in _threads:
        thread.join(timeout)
    WorkerHeartbeat.objects.filter(name=jobs.worker_name()).delete()

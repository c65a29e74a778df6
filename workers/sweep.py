"""A worker's part of the queues: working through ready jobs, saying that it is alive, finding lost jobs.

Messages of the broker only wake it; a sweep finds every queued job by itself, so a lost message loses no
work; others do what nobody asks for: they ask for the worth of episodes in queues, and compare what
annotators have submitted. One process works on one long job at a time, and on one short job beside it: a clip
never waits behind a training.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.db import close_old_connections, connection
from django.db.models import QuerySet
from django.db.utils import Error as DatabaseError
from django.utils import timezone

from engine import games
from webapp.annotation import agreement, worth
from webapp.jobs import gpu, jobs, runner, steps
from webapp.jobs.models import Job, WorkerHeartbeat
from webapp.jobs.progress import ALIVE
from webapp.studies.models import Study

logger = logging.getLogger(__name__)

SWEEP_SECONDS = float(os.environ.get("COPLAY_WORKER_SWEEP_SECONDS", "2"))
RANK_SECONDS = COMPARE_SECONDS = 10.0
FORGET = timedelta(hours=1)
KEPT = 20  # jobs that ranked episodes
SHORT, LONG = "short", "long"
LANES = {SHORT: (Job.SHORT,), LONG: (Job.GPU, Job.CPU)}

_busy = {lane: threading.Lock() for lane in LANES}
_current: dict[str, Job] = {}
_threads: list[threading.Thread] = []


def work(*lanes: str) -> int:
    """Run the ready jobs of these lanes (all, if none is named) until there are none left; returns how many
    this call ran: none in a lane that is busy.
    """
    done = 0
    for lane in lanes or LANES:
        if not _busy[lane].acquire(blocking=False):
            continue
        try:
            while not runner.stopping.is_set() and (claim := _next(lane)):
                _current[lane] = claim.job
                state = runner.run(claim)
                done += 1
                logger.info("job %s (%s) is %s", claim.job.pk, claim.job.kind, state)
        finally:
            _current.pop(lane, None)
            _busy[lane].release()
    return done


def offered(lane: str, has_gpu: bool) -> QuerySet[Job]:
    """The ready jobs of a lane for a worker with or without a GPU, the next one first. With one it takes GPU
    jobs first; without, it leaves them to a worker that has one, while that is alive.
    """
    jobs_here = jobs.ready().filter(queue__in=LANES[lane])
    if has_gpu:
        return jobs_here.order_by("-queue", "created_at", "position")  # "gpu" comes before "cpu" so
    if WorkerHeartbeat.objects.filter(has_gpu=True, at__gt=timezone.now() - ALIVE).exists():
        return jobs_here.exclude(queue=Job.GPU)
    return jobs_here


def _next(lane: str) -> jobs.Claim | None:
    for job_id in offered(lane, gpu.is_here()).values_list("pk", flat=True)[:10]:
        if claim := jobs.claim(job_id, jobs.worker_name()):
            return claim
    return None


def beat() -> None:
    """Write this worker's heartbeat, requeue lost jobs, forget workers that are long gone."""
    now = timezone.now()
    WorkerHeartbeat.objects.update_or_create(
        name=jobs.worker_name(),
        defaults={
            "at": now,
            "job": _current.get(LONG) or _current.get(SHORT),
            "has_gpu": gpu.is_here(),
        },
    )
    WorkerHeartbeat.objects.filter(at__lt=now - FORGET).delete()
    if reaped := jobs.reap():
        logger.warning("%d lost jobs found", reaped)


def rank() -> None:
    """Ask what episodes in queues that go by it are worth, where that isn't known or there is a newer reward
    model.
    """
    going_by_it = Study.objects.filter(active=True, random_share__lt=100, game__in=games.names())
    for game in sorted(set(going_by_it.values_list("game", flat=True))):
        worth.ask(game)
    steps.forget_old(worth.KIND, KEPT)


def compare() -> None:
    """Compare the marks of annotators who have submitted the same episode, wherever some wait for it."""
    for study in Study.objects.filter(game__in=games.names()):
        while not runner.stopping.is_set() and agreement.compare(study, agreement.AT_ONCE):
            pass


def _forever(name: str, what: Callable[[], object], seconds: float) -> None:
    while not runner.stopping.is_set():
        close_old_connections()
        try:
            what()
        except DatabaseError:
            logger.exception("the database did not answer; trying again")
        except Exception:
            logger.exception("%s failed; trying again", name)
        runner.stopping.wait(seconds)
    connection.close()


def start(works: bool = True) -> None:
    """Start the heartbeat and, if `works`, a sweep a lane, `rank` and `compare`; all end when
    `runner.stopping` is set.
    """
    parts: dict[str, tuple[Callable[[], object], float]] = {"beat": (beat, SWEEP_SECONDS)}
    if works:
        parts |= {lane: (partial(work, lane), SWEEP_SECONDS) for lane in LANES}
        parts |= {"rank": (rank, RANK_SECONDS), "compare": (compare, COMPARE_SECONDS)}
    for name, (what, seconds) in parts.items():
        thread = threading.Thread(
            target=_forever, args=(name, what, seconds), name=f"coplay-{name}", daemon=True
        )
        thread.start()
        _threads.append(thread)


def stop(timeout: float = 8.0) -> None:
    """Stop the children at their next checkpoint, put their jobs back, and end the threads."""
    runner.stopping.set()
    for thread in _threads:
        thread.join(timeout)
    WorkerHeartbeat.objects.filter(name=jobs.worker_name()).delete()

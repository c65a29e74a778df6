"""A job's row is the truth about it: claiming, leases, fencing, states. Not for running programs (runner.py).

A worker claims a job by one conditional UPDATE that raises the fencing token; each later write names the
token, so a worker that lost its lease changes nothing any more. Messages of a broker are only nudges.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from engine.refusal import Refusal
from webapp.common import running
from webapp.jobs.models import Job, JobLine, JobMetric

LEASE = timedelta(seconds=float(os.environ.get("COPLAY_JOB_LEASE_SECONDS", "30")))
# A job whose worker died this often is not tried again by itself: it may be what kills the workers.
MAX_ATTEMPTS = 5


class LostLease(Exception):
    """Another worker has the job by now, or it was reaped: stop the child and write nothing."""


@dataclass(frozen=True)
class Claim:
    """The right to work on a job, valid while the row still carries `token`."""

    job: Job
    token: int


def place() -> str:
    """Where process ids mean something: host and, on Linux, its process id namespace (containers have
    theirs)."""
    try:
        namespace = os.readlink("/proc/self/ns/pid").strip("pid:[]")
    except OSError:
        namespace = "0"
    return f"{socket.gethostname()}/{namespace}"


def worker_name() -> str:
    return f"{place()}:{os.getpid()}"


def ready(jobs: QuerySet[Job] | None = None) -> QuerySet[Job]:
    """Queued jobs whose earlier jobs of the same round are all completed, oldest first."""
    earlier = Job.objects.filter(round=OuterRef("round"), position__lt=OuterRef("position"))
    jobs = Job.objects.all() if jobs is None else jobs
    waiting = Exists(earlier.exclude(state=Job.COMPLETED))
    return jobs.filter(~waiting, state=Job.QUEUED).order_by("created_at", "position")


def claim(job_id: object, worker: str) -> Claim | None:
    """Take a ready job, or None if it isn't ready or someone else was faster."""
    now = timezone.now()
    taken = ready(Job.objects.filter(pk=job_id)).update(
        state=Job.RUNNING,
        worker=worker,
        token=F("token") + 1,
        attempts=F("attempts") + 1,
        lease_until=now + LEASE,
        heartbeat_at=now,
        started_at=now,
        finished_at=None,
        error="",
        device="",
        eta_seconds=None,
    )
    if not taken:
        return None
    job = Job.objects.select_related("round").get(pk=job_id)
    return Claim(job, job.token) if job.worker == worker else None


def held(claim: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=claim.job.pk, token=claim.token, state__in=[Job.RUNNING, Job.CANCELLING])


@transaction.atomic
def report(
    claim: Claim,
    metrics: Iterable[JobMetric] = (),
    lines: Iterable[JobLine] = (),
    restart_at: int | None = None,
    **fields: object,
) -> bool:
    """Write progress and renew the lease; True when someone asked to cancel. Raises LostLease.

    `restart_at`: metrics of an earlier attempt from this step on are dropped, for they are computed again.
    """
    now = timezone.now()
    if not held(claim).update(lease_until=now + LEASE, heartbeat_at=now, **fields):
        raise LostLease
    if restart_at is not None:
        JobMetric.objects.filter(job=claim.job, step__gte=restart_at).delete()
    JobMetric.objects.bulk_create(metrics)
    JobLine.objects.bulk_create(lines)
    return Job.objects.filter(pk=claim.job.pk, state=Job.CANCELLING).exists()


def end(claim: Claim, state: str, **fields: object) -> None:
    """Give the job its last state (or QUEUED, to go on later) and drop the lease. Raises LostLease."""
    if state == Job.QUEUED:
        allowed = held(claim).filter(state=Job.RUNNING)
    else:
        allowed = held(claim)
        fields["finished_at"] = timezone.now()
    if not allowed.update(state=state, lease_until=None, eta_seconds=None, worker="", **fields):
        raise LostLease


def cancel(job: Job) -> None:
    """Ask a running job to stop, or take a queued one out of the queue. Raises Refusal."""
    now = timezone.now()
    if Job.objects.filter(pk=job.pk, state=Job.QUEUED).update(state=Job.CANCELLED, finished_at=now):
        return
    if Job.objects.filter(pk=job.pk, state=Job.RUNNING).update(state=Job.CANCELLING):
        return
    job.refresh_from_db()
    if job.state not in (Job.CANCELLING, Job.CANCELLED):
        raise Refusal(f"The job is {job.state}; only queued and running jobs can be cancelled.")


def resume(job: Job) -> None:
    """Queue a cancelled or failed job again; it goes on from its last checkpoint. Raises Refusal."""
    stopped = Job.objects.filter(pk=job.pk, state__in=Job.RESUMABLE)
    if not stopped.update(state=Job.QUEUED, attempts=0, error="", finished_at=None):
        job.refresh_from_db()
        raise Refusal(f"The job is {job.state}; only cancelled and failed jobs can be resumed.")


def _died_here(worker: str) -> bool:
    """Whether a worker of this machine is gone, so that nobody need wait for its lease to run out."""
    where, _, process = worker.rpartition(":")
    return where == place() and running.is_gone(process)


def reap() -> int:
    """Requeue jobs whose worker died or has not renewed its lease; returns how many were found."""
    active = Job.objects.filter(state__in=[Job.RUNNING, Job.CANCELLING])
    lost = 0
    for job in active:
        if job.lease_until > timezone.now() and not _died_here(job.worker):
            continue
        mine = active.filter(pk=job.pk, token=job.token, state=job.state, lease_until=job.lease_until)
        if job.state == Job.CANCELLING:
            changed = mine.update(
                state=Job.CANCELLED, finished_at=timezone.now(), lease_until=None, worker=""
            )
            text = "The worker was lost while the job was being cancelled."
        elif job.attempts >= MAX_ATTEMPTS:
            text = f"The worker was lost {job.attempts} times in a row; resume the job to try again."
            changed = mine.update(
                state=Job.FAILED, error=text, finished_at=timezone.now(), lease_until=None, worker=""
            )
        else:
            changed = mine.update(state=Job.QUEUED, lease_until=None, worker="")
            text = "The worker was lost. The job continues from its last checkpoint."
        if changed:
            lost += 1
            JobLine.objects.create(job=job, level="warning", text=text)
    return lost

"""Runs one claimed job: a child process whose JSON lines become the job's progress, curves and log.

Not for deciding what to run (steps.py) or who may (jobs.py). Cancelling is SIGTERM to the child's process
group, and SIGKILL 2.5 seconds later.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import IO

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction

from engine.command_line import REFUSED
from engine.refusal import NotNow, Refusal
from webapp.jobs import gpu, jobs, steps
from webapp.jobs.models import Job, JobLine, JobMetric

FLUSH_SECONDS = 0.3  # also how often it looks whether to cancel
KILL_AFTER_SECONDS = 2.5  # programs promise to stop within 2
LINE_LIMIT = 2000  # characters of one log line that are kept


class Flag:
    """Set once, from a signal handler. A threading.Event deadlocks there: a second signal that interrupts
    `set` waits for the lock that the first one holds.
    """

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set

    def wait(self, seconds: float) -> None:
        """Sleep until it is set, `seconds` at most."""
        until = time.monotonic() + seconds
        while not self._set and time.monotonic() < until:
            time.sleep(0.1)


# Set when the worker is to stop: children get SIGTERM, leave a checkpoint, and their jobs are queued again.
stopping = Flag()


@dataclass
class Buffer:
    """What the child has said since the last flush."""

    job: Job
    first_metric: bool
    metrics: list[JobMetric] = field(default_factory=list)
    lines: list[JobLine] = field(default_factory=list)
    fields: dict[str, object] = field(default_factory=dict)
    result: dict | None = None
    restart_at: int | None = None
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=40))
    written_at: float = field(default_factory=time.monotonic)

    def take(self, source: str, text: str) -> None:
        """One line of the child's output."""
        if source == "stderr":
            self.errors.append(text)
            self.log("stderr", text)
            return
        try:
            message = json.loads(text)
            kind = message.pop("type")
        except (ValueError, AttributeError, KeyError, TypeError):
            self.log("info", text)
            return
        if kind == "progress":
            self.fields |= {
                "done": int(message.get("done") or 0),
                "total": int(message.get("total") or 0),
                "eta_seconds": message.get("eta_s"),
            }
        elif kind == "metrics":
            step = int(message["step"])
            if self.first_metric:
                self.restart_at, self.first_metric = step, False
            self.metrics.append(JobMetric(job=self.job, step=step, values=message["values"]))
        elif kind == "device":
            self.fields["device"] = str(message.get("device", ""))[:120]
        elif kind == "log":
            self.log(message.get("level", "info"), str(message.get("text", "")))
        elif kind == "result":
            self.result = message

    def log(self, level: str, text: str) -> None:
        self.lines.append(JobLine(job=self.job, level=level[:10], text=text[:LINE_LIMIT]))

    def flush(self, claim: jobs.Claim) -> bool:
        """Write it all; True when someone asked to cancel."""
        metrics, lines, fields, restart = self.metrics, self.lines, self.fields, self.restart_at
        try:
            asked = jobs.report(claim, metrics, lines, restart, **fields)
        except (OperationalError, InterfaceError):
            connection.close_if_unusable_or_obsolete()
            return False  # the database is busy or away: keep everything for the next flush
        self.written_at = time.monotonic()
        self.metrics, self.lines, self.fields, self.restart_at = [], [], {}, None
        return asked


def run(claim: jobs.Claim) -> str:
    """Run the job to its end; returns its new state, or "lost" when another worker has it."""
    try:
        return _run(claim)
    except jobs.LostLease:
        return "lost"


def _run(claim: jobs.Claim) -> str:
    job = claim.job
    buffer = Buffer(job, first_metric=job.attempts > 1 or job.metrics.exists())
    try:
        argv = steps.command(job)
    except Refusal as error:
        state = Job.FAILED if isinstance(error, NotNow) else Job.REFUSED
        jobs.end(claim, state, error=str(error))
        return state
    buffer.log("info", f"Attempt {claim.token} on {job.worker}: {job.kind.replace('_', ' ')}")
    child = subprocess.Popen(
        [sys.executable, "-m", "webapp.jobs.leash", str(os.getpid()), *argv],
        cwd=settings.BASE_DIR,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | gpu.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        cancelled, requeue = _follow(claim, child, buffer)
    except BaseException:
        _kill(child)
        raise
    return _finish(claim, child.returncode, buffer, cancelled, requeue)


def _follow(claim: jobs.Claim, child: subprocess.Popen, buffer: Buffer) -> tuple[bool, bool]:
    """Pump the child's lines until it ends; returns (cancel was asked, the worker is stopping)."""
    lines: queue.Queue[tuple[str, str]] = queue.Queue()
    readers = [
        threading.Thread(target=_read, args=(name, stream, lines), daemon=True)
        for name, stream in (("stdout", child.stdout), ("stderr", child.stderr))
    ]
    for reader in readers:
        reader.start()
    cancelled = requeue = False
    kill_at: float | None = None
    last = 0.0
    while child.poll() is None:
        _drain(lines, buffer, timeout=0.1)
        now = time.monotonic()
        if now - last >= FLUSH_SECONDS:
            last = now
            cancelled = buffer.flush(claim) or cancelled
            if time.monotonic() - buffer.written_at > jobs.LEASE.total_seconds():
                raise jobs.LostLease  # the lease could not be renewed: someone else may have the job
        requeue = requeue or (stopping.is_set() and not cancelled)
        if (cancelled or requeue) and kill_at is None:
            _signal(child, signal.SIGTERM)
            kill_at = now + KILL_AFTER_SECONDS
        elif kill_at is not None and now > kill_at:
            _kill(child)
    _signal(child, signal.SIGKILL)  # whatever the child left behind in its process group
    for reader in readers:
        reader.join(timeout=2)
    _drain(lines, buffer, timeout=0)
    return cancelled, requeue


def _finish(claim: jobs.Claim, status: int, buffer: Buffer, cancelled: bool, requeue: bool) -> str:
    if status == 0 and buffer.result is not None:
        buffer.log("info", "Completed.")
        return _complete(claim, buffer)
    if cancelled:
        buffer.log("info", "Cancelled. If it is resumed, it continues from the last checkpoint.")
        return _write(claim, buffer, Job.CANCELLED)
    if requeue:
        buffer.log("info", "The worker was stopped. The job continues when a worker starts.")
        # Not a loss: it doesn't count as an attempt.
        return _write(claim, buffer, Job.QUEUED, attempts=max(0, claim.job.attempts - 1))
    words = [line for line in buffer.errors if line.strip()]
    error = words[-1] if words and status > 0 else _ending(status)
    return _write(claim, buffer, Job.REFUSED if status == REFUSED else Job.FAILED, error=error)


def _ending(status: int) -> str:
    """Why a program failed that said nothing, in a sentence."""
    if status >= 0:
        return f"The program ended with status {status} and made no result."
    name = signal.Signals(-status).name if -status in set(signal.Signals) else str(-status)
    more = " This machine may have too little memory for it." if -status == signal.SIGKILL else ""
    return f"The program was killed ({name}).{more}"


def _complete(claim: jobs.Claim, buffer: Buffer) -> str:
    """Register what the job made and complete it, both or neither, and only for the worker that holds it."""
    buffer.flush(claim)
    try:
        with transaction.atomic():
            result = steps.register(claim.job, buffer.result or {})
            jobs.end(claim, Job.COMPLETED, result=result, error="")
    except Refusal as error:
        return _write(claim, buffer, Job.FAILED, error=str(error))
    return Job.COMPLETED


def _write(claim: jobs.Claim, buffer: Buffer, state: str, **fields: object) -> str:
    buffer.flush(claim)
    jobs.end(claim, state, **fields)
    return state


def _read(name: str, stream: IO[str] | None, lines: queue.Queue[tuple[str, str]]) -> None:
    for line in stream or ():
        lines.put((name, line.rstrip("\n")))


def _drain(lines: queue.Queue[tuple[str, str]], buffer: Buffer, timeout: float) -> None:
    try:
        buffer.take(*lines.get(timeout=timeout) if timeout else lines.get_nowait())
        while True:
            buffer.take(*lines.get_nowait())
    except queue.Empty:
        pass


def _signal(child: subprocess.Popen, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)


def _kill(child: subprocess.Popen) -> None:
    _signal(child, signal.SIGKILL)
    child.wait()

"""Starting a real worker process, and waiting for what it does to a job. Shared by the tests of this
folder."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from engine.simulation.code_cache import CACHE_FOLDER
from tests import forks
from webapp.jobs.models import Job

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def regression() -> str:
    """What Python is told to run for a program of tests/workers/regression.py: a fork of one that is ready
    until this process ends.
    """
    folder = Path(tempfile.mkdtemp(dir=settings.VAR_DIR))
    forking = forks.ready(folder, "tests.workers.regression")
    _, *arguments = forking.__enter__()
    atexit.register(forking.__exit__, None, None, None)
    return " ".join([*arguments, "tests.workers.regression"])


@contextlib.contextmanager
def running(broker: str | None = None, lease: float = 30.0, sweep: float = 0.5) -> Iterator[subprocess.Popen]:
    """A worker on the test's own database and folders; killed at the end if it still runs."""
    var = Path(settings.VAR_DIR)
    environment = os.environ | {
        "COPLAY_VAR": str(var),
        "COPLAY_DATABASE_URL": database_url(),
        "COPLAY_BROKER_URL": broker or settings.BROKER_URL,
        "COPLAY_WORKER_DEVICE": "cpu",  # "auto" starts a process that asks torch
        "COPLAY_JOB_LEASE_SECONDS": str(lease),
        "COPLAY_WORKER_SWEEP_SECONDS": str(sweep),
        "OMP_NUM_THREADS": "1",
        "REGRESSION": regression(),
        "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
    }
    log = (var / f"worker-{time.monotonic_ns()}.log").open("wb")
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "tests.workers.app", "worker", "--pool", "solo", "-l", "INFO"],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        log.close()


def database_url() -> str:
    """The test database as COPLAY_DATABASE_URL says it."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    return f"postgresql://{given['USER']}:{given['PASSWORD']}@{given['HOST']}:{given['PORT']}/{given['NAME']}"


def wait_for(job: Job, what: Callable[[Job], object], seconds: float = 300.0) -> None:
    """Wait until `what(job)` is true."""
    started = time.monotonic()
    while time.monotonic() - started < seconds:
        job.refresh_from_db()
        if what(job):
            return
        time.sleep(0.05)
    log = "\n".join(job.lines.values_list("text", flat=True))
    raise AssertionError(
        f"The job is {job.state} ({job.done}/{job.total}, {job.error!r}) after {seconds} s.\n{log}"
    )


def starts(job: Job) -> list[int]:
    """At which updates the job's program began, by its own account."""
    path = Path(settings.JOBS_DIR) / str(job.pk) / "out" / "starts.txt"
    return [int(line) for line in path.read_text().split()]


def programs_alive(job: Job) -> list[int]:
    """Process ids of the job's program."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if str(job.pk) in path.read_bytes().decode(errors="replace"):
                found.append(int(path.parent.name))
    return found

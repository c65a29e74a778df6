"""Which program each kind of job runs, with which settings, and what is recorded once it has run.

An app says in its AppConfig which kinds are its own (`at`); the module that it names has `STEPS`, a `Step` a
kind, and is imported when a job of them is met. `command` writes the program's config and gives its argument
list; `register` turns its result into rows, inside the transaction that completes the job. Not for running
anything (runner.py).
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings

from engine.agents.files import write_atomically
from engine.refusal import NotNow
from webapp.jobs.models import Job


def plain(job: Job) -> dict[str, Any]:
    """The settings alone."""
    return dict(job.settings)


@dataclass(frozen=True)
class Step:
    """One kind of job. `program`: what Python is told to run, or what says it of a job; programs take
    `--config FILE --out FOLDER` and report JSON lines (engine.learning.run.reporting). `register` makes rows
    of the result.
    """

    program: list[str] | Callable[[Job], list[str]]
    config: Callable[[Job], dict[str, Any]] = plain
    register: Callable[[Job, dict[str, Any]], object] | None = None


_homes: dict[str, str] = {}


def at(module: str, *kinds: str) -> None:
    """Jobs of these kinds are in that module's `STEPS`."""
    _homes.update(dict.fromkeys(kinds, module))


def of(job: Job) -> Step:
    """Raises NotNow."""
    if job.kind not in _homes:
        raise NotNow(f"There is no program for jobs of the kind {job.kind!r}.")
    return import_module(_homes[job.kind]).STEPS[job.kind]


def folder(job: Job) -> Path:
    return settings.JOBS_DIR / str(job.pk)


def out(job: Job) -> Path:
    """Where the job's program leaves checkpoints, TensorBoard events and results."""
    return folder(job) / "out"


def program_of(job: Job) -> list[str]:
    """What Python is told to run. Raises NotNow."""
    program = of(job).program
    return program(job) if callable(program) else program


def command(job: Job) -> list[str]:
    """Write the config of the job's program and return how to start it. Raises NotNow."""
    program = program_of(job)
    path = folder(job) / "config.json"
    write_atomically(path, json.dumps(of(job).config(job), indent=2).encode())
    out(job).mkdir(parents=True, exist_ok=True)
    return [sys.executable, *program, "--config", str(path), "--out", str(out(job))]


def register(job: Job, result: dict[str, Any]) -> dict[str, Any]:
    """Make rows of what the program made; returns what the job row keeps as its result. Raises
    Refusal."""
    step = of(job)
    try:
        if step.register:
            step.register(job, result)
    except OSError as error:
        raise NotNow(str(error)) from None
    return result


def forget_old(kind: str, most: int) -> None:
    """Delete all but the newest jobs of a kind and of no round that are over, with their folders."""
    over = Job.objects.filter(kind=kind, round=None).exclude(state__in=Job.UNFINISHED).order_by("-created_at")
    for job in over[most:]:
        shutil.rmtree(folder(job), ignore_errors=True)
        job.delete()

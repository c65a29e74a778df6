"""Exports and imports that pages ask for, as jobs of the kinds "export" and "import": packing a snapshot and
taking one in last as long as there is data, and no process that hosts matches has that time.

What may be asked for and the jobs' rows. Not for the work (snapshots.export, importing), which the jobs'
programs run (`manage.py datasets pack | take`), nor for pages (views).
"""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet

from webapp.accounts.models import User
from webapp.datasets.models import Snapshot
from webapp.jobs import progress, steps
from webapp.jobs.models import Job
from webapp.jobs.steps import forget_old

EXPORT, IMPORT = "export", "import"
KINDS = (EXPORT, IMPORT)
MOST_KEPT = 20  # jobs of a kind; the oldest are forgotten, what they made stays
UPLOAD = "upload.zip"


def exports_of(snapshot: Snapshot) -> QuerySet[Job]:
    """The jobs that pack a snapshot, newest first."""
    return Job.objects.filter(kind=EXPORT, settings__snapshot=str(snapshot.pk)).order_by("-created_at")


def imports() -> QuerySet[Job]:
    return Job.objects.filter(kind=IMPORT).order_by("-created_at")


def ask_export(snapshot: Snapshot) -> Job:
    """The job that packs a snapshot, queued; one that is at work on it already is that one. The caller nudges
    a worker after the commit.
    """
    if job := exports_of(snapshot).filter(state__in=Job.UNFINISHED).first():
        return job
    forget_old(EXPORT, MOST_KEPT)
    return Job.objects.create(kind=EXPORT, settings={"snapshot": str(snapshot.pk)})


def ask_import(upload: UploadedFile, user: User) -> Job:
    """The job that takes in a file that was sent, which lies in the job's folder, queued; the caller nudges a
    worker after the commit. Raises OSError where the file can't be kept.
    """
    forget_old(IMPORT, MOST_KEPT)
    job = Job(pk=uuid.uuid4(), kind=IMPORT)
    path = steps.folder(job) / UPLOAD
    try:
        path.parent.mkdir(parents=True)
        with path.open("wb") as file:
            for chunk in upload.chunks():
                file.write(chunk)
    except BaseException:
        shutil.rmtree(path.parent, ignore_errors=True)
        raise
    job.settings = {"file": str(path), "name": Path(upload.name or "").name[:200], "user": user.pk}
    job.save(force_insert=True)
    return job


def shown(job: Job) -> dict[str, Any]:
    """What a page says of a job."""
    made = Snapshot.objects.filter(pk=job.result.get("snapshot")).first() if job.result else None
    return {
        "job": job,
        "made": made,
        "counts": job.result,
        "no_worker": None if job.is_over else progress.no_worker(),
    }

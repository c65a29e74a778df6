"""What pages say of a job, and whether anybody works. Pure reading, no changes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from webapp.jobs import steps
from webapp.jobs.models import Job, WorkerHeartbeat

ALIVE = timedelta(seconds=20)
START_WORKER = ".venv/bin/celery -A workers.app worker --pool solo"


def workers_alive() -> bool:
    return WorkerHeartbeat.objects.filter(at__gt=timezone.now() - ALIVE).exists()


def no_worker() -> dict[str, str] | None:
    """Why nothing happens and what to do about it; None when a worker is alive."""
    if workers_alive():
        return None
    last = WorkerHeartbeat.objects.order_by("-at").first()
    seen = f"The last one was seen at {last.at:%H:%M:%S} UTC. " if last else ""
    return {"text": f"No worker is running. {seen}", "command": START_WORKER}


def job_json(job: Job) -> dict[str, Any]:
    return {
        "id": str(job.pk),
        "kind": job.kind,
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "eta": job.eta_seconds,
        "seconds": job.seconds,
        "error": job.error,
        "can_resume": job.can_resume,
        "token": job.token,
        "device": job.device,
    }


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def artefacts(job: Job) -> list[dict[str, Any]]:
    """The files that a job left, newest run included: [{"path", "bytes"}], paths relative to its out
    folder."""
    out = steps.out(job)
    files = sorted(path for path in out.rglob("*") if path.is_file() and not path.name.startswith("."))
    return [{"path": path.relative_to(out).as_posix(), "bytes": path.stat().st_size} for path in files]

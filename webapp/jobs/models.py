"""Jobs and who works on them. A job's row is the truth about it (state, lease, progress, metrics, log)."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from webapp.common.places import PlacedJSON


class Job(models.Model):
    """One piece of work for a worker.

    A worker claims it by a conditional update that sets the lease and raises `token` (the fencing token);
    every later write names the token and does nothing if another worker has claimed since.
    """

    QUEUED, RUNNING, CANCELLING = "queued", "running", "cancelling"
    CANCELLED, FAILED, COMPLETED = "cancelled", "failed", "completed"
    KINDS = (
        "snapshot",
        "reward_model",
        "agent",
        "evaluation",
        "candidate",
        "clip",
        "utility",
        "worth",
        "told",
        "export",
        "import",
    )
    # What a GPU would make faster; what it would not; what somebody waits for.
    GPU, CPU, SHORT = "gpu", "cpu", "short"

    REFUSED = "refused"  # failed for what it was given: another attempt can't help
    UNFINISHED = (QUEUED, RUNNING, CANCELLING)
    OVER = (CANCELLED, FAILED, REFUSED, COMPLETED)
    RESUMABLE = (CANCELLED, FAILED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(
        "rounds.Round", null=True, blank=True, on_delete=models.CASCADE, related_name="jobs"
    )
    kind = models.CharField(max_length=20, choices=[(k, k) for k in KINDS])
    position = models.PositiveSmallIntegerField(default=0)
    # The learning program; "" where the kind says it.
    program = models.CharField(max_length=100, blank=True)
    settings = PlacedJSON(default=dict)
    queue = models.CharField(max_length=10, choices=[(q, q) for q in (GPU, CPU, SHORT)], default=CPU)
    state = models.CharField(max_length=20, default=QUEUED, db_index=True)
    worker = models.CharField(max_length=120, blank=True)
    device = models.CharField(max_length=120, blank=True, help_text="what the last attempt computes on")
    token = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    eta_seconds = models.FloatField(null=True, blank=True)
    result = PlacedJSON(default=dict)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "rounds_job"
        ordering = ["created_at", "position"]

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER

    @property
    def can_resume(self) -> bool:
        return self.state in self.RESUMABLE

    @property
    def seconds(self) -> float | None:
        """Seconds since the last start, until the end if there is one."""
        if self.started_at is None:
            return None
        return ((self.finished_at or timezone.now()) - self.started_at).total_seconds()


class JobMetric(models.Model):
    """Metrics of a job at one step: {"name": value}."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="metrics")
    step = models.BigIntegerField()
    values = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "rounds_jobmetric"
        ordering = ["id"]


class JobLine(models.Model):
    """One line of a job's log."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="lines")
    level = models.CharField(max_length=10, default="info")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "rounds_jobline"
        ordering = ["id"]


class WorkerHeartbeat(models.Model):
    """A worker process says that it is alive, and what it works on. One row a process; old rows are
    removed."""

    name = models.CharField(max_length=120, unique=True, help_text="host:process id")
    at = models.DateTimeField(default=timezone.now, db_index=True)
    has_gpu = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        db_table = "rounds_workerheartbeat"

    def __str__(self) -> str:
        return self.name

"""Training rounds and their jobs. A job's row is the truth about it (state, lease, progress, metrics,
log)."""

from __future__ import annotations

import uuid

from django.conf import settings as django_settings
from django.db import models
from django.utils import timezone

from webapp.agents.resolve import in_words, layout_of
from webapp.common.places import PlacedJSON


class Round(models.Model):
    """One turn of the loop: snapshot, reward model, agent, evaluation, candidate, decision."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True)
    game = models.CharField(max_length=40)
    goal = models.CharField(max_length=200, blank=True)
    base_agent = models.ForeignKey("agents.Agent", on_delete=models.PROTECT, related_name="rounds_as_base")
    # {"data": {...filters}, "algorithms": {part: program}, "reward_model": {...}, "agent": {...},
    # "evaluation": {...}}; of one to an instruction "told" ({"instruction", "reading"}) stands for the data,
    # and there is no reward model
    settings = models.JSONField(default=dict)
    snapshot = models.ForeignKey(
        "datasets.Snapshot", null=True, blank=True, on_delete=models.PROTECT, related_name="rounds"
    )
    candidate = models.ForeignKey(
        "agents.Agent", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # "", "promoted", "discarded"
    decision = models.CharField(max_length=20, blank=True)
    decision_reason = models.TextField(blank=True)
    created_by = models.ForeignKey(django_settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]

    @property
    def told(self) -> dict[str, str] | None:
        """{"instruction", "reading"} of a round that trains an agent to an instruction and learns from no
        marks; None for any other.
        """
        return self.settings.get("told")

    @property
    def layout(self) -> str:
        """The layout that the round trains for; "" in games without layouts."""
        return layout_of(self.base_agent)

    @property
    def said(self) -> str:
        """What the round trains for, in words."""
        return in_words(self.game, self.layout)


class Job(models.Model):
    """One piece of work for a worker.

    A worker claims it by a conditional update that sets the lease and raises `token` (the fencing token);
    every later write names the token and does nothing if another worker has claimed since.
    """

    QUEUED, RUNNING, CANCELLING = "queued", "running", "cancelling"
    CANCELLED, FAILED, COMPLETED = "cancelled", "failed", "completed"
    REFUSED = "refused"  # failed for what it was given: another attempt can't help
    OVER = (CANCELLED, FAILED, REFUSED, COMPLETED)
    RESUMABLE = (CANCELLED, FAILED)
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

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
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
        ordering = ["id"]


class JobLine(models.Model):
    """One line of a job's log."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="lines")
    level = models.CharField(max_length=10, default="info")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]


class WorkerHeartbeat(models.Model):
    """A worker process says that it is alive, and what it works on. One row a process; old rows are
    removed."""

    name = models.CharField(max_length=120, unique=True, help_text="host:process id")
    at = models.DateTimeField(default=timezone.now, db_index=True)
    has_gpu = models.BooleanField(default=False)
    started_at = models.DateTimeField(default=timezone.now)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    def __str__(self) -> str:
        return self.name

"""Snapshots: which episodes and which marks a training round learned from, frozen."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Manager
from django.utils import timezone


class WholeOnes(Manager):
    """Snapshots that are all there: what pages offer and rounds learn from."""

    def get_queryset(self) -> models.QuerySet[Snapshot]:
        return super().get_queryset().filter(whole=True)


class Snapshot(models.Model):
    """A frozen selection of episodes and marks, written to a folder with checksums."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.CharField(max_length=40)
    filters = models.JSONField(default=dict)
    folder = models.CharField(max_length=300, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(default=dict)
    has_simulated = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(default=timezone.now)
    episodes = models.ManyToManyField("replays.Episode", related_name="snapshots")
    # {account: [marks, episodes]} of everybody's marks in it; null until they are first asked for.
    by_rater = models.JSONField(null=True, editable=False)
    # Where its episodes of people come from (webapp.episodes.origins); null until that is first asked for.
    sources = models.JSONField(null=True, editable=False)
    whole = models.BooleanField(default=True, help_text="Its rows are all there")

    objects = WholeOnes()
    every: ClassVar[Manager[Snapshot]] = Manager()

    class Meta:
        ordering = ["-created_at"]

    def mark(self, pk: uuid.UUID) -> dict[str, Any] | None:
        """{"id", "tick", "sign", "revision"} of a mark as it is in it, None where it isn't."""
        from webapp.datasets.snapshot_reading import mark_in  # which needs the models

        return mark_in(settings.SNAPSHOTS_DIR / self.folder, str(pk))


class Marked(models.Model):
    """How many marks an annotator has on an episode in a snapshot. The marks are in its folder."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="marked")
    episode = models.ForeignKey("replays.Episode", on_delete=models.CASCADE, related_name="marked_in")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    marks = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["snapshot", "episode", "annotator"], name="one_row_a_snapshot_episode_annotator"
            )
        ]

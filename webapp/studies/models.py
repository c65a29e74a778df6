"""Studies: how episodes of one game are handed to annotators, and what is asked of them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Study(models.Model):
    """Settings of an annotation queue that an admin may change at any time."""

    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40)
    active = models.BooleanField(default=True)
    overlap = models.PositiveIntegerField(default=2, help_text="Annotators per episode")
    lock_minutes = models.PositiveIntegerField(default=30, help_text="An episode handed out comes back after")
    agreement_window = models.PositiveIntegerField(default=1, help_text="Marks match within this many ticks")
    gold_every = models.PositiveIntegerField(default=0, help_text="One gold episode in so many; 0 is none")
    random_share = models.PositiveSmallIntegerField(
        default=100,
        help_text="Percent of episodes drawn at random; of the others, those that the newest reward model is "
        "least sure about come first (the oldest, while there is none). In experiments with simulated "
        "annotators episodes drawn at random taught as much or more",
    )
    show_gold_results = models.BooleanField(default=False, help_text="Annotators see their gold results")
    editable_minutes = models.PositiveIntegerField(default=60, help_text="Submitted marks may be edited for")
    watch_delay = models.PositiveIntegerField(default=2, help_text="Ticks that a running replay lags behind")
    ticks_per_second = models.PositiveSmallIntegerField(
        default=6, help_text="Ticks a second of games in real time; for games that begin from now on"
    )
    guidelines = models.TextField(blank=True, help_text="Added above the game's own guidelines")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-active", "name"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.name

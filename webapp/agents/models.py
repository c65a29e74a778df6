"""Agents that the site knows, the aliases that point at them, and the history of promotions.

The weights are folders (see `engine.agents.catalogue`); a row says where the folder is and where it came
from.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone


class Agent(models.Model):
    """One agent: a scripted bot, a network, shipped or trained here, or a human proxy."""

    # A round goes on from networks alone.
    KINDS = ("scripted", "network", "people")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    ref = models.CharField(max_length=120, unique=True, help_text="e.g. hanabi/convention-bot")
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40, db_index=True)
    kind = models.CharField(max_length=20, choices=[(kind, kind) for kind in KINDS])
    # "shipped" agents live in the repository; others in the agents folder, by sha256.
    folder = models.CharField(max_length=300, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    card = models.JSONField(default=dict)
    parents = models.ManyToManyField("self", symmetrical=False, related_name="children", blank=True)
    round = models.ForeignKey(
        "rounds.Round", null=True, blank=True, on_delete=models.SET_NULL, related_name="agents"
    )
    retired = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["game", "created_at"]

    def __str__(self) -> str:
        return self.ref

    @property
    def slug(self) -> str:
        """The ref without its game: the last part of the page's address."""
        return self.ref.removeprefix(f"{self.game}/")


class Alias(models.Model):
    """A name that moves: `champion`, `candidate`, `previous`; one set a game (and a layout in Overcooked)."""

    game = models.CharField(max_length=40)
    layout = models.CharField(max_length=60, blank=True)
    name = models.CharField(max_length=40)
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="aliases")
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "layout", "name"], name="one_alias_a_name")]


class Promotion(models.Model):
    """An alias was moved, by whom and why. Rollback is a promotion of what was there before."""

    game = models.CharField(max_length=40)
    layout = models.CharField(max_length=60, blank=True)
    alias = models.CharField(max_length=40, default="champion")
    before = models.ForeignKey(Agent, null=True, on_delete=models.PROTECT, related_name="+")
    after = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="promotions")
    kind = models.CharField(max_length=20, choices=[("promote", "promote"), ("rollback", "rollback")])
    reason = models.TextField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at"]

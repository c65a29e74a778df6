"""Training rounds. Their steps are jobs (webapp.jobs)."""

from __future__ import annotations

import uuid

from django.conf import settings as django_settings
from django.db import models
from django.utils import timezone

from webapp.agents.resolve import in_words, layout_of
from webapp.rounds import kinds


class Round(models.Model):
    """One turn of the loop: snapshot, reward model, agent, evaluation, candidate, decision."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True)
    game = models.CharField(max_length=40)
    goal = models.CharField(max_length=200, blank=True)
    base_agent = models.ForeignKey("agents.Agent", on_delete=models.PROTECT, related_name="rounds_as_base")
    # {"data": {...filters}, "algorithms": {part: program}, "reward_model": {...}, "agent": {...},
    # "evaluation": {...}}; without a reward model where "told" ({"instruction", "reading"}) stands for the
    # data, or "words" (filters of games with people's instructions; {}: the shipped sets alone)
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
    def kind(self) -> str:
        """What it learns from: the marks in its "data", an instruction ("told"), or "words"."""
        return kinds.of(self.settings)

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
    def variant_name(self) -> str:
        """The game and layout that the round trains for, in words."""
        return in_words(self.game, self.layout)

"""The language model that admins have chosen: one row, in which everything may be left open."""

from __future__ import annotations

from django.db import models


class LanguageModel(models.Model):
    """What is empty here is as the environment says, or the default. The key is encrypted (`sealing.py`)."""

    provider = models.CharField(max_length=20, blank=True)
    model = models.CharField(max_length=300, blank=True)
    url = models.CharField(max_length=300, blank=True)
    sealed_key = models.TextField(blank=True)
    seconds = models.FloatField(null=True, blank=True)

    @classmethod
    def row(cls) -> LanguageModel:
        """The row, unsaved as long as no admin has chosen anything."""
        return cls.objects.filter(pk=1).first() or cls(pk=1)

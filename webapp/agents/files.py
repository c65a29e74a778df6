"""The files of an agent that people may download."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from engine.agents import catalogue
from webapp.agents.models import Agent

DOWNLOADS = ("card.json", "weights.safetensors")


def folder(agent: Agent) -> Path:
    return settings.AGENTS_DIR / agent.folder if agent.folder else catalogue.shipped_folder(agent.ref)


def names(agent: Agent) -> list[str]:
    """Which of the two files this agent has; scripted bots have no weights."""
    return [name for name in DOWNLOADS if (folder(agent) / name).is_file()]

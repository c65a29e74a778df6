"""The site's language model, asked what a typed instruction means: over HTTP beside the match, never in it.
Not for: the asking (engine.language.second), settings (webapp.language), what becomes of its answer
(readings.py).
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.core.cache import cache

from engine.language import Reading, second
from engine.language.second import Opinion
from webapp.language import site

MOST_SECONDS = 20.0
"""Somebody has the text before their eyes; what comes later comes too late."""
REST_SECONDS = 60
"""So long is a model left alone that could not be asked."""
OLDER = "?"
"""The program of an opinion that an older Coplay kept: none that a game declares."""
_TROUBLE = "language model in trouble"


def wanted(reading: Reading) -> bool:
    """Whether the site has a language model and the reading leaves something open."""
    return second.needed(reading) and site.current().provider != "embedded"


def ask(game: str, text: str, context: dict[str, Any] | None = None) -> Opinion:
    """What the site's language model makes of a text; waits for it. `context`: as in engine.language.read.
    None is asked for a while after one was in trouble.
    """
    settings = site.current()
    key = f"{_TROUBLE} {settings.provider} {settings.url} {settings.model}".replace(" ", "-")
    if trouble := cache.get(key):
        return Opinion(None, notice=trouble)
    try:
        quick = replace(settings, seconds=min(settings.seconds, MOST_SECONDS))
        opinion = second.opinion(game, text, quick, context=context)
    except ValueError as problem:  # settings that make no sense
        opinion = Opinion(None, notice=str(problem))
    if opinion.program is None:
        # Asked again by everybody who types, a model that is down would keep them all waiting.
        cache.set(key, opinion.notice, REST_SECONDS)
    # Players see who read, and exports keep it: its name, not where it runs.
    return replace(
        opinion, model=Path(settings.model).name if settings.provider == "checkpoint" else settings.model
    )


def stored(opinion: Opinion) -> dict[str, Any]:
    """As it is kept with the reading."""
    return {key: value for key, value in asdict(opinion).items() if key in ("program", "sure", "model")}


def restored(kept: dict[str, Any] | None) -> Opinion | None:
    """As it was kept; what an older Coplay kept has no program, and is no opinion that can be applied."""
    if not kept:
        return None
    return Opinion(kept.get("program", OLDER), kept["sure"], kept["model"])

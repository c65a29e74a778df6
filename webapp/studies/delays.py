"""How far a replay of a running game lags behind it, as its study has it."""

from __future__ import annotations

from engine import games
from webapp.studies.models import Study

DEFAULT_WATCH_DELAY = 2  # ticks, where a game has no study
# Seconds where enemies hide from each other: whoever sees all of them could tell.
HIDING_DELAY = 5


def watch_delay(game: str) -> int:
    """Ticks that a running replay of this game lags behind."""
    study = Study.objects.filter(game=game, active=True).order_by("pk").first()
    delay = study.watch_delay if study else DEFAULT_WATCH_DELAY
    spec = games.spec(game)
    return max(delay, round(HIDING_DELAY * (spec.ticks_per_second or 0))) if spec.heads else delay

"""Which instructions were in force for a seat of an episode at a tick, according to the log, for pages and
marks. Not for: what that means (engine.simulation.told), live matches (they have their log in memory).
"""

from __future__ import annotations

from engine.language.standings import completed
from engine.refusal import Refusal
from engine.simulation.told import Span, told
from webapp.common.made import cache
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store

CACHED_SECONDS = 3600


def spans_of(episode: Episode) -> list[Span]:
    """When which instruction was in force for whom; kept for a while once the game is over. Raises Refusal,
    FileNotFoundError.
    """
    key = f"told:{episode.pk}"
    known = cache.get(key)
    if known is None:
        known = told(completed(log_store().read(episode.pk))).spans
        if episode.status != Episode.RUNNING:
            cache.set(key, known, CACHED_SECONDS)
    return known


def in_force_for_move(episode: Episode, seat: int, tick: int) -> list[Span]:
    """Those in force for the move of a seat that led to a tick, oldest first: what a mark there is about; []
    where the log can't be read.
    """
    try:
        spans = spans_of(episode)
    except (FileNotFoundError, Refusal):
        return []
    return [span for span in spans if span.seat == seat and span.holds(tick - 1)]

"""Pictures of an episode's states, for replays of games that nothing draws in the browser
(static/js/general-replay.js): some ticks at a time, made by re-simulation and cached.
"""

from __future__ import annotations

from engine.simulation.log import walk
from engine.simulation.pictures import data_url
from webapp.common.made import cache
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.episodes.streams import OPEN_VIEW

TICKS = 40  # of one answer
WIDTH = 640  # pixels
CACHED_SECONDS = 3600


def pictures(episode: Episode, view: str, number: int, last_tick: int, tag: str) -> list[str | None]:
    """The pictures of ticks `number` · TICKS on as a view ("open" or a seat) has them, as addresses that hold
    themselves, up to `last_tick`; None: as at the tick before. Raises Refusal and FileNotFoundError.
    """
    key = f"pictures:{tag}:{view}:{number}"
    known = cache.get(key)
    if known is None:
        known = _drawn(episode, None if view == OPEN_VIEW else int(view), number * TICKS, last_tick)
        cache.set(key, known, CACHED_SECONDS)
    return known


def _drawn(episode: Episode, seat: int | None, first: int, last: int) -> list[str | None]:
    drawn: list[str | None] = []
    before = b""
    for simulation in walk(log_store().read(episode.pk)):
        if simulation.tick > min(last, first + TICKS - 1):
            break
        if simulation.tick >= first:
            picture = simulation.picture(seat, WIDTH)
            now = picture.tobytes()
            drawn.append(None if now == before and drawn else data_url(picture))
            before = now
    return drawn

"""A strip of small pictures of an episode that is over, from its first tick to its last, as one file: what
lists show of it (templates/replays/fragments/strip.html).

A list never makes one: browsers ask for those that come into sight, each by a request of its own. Not for:
the strip under a replay, which the browser draws (static/js/timeline.js).
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image

from engine.simulation.log import EpisodeLog, walk
from webapp.common.made import cache
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store

MOMENTS = 5
HEIGHT, WIDEST, GAP = 120, 204, 6  # pixels of a picture, and between two
DRAWN = 480  # pixels across, before they are made small
CACHED_SECONDS = 24 * 3600


def strip(episode: Episode) -> bytes:
    """The strip as a WebP file. Raises Refusal and FileNotFoundError."""
    key = f"strip:{episode.pk}:{episode.digest}"
    known = cache.get(key)
    if known is None:
        known = _file(moments(log_store().read(episode.pk), episode.ticks))
        cache.set(key, known, CACHED_SECONDS)
    return known


def moments(log: EpisodeLog, last_tick: int) -> list[np.ndarray]:
    """Pictures of the first tick, the last and those evenly between, uint8 (height, width, 3), each once."""
    wanted = {round(last_tick * part / (MOMENTS - 1)) for part in range(MOMENTS)}
    return [simulation.picture(None, DRAWN) for simulation in walk(log) if simulation.tick in wanted]


def _file(pictures: Sequence[np.ndarray]) -> bytes:
    small = [Image.fromarray(picture) for picture in pictures]
    for image in small:
        image.thumbnail((WIDEST, HEIGHT), Image.Resampling.LANCZOS)
    width = sum(image.width for image in small) + GAP * (len(small) - 1)
    sheet = Image.new("RGBA", (width, max(image.height for image in small)))
    left = 0
    for image in small:
        sheet.paste(image, (left, 0))
        left += image.width + GAP
    out = io.BytesIO()
    sheet.save(out, "WEBP", quality=80)
    return out.getvalue()

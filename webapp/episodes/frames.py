"""Replays of games with too much in a tick to send each state as JSON: their streams, and chunks of frames.

Such a game has `engine/games/<game>/frames.py` with `record(log, last_tick)` (chunks of bytes, a layout, what
stands out) and a module that reads them in the browser. Everything is made in one re-simulation and cached
together. Not for: games whose streams hold a view of every tick (`streams`).
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable
from typing import Any

from engine import brings, games
from engine.language.standings import completed
from engine.simulation.log import EpisodeLog, begin
from webapp.common.made import cache
from webapp.episodes.controls import late_of, spans_of
from webapp.episodes.models import Episode
from webapp.episodes.plans import lanes_of, plans_of
from webapp.episodes.streams import STREAM_VERSION, pack, words_until

CACHED_SECONDS = 3600
RUNNING = "This match still runs. Its replay opens when it is over; until then, watch it live."


def has_frames(game: str) -> bool:
    """Whether a game's replays are made of frames."""
    return games.brings(game, "frames")


def build(log: EpisodeLog, last_tick: int) -> tuple[dict[str, Any], list[bytes]]:
    """The stream of an episode (as `streams.build_stream`, with "frames" in the place of views) and its
    gzipped chunks. Raises Refusal.
    """
    recorded = brings.Frames.of(log.header["game"]).record(log, last_tick)
    first = begin(log)
    ground = None if first.world is None else first.world[recorded.layout["map_row"]].tobytes()
    stream = {
        "format": STREAM_VERSION,
        "ticks": recorded.ticks,
        "ticks_per_second": log.header.get("ticks_per_second") or first.spec.ticks_per_second,
        "views": {},
        "frames": recorded.layout,
        "ground": base64.b64encode(ground or b"").decode(),
        "events": recorded.moments,
        "lanes": [*recorded.lanes, *lanes_of(log, last_tick)],
        "plans": plans_of(log, last_tick),
        "words": words_until(completed(log), last_tick),
        "controls": spans_of(log, last_tick),
        "late": late_of(log, last_tick),
    }
    return stream, [gzip.compress(chunk, compresslevel=5, mtime=0) for chunk in recorded.chunks]


def packed(episode: Episode, tag: str, read: Callable[[], EpisodeLog]) -> tuple[bytes, list[bytes]]:
    """(gzipped stream, gzipped chunks) of a finished episode, made at most once an hour of the log that
    `read` gives. Raises what that raises.
    """
    key = f"frames:{tag}"
    known = cache.get(key)
    if known is None:
        stream, chunks = build(read(), episode.ticks)
        known = pack(stream | {"status": episode.status, "tag": tag.strip('"')}), chunks
        cache.set(key, known, CACHED_SECONDS)
    return known

"""A whole episode in one response: the view of every tick for every view that one may see, events and words.

The states are made by re-simulation of the log; nothing of them is stored. Not for: who may see what
(`access`).
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from webapp.replays.access import OPEN_VIEW

if TYPE_CHECKING:
    from engine.simulation.log import EpisodeLog

STREAM_VERSION = 1


def build_stream(log: EpisodeLog, views: Sequence[str], last_tick: int) -> dict:
    """States, events and words of ticks 0 to `last_tick` (at most the log's end).

    `views` are seats as text and "open". A view is what `Simulation.view` gives, without the moves that one
    could make: nobody moves in a replay. Raises what re-simulation raises for a log of another rules version.
    """
    from engine.simulation.log import iterate

    states: dict[str, list[dict]] = {name: [] for name in views}
    events: list[dict] = []
    for simulation in iterate(log):
        if simulation.tick > last_tick:
            break
        for name in views:
            view = simulation.view(None if name == OPEN_VIEW else int(name))
            view.pop("moves", None)
            states[name].append(view)
        # What was done is public; the open view tells it without a "you".
        last = simulation.view(None).get("last")
        if last:
            events.append(event_of(simulation.tick, last))
    return {
        "format": STREAM_VERSION,
        "ticks": max(0, len(states[views[0]]) - 1) if views else 0,
        "views": states,
        "events": events,
        "words": [word for word in words_of(log) if word["tick"] <= last_tick],
    }


def event_of(tick: int, last: dict) -> dict:
    """The move that led to `tick`. `tone` is "bad" for a failed play, "good" for a successful one, else
    "plain".
    """
    tone = "plain" if last.get("success") is None else "good" if last["success"] else "bad"
    if last.get("kind") not in ("play", None) and tone == "good":
        tone = "plain"
    return {
        "tick": tick,
        "seat": last["seat"],
        "kind": last.get("kind"),
        "text": last.get("text", ""),
        "tone": tone,
    }


def words_of(log: EpisodeLog) -> list[dict]:
    """What was said: instructions with their readings, utterances, and who took over a seat when; by tick."""
    words = []
    for record in log.records:
        kind = record["type"]
        if kind == "instruction":
            reading = record.get("reading") or {}
            words.append(
                {
                    "kind": "instruction",
                    "id": record.get("id"),
                    "tick": record["tick"],
                    "seat": record.get("seat"),
                    "target": record.get("target_seat"),
                    "text": record["text"],
                    "status": record.get("status"),
                    "reading": reading.get("sentence", ""),
                }
            )
        elif kind == "utterance":
            words.append({name: record[name] for name in ("tick", "seat", "text")} | {"kind": "utterance"})
        elif kind == "control":
            name = (record.get("controller") or {}).get("name", "somebody else")
            words.append(
                {
                    "kind": "control",
                    "tick": record["tick"],
                    "seat": record["seat"],
                    "text": f"now played by {name}",
                }
            )
    return sorted(words, key=lambda word: word["tick"])


def stream_tag(*parts: object) -> str:
    """The ETag of a stream that depends on these parts."""
    text = json.dumps([STREAM_VERSION, *map(str, parts)])
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def pack(stream: dict) -> bytes:
    """The stream as gzipped JSON."""
    return gzip.compress(json.dumps(stream, separators=(",", ":")).encode(), compresslevel=5, mtime=0)

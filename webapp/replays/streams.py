"""A whole episode in one response: the view of every tick for every view that one may see, events and words.

The states are made by re-simulation of the log; nothing of them is stored. Not for: who may see what
(`access`).
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence

from engine.simulation.log import EpisodeLog, iterate
from webapp.replays.access import OPEN_VIEW

STREAM_VERSION = 1


def build_stream(log: EpisodeLog, views: Sequence[str], last_tick: int) -> dict:
    """States, events and words of ticks 0 to `last_tick` (at most the log's end).

    `views` are seats as text and "open". A view is what `Simulation.view` gives, without the moves that one
    could make: nobody moves in a replay. Raises what re-simulation raises for a log of another rules version.
    """
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
    """What was said, by tick: instructions with their readings, utterances, and who took over a seat when.

    An instruction stands once, where it was said, with the last status and reading that it got.
    """
    words: list[dict] = []
    said: dict[str, dict] = {}
    for record in log.records:
        kind = record["type"]
        if kind == "instruction":
            last = {
                "status": record.get("status"),
                "reading": (record.get("reading") or {}).get("sentence", ""),
                "text": record["text"],
            }
            if record["id"] in said:
                said[record["id"]].update(last)
            else:
                place = {"id": record["id"], "tick": record["tick"], "seat": record.get("seat")}
                said[record["id"]] = {"kind": kind, "target": record.get("target_seat")} | place | last
                words.append(said[record["id"]])
        elif kind == "utterance":
            words.append({name: record[name] for name in ("tick", "seat", "text")} | {"kind": kind})
        elif kind == "control":
            name = (record.get("controller") or {}).get("name", "somebody else")
            text = f"now played by {name}"
            words.append({"kind": kind, "tick": record["tick"], "seat": record["seat"], "text": text})
    return sorted(words, key=lambda word: word["tick"])


def stream_tag(*parts: object) -> str:
    """The ETag of a stream that depends on these parts."""
    text = json.dumps([STREAM_VERSION, *map(str, parts)])
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def pack(stream: dict) -> bytes:
    """The stream as gzipped JSON."""
    return gzip.compress(json.dumps(stream, separators=(",", ":")).encode(), compresslevel=5, mtime=0)

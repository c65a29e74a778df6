"""A whole episode in one response: the view of every tick for every view that one may see, events, words, who
was in control.

The states are made by re-simulation of the log; nothing of them is stored. What doesn't change from tick to
tick is sent once (static/js/streams.js puts it together again). Not for: who may see what (`access`).
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from engine.language.standings import completed
from engine.simulation.life import OVER
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.spoken import last_move
from engine.simulation.told import told
from webapp.episodes.controls import TITLES, late_of, spans_of
from webapp.episodes.plans import lanes_of, plans_of

OPEN_VIEW = "open"  # what all seats see
STREAM_VERSION = 6


def build_stream(log: EpisodeLog, views: Sequence[str], last_tick: int) -> dict:
    """States, events, words and controls of ticks 0 to `last_tick` (at most the log's end).

    `views` are seats as text and "open". A view is what `Simulation.view` gives, without the moves that one
    could make: nobody moves in a replay; see `rows_of` for how it is written. Raises what re-simulation
    raises for a log of another rules version.
    """
    states: dict[str, list[dict]] = {name: [] for name in views}
    events: list[dict] = []
    log = completed(log)
    for simulation in walk(log):
        if simulation.tick > last_tick:
            break
        for name in views:
            view = simulation.view(None if name == OPEN_VIEW else int(name))
            view.pop("moves", None)
            states[name].append(view)
        # What was done is public; the open view tells it without a "you".
        open_view = states[OPEN_VIEW][-1] if OPEN_VIEW in states else None
        events += events_of(simulation.tick, last_move(simulation, open_view))
    first = states[views[0]] if views else []
    return {
        "format": STREAM_VERSION,
        "ticks": max(0, len(first) - 1),
        # The clock it was played by; null: not said, 0: turn by turn.
        "ticks_per_second": log.header.get("ticks_per_second"),
        "views": {name: rows_of(rows, views[0], first) for name, rows in states.items()},
        "events": events,
        "words": words_until(log, last_tick),
        "plans": plans_of(log, last_tick),
        "lanes": lanes_of(log, last_tick),
        "controls": spans_of(log, last_tick),
        "late": late_of(log, last_tick),
    }


def rows_of(rows: list[dict], base: str, base_rows: list[dict]) -> dict[str, Any]:
    """A view's states, written shortly: {"first": state, "changes": [{what differs from the tick before}]}.

    A view that tells at every tick what the view `base` tells, but for fields that never change (whose view
    it is), is {"like": base, "but": those fields}. A view has the same fields at every tick.
    """
    if not rows:
        return {"first": {}, "changes": []}
    if rows is not base_rows:
        but = {name: value for name, value in rows[0].items() if base_rows[0].get(name) != value}
        if all(base_row | but == row for base_row, row in zip(base_rows, rows, strict=True)):
            return {"like": base, "but": but}
    changes = [
        {name: value for name, value in row.items() if name not in before or before[name] != value}
        for before, row in zip(rows, rows[1:], strict=False)
    ]
    return {"first": rows[0], "changes": changes}


def events_of(tick: int, last: dict | None) -> list[dict]:
    """What happened in the step that led to `tick`: one move, or what several seats did at once.

    `tone` is "good" or "bad" for what clearly is (a card that fitted or not, a soup that was ordered or not),
    else "plain".
    """
    if not last or (last.get("seat", 0) is None and not last.get("text")):
        return []
    if "events" in last:
        return [event | {"tone": _tone_of(event)} for event in last["events"]]
    tone = _tone(last.get("success"))
    if last.get("kind") not in ("play", None) and tone == "good":
        tone = "plain"
    move = {"tick": tick, "seat": last["seat"], "kind": last.get("kind"), "text": last.get("text", "")}
    return [move | {"tone": tone}]


def _tone_of(event: dict) -> str:
    """By its points, where it has some, else by its success."""
    points = event.get("points")
    return _tone(event.get("success") if points is None else points > 0)


def _tone(success: bool | None) -> str:
    return "plain" if success is None else "good" if success else "bad"


SAID = ("instruction", "reason", "judged", "utterance", "control")


def words_until(log: EpisodeLog, last_tick: int) -> list[dict]:
    """What was said up to a tick, in a log that says what became of instructions (`completed`)."""
    return with_spans(words_of(log, last_tick), log, last_tick)


def words_of(log: EpisodeLog, last_tick: int) -> list[dict]:
    """What was said up to a tick, by tick: instructions with their readings, utterances, why agents moved as
    they did, and who took over a seat when.

    An instruction stands once, where it was said, with the last reading that it got and "statuses"
    [[tick, status], …], the last of which is its "status"; "judged": what its player said of what was done.
    """
    words: list[dict] = []
    instructions: dict[str, dict] = {}
    for record in log.records:
        kind = record["type"]
        if kind not in SAID or record["tick"] > last_tick:
            continue
        if kind == "instruction":
            word = instructions.get(record["id"])
            if word is None:
                place = {"id": record["id"], "tick": record["tick"], "seat": record.get("seat")}
                word = instructions[record["id"]] = {
                    "kind": kind,
                    "target": record.get("target_seat"),
                } | place
                word["statuses"] = []
                words.append(word)
            word["status"], word["text"] = record.get("status"), record["text"]
            word["reading"] = (record.get("reading") or {}).get("sentence", "")
            word["statuses"].append([record["tick"], record.get("status")])
        elif kind == "judged":
            instructions[record["id"]]["judged"] = record["sign"]
        elif kind in ("utterance", "reason"):
            words.append({name: record[name] for name in ("tick", "seat", "text")} | {"kind": kind})
        else:
            text = _controlled(record.get("controller") or {}, log.header["seats"], record["seat"])
            words.append({"kind": kind, "tick": record["tick"], "seat": record["seat"], "text": text})
    return sorted(words, key=lambda word: word["tick"])


def _controlled(controller: dict, seats: list[dict], seat: int) -> str:
    """Who plays in a seat from now on, after the seat's name and a colon."""
    seat_then = seats[seat] if seat < len(seats) else {}
    kind = controller.get("kind", "")
    agent = controller.get("name") or TITLES["agent"]
    if kind == seat_then.get("kind") and (kind != "agent" or controller.get("name") == seat_then.get("name")):
        return "in control again"
    return f"now played by {agent if kind == 'agent' else TITLES.get(kind, 'somebody else')}"


def with_spans(words: list[dict], log: EpisodeLog, last_tick: int) -> list[dict]:
    """The words, instructions with when they were in force and for whom: "spans" [{"seat", "start", "end"
    (the first tick at which it no longer was; None: to the end), "why" it ended, "by" which instruction}],
    with "cuts" [[tick, instruction], …] where later ones took a part of it away.
    """
    spans: dict[str, list[dict]] = {}
    for standing in told(log).spans:
        if standing.start <= last_tick:
            end = standing.end if standing.end is not None and standing.end <= last_tick else None
            over = {"end": end, "why": standing.why, "by": standing.by} if end is not None else {"end": None}
            spans.setdefault(standing.id, []).append({"seat": standing.seat, "start": standing.start, **over})
    for record in log.records:
        if record["type"] == "standing" and record["state"] not in OVER and record["tick"] <= last_tick:
            for span in spans.get(record["id"], ()) if record.get("by") else ():
                ends = last_tick + 1 if span["end"] is None else span["end"]
                if span["seat"] == record["seat"] and span["start"] <= record["tick"] <= ends:
                    span.setdefault("cuts", []).append([record["tick"], record["by"]])
    return [
        word | {"spans": spans.get(word["id"], [])} if word["kind"] == "instruction" else word
        for word in words
    ]


def stream_tag(*parts: object) -> str:
    """The ETag of a stream that depends on these parts."""
    text = json.dumps([STREAM_VERSION, *map(str, parts)])
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def pack(stream: dict) -> bytes:
    """The stream as gzipped JSON."""
    return gzip.compress(json.dumps(stream, separators=(",", ":")).encode(), compresslevel=5, mtime=0)

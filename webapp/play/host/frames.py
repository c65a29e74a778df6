"""The frames that a match host sends to browsers, each with an example. Not for: what browsers send
(messages/).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

if TYPE_CHECKING:
    from webapp.play.host.connection import Connection
    from webapp.play.host.match import LiveMatch

SURPRISE_NAME = "Surprise agent"


def seat_name(match: LiveMatch, index: int) -> str:
    """What a seat is called until the end: hidden agents keep their secret, twins get a number."""
    names = [SURPRISE_NAME if seat.hidden and not match.ended else seat.name for seat in match.seats]
    name = names[index]
    return f"{name} {names[: index + 1].count(name)}" if names.count(name) > 1 else name


def seats(match: LiveMatch) -> list[dict[str, Any]]:
    """[{"name": "Convention bot", "kind": "agent", "present": true, "stand_in": null}] by seat."""
    rows = []
    for seat in match.seats:
        controller = match.controllers[seat.index]
        replaced = seat.kind == "person" and controller["kind"] == "agent"
        rows.append(
            {
                "name": seat_name(match, seat.index),
                "kind": seat.kind,
                "present": seat.kind == "agent" or match.present(seat.index),
                "stand_in": controller["name"] if replaced else None,
            }
        )
    return rows


def joined(match: LiveMatch, connection: Connection) -> dict[str, Any]:
    """{"type": "joined", "seat": 0, "seats": […], "history": [actions], "dialogue": […]}"""
    shown = match.history
    if connection.seat is None and not match.ended:
        shown = match.history[: max(0, match.sim.tick - match.watch_delay)]
    return {
        "type": "joined",
        "match": str(match.id),
        "game": match.game,
        "seat": connection.seat,
        "seats": seats(match),
        "options": match.sim.options,
        "history": shown,
        "dialogue": match.dialogue,
        "watch_delay": match.watch_delay,
    }


def state(match: LiveMatch, connection: Connection) -> dict[str, Any]:
    """{"type": "state", "tick": 12, "view": {…}, "thinking": 1}: the view of the seat; spectators see all
    hands, a few ticks late while the game runs.
    """
    sim = match.sim
    if connection.seat is None and not match.ended:
        sim = match.past[0]
    current = match.sim.current
    thinking = current if current is not None and match.controllers[current]["kind"] == "agent" else None
    return {"type": "state", "tick": sim.tick, "view": sim.view(connection.seat), "thinking": thinking}


def presence(match: LiveMatch) -> dict[str, Any]:
    """{"type": "presence", "seats": […], "spectators": 2}"""
    watching = sum(connection.seat is None for connection in match.connections)
    return {"type": "presence", "seats": seats(match), "spectators": watching}


def instruction(record: dict[str, Any]) -> dict[str, Any]:
    """{"type": "instruction", "id", "tick", "seat", "target_seat", "text", "status": "read", "sentence",
    "unread"}
    """
    reading = record.get("reading") or {}
    return {
        "type": "instruction",
        "id": record["id"],
        "tick": record["tick"],
        "seat": record["seat"],
        "target_seat": record["target_seat"],
        "text": record["text"],
        "status": record["status"],
        "sentence": reading.get("sentence", ""),
        "unread": reading.get("unread", []),
    }


def utterance(record: dict[str, Any]) -> dict[str, Any]:
    """{"type": "utterance", "tick": 4, "seat": 1, "text": "sorry!"}"""
    return {key: record[key] for key in ("type", "tick", "seat", "text")}


def control(record: dict[str, Any], text: str) -> dict[str, Any]:
    """{"type": "control", "tick": 9, "seat": 0, "text": "Pia has left. …"}"""
    return {"type": "control", "tick": record["tick"], "seat": record["seat"], "text": text}


def notice(tick: int, seat: int, text: str) -> dict[str, Any]:
    """{"type": "notice", "tick": 9, "seat": 1, "text": "The agent was late: …"}"""
    return {"type": "notice", "tick": tick, "seat": seat, "text": text}


def ended(match: LiveMatch, end: dict[str, Any]) -> dict[str, Any]:
    """{"type": "end", "reason": "finished", "score": 21, "tick": 64, "after": "/play/…", "names": […]}"""
    return {
        "type": "end",
        "reason": end["reason"],
        "score": end["score"],
        "tick": end["tick"],
        "after": reverse("play:after", args=[match.id]),
        "names": [seat.name for seat in match.seats],
    }

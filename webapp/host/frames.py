"""The frames that a match host sends to browsers, each with an example. Not for: what browsers send
(messages/).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from engine.games import stories
from webapp.episodes.people import SURPRISE_NAME, told_apart
from webapp.host.connection import COPILOT
from webapp.language.readings import is_unsure, options, wants

if TYPE_CHECKING:
    from engine.simulation.told import Told
    from webapp.host.connection import Connection
    from webapp.host.match import LiveMatch
    from webapp.host.storage import SeatInfo


def seat_name(match: LiveMatch, index: int) -> str:
    """What a seat is called at the table: hidden agents keep their secret, beyond the end (who played is told
    when the questions about it are answered), and twins get a number.
    """
    return told_apart([SURPRISE_NAME if seat.hidden else seat.name for seat in match.seats])[index]


def copilot_name(match: LiveMatch, index: int) -> str | None:
    """The name of the co-pilot who is here for a seat."""
    sockets = (link for link in match.connections if link.seat == index and link.role == COPILOT)
    return next((link.name for link in sockets), None)


def stand_in_of(seat: SeatInfo, controller: dict[str, Any]) -> str | None:
    """The name of the agent that plays for a person; None: they play themselves, or no person sits there."""
    return controller["name"] if seat.kind == "person" and controller["kind"] == "agent" else None


def seats(match: LiveMatch) -> list[dict[str, Any]]:
    """[{"name": "Convention bot", "kind": "agent", "present": true, "stand_in": null, "stand_in_after": null,
    "copilot": null}]; `stand_in_after`: seconds until an agent may play for whoever is away.
    """
    rows = []
    for seat in match.seats:
        controller = match.controllers[seat.index]
        rows.append(
            {
                "name": seat_name(match, seat.index),
                "kind": seat.kind,
                "present": seat.kind == "agent" or match.present(seat.index),
                "stand_in": stand_in_of(seat, controller),
                "stand_in_after": match.stand_in_after(seat.index),
                "copilot": copilot_name(match, seat.index),
            }
        )
    return rows


def joined(match: LiveMatch, connection: Connection) -> dict[str, Any]:
    """{"type": "joined", "seat": 0, "role": "player", "seats": […], "history": […], "dialogue": […],
    "pace": {"mode": "real_time" | "turns", "ticks_per_second": 6} or null where one seat moves at a time,
    "controls": ["person", "agent"], "goals": {instruction: progress}, "stand_in": "Convention bot"}

    `stand_in`: who plays on for whoever leaves; null: nobody can, and the game ends. `coach`: of a guided
    first game, how far one is (host/coaching). `plan`: as the frame "plan" (below), null where none was made.
    `history` holds the last action after each tick where one seat moves at a time, else the events so far.
    """
    return {
        "type": "joined",
        "match": str(match.id),
        "game": match.game,
        "seat": connection.seat,
        "role": connection.role,
        "seats": seats(match),
        "options": match.sim.options,
        "pace": pace(match.ticks_per_second),
        "controls": controls(match),
        "goals": match.goals_for(connection),
        "history": match.shown_history(connection),
        "dialogue": [event for event in match.dialogue if match.hears(connection, event)],
        "watch_delay": match.watch_delay,
        "stand_in": match.stand_in_agent["name"] if match.stand_in_agent else None,
        "coach": match.coach.frame() if match.coach else None,
        "plan": match.planner.shown(connection) if match.planner else None,
    }


def pace(ticks_per_second: float | None) -> dict[str, Any] | None:
    if ticks_per_second is None:
        return None
    return {"mode": "real_time" if ticks_per_second else "turns", "ticks_per_second": ticks_per_second}


def controls(match: LiveMatch) -> list[str]:
    """Who plays each seat now: "person", "agent" or "copilot"."""
    return [match.controllers[seat.index]["kind"] for seat in match.seats]


def turn_state(tick: int, view: dict[str, Any], thinking: int | None) -> dict[str, Any]:
    """{"type": "state", "tick": 12, "view": {…}, "thinking": 1}: the view of the seat; spectators get
    what all seats know, a few ticks late, while the game runs.
    """
    return {"type": "state", "tick": tick, "view": view, "thinking": thinking}


def joint_state(
    tick: int,
    view: dict[str, Any],
    controls: list[str],
    late: list[int],
    goals: dict[str, Any],
    moved: list[int] | None,
    late_ms: float,
) -> dict[str, Any]:
    """{"type": "state", "tick": 12, "view": {…}, "controls": ["person", "agent"], "late": [1], "at": 5120.4,
    "late_ms": 0.3}, and `goals` (instruction: progress) when some changed, `moved` (seats) turn by turn.

    `late`: seats whose agent had no move ready. `at`: the host's clock (ms) when it was sent; `late_ms`: how
    late the tick began.
    """
    frame = {
        "type": "state",
        "tick": tick,
        "view": view,
        "controls": controls,
        "late": late,
        "late_ms": round(late_ms, 1),
        "at": round(time.monotonic() * 1000, 1),
    }
    if goals:
        frame["goals"] = goals
    return frame if moved is None else {**frame, "moved": moved}


def goals(tick: int, changed: dict[str, Any]) -> dict[str, Any]:
    """{"type": "goals", "tick": 12, "goals": {instruction: {"state": "obeying", "text": "8 m to go"}}}; in
    games with chips also `subgoals`, where others are asked for than before, and how `far` each is: [share
    met, what is now].
    """
    return {"type": "goals", "tick": tick, "goals": changed}


def progress(now: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    """How far an instruction is, for those who know what it was `before`: without the sub-goals that are the
    same, which pages keep.
    """
    known = before or {}
    told = {key: value for key, value in now.items() if key != "subgoals" or known.get(key) != value}
    if "seats" in now:
        were = known.get("seats", {})
        told["seats"] = {seat: progress(own, were.get(seat)) for seat, own in now["seats"].items()}
    return told


def countdown(seconds: float) -> dict[str, Any]:
    """{"type": "countdown", "seconds": 3}"""
    return {"type": "countdown", "seconds": seconds}


def paused(text: str) -> dict[str, Any]:
    """{"type": "paused", "text": "The game waits: …"}"""
    return {"type": "paused", "text": text}


def resumed() -> dict[str, Any]:
    return {"type": "resumed"}


def presence(match: LiveMatch) -> dict[str, Any]:
    """{"type": "presence", "seats": […], "spectators": 2}"""
    watching = sum(connection.watches for connection in match.connections)
    return {"type": "presence", "seats": seats(match), "spectators": watching}


def instruction(record: dict[str, Any], for_plan: bool = False) -> dict[str, Any]:
    """{"type": "instruction", "id", "tick", "seat", "target_seat", "text", "status": "read", "sentence",
    "unread", "unsure", "subgoals", "options", "for_plan"}

    `for_plan`: it is what the team's plan is for, and nobody's own (Told.goes_to_plan).
    `unsure`: whether the reading is a guess. `subgoals`: what it asks for, as chips (readings.wants).
    `options`: what else the text may mean, [{"choice": 1, "sentence"}].
    """
    reading = record.get("reading") or {}
    every = options(reading) if reading else []
    others = [option for option in every if option["sentence"] != reading["sentence"]]
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
        "unsure": bool(reading) and not reading["refused"] and is_unsure(reading),
        "subgoals": wants(reading.get("program")),
        "options": [{"choice": other["choice"], "sentence": other["sentence"]} for other in others],
        "for_plan": for_plan,
    }


def turned(in_force: Told, edit: dict[str, Any]) -> list[dict[str, Any]]:
    """The instructions to all of a side again, as a plan that is turned on or off takes them or gives them
    back.
    """
    said = [record for record in in_force.to_all.values() if in_force.side(record) == edit["side"]]
    return [instruction({**record, "tick": edit["tick"]}, in_force.goes_to_plan(record)) for record in said]


def standings(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """{"type": "standing", "tick": 9, "id", "state": "done" | "out" | "replaced" | "aside" | "confirmed" (a
    part of it is left), "by": id of the later instruction or null, "seats": [1, 2]}: what has become of
    instructions, one frame for all seats alike.
    """
    newest: dict[tuple[Any, ...], dict[str, Any]] = {}
    for record in records:
        frame = {"type": "standing", **{name: record.get(name) for name in ("tick", "id", "state", "by")}}
        newest.setdefault(tuple(frame.values()), {**frame, "seats": []})["seats"].append(record["seat"])
    return list(newest.values())


def plan(match: LiveMatch, side: int, news: list[dict[str, Any]] | None) -> dict[str, Any] | None:
    """{"type": "plan", "tick": 12, "side": 0, "seats": [0, 1], "on": true, "plan": {"id": "2", "goal": "three
    soups", "planner": "search", "why": "{1} is nearer to the plates.", "steps": [{"id": "2.1", "seat": 1,
    "says": "I put two onions into the pot.", "means": its notation, "after": [ids], "place": [x, y] or null,
    "by": null or the seat that put it there, "state": "doing"}]} or null, "news": ["…"]}

    In words "{1}" is the name of seat 1. `news`: why steps came to an end or the plan changed. None where
    `news`, records of the log, say nothing of this side's plan; None for them: whoever comes anew.
    """
    planned = match.in_force.plan
    names = {step["id"] for step in planned.plans.get(side, {"steps": ()})["steps"]}
    about = [one for one in news or () if one.get("side") == side or one.get("id") in names]
    if news is not None and not about:
        return None
    return {
        "type": "plan",
        "tick": match.sim.tick,
        "side": side,
        "seats": [seat.index for seat in match.seats if match.side(seat.index) == side],
        "on": planned.on.get(side, False),
        "plan": planned.shown(side),
        "news": [one["why"] for one in about if one.get("why")],
    }


def utterance(record: dict[str, Any]) -> dict[str, Any]:
    """{"type": "utterance", "tick": 4, "seat": 1, "text": "sorry!"}"""
    return {key: record[key] for key in ("type", "tick", "seat", "text")}


def reason(record: dict[str, Any]) -> dict[str, Any]:
    """{"type": "reason", "tick": 5, "seat": 1, "id": of the instruction, "kind": "because", "text": "Because
    Player 1 asked: “play what I hint”."}
    """
    return {key: record[key] for key in ("type", "tick", "seat", "id", "kind", "text")}


def judged(record: dict[str, Any]) -> dict[str, Any]:
    """{"type": "judged", "tick": 9, "seat": 0, "id": of the instruction, "sign": 1 | -1 | 0}"""
    return {key: record[key] for key in ("type", "tick", "seat", "id", "sign")}


def control(match: LiveMatch, record: dict[str, Any], text: str) -> dict[str, Any]:
    """{"type": "control", "tick": 9, "seat": 0, "controls": ["agent", "agent"], "stand_in": "Convention bot",
    "text": "Pia has left. …"}; `stand_in`: who plays for the seat's person from this tick on; null: nobody.
    """
    return {
        "type": "control",
        "tick": record["tick"],
        "seat": record["seat"],
        "controls": controls(match),
        "stand_in": stand_in_of(match.seats[record["seat"]], record["controller"]),
        "text": text,
    }


def notice(tick: int, seat: int, text: str) -> dict[str, Any]:
    """{"type": "notice", "tick": 9, "seat": 1, "text": "The agent was late: …"}"""
    return {"type": "notice", "tick": tick, "seat": seat, "text": text}


def ended(match: LiveMatch, end: dict[str, Any]) -> dict[str, Any]:
    """{"type": "end", "reason": "finished", "score": 21, "tick": 64, "after": "/play/…", "names": […],
    "headline": "The blue circle squad won", "told": [{"headline": "Your squad came in 2nd of 5", "detail":
    …}]}

    `headline` is for those who watched, `told` for each seat.
    """
    outcomes = stories.outcomes(match.game, match.sim.view(None))
    ending = stories.Ending(
        match.game, match.sim.options, end["score"], end["reason"] == "finished", outcomes
    )
    return {
        "type": "end",
        "reason": end["reason"],
        "score": end["score"],
        "tick": end["tick"],
        "after": reverse("play:after", args=[match.id]),
        "names": [seat_name(match, seat.index) for seat in match.seats],
        "headline": stories.headline(ending, None),
        "told": [
            {
                "headline": stories.headline(ending, seat.index),
                "detail": stories.detail(match.game, match.sim.state, seat.index),
            }
            for seat in match.seats
        ],
    }

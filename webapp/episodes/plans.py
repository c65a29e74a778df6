"""The plans in a log, for replays: what each side's plan was from which tick on, and how long its steps took.

Not for: what is in force (engine.simulation.told), live matches (webapp.host.planning).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from engine import games
from engine.simulation.log import EpisodeLog
from engine.simulation.planned import Outcome, Planned
from engine.simulation.told import PLANS


def plans_of(log: EpisodeLog, last_tick: int) -> list[dict[str, Any]]:
    """[{"tick", "side", "seats", "on", "plan", "news"}] by tick, as the frame "plan" of a live match
    (webapp.host.frames), whenever something of a side's plan changes.
    """
    planned, rows = Planned(), dict[tuple[int, int], dict[str, Any]]()
    sides = _sides(log)
    for record in log.records:
        if record["type"] not in PLANS or record["tick"] > last_tick:
            continue
        planned.note(record)
        side = record["side"] if "side" in record else _side_of(planned, record["id"])
        row = rows.setdefault((record["tick"], side), {"news": []})
        row |= {"tick": record["tick"], "side": side, "seats": sides[side]}
        row |= {"on": planned.on.get(side, False), "plan": planned.shown(side)}
        if record.get("why"):
            row["news"].append(record["why"])
    return list(rows.values())


def lanes_of(log: EpisodeLog, last_tick: int) -> list[dict[str, Any]]:
    """A row of the strip for each seat that had steps (static/js/lanes.js): when it was at one, strong where
    that came to its end.
    """
    planned, spans = Planned(), defaultdict[int, list[dict[str, Any]]](list)
    at: dict[int, tuple[str, int]] = {}  # by seat: its step, since when

    def end(seat: int, tick: int) -> None:
        step, since = at.pop(seat)
        done = planned.states[step] == Outcome.DONE
        spans[seat].append({"first": since, "last": max(since, tick - 1), "strong": done})

    for record in log.records:
        if record["type"] not in PLANS or record["tick"] > last_tick:
            continue
        planned.note(record)
        for seat in range(len(log.header["seats"])):
            step = planned.doing(seat)
            if seat in at and (step is None or step["id"] != at[seat][0]):
                end(seat, record["tick"])
            if step is not None and seat not in at:
                at[seat] = step["id"], record["tick"]
    for seat in list(at):
        end(seat, last_tick + 1)
    title = "Steps of the plan that player {} was at; strong: they came to their end"
    return [
        {"name": f"plan {seat + 1}", "title": title.format(seat + 1), "spans": spans[seat]}
        for seat in sorted(spans)
    ]


def asked_of(log: EpisodeLog) -> list[dict[str, Any]]:
    """[{"tick", "planner", "prompt", "answer"}]: what a language model was asked for plans."""
    return [
        {"tick": record["tick"], "planner": record["planner"], **asked}
        for record in log.records
        if record["type"] == "plan"
        for asked in record.get("asked", ())
    ]


def _sides(log: EpisodeLog) -> dict[int, list[int]]:
    spec, sides = games.spec(log.header["game"]), defaultdict[int, list[int]](list)
    for seat in range(len(log.header["seats"])):
        sides[spec.side_of(log.header["options"], seat)].append(seat)
    return sides


def _side_of(planned: Planned, step: str) -> int:
    """The side whose plan has a step."""
    return next(
        side for side, plan in planned.plans.items() if any(one["id"] == step for one in plan["steps"])
    )

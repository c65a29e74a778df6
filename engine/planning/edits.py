"""What a person changes about a plan: on, off, drop a step, move it, add one. Pure: a plan's records so far
and an edit give the records that follow at once; what is planned anew comes later (running).

Not for messages of a browser (webapp.host.messages.plan).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from engine.planning.steps import MOST, named
from engine.refusal import Refusal
from engine.simulation.planned import BY_PERSON, LEFT, Outcome, Planned, Record, Step
from engine.simulation.told import Told


def edited(told: Told, seats: Sequence[int], edit: Record, people: Collection[int] = ()) -> list[Record]:
    """The records that an edit leads to, the edit first; noted in `told`. `edit`: {"type": "plan_edit",
    "tick", "seat": who, "side", "do"} and of "drop" {"step": id}; of "move" {"step", "to": seat, "before": id
    of a step or null, which is last}; of "add" {"to", "before", "program", "says"}. A step that a later plan
    left out is meant, too: whoever changes it had it in hand when that plan came. None where the step is
    crossed out already. `seats`: of the side; `people`: those of them in which people play: what they are at
    is theirs to put off. Raises Refusal.
    """
    planned = told.plan
    if edit["do"] in ("on", "off"):
        told.note(edit)
        return [edit]
    if not planned.on.get(edit["side"]):
        raise Refusal("There is no plan to change: turn the plan on first.")
    left = planned.steps(edit["side"])
    if edit["do"] == "drop" and edit["step"] in planned.crossed:
        return []
    if edit["do"] == "add":
        changed = _placed(planned, left, _added(planned, edit), edit, seats)
    else:
        step = _meant(planned, left, edit, seats)
        changed = [one for one in left if one is not step]
        if edit["do"] == "move":
            # Another seat begins it anew, so it is another step.
            stays = step in left and edit["to"] == step["seat"]
            number = step["id"] if stays else _free(planned, edit)
            moved = {**step, "id": number, "seat": edit["to"], "by": edit["seat"]}
            changed = _placed(planned, changed, moved, edit, seats)
    plan = {**planned.plans.get(edit["side"], _nothing(edit)), "tick": edit["tick"]}
    plan |= {"id": _next(planned, edit["side"]), "steps": _in_order(changed)}
    plan |= {"why": f"{named(edit['seat'])} changed the plan.", "planner": BY_PERSON}
    plan.pop("asked", None)
    told.note(edit)
    told.note(plan)
    others = {seat for seat in people if seat != edit["seat"]}
    return [edit, plan, *_put_off(planned, edit, others), *planned.begun(edit["tick"], edit["side"])]


def _meant(planned: Planned, left: Sequence[Step], edit: Record, seats: Sequence[int]) -> Step:
    """The step of an edit: by its id; where a later plan left it out, the same work of its seat, or of the
    seat to which that plan gave it, or it itself. What is crossed out is that seat's alone.
    """
    step = planned.known.get(edit["step"])
    if step is None or step["seat"] not in seats or planned.state(step) not in (*LEFT, Outcome.DROPPED):
        raise Refusal("That step is over.")
    if step in left or edit["do"] == "drop":
        return step
    if step["id"] in planned.crossed:
        raise Refusal("That step was crossed out.")
    came = planned.instead.get(step["id"], ())
    same = [one for one in left if one["program"]["means"] == step["program"]["means"]]
    own = [one for one in same if one["seat"] == step["seat"]]
    others = [one for one in same if one["id"] in came]
    return next((one for one in [*own, *others] if one["id"] != edit.get("before")), step)


def _put_off(planned: Planned, edit: Record, others: Collection[int]) -> list[Record]:
    """Records of what isn't done now any more, as a person put something else before it; noted. `others`: the
    seats of other people, whose share is only shown.
    """
    records: list[Record] = []
    for seat, step in {step["seat"]: step for step in reversed(planned.steps(edit["side"]))}.items():
        doing = planned.doing(seat)
        if seat not in others and doing is not None and doing["id"] != step["id"]:
            record = {"type": "planned", "tick": edit["tick"], "id": doing["id"], "state": Outcome.AHEAD}
            records.append(record | {"why": f"{named(edit['seat'])} wants something else first."})
            planned.note(records[-1])
    return records


def _nothing(edit: Record) -> Record:
    return {"type": "plan", "side": edit["side"], "seat": None, "goal": ""}


def _next(planned: Planned, side: int) -> str:
    return str(int(planned.plans[side]["id"]) + 1 if side in planned.plans else 1)


def _free(planned: Planned, edit: Record) -> str:
    return f"{edit['side']}.{_next(planned, edit['side'])}.0"


def _added(planned: Planned, edit: Record) -> Step:
    step: dict[str, Any] = {"id": _free(planned, edit), "seat": edit["to"], "program": edit["program"]}
    step |= {"says": edit["says"], "after": [], "place": None, "ticks": 0.0}
    return step | {"by": edit["seat"]}


def _placed(
    planned: Planned, steps: list[Step], step: Step, edit: Record, seats: Sequence[int]
) -> list[Step]:
    """With a step before another one, or else last. Where the other one is over, it comes first of its seat;
    where a later plan left it out, after what its seat is at.
    """
    if step["seat"] not in seats:
        raise Refusal("A plan is for the seats of one's own side.")
    if len(steps) >= MOST:
        raise Refusal(f"A plan has {MOST} steps at most.")
    before = edit.get("before")
    if before is None:
        return [*steps, step]
    if before not in planned.known:
        raise Refusal("The step before which it was to come is over or was replaced.")
    names = [one["id"] for one in steps]
    if before not in names:
        dropped = planned.states.get(before) == Outcome.DROPPED
        own = [one for one in steps if one["seat"] == step["seat"]]
        before = next((o["id"] for o in own if not (dropped and planned.state(o) == Outcome.DOING)), None)
    at = len(steps) if before is None else names.index(before)
    return [*steps[:at], step, *steps[at:]]


def _in_order(steps: list[Step]) -> list[Step]:
    """Steps wait only for those that stand before them."""
    names: set[str] = set()
    out: list[Step] = []
    for step in steps:
        out.append({**step, "after": [name for name in step["after"] if name in names]})
        names.add(step["id"])
    return out

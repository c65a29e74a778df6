"""What players say about their instructions instead of giving one: "cancel that", "forget it", "as before",
"not you, the other one". Not for buttons (messages/withdraw.py), nor for how texts are read.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from engine.simulation.life import TAKEN_BACK, State, may_follow
from webapp.host.connection import Refused
from webapp.host.match import LiveMatch

CODE = "nothing"


async def take_back(
    match: LiveMatch, seat: int, to: int | None, does: str, but: str = ""
) -> dict[str, Any] | None:
    """Carry out what `does` says about the instructions of a seat (engine.language.reading.Reading) to `to`,
    None: to all; not about the one with the id `but`. Returns the instruction that is to be given once more,
    with the seat that is to hear it as "target_seat"; None where none is. Raises Refused where there is
    nothing to take back.
    """
    said = [
        one
        for one in match.instructions.values()
        if one["seat"] == seat and one["id"] != but and (to is None or one["target_seat"] in (None, to))
    ]
    if does == "again":
        before = [one for one in said if one["status"] in TAKEN_BACK and one["reading"]]
        return _last(before, "You have taken nothing back that I could go back to.")
    standing = [one for one in said if may_follow(State.WITHDRAWN, one["status"])]
    last = _last(standing, "You have asked for nothing that I could take back.")
    again = {**last, "target_seat": _other(match, seat, last["target_seat"])} if does == "redirect" else None
    for one in standing if does == "cancel" else [last]:
        await match.note_instructions(await match.record_status(one["id"], State.WITHDRAWN))
    return again


def _last(some: list[dict[str, Any]], otherwise: str) -> dict[str, Any]:
    if not some:
        raise Refused(CODE, otherwise)
    return some[-1]


def _other(match: LiveMatch, seat: int, heard: int | None) -> int:
    """The one other seat that can hear what `heard` has heard. Raises Refused."""
    audience = match.in_force.audience(seat, None)
    others = [one for one in match.agent_seats() if one in audience and one not in (seat, heard)]
    if heard is None or len(others) != 1:
        raise Refused(CODE, "Choose who is to hear it, and say it again: I can't tell whom you mean.")
    return others[0]


async def take_back_with(match: LiveMatch, instruction: dict[str, Any]) -> None:
    """Carry out what an instruction that holds from now on says about earlier ones: "forget that, serve"."""
    does = (instruction["reading"] or {}).get("does")
    if does in ("cancel", "undo") and instruction["status"] == State.CONFIRMED:
        with suppress(Refused):
            await take_back(match, instruction["seat"], instruction["target_seat"], does, instruction["id"])

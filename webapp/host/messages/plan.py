"""What a player changes about the plan of their side: on, off, drop a step, move it to a seat and before
another step (null: last), add one in words.

Answer: {"type": "ack", …}, and to the side {"type": "plan", …}. Agents go by it from their next move on. A
step is read as an instruction is; a reading that is a guess is refused ("unsure") until one was chosen.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from engine import brings
from engine.language.declared import parse
from engine.planning.steps import carried
from engine.refusal import Refusal
from engine.shapes import Count
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Said, cleaned, one_of, own_seat
from webapp.host.messages.instruct import understood
from webapp.language.readings import is_unsure

Name = Annotated[str, Field(max_length=40)]


class Message(Said, json_schema_extra={"example": {"do": "move", "step": "2.1", "to": 1, "before": None}}):
    do: Literal["on", "off", "drop", "move", "add"]
    step: Name = ""
    """The id of the step that is dropped or moved."""
    to: Count | None = None
    """Whose the moved or added step is."""
    before: Name | None = None
    text: str | None = None
    """The step that is added."""


async def handle(match: LiveMatch, connection: Connection, message: Message) -> None:
    seat = own_seat(match, connection)
    if match.planner is None:
        raise Refused("no_plans", "There are no plans in this game.")
    edit: dict[str, Any] = {"type": "plan_edit", "tick": match.sim.tick, "seat": seat}
    edit |= {"side": match.side(seat), "do": message.do}
    if message.do in ("drop", "move"):
        edit["step"] = message.step
    if message.do == "add":
        edit |= await _added(match, message, seat)
        edit["tick"] = match.sim.tick  # reading took a while
    elif message.do == "move":
        edit["to"] = _whose(match, message.to)
    if message.do in ("move", "add"):
        edit["before"] = message.before
    await match.planner.edit(edit)
    await match.acknowledge(connection, message.seq)


def _whose(match: LiveMatch, to: int | None) -> int:
    if to is None:
        raise Refused("malformed", "Say in the field to whose step it is.")
    return one_of(len(match.seats), to, "to")


async def _added(match: LiveMatch, message: Message, seat: int) -> dict[str, Any]:
    """{"to", "program", "says"} of a step in words. Raises Refused."""
    typed = cleaned(message.text or "")
    reading = await understood(match, message, seat, typed)
    program = reading["program"]
    if reading["refused"] or reading["talk"] or not program:
        raise Refused("unread", reading["sentence"] or f"“{typed}” says nothing that somebody can do.")
    if is_unsure(reading):
        text = f"Is that what you mean: “{reading['sentence']}”? Choose a reading, then add the step."
        raise Refused("unsure", text)
    try:
        step = carried(match.game, program.get("means", ""))
    except Refusal as error:
        raise Refused("no_step", str(error)) from None
    if any(clause.get("not") for clause in parse(brings.Language.of(match.game).DECLARED, step["means"])):
        raise Refused("no_step", "A step is something to do. What they are not to do, tell them.")
    says = step.pop("says")
    to = _whose(match, message.to) if reading["to"] is None else reading["to"]
    return {"to": to, "program": step, "says": says}

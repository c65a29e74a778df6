"""Reading the fields of a message: functions that return a checked value or raise `Refused`."""

from __future__ import annotations

import uuid
from typing import Any

from engine.language import FIRMNESS
from engine.language.second import Opinion
from engine.refusal import Refusal
from webapp.common.inputs import is_whole
from webapp.host.connection import COPILOT, Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.realtime import JointMatch
from webapp.language import opinions
from webapp.language.readings import LONGEST_INSTRUCTION, MOST_CHOICES, STRICT, clean_text

CODE = "malformed"
FARTHEST = 32_767  # units: the far edge of Arena's map


def integer(message: dict[str, Any], name: str, low: int, high: int) -> int:
    value = message.get(name)
    if not is_whole(value, low, high):
        raise Refused(CODE, f"The field {name} must be a whole number from {low} to {high}.")
    return value


def text(message: dict[str, Any], name: str = "text") -> str:
    """Typed words without control characters, 1 to 500 long."""
    value = message.get(name)
    if not isinstance(value, str):
        raise Refused(CODE, f"The field {name} must be a text.")
    cleaned = clean_text(value)
    if not cleaned:
        raise Refused("empty", "There is nothing to send yet.")
    if len(cleaned) > LONGEST_INSTRUCTION:
        raise Refused("too_long", f"That is longer than {LONGEST_INSTRUCTION} characters; say it shorter.")
    return cleaned


def identifier(message: dict[str, Any], name: str = "id") -> str:
    try:
        return str(uuid.UUID(message.get(name)))
    except (AttributeError, TypeError, ValueError):
        raise Refused(CODE, f"The field {name} must be an id (a UUID).") from None


def own_seat(match: LiveMatch, connection: Connection) -> int:
    """The seat of a player while the match runs; spectators and late messages are refused."""
    if connection.role == COPILOT:
        raise Refused("copilot", "You are a co-pilot; only players may do that.")
    if connection.seat is None:
        raise Refused("spectator", "You are watching; only players may do that.")
    if match.is_over():
        raise Refused("over", "The game is over.")
    if match.controllers[connection.seat].get("left"):
        raise Refused("left", "You have left this game.")
    return connection.seat


def driven_seat(match: LiveMatch, connection: Connection) -> int:
    """The seat that this browser moves now: a player's own, or that of the agent whom a co-pilot replaces."""
    if connection.role != COPILOT:
        seat = own_seat(match, connection)
        if match.controllers[seat]["kind"] != "person":
            raise Refused("not_controlled", "An agent is playing your seat now.")
        return seat
    seat = copilot_seat(match, connection)
    if match.controllers[seat]["kind"] != COPILOT:
        raise Refused("not_controlled", "The agent is playing; take over first.")
    return seat


def copilot_seat(match: LiveMatch, connection: Connection) -> int:
    """The seat of the agent through whose eyes a co-pilot watches, while the match runs."""
    if connection.role != COPILOT or connection.seat is None:
        raise Refused("no_copilot", "Only a co-pilot may take over an agent's place.")
    if match.is_over():
        raise Refused("over", "The game is over.")
    return connection.seat


def joint(match: LiveMatch) -> JointMatch:
    """The match, if all move at once in it."""
    if not isinstance(match, JointMatch):
        raise Refused("turn_based", "In this game one player moves at a time; send a move.")
    return match


def own_instruction(match: LiveMatch, connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """The instruction that the message is about, if this player said it."""
    seat = own_seat(match, connection)
    instruction = match.instructions.get(identifier(message))
    if instruction is None or instruction["seat"] != seat:
        raise Refused("unknown_instruction", "You have given no such instruction in this game.")
    return instruction


def choice(message: dict[str, Any]) -> int | None:
    """Which of the readings that the page offered is meant; None: nobody chose."""
    return None if message.get("choice") is None else integer(message, "choice", 0, MOST_CHOICES)


def firm(message: dict[str, Any]) -> str:
    """How firmly an instruction is told."""
    value = message.get("firm", STRICT)
    if not isinstance(value, str) or value not in FIRMNESS:
        raise Refused(CODE, f"The field firm must be {' or '.join(FIRMNESS)}.")
    return value


def opinion(match: LiveMatch, message: dict[str, Any], sentence: str) -> Opinion | None:
    """What the site's language model made of the words, as the page got it; None: it wasn't asked."""
    value = message.get("opinion")
    if value is None:
        return None
    if not isinstance(value, str):
        raise Refused(CODE, "The field opinion must be a text, or null.")
    try:
        return opinions.unsealed(match.game, sentence, value)
    except Refusal as problem:
        raise Refused("not_offered", str(problem)) from None


def target(match: LiveMatch, message: dict[str, Any], seat: int) -> int | None:
    """The seat that is spoken to, or None: all agents."""
    value = message.get("target")
    if value is None:
        return None
    chosen = integer(message, "target", 0, len(match.seats) - 1)
    if chosen == seat:
        raise Refused(CODE, "You can't instruct yourself.")
    if chosen not in match.in_force.audience(seat, chosen):
        raise Refused(CODE, "You can instruct your own side only.")
    return chosen


def aim(match: LiveMatch, message: dict[str, Any]) -> dict[str, int | None] | None:
    """The point (in units of the map) and perhaps the player that somebody means, {"x", "y", "seat"}; None
    where nothing is said of it, and in games without places to go to.
    """
    value = message.get("aim")
    if value is None or not match.sim.spec.goal_size:
        return None
    if not isinstance(value, dict):
        raise Refused(CODE, "The field aim must be an object with x, y and seat.")
    seat = None if value.get("seat") is None else integer(value, "seat", 0, len(match.seats) - 1)
    return {"x": integer(value, "x", 0, FARTHEST), "y": integer(value, "y", 0, FARTHEST), "seat": seat}

"""What messages have in common: fields, and functions that say whose seat is meant or raise `Refused`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from engine.language import FIRMNESS
from engine.shapes import Count, Shape
from webapp.host.connection import COPILOT, Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.realtime import JointMatch
from webapp.language.readings import LONGEST_INSTRUCTION, MOST_CHOICES, STRICT, clean_text

CODE = "malformed"
ID = "6a0e7c9c-3f0b-4d59-8a43-1f6f4f0d2b7e"  # of the examples
FARTHEST = 32_767  # units: the far edge of Arena's map


class Numbered(Shape):
    """A message of a page that has joined."""

    seq: Annotated[int, Field(ge=1, le=1 << 31)]
    """Higher than in every message before."""


class Aim(Shape):
    """The point that somebody looks at or clicked on the map, in units, and perhaps the player there."""

    x: Annotated[int, Field(ge=0, le=FARTHEST)]
    y: Annotated[int, Field(ge=0, le=FARTHEST)]
    seat: Count | None = None


class Said(Numbered):
    """Words to agents, and what the page knows of them."""

    choice: Annotated[int, Field(ge=0, le=MOST_CHOICES)] | None = None
    """Which of the readings that the page offered is meant (webapp.language.readings)."""
    seal: str | None = None
    """The reading as the page got it (/play/read/); without it the host reads the text."""
    firm: Literal[tuple(FIRMNESS)] = STRICT  # type: ignore[valid-type]
    """How firmly it is said, where the game knows a difference: to the letter, or where it costs little."""
    aim: Aim | None = None
    """In games with places to go to, such as Arena."""


def one_of(count: int, value: int, name: str) -> int:
    """A number that may be 0 to `count` - 1 in this match. Raises Refused."""
    if value >= count:
        raise Refused(CODE, f"The field {name} is {value}; it must be a whole number from 0 to {count - 1}.")
    return value


def cleaned(text: str) -> str:
    """Typed words without control characters, 1 to 500 long. Raises Refused."""
    typed = clean_text(text)
    if not typed:
        raise Refused("empty", "There is nothing to send yet.")
    if len(typed) > LONGEST_INSTRUCTION:
        raise Refused("too_long", f"That is longer than {LONGEST_INSTRUCTION} characters; say it shorter.")
    return typed


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


def own_instruction(match: LiveMatch, connection: Connection, which: str) -> dict[str, Any]:
    """The instruction with this id, if this player said it."""
    seat = own_seat(match, connection)
    instruction = match.instructions.get(which)
    if instruction is None or instruction["seat"] != seat:
        raise Refused("unknown_instruction", "You have given no such instruction in this game.")
    return instruction


def target(match: LiveMatch, wish: int | None, seat: int) -> int | None:
    """The seat that is spoken to, or None: all agents."""
    if wish is None:
        return None
    chosen = one_of(len(match.seats), wish, "target")
    if chosen == seat:
        raise Refused(CODE, "You can't instruct yourself.")
    if chosen not in match.in_force.audience(seat, chosen):
        raise Refused(CODE, "You can instruct your own side only.")
    return chosen


def aim(match: LiveMatch, point: Aim | None) -> dict[str, int | None] | None:
    """The point that somebody means, {"x", "y", "seat"}; None where nothing is said of it, and in games
    without places to go to.
    """
    if point is None or not match.sim.spec.goal_size:
        return None
    if point.seat is not None:
        one_of(len(match.seats), point.seat, "aim.seat")
    return point.model_dump()

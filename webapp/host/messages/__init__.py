"""What browsers may send to a match: one file a message, with its fields and an example (`Message`), from
which tools/shapes.py makes the list in docs/protocol.md.

A handler refuses in early returns by raising `Refused` (a code and a sentence), and only then acts; what is
refused changes nothing. A browser's messages are handled one after the other. Binary frames have a handler
of their own (inputs). Not for: what the host sends (host/frames).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from engine.shapes import Shape, schema_of
from webapp.host.connection import Connection
from webapp.host.match import LiveMatch
from webapp.host.messages import (
    confirm_reading,
    hand_back,
    instruct,
    join,
    judge,
    leave,
    look,
    move,
    ping,
    plan,
    press,
    ready,
    release,
    rewrite,
    say,
    see,
    take_control,
    takeover,
    wake,
    watch,
    withdraw,
)
from webapp.host.messages.fields import Numbered

MODULES = (
    *(join, ping, move, press, release, ready, watch, take_control, hand_back, instruct, confirm_reading),
    *(rewrite, withdraw, judge, plan, say, see, look, takeover, leave, wake),
)
Handler = Callable[[LiveMatch, Connection, Any], Awaitable[None]]
HANDLERS: dict[str, Handler] = {module.__name__.rpartition(".")[2]: module.handle for module in MODULES}
# What each must look like; messages without fields of their own have a number alone.
SHAPES: dict[str, type[Shape]] = {
    name: getattr(module, "Message", Numbered) for name, module in zip(HANDLERS, MODULES, strict=True)
}


def example(kind: str) -> dict[str, Any]:
    """A good message of this type."""
    numbered = {"seq": 1 + list(SHAPES).index(kind)} if issubclass(SHAPES[kind], Numbered) else {}
    return {"type": kind} | numbered | schema_of(SHAPES[kind]).get("example", {})

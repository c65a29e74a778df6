"""What one sees and may do, for tables that draw no game: the state as its picture and words, and one's legal
moves, as general tables show them (static/js/general.js).

Answer: {"type": "ack", …} and, to this browser alone, {"type": "looked", "tick": 8, "over": false,
"current": 0 (null where all move at once), "score": 3, "last": "2 were taken.", "sees": "There are 7
pebbles.", "details": [["Heap", "7"]], "moves": [{"action": 0, "text": "Take 1."}, …], "picture":
"data:image/png;base64,…"}.
Spectators are shown the open game, late and without moves; in words what all
seats know, where the game hides something. One asks again when there is a new state: a slow
line is sent fewer pictures, not old ones.
"""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np

from engine.games.watched import hides, watched
from engine.simulation.pictures import data_url
from engine.simulation.spoken import spoken
from webapp.host.connection import Connection, Refused
from webapp.host.match import LiveMatch
from webapp.host.messages.fields import Numbered


async def handle(match: LiveMatch, connection: Connection, message: Numbered) -> None:
    if match.sim.spec.heads:
        raise Refused("stream", "This game is shown by its own table only.")
    tick, state = match.state_for(connection)
    shut = connection.watches and not match.ended and hides(match.game)
    frame = await asyncio.to_thread(looked, match, tick, state.copy(), connection.seat, shut)
    await match.acknowledge(connection, message.seq)
    await connection.send(frame)


def looked(
    match: LiveMatch, tick: int, state: np.ndarray, seat: int | None, shut: bool = False
) -> dict[str, Any]:
    """The answer to a seat; None: to somebody who watches, `shut`: a running game that hides something."""
    spec, world = match.sim.spec, match.sim.world
    ground = (state,) if world is None else (state, world)
    over, current = bool(spec.over(state)), int(spec.current(state))
    moves: list[dict[str, Any]] = []
    words = {"sees": "", "details": []} if seat is None else spoken(spec, state, state, seat)
    if seat is not None and not over and current in (-1, seat):
        legal = np.zeros(match.sim.num_actions, np.int8)
        spec.legal(*ground, seat, legal)
        moves = [
            {"action": action, "text": spec.action_text(state, seat, action)}
            for action in np.flatnonzero(legal).tolist()
        ]
    return {
        "type": "looked",
        "tick": tick,
        "over": over,
        "current": None if over or current < 0 else current,
        "score": int(spec.score(state)),
        "last": spec.last_move_text(state, seat),
        **words,
        "moves": moves,
        "picture": data_url(_face_down(match, state) if shut else spec.picture(state, seat)),
    }


def _face_down(match: LiveMatch, state: np.ndarray) -> np.ndarray:
    from engine.simulation.lines import lines  # pygame takes a while to import, and few need it

    return lines(match.sim.spec.title, watched(match.game, state))

"""Short games in which people tell others what to do, as finished episodes: a list says what is confirmed and
taken back when; what is replaced and done follows from the log, as it does for real games.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import language
from engine.simulation.log import header_of
from engine.simulation.simulation import Simulation
from tests.webapp.episodes import kitchen
from webapp.episodes.models import Episode
from webapp.episodes.simulated import add_row
from webapp.episodes.stores import log_store

Order = tuple[int, str, str, int | None]
"""(tick, name, a text to say or the new status of what was said under this name, the seat that it is for)"""
STATUSES = ("confirmed", "withdrawn", "rewritten")


def careful(game: Simulation, seat: int) -> int:
    """A player of Hanabi who never plays a card: discards where that is allowed, else gives a hint."""
    moves = np.flatnonzero(game.legal(seat)[: game.no_op])
    return int(moves[0] if game.action_text(seat, int(moves[0])).startswith("discard") else moves[-1])


def talk(
    game: str,
    options: dict[str, Any],
    orders: Sequence[Order],
    ticks: int,
    acts: Callable[[Simulation, int], Any] = Simulation.idle,
    names: Sequence[str] = ("Bot", "Cy", "Di", "Ed"),
    speaker: int = 0,
) -> Episode:
    """Play so many ticks (or to the end) while the person in seat `speaker` says what `orders` list, each
    confirmed at once unless its name ends with "?"; then the later statuses of that name.
    """
    sim = Simulation(game, options, seed=3)
    seats: list[dict[str, Any]] = [
        {"kind": "agent", "name": names[seat % len(names)], "agent": f"{game}/weak"}
        for seat in range(sim.seats)
    ]
    seats[speaker] = {"kind": "person", "name": "", "pseudonym": "P-ana", "agent": None}
    episode = uuid.uuid4()
    rate = {"ticks_per_second": round(sim.spec.ticks_per_second)} if sim.spec.ticks_per_second else {}
    header = {**header_of(sim, str(episode), seats), **rate}
    records: list[dict[str, Any]] = [header]
    said: dict[str, dict[str, Any]] = {}
    while not sim.over and sim.tick < ticks:
        for tick, name, text, target in orders:
            if tick == sim.tick:
                records.append(_record(said, sim, name, text, speaker, target))
        if sim.current is None:
            sim.step([acts(sim, seat) for seat in range(sim.seats)])
        else:
            sim.act(sim.current, acts(sim, sim.current))
        records.append({"type": "step", "tick": sim.tick - 1, "actions": sim.actions[-1]})
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
    log_store().append(episode, [*records, end])
    row = add_row(episode, header, end)
    Episode.objects.filter(pk=row.pk).update(source="play")
    row.refresh_from_db()
    return row


def _record(
    said: dict[str, dict[str, Any]], sim: Simulation, name: str, text: str, speaker: int, target: int | None
) -> dict[str, Any]:
    if text in STATUSES:
        said[name] = {**said[name], "tick": sim.tick, "status": text}
    else:
        reading = language.read(sim.game, text)
        assert reading.program, f"{text!r} is not read"
        said[name] = {
            "type": "instruction",
            "tick": sim.tick,
            "seat": speaker,
            "target_seat": target,
            "id": name,
            "text": text,
            "status": "read" if name.endswith("?") else "confirmed",
            "reading": reading.as_json(),
        }
    return said[name]


PLAY, DISCARD = "if I hint a colour, play those cards", "if I hint a colour, discard those cards"
RED, FIVES = "if I hint red, discard those cards", "never discard fives"


def table() -> Episode:
    """Hanabi of three: at 4 a convention is replaced for one seat, at 7 taken back for the other; what
    is said at 12 loses a part at 14; one is never confirmed.
    """
    orders = [
        (0, "play", PLAY, None),
        (4, "discard", DISCARD, 2),
        (7, "play", "withdrawn", None),
        (9, "fives?", FIVES, None),
        (12, "again", PLAY, 1),
        (14, "red", RED, 1),
    ]
    return talk("hanabi", {"players": 3}, orders, 20, careful)


def cooking() -> Episode:
    """A kitchen: an onion is fetched at 2; at 20 one role replaces another, which is taken back at 40."""
    joint = kitchen.steps(kitchen.SERVES, kitchen.COOKS)

    def cook(sim: Simulation, seat: int) -> int:
        return joint[sim.tick][seat] if sim.tick < len(joint) else sim.no_op

    orders = [
        (0, "onion", "fetch an onion", None),
        (6, "onions", "you do the onions", None),
        (20, "plates", "you do the plates", None),
        (40, "plates", "withdrawn", None),
    ]
    return talk("overcooked", {"layout": "cramped_room", "horizon": 60}, orders, 60, cook)


def squads() -> Episode:
    """Arena: an order to the squad is replaced for one mate at 20, for another at 30; the last is done."""
    orders = [
        (0, "hold", "hold here", None),
        (20, "follow", "follow me", 1),
        (30, "wait", "hold here for 2 seconds", 2),
        (100, "follow", "withdrawn", None),
    ]
    options = {"teams": 2, "team_size": 4, "map_seed": 3, "pace": "short"}
    return talk("arena", options, orders, 120)

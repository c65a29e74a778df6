"""A short match of Arena as a finished episode: two teams of two walk at each other and shoot, and a co-pilot
sits in for one of them for a while. No scripted squad plays, so that tests don't change with them.
"""

from __future__ import annotations

import uuid

from engine.games.arena import state as s
from engine.games.arena.angles import bearing
from engine.simulation.log import header_of
from engine.simulation.simulation import Simulation
from webapp.episodes.models import Episode
from webapp.episodes.simulated import add_row
from webapp.episodes.stores import log_store

OPTIONS = {"teams": 2, "team_size": 2, "map_seed": 3, "pace": "short", "monsters": 2}
BEGINS = 130  # the tick before which everybody waits
MOST = 600  # ticks
COPILOT = range(40, 80)  # the steps that the co-pilot made in seat 1
INSTRUCTION = "Follow me"
ORDERED = 25  # the tick of the instruction


def charge(game: Simulation, seat: int) -> list[int]:
    """Run at the nearest enemy on their feet, and shoot at whoever is seen."""
    state, me = game.state, s.player(seat)
    enemies = [s.player(other) for other in range(game.seats) if other // 2 != seat // 2]
    if game.legal(seat)[44 + s.ADJUST_FIRE] and any(
        s.sees(state, seat, other) for other in range(game.seats)
    ):
        return game.resolve(seat, [0, 0, 1, s.B_NONE, s.ADJUST_FIRE, s.KEEP])
    ways = [
        (int(state[at + s.X] - state[me + s.X]), int(state[at + s.Y] - state[me + s.Y])) for at in enemies
    ]
    standing = [way for way, at in zip(ways, enemies, strict=True) if state[at + s.LIFE] == s.UP]
    dx, dy = min(standing or ways, key=lambda way: way[0] ** 2 + way[1] ** 2)
    return [0, 0, 1, s.B_RUN, s.PICK, s.KEEP, bearing(dx, dy), 0, game.tick]


def fight(pia=None, source="play", **options) -> Episode:
    """Play it, write the log with who was in control at each step, and make its row."""
    game = Simulation("arena", OPTIONS | options, seed=0)
    name = pia.pseudonym if pia else "P-other"
    seats = [{"kind": "person", "name": name, "pseudonym": name, "agent": None}]
    seats += [{"kind": "agent", "name": "Charger", "pseudonym": None, "agent": "arena/weak"}] * 3
    episode = uuid.uuid4()
    header = {**header_of(game, str(episode), seats), "ticks_per_second": 20}
    records: list[dict] = [header]
    while not game.over and game.tick < MOST:
        tick = game.tick
        if tick == ORDERED:
            said = {"type": "instruction", "tick": tick, "seat": 0, "target_seat": 1, "id": str(uuid.uuid4())}
            told = {"text": INSTRUCTION, "status": "confirmed", "reading": {"sentence": "I follow you."}}
            records.append(said | told)
        if tick in (COPILOT.start, COPILOT.stop):
            taken = {"kind": "copilot", "name": "P-copilot"} if tick in COPILOT else seats[1]
            records.append({"type": "control", "tick": tick, "seat": 1, "controller": taken})
        acts = charge if tick >= BEGINS else Simulation.idle
        game.step([acts(game, seat) for seat in range(game.seats)])
        by = ["person", "copilot" if tick in COPILOT else "agent", "agent", "agent"]
        records.append({"type": "step", "tick": tick, "actions": game.actions[-1], "by": by})
    end = {"type": "end", "tick": game.tick, "score": game.score, "digest": game.digest()}
    log_store().append(episode, [*records, end | {"reason": "finished"}])
    row = add_row(episode, header, end)
    Episode.objects.filter(pk=row.pk).update(source=source, instruction=INSTRUCTION)
    row.refresh_from_db()
    if pia:
        row.players.add(pia)
    return row

"""A short game of Overcooked as a finished episode: one soup, cooked by a person and an agent, whose place a
co-pilot takes for a while. Written out by hand, so that tests know what happens when.
"""

from __future__ import annotations

import uuid

from engine.games.overcooked.positions import steps
from engine.simulation.log import header_of
from engine.simulation.simulation import Simulation
from webapp.episodes.models import Episode
from webapp.episodes.simulated import add_row
from webapp.episodes.stores import log_store

# Seat 0 fetches a dish and serves; seat 1 brings three onions. The pot is full at tick 15, ready at 34.
SERVES = "SI..............NEN...............ISESI"
COOKS = "EIWNIEIWNIEIWNIE"
FULL, READY, TAKEN, SERVED = 15, 34, 35, 39
COPILOT = range(10, 22)  # the steps that the co-pilot made in seat 1
LATE = 7  # the step in which the agent was late
HORIZON = 60
INSTRUCTION = "You do onions, I serve"


def cook(pia=None, source="play", clock=6) -> Episode:
    """Play it, write the log with who was in control at each step, and make its row."""
    game = Simulation("overcooked", {"layout": "cramped_room", "horizon": HORIZON}, seed=1)
    name = pia.pseudonym if pia else "P-other"
    seats = [
        {"kind": "person", "name": name, "pseudonym": name, "agent": None},
        {"kind": "agent", "name": "Greedy cook", "pseudonym": None, "agent": "overcooked/greedy"},
    ]
    episode = uuid.uuid4()
    header = {**header_of(game, str(episode), seats), "ticks_per_second": clock}
    said = {"type": "instruction", "tick": 0, "seat": 0, "target_seat": 1, "id": str(uuid.uuid4())}
    told = {"text": INSTRUCTION, "status": "confirmed", "reading": {"sentence": "I bring onions; you serve."}}
    records: list[dict] = [header, said | told]
    joint = steps(SERVES, COOKS)
    for tick in range(HORIZON):
        if tick in (COPILOT.start, COPILOT.stop):
            taken = {"kind": "copilot", "name": "P-copilot"} if tick in COPILOT else seats[1]
            records.append({"type": "control", "tick": tick, "seat": 1, "controller": taken})
        game.step(joint[tick] if tick < len(joint) else (4, 4))
        by = "copilot" if tick in COPILOT else "late" if tick == LATE else "agent"
        records.append({"type": "step", "tick": tick, "actions": game.actions[-1], "by": ["person", by]})
    end = {"type": "end", "tick": game.tick, "score": game.score, "digest": game.digest()}
    log_store().append(episode, [*records, end | {"reason": "finished"}])
    row = add_row(episode, header, end)
    Episode.objects.filter(pk=row.pk).update(source=source, instruction=INSTRUCTION)
    row.refresh_from_db()
    if pia:
        row.players.add(pia)
    return row

"""What a measured instruction changes, as moments of one game shown on its board. The game is the same up to
each of these moments, with the instruction or without. Not for measuring them (engine.evaluation.card), nor
for what they cost (cards).
"""

from __future__ import annotations

from typing import Any

from engine.refusal import Refusal
from engine.simulation.pictures import data_url
from engine.simulation.simulation import Simulation
from webapp.agents.models import Agent
from webapp.common.made import cache

WIDTH = 480  # pixels
CACHED_SECONDS = 24 * 3600


def moments(agent: Agent, number: int) -> list[dict[str, Any]]:
    """Of the measured instruction with this number: [{"turn", "picture": as who is to move sees it, "untold",
    "told": what it does there}]; none where nothing was kept. Raises IndexError for a number that there
    isn't.
    """
    measured = agent.card.get("evaluation", {}).get("instructed") or {"instructions": []}
    kept = measured["instructions"][number].get("moments", [])
    if not kept or "game" not in measured:
        return []
    key = f"told-moments:{agent.card.get('sha256')}:{number}"
    known = cache.get(key)
    if known is None:
        try:
            known = _drawn(agent.game, measured["game"], dict(kept))
        except (Refusal, IndexError):  # kept by older rules
            known = []
        cache.set(key, known, CACHED_SECONDS)
    return known


def _drawn(game: str, played: dict[str, Any], clocks: dict[int, int]) -> list[dict[str, Any]]:
    sim, drawn = Simulation(game, played["options"], seed=played["seed"]), []
    for tick, action in enumerate(played["actions"]):
        seat = sim.current or 0
        if tick in clocks:
            texts = {"untold": sim.action_text(seat, action), "told": sim.action_text(seat, clocks[tick])}
            drawn.append({"turn": tick + 1, "picture": data_url(sim.picture(seat, WIDTH)), **texts})
        if len(drawn) == len(clocks):
            break
        sim.act(seat, action)
    return drawn

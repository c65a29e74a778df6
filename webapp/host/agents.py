"""What a match asks of agents: a move of the seat whose turn it is. Not for real time (thinking.py).

The thinking is done in a child process (webapp.host.inference). An agent that fails or is late doesn't hold
the game up: a scripted player makes that move, here, and everybody is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings

from engine.language import reasons
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from webapp.host.inference import WAKING, AgentFailed, InferenceChild

if TYPE_CHECKING:
    from webapp.host.turns import TurnMatch

logger = logging.getLogger(__name__)
CAREFUL = ("grounded-bot", "random")  # who makes a move for an agent that can't, the first that a game has


@dataclass(frozen=True)
class Choice:
    """A legal move, a sentence if it isn't the agent's own, and why it was chosen: the log's records."""

    action: int
    problem: str = ""
    reasons: tuple[dict[str, Any], ...] = ()


class Agents:
    """The agents of one host."""

    def __init__(self) -> None:
        self.child = InferenceChild()

    async def choose(self, match: TurnMatch, seat: int) -> Choice:
        """The move of the agent in this seat, now."""
        sim, controller = match.sim.copy(), match.controllers[seat]
        behind = match.in_force.default(seat)  # nobody said it, so that no reason is given by it
        spans: list[Any] = [*behind, *match.in_force.of(seat)]
        try:
            reply = await self.child.act(request_of(match, seat, sim), settings.AGENT_TIMEOUT_MS / 1000)
            action = reply["action"]
            if illegal := sim.why_illegal(seat, action):
                raise AgentFailed(f"it chose a move that isn't legal ({illegal})")
            why = [
                reasons.record(reason, spans, sim.tick + 1, seat)
                for reason in reply["reasons"]
                if reason["program"] >= len(behind) <= reason.get("by", len(behind))
            ]
            return Choice(action, reasons=tuple(why))
        except AgentFailed as failure:
            logger.warning("match %s: agent %s failed: %s", match.id, controller["ref"], failure)
            action = await asyncio.to_thread(scripted_move, sim, seat)
            hidden = match.seats[seat].hidden
            text = "it is late" if hidden else str(failure)
            return Choice(action, f"Your partner couldn't move: {text}. A scripted player made this move.")

    async def wake(self, match: TurnMatch) -> None:
        """Let the child load the agents of a match, so that the first move needn't wait for that."""
        for seat in match.agent_seats():
            with contextlib.suppress(AgentFailed):
                await self.child.act(request_of(match, seat, match.sim.copy()), WAKING)

    async def stop(self) -> None:
        await self.child.stop()


def request_of(match: TurnMatch, seat: int, sim: Simulation) -> dict[str, Any]:
    """What engine.agents.serve is asked."""
    return {
        "agent": match.controllers[seat]["ref"],
        "match": str(match.id),
        "game": sim.game,
        "options": sim.options,
        "seed": sim.seed,
        "deck": sim.deck,
        "actions": sim.actions,
        "seat": seat,
        "programs": match.in_force.programs(seat),
    }


def scripted_move(sim: Simulation, seat: int) -> int:
    """A careful move that needs nobody: the game's scripted player, in this process; the first legal move
    where it has none.
    """
    from engine.agents.acting import act
    from engine.agents.catalogue import load

    for name in CAREFUL:
        with contextlib.suppress(Refusal):
            return act(load(f"{sim.game}/{name}", sim.game), [sim], [seat])[0]
    return int(sim.legal(seat).argmax())

"""Asking the inference child for the moves of all agents of one match, one request at a time.

An answer that comes after its tick has passed is dropped; the agent has stayed then. Not for games in which
one seat moves at a time (agents.py).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from webapp.host.meter import meter

if TYPE_CHECKING:
    from webapp.host.realtime import JointMatch

logger = logging.getLogger(__name__)


class Thinker:
    """`moves`: the agents' actions for the present tick, by seat; `reasons`: why they chose them
    (engine.agents.serve). `late_decisions` counts dropped answers.
    """

    def __init__(self, match: JointMatch) -> None:
        self.match = match
        self.moves: dict[int, int] = {}
        self.reasons: list[dict[str, Any]] = []
        self.late_decisions = 0
        self._known: int | None = None  # the tick that the child has the game at
        self._told: dict[int, dict[str, Any]] = {}  # what the child knows of seats' instructions
        self._under_way = False
        self._awake = False  # the first request has gone
        self._failed: set[int] = set()  # seats whose agent had an error at this tick

    def next_tick(self) -> None:
        """The game has moved on: what was thought is of no use any more."""
        self.moves = {}
        self._failed.clear()

    def ready(self) -> bool:
        """Whether there is nothing to wait for: every agent has a move for this tick, or can't have one."""
        return all(self.has(seat) for seat in self.match.agent_seats())

    def has(self, seat: int) -> bool:
        return seat in self.moves or seat in self._failed

    def give_up(self, seat: int) -> None:
        """Wait no longer for this agent at this tick."""
        self._failed.add(seat)

    def wanted(self) -> list[int]:
        """The seats to ask for now."""
        return [seat for seat in self.match.agent_seats() if not self.has(seat)]

    def take(self, tick: int, reply: dict[str, Any]) -> None:
        """Use the moves that agents chose in the state of `tick`."""
        if tick != self.match.sim.tick:
            self.late_decisions += len(reply["actions"])
            return
        agents = self.match.agent_seats()
        for seat, action in reply["actions"].items():
            if int(seat) in agents:
                self.moves[int(seat)] = action
        self.reasons += reply["reasons"]

    def ask(self) -> None:
        """Ask for what is missing, unless a request is under way: its answer asks again."""
        match = self.match
        if self._under_way or match.closed or match.over:
            return
        wanted = self.wanted()
        if not wanted and self._awake:
            return
        sim = match.sim
        request: dict[str, Any] = {"match": str(match.id)}
        if self._known is None:
            self._told = {}
            request |= {
                "game": sim.game,
                "options": sim.options,
                "seed": sim.seed,
                "deck": sim.deck,
                "from": 0,
            }
            if match.ticks_per_second:
                request["tick_ms"] = 1000 / match.ticks_per_second
        else:
            request["from"] = self._known
        request["actions"] = match.actions_since(request["from"])
        request["ask"] = [
            {"seat": seat, "agent": match.controllers[seat]["ref"]} | self._news_of(seat) for seat in wanted
        ]
        # How far people have got with what others told them, too.
        request["watch"] = [
            {"seat": seat} | self._news_of(seat)
            for seat in match.controllers
            if seat not in wanted and match.in_force.of(seat)
        ]
        people = [seat for seat, controller in match.controllers.items() if controller["kind"] == "person"]
        if not self._awake and people and match.stand_in_agent:
            # Whoever may stand in is asked once in vain, so that it is loaded when it is needed.
            stand_in = {"seat": people[0], "agent": match.stand_in_agent["ref"], "programs": []}
            request["ask"].append(stand_in)
        self._awake = self._under_way = True
        tick = sim.tick
        begun = meter.begin()
        match.host.agents.child.post(request, lambda reply: self._answered(tick, reply))
        meter.end("asking agents", begun)

    def _news_of(self, seat: int) -> dict[str, Any]:
        """A seat's instructions for the child; nothing if it knows them."""
        told = {"programs": self.match.programs(seat), "default": self.match.in_force.default(seat)}
        if told == self._told.get(seat):
            return {}
        self._told[seat] = told
        return told

    def _answered(self, tick: int, reply: dict[str, Any]) -> None:
        self._under_way = False
        match = self.match
        if match.closed or match.over:
            return
        if "forgotten" in reply or "stopped" in reply:
            self._known = None
        elif "error" in reply:
            logger.error("match %s: agents can't think: %s", match.id, reply["error"])
            self._known = None
            self._failed.update(match.agent_seats())
            return
        else:
            self._known = reply["tick"]
            match.note_goals(reply["goals"])
            self.take(tick, reply)
            for seat, why in reply["errors"].items():
                self._failed.add(int(seat))
                if int(seat) in match.agent_seats():
                    match.agent_failed(int(seat), why)
        self.ask()
        match.agents_thought()

"""Asking the inference child for decisions that hold for several ticks, in games whose actions have heads.

Every DECIDE_EVERY ticks all agents of a match are asked; what they answer holds from the next tick on until
the next answer. A late agent goes on with its last decision for the time of one more; then it stands still.
Nothing waits for an answer. Not for games in which each tick is a move of its own (thinking.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webapp.host.thinking import Thinker

if TYPE_CHECKING:
    from webapp.host.streams import StreamMatch

DECIDE_EVERY = 3  # ticks


class Decider(Thinker):
    """`moves`: the heads that hold now, by seat. `late_decisions` counts answers that came after the next
    decision was due.
    """

    match: StreamMatch

    def __init__(self, match: StreamMatch) -> None:
        super().__init__(match)
        self._phase = match.id.int % DECIDE_EVERY  # matches that share a host take turns
        self._asked = -1
        self._decided: dict[int, int] = {}  # the tick whose state a seat's heads were chosen in

    def next_tick(self) -> None:
        """The game has moved on; what is too old is dropped."""
        tick = self.match.sim.tick
        for seat, since in list(self._decided.items()):
            if tick - since >= 2 * DECIDE_EVERY:
                self.forget(seat)

    def forget(self, seat: int) -> None:
        """Somebody else plays this seat now, or its decision is too old."""
        self._decided.pop(seat, None)
        self.moves.pop(seat, None)

    def wanted(self) -> list[int]:
        """The seats to ask for now: all of them when a decision is due, else those that have none."""
        tick = self.match.sim.tick
        due = (tick + self._phase) % DECIDE_EVERY == 0 or tick - self._asked > DECIDE_EVERY
        if due and tick != self._asked:
            self._asked = tick
            self._failed.clear()
            return self.match.agent_seats()
        return super().wanted()

    def take(self, tick: int, reply: dict[str, Any]) -> None:
        """Decisions made in the state of `tick`."""
        if self.match.sim.tick - tick >= DECIDE_EVERY:
            self.late_decisions += len(reply["actions"])
        agents = self.match.agent_seats()
        for name, heads in reply["actions"].items():
            if int(name) in agents:
                self.moves[int(name)] = heads
                self._decided[int(name)] = tick
        self.reasons += reply["reasons"]

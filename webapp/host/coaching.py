"""The coach of a guided first game: follows the match (engine.games.first), tells its player what to do next,
and wakes agents that slept until then. What it knows is in the log, so another host goes on with it.

Not for: how a step is known to be done (a game's first.py), the page that shows it (static/js/coach.js).
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from engine.games.first import Course
from webapp.host import frames

if TYPE_CHECKING:
    from webapp.host.match import LiveMatch


class Coach:
    def __init__(self, match: LiveMatch, course: Course) -> None:
        self.match = match
        self.course = course

    def look(self) -> None:
        """The game has made a step."""
        if self.course.look(self.match.sim):
            self._go_on()

    def note(self, record: dict[str, Any]) -> None:
        """Something was said, or somebody else plays a seat."""
        if self.course.note(record, self.match.sim):
            self._go_on()

    def frame(self) -> dict[str, Any]:
        """{"type": "coach", "step": 1, "steps": 4, "say": "Tell …", "touch": "", "tell": ["Hint my ones."],
        "asks": "", "noticed": "You gave a hint.", "shown": false}

        `step` counts from 0, and is `steps` at the end. `touch`: `say` for fingers, where that differs.
        `tell`: sentences that one click says; `asks`: what the button says that wakes who sleeps; `noticed`:
        what was done; `shown`: the agent's move to mark has been made.
        """
        course, step = self.course, self.course.now
        words = {
            "say": step.say if step else course.first.after,
            "touch": step.touch if step else "",
            "noticed": course.noticed,
        }
        return {
            "type": "coach",
            "step": course.step,
            "steps": len(course.first.steps),
            **{name: self._named(text) for name, text in words.items()},
            "tell": list(step.tell) if step else [],
            "asks": step.asks if step else "",
            "shown": course.moment is not None,
        }

    async def wake(self, seats: Container[int]) -> None:
        """Whoever sleeps in these seats plays from now on; what the coach says then is enough said."""
        for seat in self.match.seats:
            if seat.index in seats and self.match.controllers[seat.index].get("asleep"):
                controller = {"kind": "agent", "name": seat.name, "agent": seat.agent, "ref": seat.ref}
                await self.match.set_controller(seat.index, controller, "")

    def _go_on(self) -> None:
        match, step = self.match, self.course.now
        match.keep(match.broadcast(self.frame()))
        if step and step.wakes:
            match.keep(self.wake(step.wakes))

    def _named(self, text: str) -> str:
        return text.replace("{partner}", frames.seat_name(self.match, self.course.first.partner))

"""Odd input sent to every door of Coplay: routes, messages of a match, commands. What a door must do is known
without knowing the input: answer with a sentence, stay up, and show neither a traceback nor a path.

Not for tests of what a door says; those are with the doors.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Report:
    """What was sent in one go."""

    tried: int = 0
    """Requests, frames or commands sent."""
    faults: list[str] = field(default_factory=list)
    """One sentence each: what was sent, and what happened."""

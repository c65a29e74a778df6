"""What was given and can't be used: one kind of exception for all of Coplay, a sentence and a place.

A command writes the sentence on standard error and exits with a status (webapp.common.commands), a page
answers it with its form or with status 400 (webapp.common.inputs), a socket with a refused frame
(webapp.host.consumer). Subclasses are for what somebody catches apart from the rest, and say who. Not for
faults of this program, nor for what only steers it (a stop that was asked for, a lease that was lost).
"""

from __future__ import annotations


class Refusal(ValueError):
    """The message is one sentence for people: what was given, what is allowed and, if it isn't obvious, where
    to set it. `place` is where it was given: a field, a setting, or a file and line; "" if that is obvious.
    """

    def __init__(self, sentence: str = "", place: str = "") -> None:
        super().__init__(sentence)
        self.place = place

    @property
    def problems(self) -> dict[str, str]:
        """The sentence by its place; nothing without one."""
        return {self.place: str(self)} if self.place else {}


class NotNow(Refusal):
    """What isn't there now and may be another time: a device, the result of an earlier job. Caught where jobs
    run (engine.learning.run.reporting, webapp.jobs.runner): such a job has failed and may be resumed, while
    one that was refused otherwise never can be.
    """


class Refusals(Refusal):
    """Several at once: `problems` has a sentence for each place. Caught by pages that write each sentence
    beside its field (webapp.rounds).
    """

    problems: dict[str, str] = {}

    def __init__(self, sentence: str = "", problems: dict[str, str] | None = None) -> None:
        super().__init__(sentence or " ".join((problems or {}).values()))
        self.problems = problems or {}

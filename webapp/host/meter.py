"""Where a host's time goes: processor seconds of its event loop by kind of work, for `manage.py bench live`.

Off, and then next to free, until somebody asks (messages/ping.py). Not for: latencies, which are measured
where they are felt.
"""

from __future__ import annotations

import time
from collections import Counter


class Meter:
    def __init__(self) -> None:
        self.on = False
        self.seconds: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    def begin(self) -> float:
        return time.thread_time() if self.on else 0.0

    def end(self, name: str, begun: float) -> None:
        """Book what has passed since `begun`, of a piece of work without a pause in it."""
        if self.on and begun:
            self.seconds[name] += time.thread_time() - begun
            self.counts[name] += 1

    def as_json(self) -> dict[str, dict[str, float]]:
        """What was booked since the meter was switched on, which this does."""
        self.on = True
        return {"seconds": dict(self.seconds), "counts": dict(self.counts)}


meter = Meter()

"""What would stop a Python process for longer than a tick may be late, kept small while real-time games run.

A full garbage collection of a large process takes tens of milliseconds: what exists when the first match
begins is set aside (`gc.freeze`), and what matches leave behind is collected by hand, in small bites. A
thread that writes logs may keep the others waiting for a switch interval, by default 5 ms.
"""

from __future__ import annotations

import gc
import sys
import time

YOUNG_EVERY = 5.0  # seconds
ALL_EVERY = 300.0
SWITCH_INTERVAL = 0.0005


class Smooth:
    def __init__(self) -> None:
        self.on = False
        self._all_at = 0.0
        self._young_at = 0.0
        self._switch_interval = sys.getswitchinterval()

    def look(self, real_time: bool) -> None:
        """Called every second or so; `real_time`: whether such matches run."""
        now = time.monotonic()
        if real_time and not self.on:
            gc.collect()
            gc.freeze()
            gc.disable()
            sys.setswitchinterval(SWITCH_INTERVAL)
            self.on, self._all_at, self._young_at = True, now, now
        elif self.on and not real_time:
            self.stop()
        elif self.on and now - self._all_at > ALL_EVERY:
            gc.collect()
            self._all_at = now
        elif self.on and now - self._young_at > YOUNG_EVERY:
            gc.collect(1)
            self._young_at = now

    def stop(self) -> None:
        """Leave it to Python again."""
        if self.on:
            gc.unfreeze()
            gc.enable()
            sys.setswitchinterval(self._switch_interval)
            self.on = False

"""Waiting for what comes true in its own time. The limits are for what never does: a busy machine is slow."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds that one step may take on the slowest machine: in a browser, in another process, of a server."""


def eventually(what: Callable[[], T], seconds: float = PATIENCE) -> T:
    """The first true answer of `what()`; an assertion if there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        if answer := what():
            return answer
        assert time.monotonic() < deadline, f"it did not come true in {seconds:g} s"
        time.sleep(0.05)


@contextmanager
def no_hang(seconds: float = 10.0) -> Iterator[None]:
    """Fails where what is within takes so much processor time: a pattern that tries every way takes minutes;
    what is merely slow is seen by `manage.py bench`.
    """
    started = time.process_time()
    yield
    assert time.process_time() - started < seconds

"""Arena, a small battle royale. Its spec is imported when it is asked for: reading what somebody typed needs
neither the rules nor a compiler.
"""

from __future__ import annotations

from typing import Any

DECISION_TICKS = 3  # agents decide 6.7 times a second


def __getattr__(name: str) -> Any:
    if name != "SPEC":
        raise AttributeError(f"engine.games.arena has no {name!r}.")
    from engine.games.arena.spec import SPEC

    return SPEC

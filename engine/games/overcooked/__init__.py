"""Overcooked for 2 to 4 cooks. Its spec is imported when it is asked for: reading what somebody typed needs
neither the rules nor a compiler.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "SPEC":
        raise AttributeError(f"engine.games.overcooked has no {name!r}.")
    from engine.games.overcooked.spec import SPEC

    return SPEC

"""Groups of words that the rules next door share: whom, what, where (macros.rules)."""

from __future__ import annotations

from engine.games.arena.language.wishes import data

MACROS = data.patterns("macros.rules")


def expand(pattern: str) -> str:
    """A pattern with its `<name>`s replaced."""
    for name, group in [*MACROS.items(), ("det", MACROS["det"])]:
        pattern = pattern.replace(f"<{name}>", group)
    return pattern

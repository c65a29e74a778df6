"""Short names of the action ids, for tables and plots. Not sentences (engine.games.hanabi.words)."""

from __future__ import annotations

from typing import Any

from engine.games.hanabi.options import COLOR_LETTERS


def action_labels(options: dict[str, Any]) -> list[str]:
    """One label an action id, the no-op last: "discard 1" (oldest), "hint R", "hint 3 +2"."""
    slots = range(1, options["hand_size"] + 1)
    values = ([*COLOR_LETTERS[: options["colors"]]], [str(rank + 1) for rank in range(options["ranks"])])
    seats = range(1, options["players"])
    hints = [
        f"hint {value}" if options["players"] == 2 else f"hint {value} +{offset}"
        for kind in values
        for offset in seats
        for value in kind
    ]
    return [*(f"discard {n}" for n in slots), *(f"play {n}" for n in slots), *hints, "no-op"]

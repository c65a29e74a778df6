"""Another shooter, measured next to Arena."""

from __future__ import annotations

from typing import Any

from tools.peers import ask


def vizdoom(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """ViZDoom's deathmatch, one player who sees 160 x 120 pixels: agent-steps of another shooter."""
    return ask("vizdoom", do="bench", scenario="deathmatch", seconds=seconds)["steps_per_second"]


PEERS = {"vizdoom": vizdoom}

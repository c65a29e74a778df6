"""What spectators may see of a running game: nothing that a player doesn't see, as they could tell it to that
player.

A game that hides something from its seats brings `watched(state)` in its view.py, the view of what all seats
know. A game that streams is watched through the eyes of its players (webapp/host/streams.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import brings, games


def hides(game: str) -> bool:
    """Whether seats see different things."""
    return bool(games.spec(game).heads) or brings.View.of(game).watched is not None


def watched(game: str, state: np.ndarray) -> dict[str, Any]:
    """The view for those who watch; the open one where nothing is hidden."""
    view = brings.View.of(game).watched
    return view(state) if view else games.spec(game).view(state, None)

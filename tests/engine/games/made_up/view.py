"""What the browser gets."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import rules


def view(state: np.ndarray, seat: int | None) -> dict[str, Any]:
    return {"heap": int(state[rules.HEAP]), "turn": int(state[rules.TURN]), "score": int(state[rules.SCORE])}

"""A program as a vector of fixed length, for networks that are told what the instruction is."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.games.arena.language.programs import FLAGS, KINDS

_ROWS = [(kind, negated) for kind in KINDS for negated in (False, True)]

FEATURES_VERSION = 1  # raised when a number comes to mean something else
NUM_FEATURES = len(_ROWS) + len(FLAGS)


def features(program: dict[str, Any] | None) -> np.ndarray:
    """1 for each (kind, negated) and each flag that the program names, float32 (NUM_FEATURES,); zeros for no
    program.
    """
    out = np.zeros(NUM_FEATURES, np.float32)
    for one in (program or {}).get("clauses", []):
        if one["kind"] in KINDS:
            out[_ROWS.index((one["kind"], bool(one["negated"])))] = 1
        for flag in [flag for flag in one["flags"] if flag in FLAGS]:
            out[len(_ROWS) + FLAGS.index(flag)] = 1
    return out

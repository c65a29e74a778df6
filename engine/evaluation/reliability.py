"""Whether confidence is the probability that a reading is right: a table by confidence, the calibration
error, and the effect of a threshold for asking.

Not for deciding what is right (reading_scores.py), nor for fitting (engine.learning.reading.chance).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.evaluation.intervals import estimate
from engine.language.chance import ENOUGH

BINS = 10
THRESHOLDS = (0.4, 0.5, 0.6, 0.7, ENOUGH, 0.9)


def reliability(confidence: np.ndarray, right: np.ndarray) -> dict[str, Any]:
    """Of texts that were read, their confidences and whether each reading is right (1 or 0):

    {"texts", "right", "bins": [{"low", "high", "count", "confidence", "right"}],
     "ece": {"mean", "low", "high"}, "brier",
     "asked": {"at", "share", "right_asked", "wrong_asked", "obeyed_right"}, "thresholds": [the same]}.
    The expected calibration error is the mean distance of a bin's confidence from its share of right ones,
    with a 95 % interval over texts drawn again (bootstrap, seed 0; it tends up with few texts). `right_asked`
    is the share of the right readings that are asked about all the same.
    """
    confidence, right = np.asarray(confidence, float), np.asarray(right, float)
    error = estimate(len(right), lambda picked: _error(confidence[picked], right[picked]))
    return {
        "texts": len(right),
        "right": round(float(right.mean()), 4),
        "bins": _bins(confidence, right),
        "ece": error,
        "brier": round(float(((confidence - right) ** 2).mean()), 4),
        "asked": _asked(confidence, right, ENOUGH),
        "thresholds": [_asked(confidence, right, at) for at in THRESHOLDS],
    }


def _places(confidence: np.ndarray) -> np.ndarray:
    return np.minimum((confidence * BINS).astype(int), BINS - 1)


def _bins(confidence: np.ndarray, right: np.ndarray) -> list[dict[str, Any]]:
    places, bins = _places(confidence), []
    for place in range(BINS):
        here = places == place
        if here.any():
            means = {"confidence": confidence[here].mean(), "right": right[here].mean()}
            bins.append(
                {"low": place / BINS, "high": (place + 1) / BINS, "count": int(here.sum())}
                | {name: round(float(mean), 3) for name, mean in means.items()}
            )
    return bins


def _error(confidence: np.ndarray, right: np.ndarray) -> float:
    gaps = np.bincount(_places(confidence), confidence - right, BINS)
    return float(np.abs(gaps).sum() / len(right))


def _asked(confidence: np.ndarray, right: np.ndarray, at: float) -> dict[str, float]:
    asked = confidence < at

    def share(of: np.ndarray) -> float:
        return round(float(of.mean()), 4) if len(of) else 0.0

    return {
        "at": at,
        "share": share(asked),
        "right_asked": share(asked[right == 1]),
        "wrong_asked": share(asked[right == 0]),
        "obeyed_right": share(right[~asked]),
    }


def lines(result: dict[str, Any]) -> list[str]:
    """As commands print it."""
    error = result["ece"]
    rows = [
        f"  {part['low']:.1f} to {part['high']:.1f}: {part['count']:4d} texts, confidence "
        f"{part['confidence']:.3f}, right {part['right']:.3f}"
        for part in result["bins"]
    ]
    below = [
        f"  asked about below {row['at']}: {row['share']:.3f} of them, {row['right_asked']:.3f} of the right "
        f"and {row['wrong_asked']:.3f} of the wrong ones; of the others {row['obeyed_right']:.3f} are right"
        for row in result["thresholds"]
    ]
    return [
        f"confidence of the {result['texts']} texts that were read ({result['right']:.3f} right): "
        f"calibration error {error['mean']:.3f} ({error['low']:.3f} to {error['high']:.3f}), "
        f"Brier {result['brier']:.3f}",
        *rows,
        *below,
    ]

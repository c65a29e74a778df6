"""About how many points an instruction costs with an agent, from the measurements on its card. Not for
measuring (engine.evaluation.card), nor for the whole table (webapp.agents.cards).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from django.urls import reverse

from engine import language
from engine.refusal import Refusal
from webapp.agents.models import Agent
from webapp.agents.resolve import resolve

ALIKE = 0.8
"""Cosine of two programs' features from which on one is about what the other is."""


def hearing(game: str, names: list[str]) -> Iterator[Agent]:
    """Those of these agents (refs or aliases) that there are."""
    for name in names:
        with suppress(Refusal):
            yield resolve(game, name)


def measured(game: str, names: list[str]) -> dict[str, Any] | None:
    """What was measured of the first of these agents of which anything was, and its "ref"; None else."""
    for agent in hearing(game, names):
        if shown := agent.card.get("evaluation", {}).get("instructed"):
            return shown | {"ref": agent.ref}
    return None


def cost(figures: dict[str, Any], program: dict[str, Any]) -> dict[str, Any] | None:
    """{"points": {firmness: points}, "like": what was measured, "same": whether it is the same instruction,
    "changes": the address of what it changes} of the measured instruction that is most like a program; None
    where none is.
    """
    features = language.features(program["game"], program)
    rows = [
        (instruction, _likeness(features, program, instruction["program"]))
        for instruction in figures["instructions"]
        if instruction["program"]
    ]
    best, likeness = max(rows, key=lambda row: row[1], default=(None, 0.0))
    if best is None or likeness < ALIKE:
        return None
    untold = figures["untold"]["mean"]
    points = {name: round(untold - score["mean"], 1) for name, score in best["scores"].items()}
    number = figures["instructions"].index(best)
    changes = reverse("agents:told", args=[*figures["ref"].split("/"), number])
    return {"points": points, "like": best["text"], "same": likeness > 1, "changes": changes}


def _likeness(wanted: np.ndarray, program: dict[str, Any], other: dict[str, Any]) -> float:
    """From -1 to 1; more where they are the same."""
    if other.get("rules") == program.get("rules") and other.get("goals") == program.get("goals"):
        return 2.0
    features = language.features(other["game"], other)
    size = float(np.linalg.norm(wanted) * np.linalg.norm(features))
    return float(wanted @ features) / size if size else 0.0

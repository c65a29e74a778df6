"""Squads by how much was marked: see engine.experiments.data."""

from engine.experiments.data import FEW_MARKED, MARKED
from engine.games.arena.experiments import lost_score

LESS = {"amounts": [25, 100, 400], "raters": [1], "evaluation": 100}
"""A match is long, so that 1,600 of them are too many for two cores."""
SETTINGS = [{**lost_score.SETTINGS[0], **MARKED, **LESS}]
QUICK = [{**lost_score.QUICK[0], **FEW_MARKED}]

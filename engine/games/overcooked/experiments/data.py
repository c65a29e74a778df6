"""Cooks by how much was marked: see engine.experiments.data."""

from engine.experiments.data import FEW_MARKED, MARKED
from engine.games.overcooked.experiments import lost_score

SETTINGS = [{**lost_score.SETTINGS[0], **MARKED}]
QUICK = [{**lost_score.QUICK[0], **FEW_MARKED}]

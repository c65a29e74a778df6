"""Players by how much was marked: see engine.experiments.data."""

from engine.experiments.hanabi import lost_score

AMOUNTS = [25, 100, 400, 1600]
SETTINGS = [{**lost_score.SETTINGS[0], "amounts": AMOUNTS, "raters": [1, 2, 6], "begun": 25, "chosen": 100}]
QUICK = [{**lost_score.QUICK[0], "amounts": [8, 16], "raters": [1], "begun": 8, "chosen": 12}]

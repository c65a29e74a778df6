"""Players round after round: see engine.experiments.rounds."""

from engine.games.hanabi.experiments import lost_score

SETTINGS = [{**lost_score.SETTINGS[0], "episodes": 30}]
QUICK = [lost_score.QUICK[0]]

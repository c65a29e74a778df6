"""Fit the chance that a written program is right (engine.language.chance) on texts that the model didn't
learn from.

    python -m engine.learning.reading.chance      # writes engine/language/weights/chance.json, a minute

Logistic regression with a little shrinking over the messy development sets of all games
(language/phrasings/messy.tsv), whose texts other hands wrote than the material of the training; a bias for
each game. It says how the numbers hold on texts that they weren't fitted on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from engine import games as registry
from engine.evaluation import messy
from engine.evaluation.reliability import lines, reliability
from engine.language import chance
from engine.language.encoder import FOLDER
from engine.language.lost import lost
from engine.language.model import Model, shipped

SHRINK = 3.0
"""Weight of the squares of the numbers, in texts."""
LEAST_SCALE = 0.01
"""Of a feature that is the same in all texts."""
STEPS = 50
FOLDS = 10


def development(game: str) -> Path:
    """The messy development set of a game."""
    return registry.folder(game) / "language" / "phrasings" / messy.FILE


def rows(model: Model) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Features of the programs that the model writes where it finds something to carry out (texts, features),
    whether each is right, and its game.
    """
    values, right, games = [], [], []
    for game, declared in model.vocabulary.languages.items():
        for item in messy.load(declared, development(game)):
            programs = model.read(game, item.text)
            if messy.carries_out(programs[0].clauses):
                without = lost(model, game, item.text, programs[0].clauses)
                values.append(chance.features(item.text, programs, without))
                right.append(messy.is_right(declared, item, programs[0].clauses))
                games.append(game)
    return np.array(values), np.array(right, float), games


def fit(values: np.ndarray, right: np.ndarray, games: list[str]) -> dict[str, Any]:
    """The numbers of engine.language.chance.chance."""
    names, count = sorted(set(games)), values.shape[1]
    which = np.array([[float(game == name) for name in names] for game in games])
    both = logistic(np.column_stack([values, which]), right)
    mean, scale, weight = (np.array(both[key][count:]) for key in ("mean", "scale", "weight"))
    biases = both["bias"] + ((np.eye(len(names)) - mean) / scale) @ weight
    bias = {name: round(float(own), 4) for name, own in zip(names, biases, strict=True)}
    return {key: both[key][:count] for key in ("mean", "scale", "weight")} | {"bias": bias}


def logistic(values: np.ndarray, right: np.ndarray) -> dict[str, Any]:
    """Logistic regression, by Newton's method: {"mean", "scale", "weight", "bias"}."""
    mean, scale = values.mean(0), np.maximum(values.std(0), LEAST_SCALE)
    known = np.column_stack([(values - mean) / scale, np.ones(len(values))])
    shrink = np.diag([*[SHRINK] * values.shape[1], 1e-3])
    weight = np.zeros(known.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-known @ weight))
        slope = known.T @ (likely - right) + shrink @ weight
        bend = (known * (likely * (1 - likely))[:, None]).T @ known + shrink
        weight -= np.linalg.solve(bend, slope)
    numbers = {"mean": mean, "scale": scale, "weight": weight[:-1]}
    return {name: [round(float(one), 4) for one in own] for name, own in numbers.items()} | {
        "bias": round(float(weight[-1]), 4)
    }


def across(values: np.ndarray, right: np.ndarray, games: list[str]) -> np.ndarray:
    """The chance of each program by numbers that were fitted without it."""
    fold = np.random.default_rng(0).permutation(len(right)) % FOLDS
    found = np.zeros(len(right))
    for number in range(FOLDS):
        rest = np.flatnonzero(fold != number)
        numbers = fit(values[rest], right[rest], [games[at] for at in rest])
        for at in np.flatnonzero(fold == number):
            found[at] = chance.chance(numbers, games[at], values[at])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=FOLDER / chance.FILE)
    args = parser.parse_args()
    values, right, games = rows(shipped())
    for line in lines(reliability(across(values, right, games), right)):
        print(line)
    about = {"features": list(chance.FEATURES), "made_by": "python -m engine.learning.reading.chance"}
    args.out.write_text(json.dumps(about | fit(values, right, games), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

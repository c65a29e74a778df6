"""Fit how likely readings are right to the development sets (engine.language.sureness).

    python -m engine.learning.sureness      # writes engine/language/weights/sureness.json, under a minute

Logistic regression with a little shrinking, by Newton's method, for each game on the texts of its development
set that are read: as they should be (engine.evaluation.reading_scores), or not? Neither the grammars nor the
model learned from those texts. `across` says how the numbers hold on voices that they weren't fitted on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save

from engine import language
from engine.agents.files import write_atomically
from engine.evaluation import reading_scores
from engine.evaluation.reliability import lines, reliability
from engine.language import encoder, meaning, sureness
from engine.language.bank import development

SHRINK = 3.0
"""Weight of the squares of the numbers, in texts."""
LEAST_SCALE = 0.01
"""Of a feature that is the same in all texts."""
FOLDS = 8
STEPS = 50


def rows(game: str, model: meaning.Model) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Features of each text of the development set that is read (texts, features), whether the reading is
    right, and its voice."""
    values, right, voices = [], [], []
    for item in development(game):
        words = language.by_grammar(game, item["text"])
        reading = meaning.understand(game, item["text"], words, "", model)
        if reading.refused or sureness.is_known(game, reading) or sureness.left_out(game, reading):
            continue
        values.append(sureness.features(game, words, reading, model.meaning(game, item["text"])))
        right.append(reading_scores.is_right(game, item, reading_scores.of_reading(game, reading)))
        voices.append(item["voice"])
    return np.array(values), np.array(right, float), voices


def fit(values: np.ndarray, right: np.ndarray) -> dict[str, Any]:
    """{"mean", "scale", "weight", "bias"} of a game."""
    mean, scale = values.mean(0), np.maximum(values.std(0), LEAST_SCALE)
    known = np.column_stack([(values - mean) / scale, np.ones(len(values))])
    shrink = np.diag([*[SHRINK] * values.shape[1], 1e-3])
    weight = np.zeros(known.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-known @ weight))
        slope = known.T @ (chance - right) + shrink @ weight
        bend = (known * (chance * (1 - chance))[:, None]).T @ known + shrink
        weight -= np.linalg.solve(bend, slope)
    numbers = {"mean": mean, "scale": scale, "weight": weight[:-1]}
    return {name: [round(float(one), 4) for one in own] for name, own in numbers.items()} | {
        "bias": round(float(weight[-1]), 4)
    }


def across(values: np.ndarray, right: np.ndarray, voices: list[str]) -> np.ndarray:
    """How likely each text's reading is right by numbers that were fitted without its voice."""
    names = np.random.default_rng(0).permutation(sorted(set(voices)))
    fold = np.array([int(np.flatnonzero(names == voice)[0]) % FOLDS for voice in voices])
    found = np.zeros(len(right))
    for number in range(FOLDS):
        own = fold == number
        if own.any():
            numbers = fit(values[~own], right[~own])
            found[own] = [sureness.chance(numbers, one) for one in values[own]]
    return found


def fitted(model: meaning.Model, say: Callable[[str], None] = print) -> dict[str, Any]:
    """The numbers of every game for a model; tells how they hold on other voices."""
    found = {}
    for game in language.games():
        values, right, voices = rows(game, model)
        found[game] = fit(values, right)
        for line in lines(reliability(across(values, right, voices), right)):
            say(f"{game}: {line}")
    return found


def add_to(path: Path, say: Callable[[str], None] = print) -> None:
    """Fit the numbers for the model of a file of weights, and write them into it."""
    model = meaning.Model(path)
    about = {**model.about, "sureness": fitted(model, say)}
    write_atomically(path, save(load_file(path), {"reader": json.dumps(about)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=encoder.FOLDER / sureness.FILE)
    parser.add_argument("--model", type=Path, default=encoder.FOLDER / meaning.FILE)
    args = parser.parse_args()
    model = meaning.Model(args.model)
    about = {"features": list(sureness.FEATURES), "made_by": "python -m engine.learning.sureness"}
    found = {**about, "games": fitted(model)}
    args.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Confidence is how likely a reading is right: whole for what is known, low for guesses, fitted to
development texts, and it holds on others.
"""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest

from engine import language
from engine.evaluation import instructions, reading_scores
from engine.evaluation.reliability import lines, reliability
from engine.language import encoder, meaning, sureness
from engine.language import text as typed
from engine.language.bank import bank, development, known
from engine.learning import sureness as fitting
from tests.services import NODE

GAMES = ("arena", "hanabi", "overcooked")
READY = """
import { readySentences, emptyKitchen } from "./static/js/games/overcooked/model.js";
import { SENTENCES } from "./static/js/games/arena/hud-state.js";
const kitchens = [
  ["XPXXX", "O1X2T", "X X X", "XDXSX"], ["XPXPX", "X1 2X", "XODSX"], ["XXPXX", "O1 2D", "XXPSX"],
];
console.log(JSON.stringify({
  overcooked: [...new Set(kitchens.flatMap((rows) => readySentences(emptyKitchen(rows))))],
  arena: SENTENCES.map((one) => one.text),
}));
"""


@pytest.mark.node
def test_ready_sentences_and_the_wheel_are_read_with_full_confidence():
    done = subprocess.run(
        [*NODE, "--input-type=module", "-e", READY], capture_output=True, text=True, check=True
    )
    said = json.loads(done.stdout)
    assert len(said["arena"]) == 12 and len(said["overcooked"]) == 11
    assert {"You do tomatoes", "Use the left pot", "Use the upper pot"} <= set(said["overcooked"])
    for game, texts in said.items():
        for text in texts:
            assert language.read(game, text).confidence == 1.0, text


@pytest.mark.parametrize("game", GAMES)
def test_every_button_is_in_the_bank_of_buttons(game):
    for text, row in known(game).items():
        assert meaning.labels_of(game, row) is not None and text == text.lower()


@pytest.mark.parametrize("game", GAMES)
def test_confidence_is_a_chance_and_never_whole_for_new_words(game):
    written = known(game)
    for item in development(game)[::9]:
        found = language.read(game, item["text"])
        assert 0 <= found.confidence <= 1 and (found.confidence > 0) != found.refused
        if typed.clean(item["text"]) not in written:
            assert found.confidence <= sureness.MOST


def test_the_misread_sentence_is_not_told_as_certain():
    found = language.read("overcooked", "serve every soup except the last one")
    assert found.confidence < sureness.ENOUGH


def test_a_bank_text_that_is_read_otherwise_is_not_known(monkeypatch):
    reading = language.read("overcooked", "you serve")
    assert sureness.is_known("overcooked", reading)
    other = language.read("overcooked", "you do onions")
    wrong = type(reading)(**{**reading.__dict__, "program": other.program})
    assert not sureness.is_known("overcooked", wrong)


def test_the_more_the_model_doubts_the_less_sure():
    class Thinks:
        about: dict = {}

        def __init__(self, odds: float) -> None:
            self.odds = odds

        heads = ("arena",)

        def meaning(self, game: str, text: str) -> meaning.Meaning:
            return meaning.Meaning(5.0, {"Whether prone position=True": self.odds, "Health level=Full": -6.0})

        def conventions(self, game: str) -> list:
            return []

    texts = [
        language.read("arena", "do lie upon the floor now", model=Thinks(odds)).confidence
        for odds in (4.0, 1.0, -2.0)
    ]
    assert texts == sorted(texts, reverse=True) and texts[0] > texts[-1]


def test_fitting_finds_the_chances_behind_the_texts():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(4000, len(sureness.FEATURES))) * 3 + 1
    true = 1 / (1 + np.exp(-(values[:, 3] - values[:, 4])))
    right = (rng.random(4000) < true).astype(float)
    numbers = fitting.fit(values, right)
    found = np.array([sureness.chance(numbers, one) for one in values])
    assert np.abs(found - true).mean() < 0.03
    voices = [str(number % 40) for number in range(4000)]
    crossed = fitting.across(values, right, voices)
    assert np.abs(crossed - true).mean() < 0.03 and (crossed != found).any()


def test_a_feature_that_is_always_the_same_says_nothing():
    values = np.ones((20, len(sureness.FEATURES)))
    right = np.tile([1.0, 1.0, 1.0, 0.0], 5)
    numbers = fitting.fit(values, right)
    assert sureness.chance(numbers, values[0]) == pytest.approx(0.75, abs=0.01)
    assert 0 < sureness.chance(numbers, 3 * values[0]) < 1


def test_the_shipped_numbers_are_of_these_features():
    about = json.loads((encoder.FOLDER / sureness.FILE).read_text())
    assert about["features"] == list(sureness.FEATURES) and set(about["games"]) == set(GAMES)
    for numbers in about["games"].values():
        assert {len(numbers[name]) for name in ("mean", "scale", "weight")} == {len(sureness.FEATURES)}


def test_a_trained_model_brings_its_own_numbers(tmp_path, monkeypatch):
    monkeypatch.setattr(fitting, "development", lambda game: development(game)[::4])
    path = tmp_path / "own.safetensors"
    path.write_bytes((encoder.FOLDER / meaning.FILE).read_bytes())
    heard: list[str] = []
    fitting.add_to(path, heard.append)
    own = meaning.Model(path)
    assert set(own.about["sureness"]) == set(GAMES) and len(heard) > 10
    assert own.about["labels"] == meaning.model().about["labels"]
    text = "lie upon the floor over yonder"
    assert language.read("arena", text, model=own).confidence != language.read("arena", text).confidence


# --- Whether it holds --------------------------------------------------------------------------------------


def test_the_table_counts_what_it_says():
    confidence = np.array([0.05, 0.15, 0.45, 0.95, 0.95, 1.0])
    right = np.array([0, 1, 0, 1, 1, 0])
    found = reliability(confidence, right)
    assert [(one["low"], one["count"], one["right"]) for one in found["bins"]] == [
        (0.0, 1, 0.0),
        (0.1, 1, 1.0),
        (0.4, 1, 0.0),
        (0.9, 3, 0.667),
    ]
    assert found["ece"]["mean"] == pytest.approx((0.05 + 0.85 + 0.45 + 0.9) / 6, abs=1e-4)
    assert found["ece"]["low"] <= found["ece"]["mean"] <= found["ece"]["high"]
    assert found["brier"] == pytest.approx(float(((confidence - right) ** 2).mean()), abs=1e-4)
    asked = found["asked"]
    assert (asked["at"], asked["share"], asked["right_asked"]) == (sureness.ENOUGH, 0.5, 0.3333)
    assert (asked["wrong_asked"], asked["obeyed_right"]) == (0.6667, 0.6667)
    assert any("right 0.667" in line for line in lines(found))


@pytest.mark.parametrize("game", GAMES)
def test_it_holds_on_held_out_instructions(game):
    """Bars well below what was measured (docs/benchmarks.md), on every fourth text."""
    written = {row["text"].strip().lower() for row in bank(game)}
    items = [one for one in instructions.load(game)[::4] if one["text"].strip().lower() not in written]
    readings = [language.read(game, item["text"]) for item in items]
    found = reading_scores.reliability_of(game, items, readings)
    assert found["ece"]["mean"] < 0.2 and found["brier"] < 0.25
    asked = found["asked"]
    assert asked["obeyed_right"] > found["right"], "what is obeyed is likelier right than what is read"
    assert asked["right_asked"] < 0.35

"""Agents that reward models with and without memory train: the arms, and when the claim holds."""

from __future__ import annotations

import json

import pytest

from engine import experiments
from engine.experiments import taught
from engine.experiments.work import Work

READS = "observation"


def row(seed: int, **liked: float) -> dict:
    arms = {taught.BASE: 0.5, taught.SCORE: 0.5, taught.TRUE: 0.9, f"{taught.SHUFFLED}, {READS}": 0.5}
    arms |= liked
    return {
        "setting": "hanabi",
        "seed": seed,
        "asked": {"reads": [READS]},
        "arms": {name: {"liked": share, "score": 20.0} for name, share in arms.items()},
    }


def rows(ibt: float, one: float) -> list[dict]:
    names = {f"{name}, {READS}": one for name in taught.MODELS} | {f"IBT, {READS}": ibt}
    return [row(seed, **{name: share + seed / 1000 for name, share in names.items()}) for seed in (1, 2, 3)]


def test_the_claim_needs_more_than_the_best_memoryless_model_and_most_of_what_the_style_gains():
    good = taught.summary(rows(0.8, 0.7), quick=True)
    assert good["holds"] and good["settings"]["hanabi"]["inputs"][READS]["share"] > 0.75
    assert not taught.summary(rows(0.8, 0.8), quick=True)["holds"]  # no more than without memory
    little = taught.summary(rows(0.7, 0.6), quick=True)["settings"]["hanabi"]  # half of the gain
    assert list(little["met"].values()) == [True, True, True, False]
    assert taught.effect(little)[1]["mean"] == pytest.approx(0.1)
    assert not taught.summary(rows(0.8, 0.7)[:1], quick=True)["holds"]  # one seed shows nothing
    as_well = [row | {"arms": row["arms"] | {f"{taught.SHUFFLED}, {READS}": row["arms"][f"IBT, {READS}"]}}
               for row in rows(0.8, 0.7)]  # fmt: skip
    assert not taught.summary(as_well, quick=True)["holds"]  # shuffled signs gain as much
    nothing = [
        row | {"arms": row["arms"] | {taught.TRUE: row["arms"][taught.BASE]}} for row in rows(0.8, 0.7)
    ]
    assert not taught.summary(nothing, quick=True)["holds"]  # the style itself can't be learned


def test_every_arm_is_trained_and_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(taught, "MODELS", {name: taught.MODELS[name] for name in ("IBT", "one tick")})
    monkeypatch.setattr(taught, "MEMORYLESS", ("one tick",))
    [setting] = [one for one in experiments.settings("taught", quick=True) if one["game"] == "hanabi"]
    small = {"envs": 4, "steps": 16, "minibatches": 1, "epochs": 1, "moves": 64, "evaluation_games": 1}
    setting |= {"ppo": {**setting["ppo"], **small}, "episodes": 8, "evaluation": 2}
    found = taught.run(setting, 1, True, Work(tmp_path))
    models = [*taught.MODELS, taught.SHUFFLED]
    names = {f"{name}, rated" for name in models}
    assert (
        set(found["arms"]) == {taught.BASE, taught.TRUE, taught.SCORE, *names}
        and set(found["skills"]) == names
    )
    for name in models:
        card = tmp_path / "model" / "rated" / f"{name}, trusted" / "model" / "card.json"
        assert json.loads(card.read_text())["skill"] == 1.0  # else its weight would be another one
    assert found["marks"] > 0 and all(0 <= one["liked"] <= 1 for one in found["arms"].values())
    asked = {**found, "setting": "hanabi", "asked": setting}
    table = taught.summary([asked], quick=True)["table"]
    assert len(table) == len(found["arms"]) + 3

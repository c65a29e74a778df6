"""Partners that nobody trained with: shares of best responses, and what is missing is said to be missing."""

import json
import shutil

import numpy as np
import pytest

from engine.agents.catalogue import load, shipped_folder
from engine.evaluation.partners import evaluate_partners, interquartile_mean, proximity, table, zoo
from engine.evaluation.self_play import summary

SHORT = {"layout": "asymmetric_advantages", "horizon": 60}


def test_an_agent_that_is_the_best_response_has_all_of_it(tmp_path):
    shutil.copytree(shipped_folder("overcooked/greedy"), tmp_path / "zoo-lazy")
    card = json.loads((tmp_path / "zoo-lazy" / "card.json").read_text()) | {"name": "best"}
    (tmp_path / "zoo-lazy" / "card.json").write_text(json.dumps(card))
    found = evaluate_partners(
        [load("overcooked/greedy", "overcooked")], "overcooked", SHORT, tmp_path, seeds=2
    )
    one = found["agents"]["overcooked/greedy"]
    assert set(one["partners"]) == set(zoo("overcooked")) and len(zoo("overcooked")) >= 8
    assert one["partners"]["overcooked/zoo-lazy"]["share"] == 1.0
    assert one["partners"]["overcooked/zoo-clumsy"]["share"] is None
    assert set(found["missing"]) == set(zoo("overcooked")) - {"overcooked/zoo-lazy"}
    assert one["proximity"]["partners"] == 1
    assert table(found)[-1].startswith("No best response to overcooked/zoo-clumsy")


def test_the_interquartile_mean_leaves_out_the_extremes():
    assert interquartile_mean(np.array([0.0, 1.0, 1.0, 100.0])) == 1.0
    found = proximity([0.5] * 7 + [0.9])
    assert found["iqm"] == 0.5 and (found["lowest"], found["highest"]) == (0.5, 0.9)
    assert found["interval"][0] == 0.5 <= found["interval"][1]


def test_a_game_without_a_zoo_is_refused():
    with pytest.raises(ValueError, match="no zoo"):
        evaluate_partners([load("hanabi/random")], "hanabi")


def test_high_scores_are_counted_by_value():
    assert summary(np.array([0, 220, 220]), 500)["histogram"] == {"0": 1, "220": 2}

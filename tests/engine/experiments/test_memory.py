"""The experiment on memory: that every alternative learns what it can, and the whole, small."""

import pytest

from engine import experiments
from engine.agents import utility
from engine.agents.catalogue import load
from engine.evaluation.annotators import Annotator
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.experiments import memory
from engine.experiments.figures import drawn
from engine.experiments.work import Work
from engine.learning.algorithms import ar, ibt
from engine.learning.run.reporting import Reporter, config_from


@pytest.fixture(scope="module")
def marked_players(tmp_path_factory):
    """Random players of Hanabi whose every card that fits or doesn't is marked."""
    folder = tmp_path_factory.mktemp("marked")
    logs = list(play_logs(load("hanabi/random"), 24, mistakes=0.0, seed=4))
    write_snapshot(folder, logs, [Annotator("x", measure="sparse")])
    return folder


@pytest.mark.parametrize("name", memory.LEARNED)
def test_every_alternative_tells_what_one_tick_shows_and_its_shuffled_control_does_not(
    marked_players, tmp_path, name
):
    program, more = memory.LEARNED[name]
    given = {"steps": 80, "hidden": 16, "batch": 12, "window": 30, "lag": 0, "held_out": 0.3, **more}
    module = {"ibt": ibt, "ar": ar}[program]
    settings = config_from(module.Settings, {"game": "hanabi", "dataset": str(marked_players), **given})
    told = []
    reporter = Reporter()
    reporter.result = lambda **fields: told.append(fields)
    module.train(settings, tmp_path, reporter)
    truth = told[0]["truth"]
    # The autoregressive model draws its marks, most of them nothing.
    assert truth["model"]["sign_auc"]["value"] > (0.55 if program == "ar" else 0.8)
    assert truth["model"]["gain_correlation"]["value"] > truth["shuffled"]["gain_correlation"]["value"] + 0.1


def test_the_whole_experiment_runs_small_goes_on_and_is_summed_up(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "SHUFFLED", 4)
    [setting] = [row for row in experiments.settings("memory", quick=True) if row["game"] == "hanabi"]
    setting = {**setting, "model": {**setting["model"], "steps": 1, "hidden": 4, "batch": 4}}
    row = memory.run(setting, 1, True, Work(tmp_path))
    found = row["kinds"]["styled"]
    assert set(found) == {"observation", "rated"} and row["marks"]["styled"] > 0
    extra = {"U = t", "sparse", "score", *memory.RIDGES}
    assert set(found["rated"]["models"]) == {*memory.LEARNED, *extra}
    assert found["rated"]["models"]["sparse"] == found["observation"]["models"]["sparse"]
    assert found["rated"]["null"]["sign_auc"] == sorted(found["rated"]["null"]["sign_auc"])
    assert memory.run(setting, 1, True, Work(tmp_path, stopping=lambda: False)) == row
    model = utility.load(tmp_path / "styled" / "observation" / "IBT" / "reward-model")
    assert model.reads == "observation" and utility.can_read(model, "hanabi", setting["options"])
    rows = [{"setting": "hands", "seed": seed, **row} for seed in (1, 2)]
    result = memory.summary(rows, True)
    assert any("ridge, one tick" in line for line in result["table"])
    one = {"experiment": "memory", "quick": True, "seeds": [1, 2], "annotators": "simulated", **result}
    drawn(memory, one, tmp_path / "memory.png")
    assert (tmp_path / "memory.png").read_bytes().startswith(b"\x89PNG")


def test_the_claim_holds_only_where_every_seed_says_so():
    def row(seed: int, ibt_s: float) -> dict:
        models = {
            name: dict.fromkeys(memory.METRICS, 0.5)
            for name in (*memory.LEARNED, *memory.RIDGES, "sparse", "score")
        }
        models["IBT"] = dict.fromkeys(memory.METRICS, ibt_s + 0.01 * seed)
        null = {"gain_correlation": [0.0, 0.1, 0.2]}
        found = {"models": models, "explained": 0.3, "null": null}
        return {"setting": "hands", "seed": seed, "kinds": {"styled": dict.fromkeys(memory.INPUTS, found)}}

    assert "does IBT" in memory.__doc__.split("\n\n")[0] and "?" in memory.__doc__  # asked, not claimed
    assert memory.summary([row(seed, 0.7) for seed in (1, 2, 3)], False)["holds"]
    assert not memory.summary([row(seed, 0.7 - 0.4 * (seed % 2)) for seed in (1, 2, 3)], False)["holds"]
    assert not memory.summary([row(1, 0.9)], False)["holds"]  # one seed has no interval

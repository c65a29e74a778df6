"""A round in the smallest game, which brings neither a reader nor features nor a measure of progress."""

from __future__ import annotations

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.annotators import Annotator, Watched
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.learning.algorithms import evaluate_round, ibt, ppo
from engine.learning.parts import marked
from engine.learning.run.reporting import Reporter
from engine.simulation.log import walk

GAME, BEGINNER = "say_select", "say_select/beginner"
PPO = {"moves": 4 * 10 * 2, "envs": 4, "steps": 10, "minibatches": 2, "evaluation_games": 2}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("snapshot")
    logs = play_logs(load("same-number", GAME), 12, {}, mistakes=0.3, seed=4)
    assert write_snapshot(folder, list(logs), [Annotator()]) > 5
    return folder


def test_progress_is_the_score_where_a_game_scripts_none():
    changes: list[float] = []
    for log in play_logs(load("same-number", GAME), 8, {}, mistakes=0.5, seed=2):
        scores = [sim.score for sim in walk(log)]
        for seat in range(2):
            assert np.array_equal(Watched(log).progress(seat), np.array(scores, float))
        changes.extend(np.diff(scores))
    assert set(changes) == {-1, 0, 1}


def test_a_round_runs_from_marks_to_an_evaluation(snapshot, tmp_path):
    tracks = marked.load(snapshot, GAME)
    assert tracks[0].observations.shape[1] == 21
    settings = ibt.Settings(dataset=str(snapshot), game=GAME, steps=4, batch=4, hidden=8, window=4, history=4)
    ibt.train(settings, tmp_path / "ibt", Reporter())
    model = str(tmp_path / "ibt" / "reward-model")
    settings = ppo.Settings(game=GAME, base=BEGINNER, reward_model=model, **PPO)
    ppo.train(settings, tmp_path / "ppo", Reporter())
    candidate = str(tmp_path / "ppo" / "agent")
    found: dict = {}
    reporter = Reporter()
    reporter.result = lambda **result: found.update(result)
    told = evaluate_round.Settings(
        game=GAME, candidate=candidate, base=BEGINNER, reward_model=model, episodes=8
    )
    evaluate_round.train(told, tmp_path / "evaluation", reporter)
    assert set(found["self_play"]) == {"candidate", "base", "champion"}
    assert {"base", "say_select/same-number", "say_select/random"} <= set(found["cross_play"])

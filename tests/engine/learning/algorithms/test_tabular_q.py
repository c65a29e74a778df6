"""Q-learning in a table, and what an instruction changes of it (instructRL paper, section 5.1)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine import games
from engine.agents.catalogue import load, read_card
from engine.evaluation.self_play import play
from engine.experiments import conventions
from engine.learning.algorithms import tabular_q
from engine.learning.algorithms.tabular_q import Settings, TabularQ, log_prior
from engine.learning.run import programs
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

GAME, WORDS = "say_select", "I should select the same number as my partner"
ANSWERS = ("1", "2", "3", "4", "5", "0")


def settings(**given) -> Settings:
    few = {"episodes": 640, "envs": 16, "replay": 64, "evaluation_games": 20}
    return Settings(**{"game": GAME, "options": {"good": 3}, "convention": WORDS, **few, **given})


def test_a_language_model_likes_what_the_instruction_says_as_much_as_beta_says() -> None:
    for said in range(1, 6):
        liked = log_prior(
            WORDS, f"My partner selected {said}.", "So I should select", ANSWERS, 3.0, (False,) * 6
        )
        assert liked.argmax() == said - 1
        assert np.exp(liked).sum() == pytest.approx(1)
        assert liked.max() - liked.min() == pytest.approx(3.0)


def test_wrong_answers_are_the_other_way_round() -> None:
    asked = WORDS, "My partner selected 2.", "So I should select", ANSWERS, 3.0
    liked = log_prior(*asked, (False, True, False, True, False, False))
    assert liked.argmax() == 3 and liked[1] == liked[0]


def test_only_who_was_told_is_inclined_to_anything() -> None:
    training = TabularQ(settings(epsilon=1.0))
    training.play()
    table, size = training.table, training.table.size
    moves = table.keys >> size == 1
    bobs = moves & (table.keys & 1 == 0)
    assert bobs.any() and (table.liked[bobs][:, :6] < 0).all()
    assert not table.liked[~bobs].any()
    untold = TabularQ(settings(prior_weight=0.0))
    untold.play()
    assert not untold.table.liked.any()


def test_the_agent_does_what_the_table_says(tmp_path: Path) -> None:
    training = TabularQ(settings())
    for _ in range(30):
        training.advance()
    result = training.finish(tmp_path)
    policy = load(result["folder"], GAME, {"good": 3})
    seen = 0
    for seed in range(30):
        sim = Simulation(GAME, {"good": 3}, seed=seed)
        rng = np.random.default_rng(seed)
        while not sim.over:
            seat = sim.current
            bits = np.array(sim.observe(seat), np.int64) @ (1 << np.arange(training.table.size))
            rows = np.flatnonzero(training.table.keys == bits + (1 << training.table.size))
            legal = np.flatnonzero(sim.legal(seat))
            for row in rows:
                seen += 1
                weighed = (training.table.values + training.table.liked)[row, legal]
                logits = policy.logits([sim], [seat])[0]
                assert np.allclose(logits[legal], weighed, atol=1e-4)
            sim.act(seat, int(rng.choice(legal)))
    assert seen > 50


def test_a_few_seconds_of_it_play_better_than_chance_and_the_told_one_more_as_told(tmp_path: Path) -> None:
    found = {}
    for name, weight in (("told", 0.25), ("untold", 0.0)):
        config = settings(prior_weight=weight, episodes=12_800, envs=64, replay=1_000)
        tabular_q.train(config, tmp_path / name, Reporter())
        folder = str(tmp_path / name / "agent")
        card = read_card(tmp_path / name / "agent")
        cells = [row["cells"] for row in card["evaluation"]["policy_table"]["rows"]]
        found[name] = sum(row[k]["text"] == str(k + 1) for row in cells for k in range(5))
        score = play([load(folder, GAME)], GAME, {"good": 3}, episodes=200, seed=9).mean()
        assert score > play([load("random", GAME)], GAME, {"good": 3}, episodes=200, seed=9).mean() + 0.5
    assert card["algorithm"] == "Q-learning" and not card["parents"]
    assert found["told"] >= 18 > found["untold"]


def test_after_a_stop_it_goes_on_as_if_it_never_stopped(tmp_path: Path) -> None:
    whole = TabularQ(settings())
    for _ in range(whole.updates):
        whole.step()
    first = TabularQ(settings())
    for _ in range(15):
        first.step()
    first.save(tmp_path)
    again = TabularQ(settings())
    assert again.resume(tmp_path) and again.update == 15
    for _ in range(again.updates - 15):
        again.step()
    assert np.array_equal(whole.table.keys, again.table.keys)
    assert np.array_equal(whole.table.values, again.table.values)


def test_what_does_not_fit_is_refused_with_a_sentence() -> None:
    with pytest.raises(Refusal, match="Hanabi doesn't fit into a table, which takes games in which players"):
        TabularQ(settings(game="hanabi", options={}))
    with pytest.raises(Refusal, match="no seat 2 to be told something; seats are 0 to 1"):
        TabularQ(settings(told=[2]))
    with pytest.raises(Refusal, match=r"The replay \(8\) must hold the games of an update \(16\)"):
        TabularQ(settings(replay=8))


def test_it_is_offered_where_it_fits() -> None:
    for name in games.names():
        offered = "tabular_q" in programs.making("agent", games.spec(name))
        assert offered == (name == GAME)


def test_a_result_holds_if_all_told_ones_and_few_others_do_what_the_words_say() -> None:
    def row(seed: int, told: bool, untold: bool) -> dict:
        table = {"title": "", "corner": "", "columns": [], "rows": [], "sentence": ""}
        arms = {"told": {**table, "intuitive": told}, "untold": {**table, "intuitive": untold}}
        scored = {name: {"score": 2.0, "table": one} for name, one in arms.items()}
        return {"setting": "say_select", "seed": seed, "arms": scored}

    good = [row(seed, True, seed < 3) for seed in range(1, 11)]
    assert conventions.summary(good, False)["holds"]
    assert not conventions.summary([*good[:-1], row(10, False, False)], False)["holds"]
    assert not conventions.summary([row(seed, True, seed < 4) for seed in range(1, 11)], False)["holds"]


def test_an_agent_that_ships_shows_what_it_does() -> None:
    told, untold = (load(f"{GAME}/{name}", GAME).card for name in ("instruct-q", "plain-q"))
    assert told["evaluation"]["policy_table"]["intuitive"]
    assert not untold["evaluation"]["policy_table"]["intuitive"]
    assert WORDS in json.dumps(told["hyperparameters"])

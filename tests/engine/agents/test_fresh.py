"""Agents that know nothing yet, and games that bring nothing for agents to read."""

from __future__ import annotations

import numpy as np
import pytest

from engine.agents.catalogue import load, shipped
from engine.agents.features import inputs_for, reward_inputs_for
from engine.agents.fresh import fresh, main
from engine.evaluation.self_play import play
from engine.games import names, spec
from engine.simulation.simulation import Simulation


def test_a_game_without_features_is_read_by_its_canonical_observation() -> None:
    sim = Simulation("say_select", seed=2)
    inputs = inputs_for("say_select")
    seats = np.array([0, 1])
    read = inputs(np.stack([sim.state, sim.state]), seats)
    assert read.dtype == np.float32 and inputs.size == sim.observation_size
    assert np.array_equal(read, [sim.observe(0), sim.observe(1)])
    assert reward_inputs_for("say_select") == inputs


@pytest.mark.parametrize("game", names())
def test_every_game_can_begin_with_an_agent_that_knows_nothing(game, tmp_path) -> None:
    options = {"teams": 2, "team_size": 1} if game == "arena" else {}
    fresh(game, options, tmp_path / "agent")
    agent = load(str(tmp_path / "agent"), game)
    sim = Simulation(game, options)
    (logits,) = agent.logits([sim], [0])
    legal = sim.legal(0) != 0
    assert np.isfinite(logits[legal]).all() and np.ptp(logits[legal]) < 1
    assert spec(game).seats(sim.options) in agent.players


def test_the_shipped_beginner_is_what_its_card_says(tmp_path) -> None:
    card = shipped("say_select")["say_select/beginner"]
    assert card["command"] == "python -m engine.agents.fresh --game say_select --out FOLDER"
    assert main(["--game", "say_select", "--out", str(tmp_path / "beginner")]) == 0
    again = load(str(tmp_path / "beginner"), "say_select")
    assert again.card["sha256"] == card["sha256"]
    assert play([again], "say_select", {}, episodes=300, seed=1).mean() < 0.5


def test_options_that_a_game_has_not_are_refused_in_a_sentence(tmp_path, capsys) -> None:
    assert main(["--game", "say_select", "--out", str(tmp_path / "beginner"), "--players", "4"]) == 1
    assert capsys.readouterr().err == "Say-Select's option 'players' is one of 2, not 4.\n"

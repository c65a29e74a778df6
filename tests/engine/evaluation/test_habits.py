"""How agents and people play, counted."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from engine.agents.catalogue import load
from engine.evaluation import habits
from engine.evaluation.imitation import recorded
from engine.games.overcooked import rules
from engine.games.overcooked.habits import habits as of_a_cook
from engine.simulation.simulation import Simulation
from tests.engine import made_people

PLAYS, CERTAIN = "plays that succeed", "plays that are certain by hints alone"


def test_whoever_is_known_to_is_counted_so() -> None:
    still = habits.of_agent(load("overcooked/stay", "overcooked"), "overcooked", {"horizon": 50}, episodes=2)
    assert still == {"ticks of waiting": {"share": 1.0, "of": 2 * 2 * 49}}
    careful = habits.of_agent(load("hanabi/grounded-bot", "hanabi"), "hanabi", {}, episodes=20)
    assert careful[PLAYS]["share"] > 0.99 and careful["moves that are hints"]["share"] > 0.3
    anyhow = habits.of_agent(load("hanabi/random", "hanabi"), "hanabi", {}, episodes=20)
    assert anyhow[PLAYS]["share"] < 0.5 and anyhow[CERTAIN]["share"] < 0.3


def test_with_a_partner_only_its_own_moves_are_counted() -> None:
    cook, still = load("overcooked/greedy", "overcooked"), load("overcooked/stay", "overcooked")
    found = habits.of_agent(still, "overcooked", {"horizon": 50}, cook, episodes=2)
    assert found == {"ticks of waiting": {"share": 1.0, "of": 2 * 2 * 49}}


def test_two_cooks_who_want_one_place_block_each_other() -> None:
    sim = Simulation("overcooked", {"layout": "cramped_room"})
    before = np.array(sim.state)
    # They start at (1, 2) and (3, 1): between them lies (2, 1).
    sim.step([rules.NORTH, rules.STAY])
    before = np.array(sim.state)
    sim.step([rules.EAST, rules.WEST])
    for seat, action in ((0, rules.EAST), (1, rules.WEST)):
        assert dict(of_a_cook(before, seat, action, sim.state))["steps that the other cook blocks"]


def test_people_are_counted_in_their_kitchen_and_alike(tmp_path) -> None:
    games, _ = recorded("overcooked", made_people.overcooked(tmp_path / "cooks.gz", pairs=3))
    found = habits.of_people("overcooked", games, {"layout": "cramped_room"})
    waiting = found["ticks of waiting"]
    assert waiting["of"] == 3 * 2 * 59 and waiting["people"] == 6
    assert waiting["interval"][0] < waiting["alike"] == pytest.approx(waiting["share"])
    assert habits.of_people("overcooked", games, {"layout": "coordination_ring"}) == {}


@pytest.mark.django_db
def test_the_command_says_both_and_refuses_games_without(tmp_path, capsys) -> None:
    file = str(made_people.overcooked(tmp_path / "cooks.gz", pairs=2))
    call_command("evaluate", "habits", "--game", "overcooked", "--agent", "overcooked/human", "--with",
                 "overcooked/greedy", "--episodes", "2", "--file", file)  # fmt: skip
    said = capsys.readouterr().out
    assert "ticks of waiting: overcooked/human" in said and "; people 0." in said
    with pytest.raises(CommandError, match="in hanabi, overcooked, not in say_select"):
        call_command("evaluate", "habits", "--game", "say_select", "--agent", "say_select/random")

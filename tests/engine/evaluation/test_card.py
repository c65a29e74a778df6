"""What a card keeps: moments of a game in which nobody was told anything, and scores by kitchen."""

import shutil

from engine import language
from engine.agents.acting import act
from engine.agents.catalogue import folder_of, load, read_card
from engine.evaluation import card
from engine.evaluation.card import MOMENTS, told_moments
from engine.games import spec
from engine.simulation.simulation import Simulation

NEWEST = language.read("hanabi", "Play your newest card").program


def test_moments_are_where_the_same_agent_told_does_something_else():
    policy, options = load("hanabi/told", "hanabi"), spec("hanabi").validate({})
    game, (newest, nothing) = told_moments(policy, [NEWEST, None], options, 3)
    assert nothing == [] and 1 < len(newest) <= MOMENTS
    told, sim = dict(newest), Simulation("hanabi", options, seed=3)
    for tick, action in enumerate(game["actions"]):
        if tick in told:
            seat = sim.current
            program = NEWEST | {"since_tick": 0, "from_seat": 1 - seat}
            assert act(policy, [sim], [seat], programs=[[program]]) == [told[tick]] != [action]
        sim.act(sim.current, action)
    assert sim.over


def test_what_is_measured_of_a_cook_for_all_kitchens_stands_under_each(tmp_path, monkeypatch):
    folder = tmp_path / "cook"
    shutil.copytree(folder_of("overcooked/cook", "overcooked"), folder)
    before = read_card(folder)["evaluation"]["layouts"]["cramped_room"]
    monkeypatch.setattr(card, "measure", lambda *asked: {"self_play": {"mean": 7.0}})
    found = card.write_evaluation(str(folder), [], 1, 1, "overcooked", {"layout": "coordination_ring"})
    assert found == {"self_play": {"mean": 7.0}}
    layouts = read_card(folder)["evaluation"]["layouts"]
    assert layouts["coordination_ring"] == found and layouts["cramped_room"] == before

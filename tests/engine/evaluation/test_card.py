"""What a card keeps of how an instruction changes an agent: moments of a game in which nobody was told."""

from engine import language
from engine.agents.acting import act
from engine.agents.catalogue import load
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

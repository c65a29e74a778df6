"""What a process in which agents think has imported, and has played: those of tests are forks of it
(tests/forks.py). Starting one from nothing takes longer than most games that are played here.
"""

from __future__ import annotations

from engine import games
from engine.agents.serve import Server
from engine.simulation.simulation import Simulation

PLAYED = {
    "hanabi": {"players": 2},
    "overcooked": {"layout": "cramped_room"},
    "arena": {"teams": 2, "team_size": 2},
}


def warm() -> None:
    """A move of each game, as `engine.agents.serve` answers."""
    server = Server()
    for game, some in PLAYED.items():
        sim = Simulation(game, games.spec(game).validate(some), 1)
        about = {"game": game, "options": sim.options, "seed": 1, "deck": sim.deck, "actions": []}
        agent = f"{game}/random" if game != "arena" else "arena/middle"
        turn = {"id": 1, "match": f"{game} in turns", "agent": agent, "seat": 0, **about}
        asking = [{"seat": 0, "agent": agent, "programs": []}]
        tick = {"id": 2, "match": game, "from": 0, "ask": asking, **about}
        for asked in (turn, tick):
            [reply] = server.answer([asked])
            assert "error" not in reply, reply

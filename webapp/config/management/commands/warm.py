"""`manage.py warm`: compile every game and the shipped players into the cache, by letting them move once."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from engine import games
from engine.agents import catalogue
from engine.simulation.simulation import Simulation


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def handle(self, *args, **options) -> None:
        for game in games.names():
            play(game)
            think(game)


def play(game: str) -> None:
    """A few first-legal-action moves, with everything that a live game asks of the rules."""
    simulation = Simulation(game, seed=1)
    for _ in range(6):
        if simulation.over:
            break
        joint = []
        for seat in range(simulation.seats):
            simulation.observe(seat)
            simulation.view(seat)
            joint.append(int(simulation.legal(seat).argmax()))
        simulation.step(joint)
    simulation.digest()
    simulation.copy()


def think(game: str) -> None:
    """One decision of every shipped agent: what the inference child would otherwise compile in a match."""
    simulation = Simulation(game, seed=1)
    for ref in catalogue.shipped(game):
        catalogue.load(ref, game).logits([simulation], [0])

"""`manage.py warm`: compile every game's rules into the cache, by playing one short game of each."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from engine import games
from engine.simulation.simulation import Simulation


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def handle(self, *args, **options) -> None:
        for game in games.names():
            play(game)


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

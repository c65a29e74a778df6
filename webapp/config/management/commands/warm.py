"""`manage.py warm`: compile every game and the shipped players into the cache, by letting them move once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management import CommandError

from engine import brings, games, language
from engine.agents import catalogue
from engine.language import bank
from engine.language.declared import parse
from engine.simulation.simulation import Simulation
from webapp.common.commands import CoplayCommand
from webapp.common.compiling import by_size, compiled, left_to_compile
from webapp.config.prepare import ship, stamp
from webapp.host.resume import protocol_of

TABLES_SECONDS = 600.0


class Command(CoplayCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--game", action="append", choices=games.names(), help="this one only; repeatable"
        )
        parser.add_argument("--left", action="store_true", help="only what the first start left out")

    def handle(self, *args, **options) -> None:
        asked = options["game"] or games.names()
        wanted = [game for game in by_size(left_to_compile() if options["left"] else asked) if game in asked]
        if len(wanted) == 1:
            compile_one(wanted[0])
            if options["left"]:
                wait_for_tables()
                ship(wanted[0], self.stdout.write)
            return
        # Each in a process of its own, the one that takes longest first.
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "warm"]
        command += ["--left"] if options["left"] else []
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            done = pool.map(lambda game: subprocess.run([*command, "--game", game]).returncode, wanted[::-1])
        if any(done):
            raise CommandError("Compiling failed; the lines above say why.")


def wait_for_tables() -> None:
    """Until `prepare` has made the tables beside this; CommandError if it never does."""
    prepared, until = stamp(), time.monotonic() + TABLES_SECONDS
    while not prepared.exists():
        if time.monotonic() > until:
            raise CommandError("There are no tables for the games of people: run `./manage.py prepare`.")
        time.sleep(0.2)


def compile_one(game: str) -> None:
    """Compile all that a match of this game and the shipped players ask for."""
    play(game)
    think(game)
    obey(game)
    compiled(game)


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
            legal = simulation.legal(seat)
            joint.append(
                first(legal, simulation.spec.heads) if simulation.spec.heads else int(legal.argmax())
            )
        simulation.step(joint)
    simulation.digest()
    simulation.copy()
    if simulation.spec.heads:
        protocol_of(game).warm(simulation)


def first(mask: np.ndarray, heads: tuple[int, ...]) -> list[int]:
    """The first legal choice of every head."""
    return [int(part.argmax()) for part in np.split(mask, np.cumsum(heads)[:-1])]


def think(game: str) -> None:
    """One decision of every shipped agent: what the inference child would otherwise compile in a match."""
    for ref, card in catalogue.shipped(game).items():
        simulation = Simulation(game, card.get("options", {}), seed=1)
        catalogue.load(ref, game).logits([simulation], [0])


def obey(game: str) -> None:
    """One move of a seat that was told something, where texts of the game are known."""
    written = (means for _, means, _ in bank.programs(game) if "||" not in means)
    program = next(filter(None, (carried(game, means) for means in written)), None)
    if program:
        simulation = Simulation(game, seed=1)
        language.priors(game, [program], simulation, 0)
        language.progresses(game, [program], simulation, 0)
        if wants := brings.Wants.brought(game):
            wants.now([program], simulation, 0)


def carried(game: str, means: str) -> dict[str, Any] | None:
    """The program that carries a notation out."""
    clauses = parse(brings.Language.of(game).DECLARED, means)
    return brings.CarriedOut.of(game).carried(clauses, None).program

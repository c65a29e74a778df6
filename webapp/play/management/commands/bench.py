"""`manage.py bench env`: how fast a game's simulation is, next to its peers. Needs no database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine import games
from engine.evaluation.bench_env import bench_env
from engine.simulation.spec import OptionError


class Command(BaseCommand):
    help = "Measure how fast the simulation is, on one thread, compilation left out."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        env = commands.add_parser("env", help="steps of random legal play a second")
        env.add_argument("--game", default="hanabi", help=", ".join(games.names()))
        env.add_argument("--batch", type=int, default=1024, help="games at once (default 1024)")
        env.add_argument("--observations", choices=["packed", "none", "float"], default="packed")
        env.add_argument("--players", type=int, help="number of seats")
        env.add_argument("--seconds", type=float, default=5.0, help="time to measure (default 5)")
        env.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        given = {"players": options["players"]} if options["players"] is not None else {}
        try:
            found = bench_env(
                options["game"], options["batch"], options["observations"], options["seconds"], given
            )
        except OptionError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        self.stdout.write(
            f"{found['game']}: {found['steps_per_second']:,.0f} {found['unit']} a second "
            f"(best of {found['windows']} windows; median {found['median']:,.0f}), batch {found['batch']}"
        )
        for name, rate in found["peers"].items():
            shown = f"{rate:,.0f} a second" if rate is not None else found["notes"][name]
            self.stdout.write(f"{name}: {shown}")

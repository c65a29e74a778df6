"""`manage.py bench`: how fast a game's simulation is next to its peers, and how long one waits in a replay.

Needs no database: `replay` measures on one of its own.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine import games
from engine.agents.catalogue import load
from engine.evaluation.bench_act import acting_latency
from engine.evaluation.bench_env import bench_env
from engine.evaluation.bench_games import games_a_minute
from engine.simulation.spec import OptionError


class Command(BaseCommand):
    help = "Measure how fast the simulation is (one thread, compilation left out) or the replay page."
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
        act = commands.add_parser("act", help="milliseconds that an agent takes for one move of one game")
        act.add_argument("--agent", default="champion", help="a shipped agent's ref, alias or folder")
        act.add_argument("--moves", type=int, default=500, help="moves to time (default 500)")
        act.add_argument("--json", action="store_true", help="print one JSON object")
        many = commands.add_parser("games", help="whole games a minute that an agent plays with itself")
        many.add_argument("--agent", default="hanabi/convention-bot", help="a shipped agent or folder")
        many.add_argument("--players", type=int, default=2, help="number of seats (default 2)")
        many.add_argument("--seconds", type=float, default=10.0, help="time to measure (default 10)")
        many.add_argument("--json", action="store_true", help="print one JSON object")
        start = commands.add_parser("start", help="time from start to the first move, and moves in Chromium")
        start.add_argument("--moves", type=int, default=20, help="moves to time (default 20)")
        start.add_argument("--json", action="store_true", help="print one JSON object")
        replay = commands.add_parser("replay", help="seek, mark and acknowledgement latencies in Chromium")
        replay.add_argument("--marks", type=int, default=500, help="marks on the strip (default 500)")
        replay.add_argument("--seeks", type=int, default=300, help="mouse moves to time (default 300)")
        replay.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, options["command"])(options)

    def games(self, options: dict[str, Any]) -> None:
        try:
            found = games_a_minute(load(options["agent"]), options["players"], options["seconds"])
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        self.stdout.write(
            f"{found['agent']}, {found['players']} players: {found['games_per_minute']:,.0f} games a minute "
            f"(best of {found['windows']} windows; median {found['median']:,.0f})"
        )

    def start(self, options: dict[str, Any]) -> None:
        from webapp.play.bench import bench_start
        from webapp.replays.bench import BenchError

        try:
            found = bench_start(options["moves"])
        except BenchError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        for name, value in found.items():
            self.stdout.write(f"{name}: {value}")

    def act(self, options: dict[str, Any]) -> None:
        try:
            found = acting_latency(load(options["agent"]), moves=options["moves"])
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        times = found["act_ms"]
        self.stdout.write(
            f"{found['agent']}: {times['p50']:.2f} ms a move (median), {times['p99']:.2f} (p99)"
        )

    def replay(self, options: dict[str, Any]) -> None:
        from webapp.replays.bench import BenchError, bench_replay

        try:
            found = bench_replay(options["marks"], options["seeks"])
        except BenchError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        self.stdout.write(
            f"{found['ticks']} ticks, {found['marks']} marks, first state {found['first_state_ms']} ms"
        )
        for name in ("seek_to_painted_ms", "key_to_painted_mark_ms", "server_ack_ms"):
            self.stdout.write(f"{name}: {', '.join(f'{key} {value}' for key, value in found[name].items())}")

    def env(self, options: dict[str, Any]) -> None:
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

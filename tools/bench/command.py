"""`manage.py bench`: how fast a game's simulation is next to its peers, how long one waits in a replay, and
whether anything breaks at odd input.

Needs no database: `replay` and `fuzz` make one of their own.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError

from engine import command_line, games
from engine.agents.catalogue import load
from engine.evaluation import instructions
from engine.evaluation.latency import acting_latency
from engine.evaluation.reliability import lines
from engine.games import arguments
from engine.refusal import Refusal
from tools.bench import messy
from tools.bench.env import bench_env
from tools.bench.games import games_a_minute
from tools.bench.language import bench_language
from webapp.common.commands import CoplayCommand
from webapp.language import site

MOST_BATCH = 1 << 17  # games at once


def agents(text: str) -> str:
    """Refs or aliases by comma, at least one."""
    return ",".join(command_line.names(text))


def measure_live(options: dict[str, Any]) -> dict[str, Any]:
    from tools.bench.live import bench_live
    from tools.bench.stream import NETWORK, bench_stream

    game, agent, seconds = options["game"], options["agent"], options["seconds"]
    matches, more = options["matches"], {"hosts": options["hosts"], "text": options["told"]}
    if games.spec(game).heads:
        line = options["delay_ms"], options["jitter"]
        many = 25 if matches is None else matches
        return bench_stream(game, agent or NETWORK, many, seconds, *line, **more)
    if options["delay_ms"] or options["jitter"]:
        raise Refusal(f"{game} isn't measured with a delay; leave --delay-ms and --jitter out.")
    return bench_live(game, agent or "champion", 50 if matches is None else matches, seconds, **more)


class Command(CoplayCommand):
    help = "Measure how fast the simulation is (compilation left out), or the replay page."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        env = commands.add_parser("env", help="steps of random legal play a second")
        env.add_argument("--game", type=arguments.game, default=games.DEFAULT, help=", ".join(games.names()))
        env.add_argument(
            "--batch",
            type=command_line.whole(1, MOST_BATCH),
            default=1024,
            help="games at once (default 1024)",
        )
        env.add_argument(
            "--observations",
            choices=["packed", "uint8", "none", "float"],
            default="packed",
            help="uint8 is packed: eight bits a byte, or a byte a number (Overcooked)",
        )
        arguments.add(env)
        env.add_argument(
            "--device", type=command_line.name, default="cpu", help="cpu (default; one thread) or cuda"
        )
        env.add_argument(
            "--peer",
            type=command_line.name,
            action="append",
            default=[],
            help="measure this one too (jaxmarl)",
        )
        env.add_argument(
            "--seconds", type=command_line.seconds, default=5.0, help="time to measure (default 5)"
        )
        act = commands.add_parser("act", help="milliseconds that an agent needs for one move of one game")
        act.add_argument("--game", type=arguments.game, default=games.DEFAULT, help=", ".join(games.names()))
        act.add_argument(
            "--agent",
            type=command_line.name,
            default="champion",
            help="a shipped agent's ref, alias or folder",
        )
        arguments.add(act)
        act.add_argument(
            "--moves", type=command_line.whole(1, 1_000_000), default=500, help="moves to time (default 500)"
        )
        many = commands.add_parser("games", help="games per minute that an agent plays with itself")
        many.add_argument("--game", type=arguments.game, default=games.DEFAULT, help=", ".join(games.names()))
        many.add_argument(
            "--agent",
            type=command_line.name,
            default="champion",
            help="a shipped agent's ref, alias or folder",
        )
        arguments.add(many)
        many.add_argument(
            "--seconds", type=command_line.seconds, default=10.0, help="time to measure (default 10)"
        )
        start = commands.add_parser("start", help="time from start to the first move, and moves in Chromium")
        start.add_argument(
            "--moves", type=command_line.whole(1, 1_000_000), default=20, help="moves to time (default 20)"
        )
        scene = commands.add_parser("scene", help="script time of a frame of Arena with 20 players")
        scene.add_argument(
            "--seconds", type=command_line.seconds, default=20.0, help="time to measure (default 20)"
        )
        replay = commands.add_parser("replay", help="seek, mark and acknowledgement latencies in Chromium")
        replay.add_argument(
            "--game", type=arguments.game, default=games.DEFAULT, help=", ".join(games.names())
        )
        replay.add_argument(
            "--options",
            type=command_line.json_object,
            default={},
            help='the game\'s options as JSON: {"horizon": 800}',
        )
        replay.add_argument(
            "--agents", type=agents, default="champion", help="who plays: refs or aliases, by comma"
        )
        replay.add_argument(
            "--camera", choices=["map", "eyes", "above"], default="map", help="in Arena (map)"
        )
        replay.add_argument(
            "--marks",
            type=command_line.whole(1, 10_000),
            default=500,
            help="marks on the strip (default 500)",
        )
        replay.add_argument(
            "--seeks",
            type=command_line.whole(1, 10_000),
            default=300,
            help="mouse moves to time (default 300)",
        )
        learn = commands.add_parser("learn", help="steps a second of a learning program, end to end")
        learn.add_argument("--game", type=arguments.game, default="overcooked")
        learn.add_argument(
            "--layout",
            type=command_line.name,
            default="cramped_room",
            help="the kitchen (default cramped_room)",
        )
        learn.add_argument("--algorithm", type=command_line.name, default="ppo", help="ppo, clone or ibt")
        learn.add_argument("--memory", choices=["gru"], default="", help="a network that remembers (PPO)")
        learn.add_argument(
            "--processes",
            type=command_line.whole(1, 64),
            default=1,
            help="trainings at once, each with a seed of its own (default 1)",
        )
        learn.add_argument(
            "--set",
            type=command_line.setting,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a setting of the program",
        )
        learn.add_argument(
            "--seconds", type=command_line.seconds, default=20.0, help="time to measure (default 20)"
        )
        goals = commands.add_parser("goals", help="microseconds for all sub-goals of a seat in Arena")
        goals.add_argument(
            "--seconds", type=command_line.seconds, default=5.0, help="time to measure (default 5)"
        )
        live = commands.add_parser("live", help="a match host's latencies with many real-time games at once")
        live.add_argument(
            "--game", type=arguments.game, default="overcooked", help="a game in which all move at once"
        )
        live.add_argument(
            "--agent",
            type=command_line.name,
            help="the agent that plays with each person (default: the champion; in games with an input "
            "every tick, an untrained network of the same size, because its matches last)",
        )
        live.add_argument(
            "--matches",
            type=command_line.whole(1, 1000),
            help="games (default 50; 25 in games with an input every tick)",
        )
        live.add_argument(
            "--seconds", type=command_line.seconds, default=30.0, help="time to measure (default 30)"
        )
        live.add_argument(
            "--delay-ms",
            type=command_line.number(0, 10_000),
            default=0.0,
            help="added each way, in Arena (0)",
        )
        live.add_argument(
            "--jitter",
            type=command_line.number(0, 100),
            default=0.0,
            help="percent of frames held a tick more (0)",
        )
        live.add_argument(
            "--hosts",
            type=command_line.whole(0, 64),
            default=0,
            help="match hosts that share the games, on a core each (default 0: the web server hosts them)",
        )
        live.add_argument(
            "--told",
            type=command_line.name,
            default="",
            metavar="TEXT",
            help="an instruction that people give at the beginning; agents then give reasons (default: none)",
        )

        faults = commands.add_parser("faults", help="seconds until the sockets of a dead match host play on")
        faults.add_argument(
            "--game", type=arguments.game, default="overcooked", help="a game in which all move at once"
        )
        faults.add_argument(
            "--agent",
            type=command_line.name,
            default="champion",
            help="who plays with them (champion)",
        )
        ways = "killed while its machine runs on, gone with its machine (default), or hung"
        faults.add_argument("--way", choices=("killed", "gone", "hung"), default="gone", help=ways)
        faults.add_argument(
            "--kills", type=command_line.whole(1, 1000), default=10, help="hosts that die (default 10)"
        )
        faults.add_argument(
            "--matches", type=command_line.whole(1, 50), default=6, help="games at once (default 6)"
        )

        reading = commands.add_parser("language", help="how well held-out instructions are read")
        reading.add_argument("--game", choices=instructions.games(), help="this game only (default: all)")
        reading.add_argument(
            "--on",
            choices=("held-out", "development"),
            default="held-out",
            help="held-out (default), or the development set, on which settings were chosen",
        )
        reading.add_argument(
            "--model", choices=site.MODELS, help="measure a language model too, as a second opinion"
        )
        data = commands.add_parser("data", help="what pages, the queue and snapshots cost on a grown site")
        data.add_argument(
            "--episodes",
            type=command_line.whole(100, 1_000_000),
            default=20_000,
            help="episodes of the site that is made (default 20000)",
        )
        data.add_argument(
            "--marks",
            type=command_line.whole(0, 20_000_000),
            default=300_000,
            help="marks on them (default 300000)",
        )
        data.add_argument(
            "--database",
            choices=("both", "sqlite", "postgresql"),
            default="both",
            help="which databases (both); PostgreSQL gets one of its own, dropped afterwards",
        )
        data.add_argument(
            "--server",
            type=command_line.name,
            help="address of a PostgreSQL database (default: the site's, else the local server's)",
        )
        fuzz = commands.add_parser("fuzz", help="send odd input to every address, message, command")
        fuzz.add_argument(
            "--seconds",
            type=command_line.number(10, 86_400),
            default=180.0,
            help="seconds to try, not counting the making of the site (default 180)",
        )
        fuzz.add_argument(
            "--seed",
            type=command_line.whole(0, 2**31 - 1),
            default=0,
            help="the same seed sends the same input (default 0)",
        )
        for command in commands.choices.values():
            command.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        getattr(self, options["command"])(options)

    def show(self, result: dict[str, Any], options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        for name, value in result.items():
            self.stdout.write(f"{name}: {value}")

    def games(self, options: dict[str, Any]) -> None:
        try:
            given = arguments.given(options)
            policy = load(options["agent"], options["game"], given)
            result = games_a_minute(policy, given, options["seconds"])
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        self.stdout.write(
            f"{result['agent']}, {result['players']} players: {result['games_per_minute']:,.0f} games a "
            f"minute (best of {result['windows']} windows; median {result['median']:,.0f})"
        )

    def goals(self, options: dict[str, Any]) -> None:
        from tools.bench.goals import bench_goals

        self.show(bench_goals(options["seconds"]), options)

    def data(self, options: dict[str, Any]) -> None:
        from tools.growth.alone import grown

        wanted = ("sqlite", "postgresql") if options["database"] == "both" else (options["database"],)
        size = options["episodes"], options["marks"]
        result = grown(*size, wanted, options["server"], lambda text: self.stderr.write(text))
        self.show(result, options)

    def fuzz(self, options: dict[str, Any]) -> None:
        from tools.fuzzing.alone import fuzz

        result = fuzz(options["seconds"], options["seed"])
        if options["json"]:
            self.stdout.write(json.dumps(result))
        else:
            for name, part in result.items():
                self.stdout.write(f"{name}: {part['tried']:,} tried, {len(part['faults'])} faults")
                self.stdout.write("".join(f"  {fault}\n" for fault in part["faults"]), ending="")
        if faults := sum(len(part["faults"]) for part in result.values()):
            raise CommandError(f"{faults} faults were found; --seed {options['seed']} tries the same again.")

    def scene(self, options: dict[str, Any]) -> None:
        from tools.bench.start import bench_scene

        result = bench_scene(options["seconds"])
        self.show(result, options)

    def start(self, options: dict[str, Any]) -> None:
        from tools.bench.start import bench_start

        result = bench_start(options["moves"])
        self.show(result, options)

    def language(self, options: dict[str, Any]) -> None:
        try:
            asked = site.named(options["model"]) if options["model"] else None
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        results = {}
        for game in [options["game"]] if options["game"] else instructions.games():
            results[game] = bench_language(
                game, lambda text, game=game: self.stderr.write(f"{game}: {text}"), options["on"], asked
            )
            if options["on"] == "held-out" and game in messy.games():
                self.stderr.write(f"{game}: messy texts …")
                results[game]["messy"] = messy.bench_messy(game)
                results[game]["messy_fresh"] = messy.bench_messy(game, messy.fresh(game))
        if options["json"]:
            self.stdout.write(json.dumps(results))
            return
        for game, row in results.items():
            for name in ("messy", "messy_fresh"):
                for line in messy.lines(row.get(name, {})):
                    self.stdout.write(f"{game}, {name}, {line}")
            self.stdout.write(f"{game}: {row['instructions']} instructions, {row['meaningless']} meaningless")
            asked_too = {"language model": row["asked"]} if "asked" in row else {}
            for name, figures in {"embedded": row["embedded"], **asked_too, **row["baselines"]}.items():
                shown = (
                    f"{key} {value['mean']:.3f} ({value['low']:.3f} to {value['high']:.3f})"
                    if isinstance(value, dict)
                    else f"{key} {value}"
                    for key, value in figures.items()
                )
                self.stdout.write(f"  {name}: {', '.join(shown)}")
            for name, wordings in row.get("paper_wordings", {}).items():
                self.stdout.write(f"  the paper's wordings, {name}: {wordings}")
            for line in lines(row["reliability"]) if "reliability" in row else ():
                self.stdout.write(f"  {line}")
            self.stdout.write(f"  milliseconds a text: {row['read_ms']}")

    def learn(self, options: dict[str, Any]) -> None:
        from tools.bench.learn import bench_learn  # torch takes a while to import

        game = options["game"]
        chosen = {"layout": options["layout"]} if "layout" in games.spec(game).options else None
        try:
            result = bench_learn(
                game,
                chosen,
                options["seconds"],
                options["algorithm"],
                options["processes"],
                dict(options["set"]),
                options["memory"],
            )
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        shares = ""
        if "learn_share" in result:
            shares = f" ({result['collect_share']:.0%} collecting, {result['learn_share']:.0%} learning)"
        self.stdout.write(f"{game}: {result['steps_per_second']:,.0f} {result['unit']} a second{shares}")

    def by_the_clock(
        self, measure: Callable[[dict[str, Any]], dict[str, Any]], options: dict[str, Any]
    ) -> None:
        """Measure and print what only games have in which all move at once."""
        if games.spec(options["game"]).turn_based:
            raise Refusal(f"{options['game']} has no clock; choose a game in which all move at once.")
        result = measure(options)
        self.show(result, options)

    def live(self, options: dict[str, Any]) -> None:
        self.by_the_clock(measure_live, options)

    def faults(self, options: dict[str, Any]) -> None:
        from tools.bench.faults import bench_faults

        names = ("game", "agent", "way", "kills", "matches")
        self.by_the_clock(lambda given: bench_faults(*(given[name] for name in names)), options)

    def act(self, options: dict[str, Any]) -> None:
        try:
            given = arguments.given(options)
            policy = load(options["agent"], options["game"], given)
            result = acting_latency(policy, given, moves=options["moves"])
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        times = result["act_ms"]
        self.stdout.write(
            f"{result['agent']}: {times['p50']:.2f} ms a move (median), {times['p99']:.2f} (p99)"
        )

    def replay(self, options: dict[str, Any]) -> None:
        from tools.bench.replay import bench_replay

        try:
            chosen = games.spec(options["game"]).validate(options["options"])
            more = {name: options[name] for name in ("game", "agents", "camera")}
            result = bench_replay(options["marks"], options["seeks"], options=chosen, **more)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        self.stdout.write(
            f"{result['ticks']} ticks, {result['marks']} marks, first state {result['first_state_ms']} ms"
        )
        for name in ("seek_to_painted_ms", "key_to_painted_mark_ms", "server_ack_ms"):
            self.stdout.write(f"{name}: {', '.join(f'{key} {value}' for key, value in result[name].items())}")

    def env(self, options: dict[str, Any]) -> None:
        result = bench_env(
            options["game"],
            options["batch"],
            options["observations"],
            options["seconds"],
            arguments.given(options),
            options["peer"],
            options["device"],
        )
        if options["json"]:
            self.stdout.write(json.dumps(result))
            return
        self.stdout.write(
            f"{result['game']}: {result['steps_per_second']:,.0f} {result['unit']} a second "
            f"(best of {result['windows']} windows; median {result['median']:,.0f}), "
            f"batch {result['batch']}, {result['device']}"
        )
        if live := result["live_tick_ms"]:
            self.stdout.write(
                f"one tick of a live match of {live['players']}: {live['p50']:.3f} ms (median), "
                f"{live['p99']:.3f} (p99)"
            )
        for name, rate in result["peers"].items():
            shown = f"{rate:,.0f} a second" if rate is not None else result["notes"][name]
            self.stdout.write(f"{name}: {shown}")

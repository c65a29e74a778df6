"""`manage.py evaluate self-play|cross-play|partners|squads|card`: how good agents are.

How quick they are: `manage.py bench act`.

Works without a database; with one, aliases that an admin moved are followed.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from engine import games
from engine.agents import catalogue
from engine.agents.policy import Policy
from engine.evaluation.arena_squads import squads
from engine.evaluation.card import write_evaluation
from engine.evaluation.cross_play import cross_play
from engine.evaluation.partners import evaluate_partners
from engine.evaluation.partners import table as partner_table
from engine.evaluation.self_play import self_play
from engine.games import arguments as game_options
from webapp.agents.resolve import UnknownAgent, load_ref, resolve


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


class Command(BaseCommand):
    help = "Measure agents: self-play, cross-play, partners nobody trained with, everything on a card."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        alone = commands.add_parser("self-play", help="one agent in every seat")
        crossed = commands.add_parser("cross-play", help="every agent with every other one")
        strangers = commands.add_parser("partners", help="agents with a game's zoo of partners")
        against = commands.add_parser("squads", help="squads of one agent against squads of another")
        card = commands.add_parser("card", help="measure an agent and write the numbers on its card")
        for command in (alone, card):
            command.add_argument("--agent", required=True, help="a ref, an alias or a folder")
        for command in (crossed, strangers):
            command.add_argument("--agents", required=True, help="refs, aliases or folders, with commas")
        for side in ("a", "b"):
            against.add_argument(f"--{side}", required=True, help="a ref, an alias or a folder")
        against.add_argument("--matches", type=positive, default=200, help="half of them, sides swapped")
        strangers.add_argument(
            "--best-responses", type=Path, help="a folder with an agent for each partner, named like it"
        )
        card.add_argument("--partners", default="", help="agents for cross-play, separated by commas")
        for command, seeds in ((alone, 1), (strangers, 5)):
            command.add_argument("--seeds", type=positive, default=seeds, help="repeat with so many (to 10)")
        for command in (alone, crossed, strangers, against):
            command.add_argument("--sample", action="store_true", help="draw moves, don't take the best")
        for command in (alone, crossed, strangers, card, against):
            game = "arena" if command is against else "hanabi"
            command.add_argument("--game", default=game, help=", ".join(games.names()))
            game_options.add(command)
            command.add_argument("--seed", type=int, default=0)
            command.add_argument("--json", action="store_true", help="print one JSON object")
        for command in (alone, crossed, strangers, card):
            episodes = 1 if command is strangers else 1000
            command.add_argument(
                "--episodes", type=positive, default=episodes, help="games (a seat and seed)"
            )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lines, found = getattr(self, options["command"].replace("-", "_"))(options)
        except (ValueError, UnknownAgent) as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
        else:
            self.stdout.write("\n".join(lines))

    def self_play(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        policy = agent(options["game"], options["agent"], game_options.given(options))
        found = self_play(policy, *arguments(options), seeds=options["seeds"])
        return [f"{policy.name}: {describe(found)}"], found

    def cross_play(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        names = listed(options["agents"])
        policies = [agent(options["game"], name, game_options.given(options)) for name in names]
        found = cross_play(policies, *arguments(options))
        return table(found), found

    def partners(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        names = listed(options["agents"])
        policies = [agent(options["game"], name, game_options.given(options)) for name in names]
        game, chosen, episodes, seed, greedy = arguments(options)
        folder = options["best_responses"]
        if folder is not None and not folder.is_dir():
            raise ValueError(f"There is no folder {folder} of best responses.")
        found = evaluate_partners(policies, game, chosen, folder, episodes, seed, options["seeds"], greedy)
        return partner_table(found), found

    def squads(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        if options["game"] != "arena":
            raise ValueError(f"Squads fight in arena, not in {options['game']}.")
        chosen = game_options.given(options)
        a, b = (agent("arena", options[side], chosen) for side in ("a", "b"))
        found = squads(a, b, chosen, options["matches"], options["seed"], not options["sample"])
        return squad_lines(found), found

    def card(self, options: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        found = write_evaluation(
            options["agent"],
            listed(options["partners"]),
            options["episodes"],
            options["seed"],
            options["game"],
            game_options.given(options),
        )
        return [f"{options['agent']}: {describe(found['self_play'])}"], found


def listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def arguments(options: dict[str, Any]) -> tuple[Any, ...]:
    return (
        options["game"],
        game_options.given(options),
        options["episodes"],
        options["seed"],
        not options["sample"],
    )


def agent(game: str, name: str, options: dict[str, Any]) -> Policy:
    """The policy of a ref, alias or folder; with a database, its aliases and trained agents come first."""
    spec = games.spec(game)
    complete = spec.validate(dict(options))
    layout = spec.variant(complete) if spec.variant else ""
    try:
        found = load_ref(resolve(game, name, layout, complete))
    except (UnknownAgent, DatabaseError):
        found = name
    return catalogue.load(found, game, complete)


def describe(found: dict[str, Any]) -> str:
    low, high = found["interval"]
    line = (
        f"mean {found['mean']:.3f} (95 %: {low:.3f} to {high:.3f}) over {found['episodes']} games; "
        f"{found['zeros']:.1%} scored 0"
    )
    if isinstance(found["histogram"], list):
        line += f", {found['perfect']:.1%} were perfect"
    elif len(found["histogram"]) == 1 and found["episodes"] > 1:
        line += "; all games ended alike: --start random or --sample makes them differ"
    if "by_seed" in found:
        low, high = found["interval_over_seeds"]
        seeds = ", ".join(f"{mean:.1f}" for mean in found["by_seed"])
        line += f"; by seed {seeds} (95 % over seeds: {low:.1f} to {high:.1f})"
    return line


def squad_lines(found: dict[str, Any]) -> list[str]:
    (low, high), (a, b) = found["interval"], found["agents"]
    lines = [
        f"{a} beats {b} in {found['wins']:.1%} of {found['matches']} matches "
        f"(95 %: {low:.1%} to {high:.1%}), {found['draws']:.1%} draws; "
        f"{found['by_fighting']:.0%} ended by shots, after {found['seconds']['mean']:.0f} s on average",
        " " * 12 + f"{'a':>10}{'b':>10}   a player and match",
    ]
    rates = found["rates"]
    return lines + [f"{name:<12}{rates['a'][name]:>10.2f}{rates['b'][name]:>10.2f}" for name in rates["a"]]


def table(found: dict[str, Any]) -> list[str]:
    names = found["agents"]
    width = max(len(name) for name in names)
    heads = [f"[{index}]" for index in range(len(names))]
    lines = [f"Mean score over {found['episodes']} games; row: seat 0, column: the others"]
    lines.append(" " * (width + 4) + "".join(f"{head:>16}" for head in heads))
    for head, name, means, errors in zip(heads, names, found["mean"], found["stderr"], strict=True):
        cells = "".join(
            f"{f'{mean:.2f} ± {error:.2f}':>16}" for mean, error in zip(means, errors, strict=True)
        )
        lines.append(f"{head} {name:<{width}}{cells}")
    return lines

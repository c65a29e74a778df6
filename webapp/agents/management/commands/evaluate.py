"""`manage.py evaluate self-play|cross-play|card`: how good agents are (how quick: `manage.py bench act`).

Works without a database; with one, aliases that an admin moved are followed.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from engine import games
from engine.agents import catalogue
from engine.agents.policy import Policy
from engine.evaluation.card import write_evaluation
from engine.evaluation.cross_play import cross_play
from engine.evaluation.self_play import self_play
from webapp.agents.resolve import UnknownAgent, load_ref, resolve


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


class Command(BaseCommand):
    help = "Measure agents: self-play, cross-play, everything on a card."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        alone = commands.add_parser("self-play", help="one agent in every seat")
        crossed = commands.add_parser("cross-play", help="every agent with every other one")
        card = commands.add_parser("card", help="measure an agent and write the numbers on its card")
        for command in (alone, card):
            command.add_argument("--agent", required=True, help="a ref, an alias or a folder")
        crossed.add_argument("--agents", required=True, help="refs, aliases or folders, separated by commas")
        card.add_argument("--partners", default="", help="agents for cross-play, separated by commas")
        for command in (alone, crossed):
            command.add_argument("--game", default="hanabi", help=", ".join(games.names()))
            command.add_argument("--players", type=int, help="number of seats")
            command.add_argument("--sample", action="store_true", help="draw moves, don't take the best")
        for command in (alone, crossed, card):
            command.add_argument("--episodes", type=positive, default=1000)
            command.add_argument("--seed", type=int, default=0)
            command.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["command"] == "self-play":
                games.spec(options["game"])
                policy = agent(options["game"], options["agent"])
                found = self_play(policy, *arguments(options))
                lines = [f"{policy.name}: {describe(found)}"]
            elif options["command"] == "cross-play":
                games.spec(options["game"])
                policies = [agent(options["game"], name) for name in listed(options["agents"])]
                found = cross_play(policies, *arguments(options))
                lines = table(found)
            else:
                partners = listed(options["partners"])
                found = write_evaluation(options["agent"], partners, options["episodes"], options["seed"])
                lines = [f"{options['agent']}: {describe(found['self_play'])}"]
        except (ValueError, UnknownAgent) as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(found))
        else:
            self.stdout.write("\n".join(lines))


def listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def arguments(options: dict[str, Any]) -> tuple[Any, ...]:
    given = {"players": options["players"]} if options["players"] is not None else {}
    return options["game"], given, options["episodes"], options["seed"], not options["sample"]


def agent(game: str, name: str) -> Policy:
    """The policy of a ref, alias or folder; with a database, its aliases and trained agents come first."""
    try:
        found = load_ref(resolve(game, name))
    except (UnknownAgent, DatabaseError):
        found = name
    return catalogue.load(found, game)


def describe(found: dict[str, Any]) -> str:
    low, high = found["interval"]
    return (
        f"mean {found['mean']:.3f} (95 %: {low:.3f} to {high:.3f}) over {found['episodes']} games; "
        f"{found['zeros']:.1%} scored 0, {found['perfect']:.1%} were perfect"
    )


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

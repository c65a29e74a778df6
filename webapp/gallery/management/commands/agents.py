"""`manage.py agents sync|list|promote|rollback|widen|clone-people`: agents and aliases by command."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser

from engine import command_line, games
from engine.agents import surgery
from engine.games import arguments
from webapp.agents import promotion, shipped
from webapp.agents.files import folder
from webapp.agents.models import Agent
from webapp.agents.resolve import aliases, resolve
from webapp.common.commands import CoplayCommand
from webapp.common.tables import ensure_tables


class Command(CoplayCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        sync = commands.add_parser("sync", help="Make a row of each agent that comes with the repository")
        listing = commands.add_parser("list", help="Every agent and alias of a game")
        listing.add_argument("--game", type=arguments.game, default=games.DEFAULT)
        listing.add_argument(
            "--layout", type=command_line.name, default="", help="only what aliases mean there"
        )
        promote = commands.add_parser(
            "promote", help="Point the alias champion at an agent, or the alias human at a human proxy"
        )
        promote.add_argument("--agent", type=command_line.name, required=True, help="a ref or an alias")
        rollback = commands.add_parser(
            "rollback", help="Point the alias champion at the agent that it pointed at before"
        )
        rollback.add_argument(
            "--alias",
            choices=list(promotion.TITLES),
            default=promotion.CHAMPION,
            help="or the human proxy",
        )
        for command in (promote, rollback):
            command.add_argument("--game", type=arguments.game, default=games.DEFAULT)
            command.add_argument("--reason", type=command_line.words(1000), required=True)
            command.add_argument(
                "--layout", type=command_line.name, default="", help="of games whose agents are made for one"
            )
        widen = commands.add_parser(
            "widen",
            help="Add inputs for instructions to a network agent, which acts as before until it is trained",
        )
        widen.add_argument("--agent", type=command_line.name, required=True, help="a ref or an alias")
        widen.add_argument("--game", type=arguments.game, default=games.DEFAULT)
        widen.add_argument(
            "--layout", type=command_line.name, default="", help="only what aliases mean there"
        )
        widen.add_argument("--out", type=command_line.new_folder, required=True, help="folder for the agent")
        widen.add_argument(
            "--answers",
            action="store_true",
            help=(
                "also add the instruction's prior over its moves as inputs; nothing is then added to its "
                "logits"
            ),
        )
        people = commands.add_parser(
            "clone-people",
            help=(
                "Make a human proxy of the people who played here; with the folder of an interrupted one, "
                "continue it"
            ),
        )
        people.add_argument("--game", type=arguments.game, default=games.DEFAULT)
        people.add_argument("--out", type=command_line.new_folder, required=True, help="folder for the agent")
        people.add_argument("--imported", action="store_true", help="also use published games of people")
        people.add_argument(
            "--set",
            type=command_line.setting,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a setting of the training",
        )
        arguments.add(people)
        for command in (sync, listing, promote, rollback, widen, people):
            command.add_argument("--json", action="store_true", help="Print one JSON object")

    def handle(self, *args, **options) -> None:
        ensure_tables(self.stderr)
        if options.get("layout") and options["command"] != "clone-people":
            arguments.variant(options["game"], options["layout"])
        answer = getattr(self, options["command"].replace("-", "_"))(options)
        if options["json"]:
            self.stdout.write(json.dumps(answer))
        else:
            for key, value in answer.items():
                self.stdout.write(f"{key}: {', '.join(value) if isinstance(value, list) else value}")

    def sync(self, options: dict) -> dict:
        return shipped.sync()

    def list(self, options: dict) -> dict:
        agents = Agent.objects.filter(game=options["game"], retired=False)
        return {"agents": [agent.ref for agent in agents], **aliases(options["game"], options["layout"])}

    def promote(self, options: dict) -> dict:
        game, layout = options["game"], options["layout"]
        agent = resolve(game, options["agent"], layout)
        moved = promotion.promote(agent, reason=options["reason"], user=None, layout=layout)
        return aliases(game, moved.layout)

    def widen(self, options: dict) -> dict:
        agent, out = resolve(options["game"], options["agent"], options["layout"]), options["out"]
        card = surgery.widen(folder(agent), agent.ref, out, options["answers"])
        return {"folder": str(out), "told_version": card["told_version"]}

    def clone_people(self, options: dict) -> dict:
        from webapp.datasets import own_people  # imports torch

        out = options["out"]
        given = arguments.given(options)
        status = own_people.clone(options["game"], out, options["set"], options["imported"], given)
        if status:
            sys.exit(status)
        return {"folder": str(out / "agent")}

    def rollback(self, options: dict) -> dict:
        game, layout = options["game"], options["layout"]
        promotion.roll_back(game, reason=options["reason"], user=None, layout=layout, alias=options["alias"])
        return aliases(game, layout)

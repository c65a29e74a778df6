"""`manage.py rounds run|list|candidate`: training rounds from the command line, with no broker and no
worker."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from engine import games
from engine.learning.reporting import Reporter
from engine.simulation.spec import OptionError
from webapp.agents import promotion
from webapp.agents.models import Agent
from webapp.agents.resolve import UnknownAgent, layout_of, resolve
from webapp.config.prepare import ensure_tables
from webapp.rounds import candidates, comparison, inline, launch, presets, progress
from webapp.rounds.models import Round


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        run = commands.add_parser("run", help="Run whole rounds here, one after the other")
        run.add_argument("--game", default="hanabi")
        run.add_argument(
            "--layout", default="", help="where the game has layouts; its default, or the base's, else"
        )
        run.add_argument("--rounds", type=int, default=1)
        run.add_argument(
            "--base", default="champion", help="a ref or an alias; later rounds go on from their candidate"
        )
        run.add_argument("--annotators", choices=["people", "simulated"], default="people")
        run.add_argument(
            "--episodes", type=int, default=None, help="simulated episodes to collect before each round"
        )
        run.add_argument("--size", choices=list(presets.PRESETS), default="usual")
        run.add_argument(
            "--set", action="append", default=[], metavar="PART.NAME=VALUE", help="one setting of a part"
        )
        run.add_argument("--seed", type=int, default=1)
        run.add_argument("--goal", default="")
        run.add_argument(
            "--promote", action="store_true", help="promote the last candidate if it is not worse"
        )
        listing = commands.add_parser("list", help="Every round and its state")
        for command in (run, listing):
            command.add_argument("--json", action="store_true", help="Print one JSON object last")
        child = commands.add_parser("candidate", help="What a round's last job runs")
        child.add_argument("--config", required=True, type=Path)
        child.add_argument("--out", required=True, type=Path)

    def handle(self, *args, **options) -> None:
        ensure_tables(self.stderr.write)
        try:
            answer = getattr(self, f"do_{options['command']}")(options)
        except (launch.Refused, candidates.BadCandidate, promotion.Refused, UnknownAgent) as error:
            raise CommandError(str(error)) from None
        if answer is not None:
            self.stdout.write(json.dumps(answer) if options["json"] else json.dumps(answer, indent=2))

    def do_list(self, options: dict) -> dict:
        return {"rounds": [self.summary(one) for one in Round.objects.prefetch_related("jobs")]}

    def do_run(self, options: dict) -> dict:
        base = self.base(options)
        game = base.game
        episodes = options["episodes"] or inline.EPISODES[game]
        done = []
        for number in range(options["rounds"]):
            data: dict = {
                "include_simulated": options["annotators"] == "simulated",
                "seats": launch.seats_of(base),
            }
            if options["annotators"] == "simulated":
                inline.collect(base, episodes, options["seed"] + 1000 * number, self.tell)
            settings = {"data": data, **presets.values(options["size"], game)}
            for text in options["set"]:
                part, name, value = read_setting(text)
                settings.setdefault(part, {})[name] = value
            one = launch.create(base, settings, None, options["goal"])
            self.tell(f"round {one.number} from {base.ref}")
            finished = inline.finish(one, self.tell)
            one.refresh_from_db()
            if not finished or one.candidate is None:
                problem = next((job.error for job in one.jobs.all() if job.error), "a job was cancelled")
                raise CommandError(f"Round {one.number} did not finish: {problem}")
            done.append(self.summary(one))
            base = one.candidate
        if options["promote"]:
            promotion.promote(
                base, reason="Promoted by manage.py rounds run --promote", user=None, layout=one.layout
            )
        return {"rounds": done, "candidate": base.ref}

    def base(self, options: dict) -> Agent:
        """The agent to go on from; where a layout's champion is a scripted bot, the newest network of the
        layout. Raises CommandError.
        """
        game, layout = options["game"], options["layout"]
        try:
            spec = games.spec(game)
            if spec.variant is None and layout:
                raise CommandError(f"{spec.title} has no layouts; leave --layout out.")
            complete = spec.validate({"layout": layout} if layout else {})
        except OptionError as error:
            raise CommandError(str(error)) from None
        variant = spec.variant(complete) if spec.variant else ""
        base = resolve(game, options["base"], variant)
        if base.kind != "network" and options["base"] == promotion.CHAMPION:
            made = Agent.objects.filter(game=game, kind="network", retired=False).order_by("-created_at")
            base = next((agent for agent in made if layout_of(agent) == variant), base)
        if layout and layout_of(base) not in ("", variant):
            raise CommandError(f"{base.ref} was trained for {layout_of(base)}, not for {variant}.")
        return base

    def do_candidate(self, options: dict) -> None:
        """Reports like a training program (engine.learning.reporting)."""
        config = json.loads(options["config"].read_text())
        reporter = Reporter(stream=sys.stdout)
        card = candidates.build(
            Path(config["agent"]), config["additions"], config["evaluation"], options["out"] / "agent"
        )
        reporter.progress(1, 1)
        reporter.result(folder=str(options["out"] / "agent"), sha256=card["sha256"])

    def tell(self, text: str) -> None:
        self.stderr.write(text)

    def summary(self, one: Round) -> dict:
        members = list(one.jobs.order_by("position"))
        return {
            "round": one.number,
            "game": one.game,
            "layout": one.layout,
            "base": one.base_agent.ref,
            "state": progress.state(members, one.decision),
            "candidate": one.candidate.ref if one.candidate else None,
            "snapshot": {"sha256": one.snapshot.sha256, **one.snapshot.counts} if one.snapshot else None,
            "seconds": {job.kind: round(job.seconds or 0, 1) for job in members},
            "held_out": next(
                (job.result.get("held_out") for job in members if job.kind == "reward_model"), None
            ),
            "scores": comparison.headline(members),
        }


def read_setting(text: str) -> tuple[str, str, str]:
    """The text "agent.moves=1000" as its three parts; raises CommandError."""
    name, equals, value = text.partition("=")
    part, dot, setting = name.partition(".")
    if not equals or not dot:
        raise CommandError(f"--set is {text!r}; it must look like agent.moves=1000.")
    return part, setting, value

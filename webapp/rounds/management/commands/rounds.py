"""`manage.py rounds run|prove|list|candidate`: training rounds, and the experiments that show what they are
worth, from the command line, with no broker and no worker."""

from __future__ import annotations

import contextlib
import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from engine import brings, checked_json, command_line, experiments
from engine.games import arguments
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal, Refusals
from webapp.agents import promotion, verdicts
from webapp.agents.models import Agent
from webapp.agents.resolve import layout_of, resolve
from webapp.common.commands import CoplayCommand
from webapp.common.tables import ensure_tables
from webapp.rounds import (
    budgets,
    candidates,
    comparison,
    cotrain,
    decisions,
    doubts,
    inline,
    launch,
    presets,
    programs,
    progress,
    told,
)
from webapp.rounds.forms import usual_variant
from webapp.rounds.models import Round

# The option that chooses a part's program.
ALGORITHM = {
    "agent": "--algorithm",
    "reward_model": "--reward-model-algorithm",
    "evaluation": "--evaluation-algorithm",
}


class Command(CoplayCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        run = commands.add_parser("run", help="Run whole rounds here, one after the other")
        run.add_argument("--game", type=arguments.game, help="that of the last round or marks else")
        run.add_argument(
            "--layout",
            type=command_line.name,
            default="",
            help="if the game has layouts (default: the base's, or the game's)",
        )
        run.add_argument("--rounds", type=command_line.whole(1, 1000), default=1)
        run.add_argument(
            "--base",
            type=command_line.name,
            default="champion",
            help="a ref or an alias; later rounds go on from their candidate",
        )
        run.add_argument("--annotators", choices=["people", "simulated"], default="people")
        run.add_argument(
            "--simulated-episodes",
            action="store_true",
            help="also learn from people's marks on episodes that agents played alone (always with "
            "--annotators simulated)",
        )
        run.add_argument(
            "--episodes",
            type=command_line.whole(0, 100_000),
            help="simulated episodes to make before each round; 0: none, use the existing episodes",
        )
        run.add_argument("--size", choices=list(presets.SIZES), default=presets.USUAL)
        for part, option in ALGORITHM.items():
            makes = part.replace("_", " ")
            known = ", ".join(programs.choices(part))
            run.add_argument(
                option,
                type=command_line.name,
                default="",
                dest=f"{part}_algorithm",
                help=f"what makes the {makes}, where it fits the game: {known}",
            )
        run.add_argument(
            "--set",
            type=setting,
            action="append",
            default=[],
            metavar="PART.NAME=VALUE",
            help="one setting of a part",
        )
        run.add_argument(
            "--instruction",
            type=command_line.words(500),
            default="",
            help="train to this instruction instead of learning from marks: no snapshot, no reward model",
        )
        run.add_argument(
            "--cotrain",
            choices=[cotrain.PEOPLE, cotrain.SHIPPED],
            help="train the agent together with what reads its instructions, on what people told agents here "
            "beside the shipped sets, or on these alone: no reward model",
        )
        run.add_argument("--seed", type=command_line.seed, default=1)
        run.add_argument("--goal", type=command_line.words(200), default="")
        run.add_argument(
            "--promote", action="store_true", help="promote the last candidate if it is not worse"
        )
        prove = commands.add_parser("prove", help="Run an experiment, or the rest of it, and draw the result")
        prove.add_argument("--experiment", required=True, choices=experiments.names())
        prove.add_argument(
            "--seeds", type=command_line.whole(2, 10), default=5, help="trainings of each arm (default 5)"
        )
        prove.add_argument(
            "--first", type=command_line.seed, default=1, help="the first of the seeds (default 1)"
        )
        prove.add_argument(
            "--quick",
            action="store_true",
            help="minutes instead of hours: shows the sign of an effect, not its size",
        )
        prove.add_argument("--only", type=command_line.name, default="", help="one of its settings")
        prove.add_argument("--out", type=command_line.new_folder, help="folder of its work")
        listing = commands.add_parser("list", help="Every round and its state")
        for command in (run, prove, listing):
            command.add_argument("--json", action="store_true", help="Print one JSON object last")
        child = commands.add_parser("candidate", help="What a round's last job runs")
        child.add_argument("--config", required=True, type=command_line.json_object_file)
        child.add_argument("--out", required=True, type=command_line.new_folder)

    def handle(self, *args, **options) -> None:
        ensure_tables(self.stderr)
        answer = getattr(self, f"do_{options['command']}")(options)
        if answer is not None:
            self.stdout.write(json.dumps(answer) if options["json"] else json.dumps(answer, indent=2))

    def do_list(self, options: dict) -> dict:
        return {"rounds": [self.summary(round_) for round_ in Round.objects.prefetch_related("jobs")]}

    def do_prove(self, options: dict) -> dict | None:
        from engine.experiments.prove import prove, seeds_of

        seeds = seeds_of(options["seeds"], options["first"])
        try:
            result = prove(
                options["experiment"],
                seeds,
                options["quick"],
                options["out"],
                options["only"],
                tell=self.tell,
            )
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.tell("\n".join([*result["table"], result["outcome"]]))
        return result if options["json"] else None

    def do_run(self, options: dict) -> dict:
        base = self.base(options)
        simulated, episodes = options["annotators"] == "simulated", options["episodes"]
        if episodes and not simulated:
            raise CommandError("--episodes makes simulated episodes; give --annotators simulated, too.")
        if episodes is None:
            episodes = (brings.Training.of(base.game).EPISODES or inline.EPISODES) if simulated else 0
        algorithms = {part: name for part in ALGORITHM if (name := options[f"{part}_algorithm"])}
        settings = {
            "data": {
                "simulated_episodes": simulated or options["simulated_episodes"],
                "simulated_marks": simulated,
            },
            "algorithms": algorithms,
            **presets.values(options["size"], base.game, algorithms),
        }
        text, words = options["instruction"], options["cotrain"]
        if text or words:
            if (text and words) or simulated or "reward_model" in algorithms:
                raise CommandError(
                    "A round with --instruction or --cotrain learns from no marks; leave --annotators out."
                )
            how = (algorithms.get("agent", ""), budgets.of_size(options["size"]))
            if text:
                settings = told.settings_of(base.game, text, 0, *how)
            else:
                settings = cotrain.settings_of(base, {} if words == cotrain.PEOPLE else None, *how)
            settings["algorithms"] = algorithms | settings["algorithms"]
        for part, name, value in options["set"]:
            settings.setdefault(part, {})[name] = value
        done = []
        for number in range(options["rounds"]):
            if episodes:
                # The data is still to be made; everything else is checked before that.
                wrong = launch.problems(base, settings)
                wrong.pop("data", None)
                if wrong:
                    raise Refusals(problems=wrong)
                inline.collect(base, episodes, options["seed"] + 1000 * number, self.tell)
            round_ = launch.create(base, settings, None, options["goal"])
            self.tell(f"round {round_.number} from {base.ref}")
            for note in launch.notes_on(round_):
                self.tell(note)
            finished = inline.finish(round_, self.tell)
            round_.refresh_from_db()
            if not finished or round_.candidate is None:
                raise CommandError(f"Round {round_.number} did not finish: {progress.why_stopped(round_)}")
            done.append(self.summary(round_))
            self.tell("\n".join(done[-1]["verdict"]))
            base = round_.candidate
        plays = promotion.becomes(base) == promotion.CHAMPION  # a human proxy needn't be good
        verdict = verdicts.first_clear(comparison.of_round(round_)) if plays else None
        if options["promote"] and verdict and verdict.word == "worse":
            self.tell(f"{base.ref} is not promoted. {verdict.text}")
        elif options["promote"]:
            decisions.decide(round_, "promote", "Promoted by manage.py rounds run --promote", None)
        return {"rounds": done, "candidate": base.ref}

    def base(self, options: dict) -> Agent:
        """The agent to go on from; where a layout's champion is a scripted bot, the newest network of the
        layout. Raises CommandError.
        """
        game, layout = options["game"] or usual_variant().partition("/")[0], options["layout"]
        if not game:
            raise CommandError("No agent can be trained on yet; run `./manage.py agents sync`.")
        variant = arguments.variant(game, layout)
        base = resolve(game, options["base"], variant)
        if base.kind != "network" and options["base"] == promotion.CHAMPION:
            made = Agent.objects.filter(game=game, kind="network", retired=False).order_by("-created_at")
            base = next((agent for agent in made if layout_of(agent) == variant), base)
        if layout and layout_of(base) not in ("", variant):
            raise CommandError(f"{base.ref} was trained for {layout_of(base)}, not for {variant}.")
        return base

    def do_candidate(self, options: dict) -> None:
        """Reports like a training program (engine.learning.run.reporting)."""
        config = options["config"]
        agent, *parts = (config.get(name) for name in ("agent", "additions", "evaluation"))
        if not isinstance(agent, str) or not all(isinstance(part, dict) for part in parts):
            raise CommandError(
                'The config of a candidate has {"agent": folder, "additions": {…}, "evaluation": {…}}.'
            )
        reporter = Reporter(stream=sys.stdout)
        card = candidates.build(Path(agent), *parts, options["out"] / "agent", config.get("filled", []))
        reporter.progress(1, 1)
        reporter.result(folder=str(options["out"] / "agent"), sha256=card["sha256"])

    def tell(self, text: str) -> None:
        self.stderr.write(text)

    def summary(self, round_: Round) -> dict:
        members = list(round_.jobs.order_by("position"))
        evaluation = comparison.result_of(members, "evaluation")
        scores = {
            row["measure"]: {side: row[side] for side in comparison.SIDES}
            for row in comparison.headline(round_.game, members)
        }
        return {
            "round": round_.number,
            "game": round_.game,
            "layout": round_.layout,
            "base": round_.base_agent.ref,
            "algorithms": round_.settings.get("algorithms", {}),
            "told": round_.told,
            "state": progress.state(members, round_.decision),
            "candidate": round_.candidate.ref if round_.candidate else None,
            "snapshot": {"sha256": round_.snapshot.sha256, **round_.snapshot.counts}
            if round_.snapshot
            else None,
            "seconds": {job.kind: round(job.seconds or 0, 1) for job in members},
            "held_out": next(
                (job.result.get("held_out") for job in members if job.kind == "reward_model"), None
            ),
            "verdict": [verdict.text for verdict in comparison.judged(evaluation, round_.game)],
            "people": scores.get("people"),
            "scores": scores.get("self_play"),
            "doubts": doubts.doubts(round_, members),
        }


def setting(text: str) -> tuple[str, str, Any]:
    """The text "agent.moves=1000" as its three parts; the type of an argument. Values of the data, which has
    lists and numbers, are JSON where they can be.
    """
    name, equals, value = text.partition("=")
    part, dot, own_name = name.partition(".")
    if not equals or not dot:
        raise ArgumentTypeError(f"{command_line.shown(text)} doesn't look like agent.moves=1000")
    if part not in (parts := ("data", *programs.PARTS)):
        raise ArgumentTypeError(f"there is no part {command_line.shown(part)}; there are {', '.join(parts)}")
    if part == "data":
        with contextlib.suppress(Refusal):
            return part, own_name, checked_json.parse(value)
    return part, own_name, value

"""`manage.py episodes verify | list | simulate | clip | utility | rank | import | choose | delete`: check,
list and make episodes, draw a part of one, read one or all with a reward model; published games of people.
"""

from __future__ import annotations

import json
import signal
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from engine import command_line, games
from engine.games import arguments, people
from webapp.common.commands import CoplayCommand, reason_of
from webapp.common.tables import ensure_tables
from webapp.episodes.models import Episode

MOST_SAID = 20  # sentences about games that aren't taken


class Command(CoplayCommand):
    help = "Verify episode logs, list episodes, or make clearly labelled simulated ones."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        verify = commands.add_parser("verify", help="Re-simulate logs and compare digests.")
        verify.add_argument("episode", nargs="*", type=command_line.uuid_or_part, help="only these episodes")
        listing = commands.add_parser("list", help="List episodes, newest first.")
        listing.add_argument("--game", type=arguments.game)
        listing.add_argument("--source", choices=["play", "simulated", "import", "people", "first"])
        listing.add_argument("--limit", type=command_line.whole(1, 100_000), default=50)
        simulate = commands.add_parser(
            "simulate", help="Let agents play; the episodes are labelled as simulated."
        )
        simulate.add_argument("--game", type=arguments.game, default=games.DEFAULT)
        simulate.add_argument(
            "--count", type=command_line.whole(1, 100_000), default=10, help="games (default 10)"
        )
        simulate.add_argument(
            "--agents",
            type=command_line.names,
            default="champion",
            help="refs or aliases by seat, separated by commas",
        )
        simulate.add_argument(
            "--layout", type=command_line.name, help="of games that have layouts; short for --options"
        )
        simulate.add_argument(
            "--mistakes",
            type=command_line.share,
            help="share of random moves (default: 0, or 0.1 if all games begin alike)",
        )
        simulate.add_argument("--seed", type=command_line.seed, default=0, help="seed of the first game")
        simulate.add_argument(
            "--options",
            type=command_line.json_object,
            default={},
            help='the game\'s options as JSON: {"players": 3}',
        )
        simulate.add_argument(
            "--annotators",
            choices=["none", "simulated"],
            default="none",
            help="let two simulated annotators mark every episode",
        )
        clip = commands.add_parser("clip", help="Draw a part of an episode as GIF or MP4.")
        clip.add_argument(
            "--config",
            type=command_line.json_object_file,
            help="JSON file with all of it (what a worker gives)",
        )
        clip.add_argument("--episode", type=command_line.uuid_or_part)
        tick = command_line.whole(0, 2**31 - 1)
        clip.add_argument("--first", type=tick, default=0, help="the first tick (default 0)")
        clip.add_argument("--last", type=tick, help="the last tick (default: ten seconds, or the end)")
        clip.add_argument(
            "--view",
            type=command_line.name,
            default="open",
            help='a seat, from 0 on, or "open" (default): everything',
        )
        clip.add_argument("--format", choices=["gif", "mp4"], default="gif")
        clip.add_argument(
            "--out", type=command_line.new_folder, required=True, help="folder for clip.gif or clip.mp4"
        )
        utility = commands.add_parser("utility", help="A reward model's U at each tick of an episode.")
        utility.add_argument("episode", nargs="?", type=command_line.uuid_or_part)
        utility.add_argument(
            "--config",
            type=command_line.json_object_file,
            help="JSON file with all of it (what a worker gives)",
        )
        utility.add_argument(
            "--reward-model", type=command_line.words(500), help="a round's (round-3), or the folder of one"
        )
        utility.add_argument("--seat", type=command_line.whole(0, 1000), default=0, help="from 0 on")
        utility.add_argument(
            "--instruction",
            type=command_line.words(500),
            default="",
            help=(
                "compute U as if the seat had had this instruction from the start (default: the recorded "
                "ones)"
            ),
        )
        utility.add_argument("--out", type=command_line.new_folder, help="folder of the worker's job")
        rank = commands.add_parser(
            "rank", help="Rank unmarked episodes by how unsure reward models are about them."
        )
        rank.add_argument("--game", type=arguments.game, default=games.DEFAULT)
        rank.add_argument(
            "--config",
            type=command_line.json_object_file,
            help="JSON file with all of it (what a worker gives)",
        )
        rank.add_argument("--out", type=command_line.new_folder, help="folder of the worker's job")
        formats = command_line.one_of(sorted(people.formats()))
        take = commands.add_parser("import", help="Take in a file of published games of people.")
        take.add_argument("--format", type=formats, required=True, help="what the file holds")
        take.add_argument("file", type=command_line.file)
        choose = commands.add_parser("choose", help="Choose some of a file's games for shipping.")
        choose.add_argument("--format", type=formats, required=True, help="what the file holds")
        choose.add_argument("file", type=command_line.file)
        choose.add_argument(
            "--count", type=command_line.whole(1, 1000), default=20, help="games a kind (default 20)"
        )
        choose.add_argument("--out", type=command_line.new_file, required=True, help="gzipped, a game a line")
        delete = commands.add_parser("delete", help="Delete all games that were imported in a format.")
        delete.add_argument("--format", type=formats, required=True)
        for one in (verify, listing, simulate, clip, utility, rank, take, choose, delete):
            one.add_argument("--json", action="store_true", help="print one JSON object last")

    def handle(self, *args, command: str, **options) -> None:
        ensure_tables(self.stderr)
        result = getattr(self, {"import": "take"}.get(command, command))(**options)
        if options["json"]:
            self.stdout.write(json.dumps(result))
        if result.get("problems"):
            raise CommandError(f"{len(result['problems'])} of {result['episodes']} episodes have problems.")

    def verify(self, episode: list[str], json: bool, **_: Any) -> dict:
        from webapp.episodes.verify import problems_of

        rows = Episode.objects.order_by("started_at", "pk")
        if episode:
            rows = rows.filter(pk__in=[episode_of(one).pk for one in episode])
        found: dict[str, list[str]] = {}
        checked = 0
        for row in rows.iterator():
            checked += 1
            if problems := problems_of(row):
                found[str(row.pk)] = problems
                for problem in problems:
                    self.stderr.write(f"{row.pk}: {problem}")
        if not json:
            self.stdout.write(f"{checked} episodes checked, {len(found)} with problems.")
        return {"episodes": checked, "problems": found}

    def list(self, game: str | None, source: str | None, limit: int, json: bool, **_: Any) -> dict:
        rows = Episode.objects.all()
        rows = rows.filter(game=game) if game else rows
        rows = rows.filter(source=source) if source else rows
        found = [
            {
                "episode": str(row.pk),
                "game": row.game,
                "status": row.status,
                "source": row.source,
                "origin": row.origin,
                "ticks": row.ticks,
                "score": row.score,
                "started_at": row.started_at.isoformat(),
            }
            for row in rows[:limit]
        ]
        for one in [] if json else found:
            score = "–" if one["score"] is None else f"{one['score']:g}"
            self.stdout.write(f"{one['episode']}  {one['game']}  {one['source']}  {one['status']}  {score}")
        return {"episodes": found}

    def simulate(
        self, game: str, count: int, agents: list[str], seed: int, annotators: str, json: bool, **rest: Any
    ) -> dict:
        from engine.evaluation.annotators import Annotator
        from webapp.annotation.simulated import annotate_with
        from webapp.episodes import simulated

        options = rest["options"] | ({"layout": rest["layout"]} if rest["layout"] else {})
        made: list[Episode] = []
        try:
            simulated.simulate(game, count, agents, seed, options, rest["mistakes"], made.append)
        except OSError as error:
            raise CommandError(f"{reason_of(error)} {len(made)} of {count} episodes were made.") from error
        marks = 0
        if annotators == "simulated":
            raters = [Annotator(), Annotator("hasty", threshold=0.8, delay_mean=0.5, delay_sd=0.5, miss=0.2)]
            marks = sum(annotate_with(episode, raters, seed) for episode in made)
        scores = [episode.score for episode in made]
        mean = sum(scores) / len(scores)
        if not json:
            self.stdout.write(f"{count} simulated episodes, mean score {mean:.2f}, {marks} simulated marks.")
        ids = [str(episode.pk) for episode in made]
        return {"episodes": ids, "mean_score": mean, "marks": marks, "source": simulated.SOURCE}

    def take(self, format: str, file: Path, json: bool, **_: Any) -> dict:
        from webapp.datasets import recorded

        found = recorded.take(people.formats()[format][1], file)
        said = [*found["renamed"], *(f"Skipped: {why}" for why in found["skipped"])]
        for why in said[:MOST_SAID]:
            self.stderr.write(why)
        if len(said) > MOST_SAID:
            self.stderr.write(f"… and {len(said) - MOST_SAID} more; --json lists them all.")
        new, known, bad = found["imported"], found["already"], len(found["skipped"])
        if not new and not known:
            raise CommandError(
                f"Nothing could be imported: no game of the format {format} is in {file.name}."
            )
        if not json:
            self.stdout.write(f"{new} imported, {known} already there, {bad} skipped.")
        return {**found, "format": format}

    def choose(self, format: str, file: Path, count: int, out: Path, json: bool, **_: Any) -> dict:
        chosen = people.chosen(people.formats()[format][1], file, count)
        if not chosen:
            raise CommandError(f"No game of the format {format} is in {file.name}.")
        people.write(chosen, out)
        if not json:
            self.stdout.write(f"{len(chosen)} games in {out}.")
        return {"games": [row["id"] for row in chosen], "file": str(out)}

    def delete(self, format: str, json: bool, **_: Any) -> dict:
        from webapp.datasets import recorded

        gone = recorded.delete(format, None)
        if not json:
            self.stdout.write(f"{gone['games']} games and {gone['marks']} marks on them are deleted.")
        return gone

    def clip(self, out: Path, json: bool, **asked: Any) -> dict:
        """Reports like a training program (engine.learning.run.reporting), and stops at SIGTERM."""
        from engine.learning.run.reporting import STOPPED, Reporter, Stopped
        from webapp.episodes import clips
        from webapp.episodes.stores import log_store

        reporter = Reporter(stream=sys.stdout)
        signal.signal(signal.SIGTERM, reporter.stop)
        asked = asked["config"] or asked
        episode = episode_of(asked.get("episode"))
        if asked.get("last") is None:
            asked = {**asked, "last": clips.usual_end(episode)}
        try:
            views = (*map(str, range(len(episode.seats))), "open")
            settings = clips.checked(episode, views, asked)
            result = clips.draw(log_store().read(episode.pk), settings, clips.pace(episode), out, reporter)
        except Stopped:
            sys.exit(STOPPED)
        except FileNotFoundError as error:
            raise CommandError(str(error)) from None
        reporter.result(**result)
        return result

    def utility(self, json: bool, config: dict[str, Any] | None, **asked: Any) -> dict:
        """For a worker it reports like a training program (engine.learning.run.reporting)."""
        from engine.learning.run.reporting import Reporter
        from webapp.annotation import utility
        from webapp.episodes.stores import log_store

        episode = episode_of((config or asked).pop("episode"))
        try:
            settings = config or self.utility_settings(episode, **asked)
            result = utility.draw(log_store().read(episode.pk), settings)
        except (ValueError, FileNotFoundError) as error:
            raise CommandError(str(error)) from None
        if config:
            Reporter(stream=sys.stdout).result(**result)
            return result
        if not json:
            curve = result["told"] or result["recorded"]
            for tick, value in zip(curve["ticks"], curve["mean"], strict=True):
                self.stdout.write(f"{tick:6d}  {value:+.4f}")
        names = ("seat", "reward_model", "sha256", "instruction", "reading")
        return {"episode": str(episode.pk), **{name: settings[name] for name in names}, **result}

    def rank(self, json: bool, config: dict[str, Any] | None, game: str, **_: Any) -> dict:
        """For a worker it says some of what is due, like a training program (engine.learning.run.reporting);
        for a person it does all of it.
        """
        from engine.learning.run.reporting import Reporter
        from webapp.annotation import utility, worth

        if config is not None:
            if config.get("game") not in games.names():
                raise CommandError(f"A game is one of {', '.join(games.names())}.")
            reporter = Reporter(stream=sys.stdout)
            made = worth.measured(config["game"], lambda text: reporter.log(text, "warning"))
            reporter.result(**made)
            return made
        if worth.newest(game) is None:
            raise CommandError(utility.NO_MODEL.format(title=games.spec(game).title))
        ranked = unread = 0
        while found := (made := worth.measured(game, self.stderr.write))["found"]:
            worth.keep(made)
            ranked += sum(one["value"] is not None for one in found)
            unread += sum(one["value"] is None for one in found)
        if not json:
            self.stdout.write(f"{ranked} episodes ranked; {unread} that no reward model can read.")
        return {"game": game, "ranked": ranked, "unread": unread}

    def utility_settings(
        self, episode: Episode, reward_model: str | None, seat: int, instruction: str, **_: Any
    ) -> dict[str, Any]:
        """What a person typed, as `utility.draw` takes it. Raises CommandError and Refusal."""
        from webapp.annotation import utility

        if not reward_model:
            raise CommandError("Name a reward model: --reward-model round-3, or a folder.")
        model = utility.model_called(episode, reward_model)
        told = utility.understood(episode, instruction)
        made = {"reward_model": reward_model, "folder": str(model.folder), "sha256": model.sha256}
        return {"seat": seat, **made, **told}


def episode_of(asked: object) -> Episode:
    """The episode with this id, or with the only one that begins so; raises CommandError."""
    try:
        digits = command_line.uuid_or_part(str(asked)).replace("-", "")
    except ArgumentTypeError:
        raise CommandError("There is no such episode.") from None
    ends = [UUID(digits.ljust(32, filling)) for filling in "0f"]
    found = Episode.objects.filter(pk__range=ends)[:4]
    if not found:
        raise CommandError(f"There is no episode {asked}.")
    if len(found) > 1:
        some = ", ".join(str(one.pk) for one in found[:3])
        raise CommandError(f"Several episodes begin with {asked}, as {some}: give more of the id.")
    return found[0]

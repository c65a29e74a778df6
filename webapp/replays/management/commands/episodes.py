"""`manage.py episodes verify | list | simulate | clip`: check, list and make episodes, draw a part of one."""

from __future__ import annotations

import json
import signal
import sys
import uuid
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.config.prepare import ensure_tables
from webapp.replays.models import Episode


class Command(BaseCommand):
    help = "Verify episode logs, list episodes, or make clearly labelled simulated ones."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        verify = commands.add_parser("verify", help="Re-simulate logs and compare digests.")
        verify.add_argument("episode", nargs="*", type=uuid.UUID, help="only these episodes")
        listing = commands.add_parser("list", help="List episodes, newest first.")
        listing.add_argument("--game")
        listing.add_argument("--source", choices=["play", "simulated", "import"])
        listing.add_argument("--limit", type=int, default=50)
        simulate = commands.add_parser("simulate", help="Let agents play, and label it so.")
        simulate.add_argument("--game", default="hanabi")
        simulate.add_argument("--count", type=int, default=10, help="games (default 10)")
        simulate.add_argument(
            "--agents", default="champion", help="refs or aliases by seat, separated by commas"
        )
        simulate.add_argument("--layout", help="of games that have layouts; short for --options")
        simulate.add_argument(
            "--mistakes",
            type=float,
            help="share of random moves (default: 0, or 0.1 where all games begin alike)",
        )
        simulate.add_argument("--seed", type=int, default=0, help="seed of the first game")
        simulate.add_argument("--options", default="{}", help='the game\'s options as JSON: {"players": 3}')
        simulate.add_argument(
            "--annotators",
            choices=["none", "simulated"],
            default="none",
            help="let two simulated annotators mark every episode",
        )
        clip = commands.add_parser("clip", help="Draw a part of an episode as GIF or MP4.")
        clip.add_argument("--config", type=Path, help="JSON file with all of it (what a worker gives)")
        clip.add_argument("--episode", type=uuid.UUID)
        clip.add_argument("--first", type=int, default=0, help="the first tick (default 0)")
        clip.add_argument("--last", type=int, help="the last tick")
        clip.add_argument("--view", default="open", help='a seat, from 0 on, or "open" (default): everything')
        clip.add_argument("--format", choices=["gif", "mp4"], default="gif")
        clip.add_argument("--out", type=Path, required=True, help="folder for clip.gif or clip.mp4")
        for one in (verify, listing, simulate, clip):
            one.add_argument("--json", action="store_true", help="print one JSON object last")

    def handle(self, *args, command: str, **options) -> None:
        ensure_tables(self.stderr.write)
        result = getattr(self, command)(**options)
        if options["json"]:
            self.stdout.write(json.dumps(result))
        if result.get("problems"):
            raise CommandError(f"{len(result['problems'])} of {result['episodes']} episodes have problems.")

    def verify(self, episode: list[uuid.UUID], json: bool, **_) -> dict:
        from webapp.replays.verify import problems_of

        rows = Episode.objects.order_by("started_at")
        rows = rows.filter(pk__in=episode) if episode else rows
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

    def list(self, game: str | None, source: str | None, limit: int, json: bool, **_) -> dict:
        rows = Episode.objects.all()
        rows = rows.filter(game=game) if game else rows
        rows = rows.filter(source=source) if source else rows
        found = [
            {
                "episode": str(row.pk),
                "game": row.game,
                "status": row.status,
                "source": row.source,
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
        self, game: str, count: int, agents: str, seed: int, annotators: str, json: bool, **rest
    ) -> dict:
        from engine.agents.catalogue import BadAgent
        from engine.agents.policy import Unsupported
        from engine.evaluation.annotators import Annotator
        from engine.simulation.spec import OptionError
        from webapp.replays import simulated

        refs = [ref.strip() for ref in agents.split(",") if ref.strip()]
        if count < 1:
            raise CommandError(f"--count is {count}; it must be 1 or more.")
        mistakes = rest["mistakes"]
        if mistakes is not None and not 0 <= mistakes <= 1:
            raise CommandError(f"--mistakes is {mistakes}; it is a share, from 0 to 1.")
        options = parse_options(rest["options"])
        options |= {"layout": rest["layout"]} if rest["layout"] else {}
        try:
            made = simulated.simulate(game, count, refs, seed, options, mistakes)
        except (BadAgent, OptionError, Unsupported) as error:
            raise CommandError(str(error)) from None
        marks = 0
        if annotators == "simulated":
            raters = [Annotator(), Annotator("hasty", threshold=0.8, delay_mean=0.5, delay_sd=0.5, miss=0.2)]
            marks = sum(simulated.annotate_with(episode, raters, seed) for episode in made)
        scores = [episode.score for episode in made]
        mean = sum(scores) / len(scores)
        if not json:
            self.stdout.write(f"{count} simulated episodes, mean score {mean:.2f}, {marks} simulated marks.")
        ids = [str(episode.pk) for episode in made]
        return {"episodes": ids, "mean_score": mean, "marks": marks, "source": simulated.SOURCE}

    def clip(self, out: Path, json: bool, **asked) -> dict:
        """Reports like a training program (engine.learning.reporting), and stops at SIGTERM."""
        from engine.learning.reporting import STOPPED, Reporter, Stopped
        from engine.simulation.log import LogError
        from webapp.replays import clips
        from webapp.replays.stores import log_store

        reporter = Reporter(stream=sys.stdout)
        signal.signal(signal.SIGTERM, reporter.stop)
        if asked["config"]:
            asked = load_json(asked["config"])
        episode = Episode.objects.filter(pk=asked["episode"]).first()
        if episode is None:
            raise CommandError("There is no such episode.")
        try:
            views = (*map(str, range(len(episode.seats))), "open")
            settings = clips.checked(episode, views, asked)
            result = clips.draw(log_store().read(episode.pk), settings, clips.pace(episode), out, reporter)
        except Stopped:
            sys.exit(STOPPED)
        except (clips.Refused, LogError, FileNotFoundError) as error:
            raise CommandError(str(error)) from None
        reporter.result(**result)
        return result


def load_json(path: Path) -> dict:
    return json.loads(path.read_text())


def parse_options(text: str) -> dict:
    try:
        options = json.loads(text)
    except ValueError as error:
        raise CommandError(f"--options is not JSON: {error}") from None
    if not isinstance(options, dict):
        raise CommandError("--options must be a JSON object.")
    return options

"""`manage.py datasets list|snapshot|export|import|corrections`: snapshots, and corrected readings, from the
command line; `pack` and `take` are exports and imports that a page asked for.
"""

from __future__ import annotations

import json
import shutil
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db.models import Manager, Model

from engine import command_line, language
from engine.learning.run.reporting import STOPPED, Reporter, Stopped
from engine.refusal import Refusal
from webapp.accounts.models import User
from webapp.common.commands import CoplayCommand
from webapp.common.tables import ensure_tables
from webapp.datasets import corrections, importing, snapshot_files, snapshots
from webapp.datasets.models import Snapshot
from webapp.datasets.selection import Filters

R = TypeVar("R", bound=Model)


def telling(reporter: Reporter, first: int, last: int) -> Callable[[int, int], None]:
    """What a piece of work calls that goes from `first` to `last` percent of a job: it says how far that is,
    each percent once, and stops when asked to.
    """
    told = [first - 1]

    def tell(done: int, total: int) -> None:
        if reporter.stopping:
            raise Stopped
        percent = first + (last - first) * done // max(1, total)
        if percent != told[0]:
            told[0] = percent
            reporter.progress(percent, 100)

    return tell


def named(rows: Manager[R], key: object) -> R | None:
    """The row with this key, whatever a config holds in its place."""
    try:
        return rows.filter(pk=key).first()
    except (ValidationError, ValueError, TypeError):
        return None


class Command(CoplayCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        listing = commands.add_parser("list", help="Every snapshot")
        snapshot = commands.add_parser(
            "snapshot", help="Make a snapshot of episodes and marks (the first job of a round)"
        )
        snapshot.add_argument(
            "--config",
            type=command_line.json_object_file,
            required=True,
            help='JSON file: {"filters": {…}}; with "snapshot" it gets that id',
        )
        snapshot.add_argument("--out", required=True, type=command_line.new_folder)
        export = commands.add_parser("export", help="Write a snapshot as a zip file")
        export.add_argument(
            "snapshot", type=command_line.name, help="id, or the beginning of its sha256 (4 digits or more)"
        )
        export.add_argument("--out", type=command_line.new_file, required=True, help="the zip file to write")
        importer = commands.add_parser("import", help="Import the zip file of another Coplay")
        importer.add_argument("file", type=command_line.file)
        for name, what in (("pack", '{"snapshot": id}'), ("take", '{"file": path, "user": id}')):
            job = commands.add_parser(name, help=f"What a page's job runs: --config FILE with {what}")
            job.add_argument("--config", type=command_line.json_object_file, required=True)
            job.add_argument("--out", type=command_line.new_folder, required=True)
        corrected = commands.add_parser(
            "corrections",
            help="Write players' corrections of readings, one JSON object per line: the text, the reading "
            "that was offered first, what the player chose or typed instead, the time, the pseudonym",
        )
        corrected.add_argument("--out", type=command_line.new_file, required=True, help="the file to write")
        corrected.add_argument("--game", choices=language.games(), default="", help="of this game only")
        for command in (listing, export, importer, corrected):
            command.add_argument("--json", action="store_true", help="Print one JSON object")

    def handle(self, *args, **options) -> None:
        ensure_tables(self.stderr)
        try:
            answer = getattr(self, f"do_{options['command']}")(options)
        except Stopped:
            sys.exit(STOPPED)
        if answer is not None:
            self.stdout.write(json.dumps(answer) if options["json"] else json.dumps(answer, indent=2))

    def do_list(self, options: dict) -> dict:
        return {"snapshots": [snapshots.summary(one) for one in Snapshot.objects.all()]}

    def do_snapshot(self, options: dict) -> None:
        """Reports like a training program (engine.learning.run.reporting), and stops at SIGTERM."""
        reporter = self.reporter()
        asked, filters = (options["config"].get(name) for name in ("snapshot", "filters"))
        if not isinstance(filters, dict):
            raise CommandError('The config of a snapshot has {"snapshot": id, "filters": {…}}.')
        try:
            snapshot_id = str(UUID(str(asked)) if asked is not None else uuid4())
        except ValueError:
            raise CommandError(f"The config's snapshot is {str(asked)[:80]!r}; it must be an id.") from None
        folder = Path(settings.SNAPSHOTS_DIR) / snapshot_id
        # What a first attempt has frozen stays.
        manifest = snapshots.frozen(snapshot_id) or snapshot_files.write(
            Filters.from_json(filters), folder, telling(reporter, 0, 80)
        )
        snapshots.register(snapshot_id, None, telling(reporter, 80, 100), manifest)
        counts = manifest["counts"]
        reporter.log(f"{counts['episodes']} episodes, {counts['marks']} marks, {counts['raters']} raters")
        for episode, sentence in manifest.get("left_out", {}).items():
            reporter.log(f"Left out: episode {episode}. {sentence}", "warning")
        reporter.result(folder=snapshot_id, sha256=manifest["sha256"], **counts)

    def reporter(self) -> Reporter:
        found = Reporter(stream=sys.stdout)
        signal.signal(signal.SIGTERM, found.stop)
        return found

    def do_pack(self, options: dict) -> None:
        reporter = self.reporter()
        snapshot = named(Snapshot.objects, options["config"].get("snapshot"))
        if snapshot is None:
            raise Refusal("The snapshot isn't there any more.")
        path = snapshots.export(snapshot, telling(reporter, 0, 100))
        reporter.result(snapshot=str(snapshot.pk), bytes=path.stat().st_size)

    def do_take(self, options: dict) -> None:
        reporter, asked = self.reporter(), options["config"]
        user = named(User.objects, asked.get("user"))
        path = Path(str(asked.get("file")))
        try:
            reporter.result(**importing.import_zip(path, user, partial(telling, reporter)))
        except Refusal:
            path.unlink(missing_ok=True)  # nobody can use it
            raise
        path.unlink(missing_ok=True)

    def do_export(self, options: dict) -> dict:
        wanted = options["snapshot"]
        found = [
            one
            for one in Snapshot.objects.all()
            if str(one.pk) == wanted or len(wanted) >= 4 and one.sha256.startswith(wanted)
        ]
        # Snapshots with one checksum are one and the same.
        if len({one.sha256 for one in found}) != 1:
            raise CommandError(f"{len(found)} snapshots match {wanted!r}; see `./manage.py datasets list`.")
        shutil.copyfile(snapshots.export(found[0]), options["out"])
        return {"file": str(options["out"]), **snapshots.summary(found[0])}

    def do_corrections(self, options: dict) -> dict:
        found = [json.dumps(row, ensure_ascii=False) for row in corrections.rows(options["game"])]
        options["out"].write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
        return {"file": str(options["out"]), "corrections": len(found)}

    def do_import(self, options: dict) -> dict:
        return importing.import_zip(options["file"])

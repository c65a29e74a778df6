"""`manage.py restore FOLDER`: what `backup` wrote, in this site's place. Nothing else may run on it."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import DatabaseError

from engine import command_line
from webapp.accounts.models import User
from webapp.common.commands import CoplayCommand
from webapp.config import backup


class Command(CoplayCommand):
    help = __doc__
    alone = True
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=command_line.folder, help="what `backup` wrote")
        parser.add_argument("--replace", action="store_true", help="even if this site has people")
        parser.add_argument("--json", action="store_true", help="Print one JSON object last")

    def handle(self, *args, **options) -> None:
        people = 0 if options["replace"] else self.people()
        if people:
            raise CommandError(
                f"This site has {people} people, and a restore replaces all that it has. Say --replace if "
                "that is meant."
            )
        manifest = backup.restore(options["folder"])
        if options["json"]:
            self.stdout.write(json.dumps({"made": manifest["made"], "files": len(manifest["files"])}))
            return
        self.stdout.write(f"Restored, as it was on {manifest['made'][:16].replace('T', ' at ')} UTC.")
        if backup.is_other_key(manifest):
            self.stdout.write(
                "This site's COPLAY_SECRET_KEY is another one: everybody signs in again, and the key of a "
                "language model has to be typed in again."
            )
        self.stdout.write(
            "Now run `./manage.py prepare`; `./manage.py episodes verify` replays every episode."
        )

    def people(self) -> int:
        try:
            return User.objects.count()
        except DatabaseError:
            return 0

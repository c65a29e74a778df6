"""`manage.py signin NAME`: print a one-time sign-in link for a person, or for player, annotator or admin."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError

from engine import command_line
from webapp.accounts.links import house_person, make_sign_in_link
from webapp.accounts.models import ROLES, User
from webapp.common.commands import CoplayCommand
from webapp.common.tables import ensure_tables


class Command(CoplayCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "name",
            type=command_line.words(150),
            help=f"a user name, or one of {', '.join(ROLES)} (made when missing)",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args, **options) -> None:
        ensure_tables(self.stderr)
        name = options["name"]
        user = house_person(name) if name in ROLES else User.objects.filter(username=name).first()
        if user is None or not user.is_active:
            raise CommandError(f"There is nobody called {name!r} who may sign in.")
        link = make_sign_in_link(user)
        self.stdout.write(json.dumps({"name": name, "link": link}) if options["json"] else link)

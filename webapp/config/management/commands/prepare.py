"""`manage.py prepare`: migrate, load the shipped agents, compile the games. Safe to repeat."""

from __future__ import annotations

from argparse import ArgumentParser

from webapp.common.commands import CoplayCommand
from webapp.config import prepare


class Command(CoplayCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--first",
            action="store_true",
            help="only what the first page needs; `warm --left` compiles the rest",
        )

    def handle(self, *args, **options) -> None:
        prepare.prepare(self.stdout.write, first=options["first"])

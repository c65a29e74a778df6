"""`manage.py bench`: how fast things are and whether anything breaks (tools/bench)."""

from argparse import REMAINDER, ArgumentParser

from django.conf import settings
from django.core.management import CommandError

from webapp.common.commands import CoplayCommand

if (settings.BASE_DIR / "tools").is_dir():
    from tools.bench.command import Command
else:

    class Command(CoplayCommand):
        help = "Measure how fast things are (not here: it needs the folder tools/ of the repository)."
        requires_system_checks: list[str] = []

        def add_arguments(self, parser: ArgumentParser) -> None:
            parser.add_argument("command", nargs=REMAINDER)

        def handle(self, *args, **options) -> None:
            raise CommandError("Benchmarks need the folder tools/ of the repository, which isn't here.")


__all__ = ["Command"]

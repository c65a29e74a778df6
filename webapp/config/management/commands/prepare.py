"""`manage.py prepare`: migrate, load the shipped agents, compile the games. Safe to repeat."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from webapp.config import prepare


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def handle(self, *args, **options) -> None:
        prepare.prepare(self.stdout.write)

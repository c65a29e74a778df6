"""`manage.py read --game hanabi "TEXT" --json`: what an agent understands from an instruction. Needs no
database.

For Arena, "goals" is the same in the sub-goals of Table 7 of the OpenContra paper: {name: value}.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine import language
from engine.language import arena


class Command(BaseCommand):
    help = "Show how an instruction to an agent is read."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", help="the instruction, in quotes")
        parser.add_argument("--game", required=True, help=", ".join(language.games()))
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            reading = language.read(options["game"], options["text"])
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            found = reading.as_json()
            if options["game"] == "overcooked":
                found["subgoals"] = (reading.program or {}).get("goals", [])
            if options["game"] == "arena":
                found["goals"] = arena.subgoals(reading.program) if reading.program else {}
            self.stdout.write(json.dumps(found, ensure_ascii=True))
            return
        self.stdout.write(reading.sentence)
        if reading.unread:
            self.stdout.write("Not read: " + ", ".join(reading.unread))
        for other in reading.alternatives:
            self.stdout.write("Or: " + other["sentence"])

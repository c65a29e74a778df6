"""`manage.py read --game hanabi "TEXT" --json`: what an agent understands from an instruction. Needs no
database.

`--file F` reads one instruction a line and prints a JSON list. The JSON also has the reading as the bank of
phrasings of its game writes it: conventions ("yes", "no"), "subgoals", or "goals" {name: value} (those of
Table 7 of the OpenContra paper, which are found apart from the program).
Where a language model is configured, or named by `--model`, it is asked as well (engine.language.second);
"model" says who read.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from engine import language
from engine.language import labels, second
from engine.language.decisions.settings import Settings
from webapp.common.commands import CoplayCommand
from webapp.language import site
from webapp.language.lines import add_arguments, lines_of


class Command(CoplayCommand):
    help = "Show the reading of an instruction."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text", nargs="?", help="the instruction, in quotes")
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["text"] is None) == (options["file"] is None):
            raise CommandError("Give one instruction in quotes, or --file with one a line.")
        try:
            settings = site.named(options["model"])
            if options["file"] is not None:
                readings = [read(options["game"], line, settings) for line in lines_of(options["file"])]
                self.stdout.write(json.dumps(readings, ensure_ascii=True))
                return
            readings = read(options["game"], options["text"], settings)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(readings, ensure_ascii=True))
            return
        self.stdout.write(readings["sentence"])
        if not readings["refused"]:
            self.stdout.write(f"Confidence: {readings['confidence']:.2f}")
        for name, value in readings.get("goals", {}).items():
            self.stdout.write(f"  {name}: {value}")
        if readings["unread"]:
            self.stdout.write("Not read: " + ", ".join(readings["unread"]))
        for other in readings["alternatives"]:
            self.stdout.write("Or: " + other["sentence"])
        if settings.provider != "embedded":
            self.stdout.write(f"Read by {readings['model']}.")
        if readings["notice"]:
            self.stdout.write(readings["notice"])


def read(game: str, text: str, settings: Settings) -> dict[str, Any]:
    """The reading as JSON, also as the banks of phrasings write it, and who read."""
    model, notice = "embedded", ""
    if settings.provider == "embedded":
        reading = language.read(game, text)
    else:
        opinion = second.opinion(game, text, settings)
        reading = second.applied(game, text, opinion)
        model, notice = opinion.model or model, opinion.notice
    result = reading.as_json() | {"model": model, "notice": notice}
    return result | (labels.labelled(game, text) or labels.row_of(game, reading.program))

"""`manage.py prior --game hanabi --instruction TEXT --json`: an instruction as yes/no answers. Needs no
database. Without `--json` the table is drawn in characters; `--file F` takes an instruction a line.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from engine import language
from engine.language.decide import ask
from engine.language.decisions.settings import Settings
from engine.language.heat_map import heat_map
from webapp.common.commands import CoplayCommand
from webapp.language import site
from webapp.language.lines import add_arguments, lines_of


class Command(CoplayCommand):
    help = "Compute an instruction's answer to every question of a game (what the partner did, what to do)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--instruction", help="the instruction, in quotes")
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        game, instruction = options["game"], options["instruction"]
        if (instruction is None) == (options["file"] is None):
            raise CommandError("Give --instruction in quotes, or --file with one a line.")
        try:
            settings = site.named(options["model"])
            if options["file"] is not None:
                # A megabyte a line, so not all at once.
                at = -1
                for at, line in enumerate(lines_of(options["file"])):
                    answers = json.dumps(self.answers(game, line, settings), ensure_ascii=True)
                    self.stdout.write("[" if at == 0 else ",", ending="")
                    self.stdout.write(answers)
                self.stdout.write("]" if at >= 0 else "[]")
                return
            result = self.answers(game, instruction, settings)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=True))
            return
        self.stdout.write(result["sentence"])
        if not result["refused"]:
            self.stdout.write(f"Confidence: {result['confidence']:.2f}")
        for other in result["alternatives"]:
            self.stdout.write("Or: " + other["sentence"])
        if asked := result["questions"]:
            self.stdout.write(f"{result['yes']} yes, {result['no']} no, by {result['model']}.\n")
            self.stdout.write(heat_map(asked, [question["yes"] for question in asked]))
        if result["notice"]:
            self.stdout.write(result["notice"])

    def answers(self, game: str, instruction: str, settings: Settings) -> dict[str, Any]:
        """The reading of an instruction and what every question of the game is answered."""
        reading = language.read(game, instruction)
        asked = language.questions(game)
        questions: list[dict[str, Any]] = []
        model, notice = settings.provider, ""
        if not reading.refused:
            decision = ask({"game": game, "instruction": instruction}, asked, settings, self.progress)
            model, notice = decision.model, decision.notice
            chances = decision.probabilities
            questions = [
                {**question, "yes": int(p > 0.5)} for question, p in zip(asked, chances, strict=True)
            ]
        yes = sum(question["yes"] for question in questions)
        return {
            "refused": reading.refused,
            "reading": None if reading.refused else reading.sentence,
            "sentence": reading.sentence,
            "confidence": reading.confidence,
            "alternatives": reading.alternatives,
            "program": reading.program,
            "model": model,
            "notice": notice,
            "yes": yes,
            "no": len(questions) - yes,
            "questions": questions,
        }

    def progress(self, done: int, total: int) -> None:
        """On standard error, rewritten in place, where somebody is watching."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {total} answered", ending="\n" if done == total else "")

"""`manage.py prior --game hanabi --instruction TEXT --json`: an instruction as yes/no answers. Needs no
database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine import language
from engine.language.decide import ask
from engine.language.decisions.settings import PROVIDERS, Settings, environment, from_environment
from webapp.language import site


class Command(BaseCommand):
    help = "Answer every (what the partner did, what to do) question of a game for an instruction."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", required=True, help=", ".join(language.games()))
        parser.add_argument("--instruction", required=True, help="the instruction, in quotes")
        parser.add_argument(
            "--model",
            choices=[*PROVIDERS, "site"],
            help="who answers: a kind of model, or what admins have set for the site; by default what the "
            "environment says, which is the embedded model if it says nothing",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        game, instruction = options["game"], options["instruction"]
        try:
            settings = self.settings(options["model"])
            reading = language.read(game, instruction)
            asked = language.questions(game)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        answers: list[dict[str, Any]] = []
        model, notice = settings.provider, ""
        if not reading.refused:
            decision = ask({"game": game, "instruction": instruction}, asked, settings, self.progress)
            model, notice = decision.model, decision.notice
            said = decision.probabilities
            answers = [{**question, "yes": int(p > 0.5)} for question, p in zip(asked, said, strict=True)]
        yes = sum(a["yes"] for a in answers)
        if options["json"]:
            out = {
                "refused": reading.refused,
                "reading": None if reading.refused else reading.sentence,
                "sentence": reading.sentence,
                "program": reading.program,
                "model": model,
                "notice": notice,
                "yes": yes,
                "no": len(answers) - yes,
                "questions": answers,
            }
            self.stdout.write(json.dumps(out, ensure_ascii=True))
            return
        self.stdout.write(reading.sentence)
        if answers:
            self.stdout.write(f"{yes} yes, {len(answers) - yes} no, by {model}.")
        if notice:
            self.stdout.write(notice)

    def settings(self, model: str | None) -> Settings:
        if model == "site":
            return site.current()
        if model is None:
            return from_environment()
        return Settings(**environment() | {"provider": model})

    def progress(self, done: int, total: int) -> None:
        """On standard error, rewritten in place, where somebody is watching."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{done} of {total} answered", ending="\n" if done == total else "")

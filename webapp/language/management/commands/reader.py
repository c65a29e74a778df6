"""`manage.py reader show|train|restore`: the model behind the readers, trained on what players corrected."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.language import meaning
from webapp.config.prepare import ensure_tables
from webapp.datasets import corrections


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        show = commands.add_parser("show", help="Which model reads, and what it was trained on")
        train = commands.add_parser(
            "train",
            help="Train it on what players corrected; it replaces the one in use if it reads no worse "
            "(minutes on two cores)",
        )
        train.add_argument(
            "--file", type=Path, help="corrections that `datasets corrections` wrote elsewhere"
        )
        train.add_argument("--epochs", type=int, default=None, help="times that everything is gone through")
        train.add_argument("--dry-run", action="store_true", help="compare only; change nothing")
        restore = commands.add_parser("restore", help="Read with the model that Coplay ships again")
        for command in (show, train, restore):
            command.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        answer = getattr(self, f"do_{options['command']}")(options)
        self.stdout.write(json.dumps(answer, indent=None if options["json"] else 2))

    def do_show(self, options: dict[str, Any]) -> dict[str, Any]:
        own = meaning.own_file()
        if not own.exists():
            return {"model": "shipped", **meaning.model().about["card"]}
        try:
            return {"model": "trained here", **meaning.Model(own).about["card"]}
        except ValueError as problem:
            raise CommandError(
                f"{problem} The shipped model reads instead; `manage.py reader restore` puts this file aside."
            ) from None

    def do_restore(self, options: dict[str, Any]) -> dict[str, Any]:
        own = meaning.own_file()
        if not own.exists():
            return {"model": "shipped"}
        aside = own.with_suffix(".aside.safetensors")
        own.replace(aside)
        return {"model": "shipped", "put_aside": str(aside)}

    def do_train(self, options: dict[str, Any]) -> dict[str, Any]:
        from engine.learning import corrected  # imports torch

        epochs = corrected.EPOCHS if options["epochs"] is None else options["epochs"]
        if not 1 <= epochs <= 50:
            raise CommandError(f"--epochs is 1 to 50; it was {epochs}.")
        own = meaning.own_file()
        new = own.with_suffix(".new.safetensors")
        own.parent.mkdir(parents=True, exist_ok=True)
        try:
            found = corrected.train(self._corrections(options["file"]), new, epochs, self.stderr.write)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        found["replaced"] = bool(found["better"]) and not options["dry_run"]
        if found["replaced"]:
            new.replace(own)
        else:
            new.unlink()
        return found

    def _corrections(self, file: Path | None) -> list[dict[str, Any]]:
        if file is None:
            ensure_tables(self.stderr.write)
            return list(corrections.rows())
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
            return [json.loads(line) for line in lines if line.strip()]
        except (OSError, ValueError) as problem:
            raise CommandError(f"{file} can't be read as corrections: {problem}") from None

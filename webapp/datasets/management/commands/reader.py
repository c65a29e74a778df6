"""`manage.py reader show|train|restore`: the model that reads, trained on what players corrected."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from engine import checked_json, command_line
from engine.agents.files import write_atomically
from engine.language import bank, model
from engine.language.languages import declared_languages
from webapp.common.commands import CoplayCommand
from webapp.common.tables import ensure_tables
from webapp.datasets import corrections


class Command(CoplayCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        show = commands.add_parser("show", help="Which model reads, and what it was trained on")
        train = commands.add_parser(
            "train",
            help="Train it on players' corrections; it replaces the one in use if it reads no worse "
            "(minutes on two cores)",
        )
        train.add_argument(
            "--file", type=command_line.file, help="corrections that `datasets corrections` wrote elsewhere"
        )
        train.add_argument("--epochs", type=command_line.whole(1, 50), help="number of epochs")
        train.add_argument("--dry-run", action="store_true", help="compare only; change nothing")
        restore = commands.add_parser("restore", help="Use the shipped model again")
        for command in (show, train, restore):
            command.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        answer = getattr(self, f"do_{options['command']}")(options)
        self.stdout.write(json.dumps(answer, indent=None if options["json"] else 2))

    def do_show(self, options: dict[str, Any]) -> dict[str, Any]:
        own = model.own_file()
        if not own.exists():
            return {"model": "shipped", **model.shipped().about["card"]}
        try:
            return {"model": "trained here", **model.Model(declared_languages(), weights=own).about["card"]}
        except ValueError as problem:
            raise CommandError(
                f"{problem} The shipped model reads; `./manage.py reader restore` puts this file aside."
            ) from None

    def do_restore(self, options: dict[str, Any]) -> dict[str, Any]:
        found = [path for path in (model.own_file(), bank.own_file()) if path.exists()]
        aside = [path.with_suffix(f".aside{path.suffix}") for path in found]
        for path, other in zip(found, aside, strict=True):
            path.replace(other)
        return {"model": "shipped", **({"put_aside": [str(path) for path in aside]} if aside else {})}

    def do_train(self, options: dict[str, Any]) -> dict[str, Any]:
        from engine.learning import corrected  # imports torch

        epochs = corrected.EPOCHS if options["epochs"] is None else options["epochs"]
        own = model.own_file()
        new = own.with_suffix(".new.safetensors")
        try:
            corrections = self._corrections(options["file"])
            found = corrected.train(corrections, new, epochs, self.stderr.write)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        found["replaced"] = bool(found["better"]) and not options["dry_run"]
        if found["replaced"]:
            new.replace(own)
        else:
            new.unlink()
        if not options["dry_run"]:
            write_atomically(bank.own_file(), corrected.lines(corrected.rows(corrections)).encode())
        return found

    def _corrections(self, file: Path | None) -> list[dict[str, Any]]:
        if file is None:
            ensure_tables(self.stderr)
            return list(corrections.rows())
        found = []
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    found.append(checked_json.parse_object(line, f"Line {number} of {file}"))
        return found

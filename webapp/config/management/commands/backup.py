"""`manage.py backup FOLDER`: the whole site in a new folder, while it runs."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from engine import command_line
from webapp.common.commands import CoplayCommand
from webapp.config import backup


class Command(CoplayCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=command_line.new_folder, help="a folder that isn't there yet")
        parser.add_argument("--json", action="store_true", help="Print one JSON object last")

    def handle(self, *args, **options) -> None:
        manifest = backup.write(options["folder"])
        size = sum(file["bytes"] for file in manifest["files"].values())
        answer = {"folder": str(options["folder"]), "files": len(manifest["files"]), "bytes": size}
        if options["json"]:
            self.stdout.write(json.dumps(answer))
            return
        self.stdout.write(
            f"{answer['files']} files, {size / 1e6:,.1f} MB in {answer['folder']}. It holds hashes of "
            "passwords and perhaps the secret key: keep it where nobody else reads it."
        )

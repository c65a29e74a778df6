"""`manage.py doctor`: what is installed, reachable, compiled; what to do about what is not."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict

from webapp.common.commands import CoplayCommand
from webapp.config import doctor

SIGN = {doctor.GOOD: "ok ", doctor.NOTE: "-- ", doctor.BAD: "!! "}


class Command(CoplayCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args, **options) -> None:
        findings = doctor.examine()
        healthy = all(finding.state != doctor.BAD for finding in findings)
        if options["json"]:
            report = {"healthy": healthy, "findings": [asdict(finding) for finding in findings]}
            self.stdout.write(json.dumps(report))
        else:
            for finding in findings:
                self.stdout.write(f"{SIGN[finding.state]} {finding.name:<15} {finding.text}")
                if finding.cure:
                    self.stdout.write(f"    {'':<15} → {finding.cure}")
        if not healthy:
            sys.exit(1)

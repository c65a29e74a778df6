"""Odd input to everything, in a process of its own with a database and files in a temporary folder, so that
no site's data are ever met. `manage.py bench fuzz` starts it; `python -m tools.fuzzing.alone` is it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.refusal import Refusal
from tools.fuzzing import Report

ROOT = Path(__file__).resolve().parents[2]


def fuzz(seconds: float, seed: int) -> dict[str, Any]:
    """{"routes": {"tried", "faults": [sentence]}, "messages": …, "commands": …}, found by a child process."""
    command = [sys.executable, "-m", __name__, "--seconds", str(seconds), "--seed", str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise Refusal(f"The run ended before its time: {last[:300].rstrip('.')}.") from None


def everything(seconds: float, seed: int) -> dict[str, Report]:
    """Each part for its share of the time, on this database, which is full of nonsense afterwards."""
    from tools.fuzzing import commands, messages, routes, world

    site, share = world.build(), seconds / 3
    return {
        "messages": messages.run(share, seed, site),
        "routes": routes.run(share, seed, site),
        # The last: `prepare --first` says of games that they are still to be compiled.
        "commands": commands.run(share, seed),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    from engine.simulation.code_cache import CACHE_FOLDER  # the site's: what is compiled is compiled

    for name in [name for name in os.environ if name.startswith("COPLAY_")]:
        del os.environ[name]
    os.environ["NUMBA_CACHE_DIR"] = str(CACHE_FOLDER)
    with tempfile.TemporaryDirectory(prefix="coplay-fuzz-", ignore_cleanup_errors=True) as folder:
        os.environ |= {"COPLAY_VAR": folder, "COPLAY_LOG_LEVEL": "ERROR"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.config.settings"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        results = everything(options.seconds, options.seed)
    print(json.dumps({name: asdict(report) for name, report in results.items()}))


if __name__ == "__main__":
    main()

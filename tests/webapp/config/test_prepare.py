"""Commands that work on the database, started before anything prepared one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from engine.simulation.code_cache import CACHE_FOLDER


def manage(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    keep = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
    env = {**keep, "COPLAY_VAR": str(folder), "NUMBA_CACHE_DIR": str(CACHE_FOLDER), **environment}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True)


def test_a_command_prepares_an_empty_database_by_itself(tmp_path):
    done = manage(tmp_path, "agents", "list", "--json")
    assert done.returncode == 0, done.stderr
    assert "hanabi/convention-bot" in json.dumps(json.loads(done.stdout))


def test_with_production_settings_an_empty_database_is_refused_with_a_sentence(tmp_path):
    done = manage(
        tmp_path,
        "agents",
        "list",
        "--json",
        COPLAY_PRODUCTION="1",
        COPLAY_SECRET_KEY="only for this test " * 4,
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "The database is empty. Run `./manage.py prepare` first."

"""What has to be true before the site starts: tables, shipped agents, compiled kernels. Safe to repeat.

Each step first asks, cheaply, whether it is needed; a start with nothing to do takes a fraction of a second.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def pending_migrations() -> list[str]:
    """Names of the migrations that the database still needs."""
    executor = MigrationExecutor(connection)
    return [str(migration) for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def engine_hash() -> str:
    """16 hex digits over the engine's sources, this Python and its place."""
    digest = hashlib.sha256(f"{sys.version} {sys.prefix}".encode())
    engine = settings.BASE_DIR / "engine"
    for path in sorted(engine.rglob("*.py")):
        digest.update(str(path.relative_to(engine)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def warm_stamp() -> Path:
    """The file that says that the kernels of these sources are compiled."""
    return settings.VAR_DIR / f"warm-{engine_hash()}"


def warm(say: Callable[[str], None]) -> None:
    stamp = warm_stamp()
    if stamp.exists():
        return
    say("Compiling the games (once after each change of the rules; about a minute) …")
    # In a process of its own: the caller stays free of numba and its threads.
    subprocess.run([sys.executable, str(settings.BASE_DIR / "manage.py"), "warm"], check=True)
    for old in settings.VAR_DIR.glob("warm-*"):
        old.unlink()
    stamp.touch()


def prepare(say: Callable[[str], None]) -> None:
    if pending := pending_migrations():
        say(f"Preparing the database ({len(pending)} migrations) …")
        call_command("migrate", verbosity=0, interactive=False)
    from webapp.agents import shipped

    done = shipped.sync()
    if fresh := done["added"] + done["updated"]:
        say(f"Agents loaded: {', '.join(fresh)}.")
    warm(say)

"""What has to be true before the site starts: tables, shipped agents, compiled games, games of people to look
at. Safe to repeat.

`is_ready` asks cheaply whether anything is left to do, without importing the engine. A first start compiles
one game and opens its pages; the others follow in a process beside it (`manage.py warm`), and until then
`is_compiling` keeps their matches from starting.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command

from engine import games
from webapp.common.compiling import is_compiling, left_to_compile
from webapp.common.tables import pending_migrations
from webapp.config.supervisor import die_with_parent


def engine_hash() -> str:
    """16 hex digits over the engine's sources, the shipped agents' cards, and this Python."""
    digest = hashlib.sha256(f"{sys.version} {sys.prefix}".encode())
    engine = settings.BASE_DIR / "engine"
    for path in sorted([*engine.rglob("*.py"), *engine.rglob("*.json")]):
        digest.update(str(path.relative_to(engine)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def stamp() -> Path:
    """The file that says that this engine's agents are loaded and its first game compiled."""
    return settings.VAR_DIR / f"prepared-{engine_hash()}"


def is_ready() -> bool:
    if not stamp().exists() or pending_migrations():
        return False
    from webapp.agents.models import Agent
    from webapp.annotation import kept

    return kept.is_current() and Agent.objects.exists()


def prepare(say: Callable[[str], None], first: bool = False) -> None:
    """`first`: compile only the game that the first page shows, and leave the others to `warm --left`."""
    with ExitStack() as beside:
        compiler = None if stamp().exists() else compile_beside(beside, say)
        if pending := pending_migrations():
            say(f"Preparing the database ({len(pending)} migrations) …")
            call_command("migrate", verbosity=0, interactive=False)
        from webapp.agents import shipped
        from webapp.annotation import kept
        from webapp.studies import first as studies

        kept.install()
        done = shipped.sync()
        if fresh := done["added"] + done["updated"]:
            say(f"Agents loaded: {', '.join(fresh)}.")
        studies.ensure()
        if compiler:
            from engine.simulation import code_cache

            if compiler.wait():
                raise CommandError("Compiling the first game failed; the lines above say why.")
            for old in settings.VAR_DIR.glob("prepared-*"):
                old.unlink()
            code_cache.prune()
            stamp().touch()
    if not first and left_to_compile():
        call_command("warm", left=True)
    for game in games.names():
        if not is_compiling(game):  # else `warm --left` does it
            ship(game, say)


def compile_beside(beside: ExitStack, say: Callable[[str], None]) -> subprocess.Popen:
    """Compile the game that the first page shows in a process of its own, and note down the others as left.
    The process ends with `beside`.
    """
    from engine.games.pages import in_order

    say("Compiling the games (once after each change of the engine) …")
    first_game, *others = in_order()
    for game in others:
        (settings.VAR_DIR / f"compile-{game}").touch()
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "warm", "--game", first_game]
    here = {**os.environ, "COPLAY_VAR": str(settings.VAR_DIR)}
    process = subprocess.Popen(command, env=here, preexec_fn=die_with_parent)
    beside.enter_context(process)
    beside.callback(process.kill)
    return process


def ship(game: str, say: Callable[[str], None]) -> None:
    """The games of people that a game ships are there to look at."""
    from webapp.datasets import recorded

    if new := recorded.ship(game):
        say(f"{games.spec(game).title}: {new} games of people to look at.")

"""What has to be true before the site starts: tables, shipped agents, compiled games, games of people to look
at. Safe to repeat.

`is_ready` asks cheaply whether anything is left to do, without importing the engine. A first start opens its
pages as soon as there are tables and agents: the games are compiled beside (`manage.py warm --left`), and
until one is, `is_compiling` keeps its matches from starting.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from engine import games
from webapp.common.compiling import left_to_compile
from webapp.common.tables import pending_migrations


def engine_hash() -> str:
    """16 hex digits over the engine's sources, the shipped agents' cards, and this Python."""
    digest = hashlib.sha256(f"{sys.version} {sys.prefix}".encode())
    engine = settings.BASE_DIR / "engine"
    for path in sorted([*engine.rglob("*.py"), *engine.rglob("*.json")]):
        digest.update(str(path.relative_to(engine)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def stamp() -> Path:
    """The file that says that this engine's agents are loaded."""
    return settings.VAR_DIR / f"prepared-{engine_hash()}"


def note_left() -> None:
    """Note down all games as left to compile, once after each change of the engine: what has been compiled
    since, as beside the preparation, isn't noted again.
    """
    noted = settings.VAR_DIR / f"noted-{engine_hash()}"
    if noted.exists():
        return
    for game in games.names():
        (settings.VAR_DIR / f"compile-{game}").touch()
    for old in settings.VAR_DIR.glob("noted-*"):
        old.unlink()
    noted.touch()


def is_ready() -> bool:
    if not stamp().exists() or pending_migrations():
        return False
    from webapp.agents.models import Agent
    from webapp.annotation import kept

    return kept.is_current() and Agent.objects.exists()


def prepare(say: Callable[[str], None], first: bool = False) -> None:
    """`first`: all but the compiling, which goes on beside (`warm --left`)."""
    note_left()
    left = left_to_compile()
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
    if not stamp().exists():
        from engine.simulation import code_cache

        for old in settings.VAR_DIR.glob("prepared-*"):
            old.unlink()
        if code_cache.CACHE_FOLDER.exists():
            code_cache.prune()
        stamp().touch()
    if not first and left:
        say("Compiling the games (once after each change of the engine) …")
        call_command("warm", left=True)
    for game in games.names():
        if game not in left:  # else `warm --left` does it
            ship(game, say)


def ship(game: str, say: Callable[[str], None]) -> None:
    """The games of people that a game ships are there to look at."""
    from webapp.datasets import recorded

    if new := recorded.ship(game):
        say(f"{games.spec(game).title}: {new} games of people to look at.")

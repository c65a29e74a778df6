"""`manage.py up`: start web (with its match host) and worker, print how to get in, stop all with Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management.base import CommandError

from engine import command_line, games
from engine.games.pages import in_order
from webapp.common.commands import CoplayCommand, refuse_taken_port
from webapp.common.compiling import left_to_compile
from webapp.config.prepare import is_ready, note_left
from webapp.config.serving import web_command
from webapp.config.supervisor import Child, Supervisor, die_with_parent

HOST = os.environ.get("COPLAY_HOST", "127.0.0.1")
START_SECONDS = 180.0
LEAVING_SECONDS = 3.0  # for which one that was killed may still hold its folder


def only_one(var: Path) -> IO[str]:
    """The lock of this var folder, held while the file is open; CommandError if another `up` holds it."""
    lock, until = (var / "up.lock").open("a"), time.monotonic() + LEAVING_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() < until:
                time.sleep(0.1)
                continue
            raise CommandError(
                f"Coplay is already running on the folder {var}. Stop it, or give this one a folder and a "
                "port of its own: COPLAY_VAR=/some/folder COPLAY_PORT=8001 make up"
            ) from None


def run_prepare(supervisor: Supervisor) -> None:
    """In a process of its own, so that the supervisor stays small, without threads. Raises CommandError."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "prepare", "--first"]
    process = subprocess.Popen(command, preexec_fn=die_with_parent)
    supervisor.watch(until=lambda: process.poll() is not None)
    if supervisor.stopping:
        process.terminate()
        process.wait()
        raise CommandError("Interrupted while preparing; start again to go on.")
    if process.returncode:
        raise CommandError(f"Preparing failed ({process.returncode}); the lines above say why.")


def children(host: str, port: int, logs: Path) -> list[Child]:
    web = web_command(port, "--host", host, "--no-access-log", "--timeout-graceful-shutdown", "3")
    worker = [sys.executable, "-m", "celery", "-A", "workers.app", "worker", "--pool", "solo"]
    worker += ["--loglevel", "INFO", "--without-gossip", "--without-mingle"]
    here = {"COPLAY_PORT": str(port), "COPLAY_SITE_URL": settings.SITE_URL, "OMP_NUM_THREADS": "1"}
    return [
        Child("web server", web, logs / "web.log", here),
        Child("worker", worker, logs / "worker.log", here),
    ]


def compilers(logs: Path) -> list[Child]:
    """The processes that compile games, one for each that is left; the first page's game goes first."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "warm", "--left", "--game"]
    first, here = in_order()[0], {"OMP_NUM_THREADS": "1"}

    def child(game: str) -> Child:
        how = command if game == first else ["nice", "-n", "10", *command]
        return Child(f"compiler of {game}", [*how, game], logs / f"compiler-{game}.log", here, once=True)

    return [child(game) for game in left_to_compile()]


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


class Command(CoplayCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--die-with-parent", action="store_true", help="also stop when the process that started this dies"
        )

    def handle(self, *args, **options) -> None:
        began = time.monotonic()
        if options["die_with_parent"]:
            die_with_parent()
        try:
            command_line.host(HOST)
        except ArgumentTypeError as problem:
            raise CommandError(f"COPLAY_HOST: {problem}.") from None
        refuse_taken_port(HOST, settings.PORT, f"COPLAY_PORT={settings.PORT + 1} make up")
        lock = only_one(settings.VAR_DIR)
        logs = settings.VAR_DIR / "log"
        logs.mkdir(exist_ok=True)
        note_left()
        supervisor = Supervisor(compilers(logs), self.say)
        supervisor.start()
        try:
            if not is_ready():
                run_prepare(supervisor)
            supervisor.add(children(HOST, settings.PORT, logs))
            health = f"http://{HOST}:{settings.PORT}/health/".replace("0.0.0.0", "127.0.0.1")
            supervisor.watch(until=lambda: answers(health) or time.monotonic() - began > START_SECONDS)
            if not supervisor.stopping:
                self.print_ways_in(time.monotonic() - began)
            supervisor.watch()
            self.say("Stopping …")
        finally:
            supervisor.stop()
            lock.close()
        self.say("Stopped; nothing is left running.")

    def print_ways_in(self, seconds: float) -> None:
        from webapp.accounts.links import house_person, make_sign_in_link, withdraw_links
        from webapp.accounts.models import ROLES

        self.say(f"\nCoplay is up at {settings.SITE_URL} ({seconds:.1f} s)\n\n")
        for role in ROLES:
            user = house_person(role)
            withdraw_links(user)
            self.say(f"  {role:<10} {make_sign_in_link(user)}")
        if left := left_to_compile():
            *most, last = [games.spec(game).title for game in left]
            names = f"{', '.join(most)} and {last}" if most else last
            self.say(f"\nCompiling goes on for {names} (on a first start only); the lobby says when it ends.")
        self.say("\nEach link signs in once, by its page's button, within a day. Ctrl-C stops everything.")

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

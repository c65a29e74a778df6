"""A server process that is killed between two moves: another one takes the game over, and no move is lost."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
import uuid
from functools import cached_property
from pathlib import Path

import pytest
from django.test import override_settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from engine.games.arena.protocol import unpack_snapshot
from engine.simulation.code_cache import CACHE_FOLDER
from tests.services import free_port, tables
from webapp.accounts.models import User
from webapp.config.serving import web_command
from webapp.host.tickets import issue
from webapp.matches.models import Match

ROOT = Path(__file__).resolve().parents[3]
SETUP = """
from engine.games import spec
from webapp.accounts.models import User
from webapp.lobby.setup import Setup, create_match
from webapp.matches.start import start_match
user = User.objects.create_user("pia")
user.set_roles({"player"})
options = spec("GAME").validate(OPTIONS)
match = create_match(Setup("GAME", options, ["me", "agent:PARTNER"]), user)
start_match(match)
print("MATCH", match.pk, user.pk)
"""


class Site:
    """A site of its own, in its own folder, a copy of a `prepared` one, served by a real server process."""

    def __init__(
        self,
        folder: Path,
        prepared: Path,
        game: str = "hanabi",
        partner: str = "random",
        options: dict | None = None,
    ) -> None:
        setup = SETUP.replace("GAME", game).replace("PARTNER", partner)
        self.setup = setup.replace("OPTIONS", repr(options or {"players": 2}))
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.env = {
            **os.environ,
            "COPLAY_VAR": str(folder),
            "COPLAY_SITE_URL": self.origin,
            "COPLAY_AGENT_PAUSE_MS": "0",
            "COPLAY_COUNTDOWN_SECONDS": "1",
            "COPLAY_AGENT_TIMEOUT_MS": "120000",
            "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
            "DJANGO_SETTINGS_MODULE": "webapp.config.settings",
        }
        self.env.pop("COPLAY_DATABASE_URL", None)
        shutil.copytree(prepared, folder, dirs_exist_ok=True)

    def manage(self, *arguments: str, text: str = "") -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.env, input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @cached_property
    def match(self) -> tuple[str, str]:
        """Ids of the match and of its player, made by a process of the site."""
        line = next(one for one in self.manage("shell", text=self.setup).splitlines() if "MATCH" in one)
        return tuple(line[line.index("MATCH") :].split()[1:])

    def ticket(self) -> tuple[str, str]:
        """The match's id and a new ticket to it, signed with the site's key."""
        match, user = self.match
        with override_settings(SECRET_KEY=Path(self.env["COPLAY_VAR"], "secret-key").read_text()):
            return match, issue(Match(pk=match), User(pk=int(user)), None)

    def serve(self) -> subprocess.Popen:
        process = subprocess.Popen(web_command(self.port), cwd=ROOT, env=self.env, stderr=subprocess.DEVNULL)
        # What is promised by the clock is kept where the machine's other work comes later.
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, process.pid, -10)
        for _ in range(1200):
            try:
                urllib.request.urlopen(self.origin + "/accounts/login/", timeout=5)
                return process
            except OSError:
                time.sleep(0.1)
        process.kill()
        raise TimeoutError("The server didn't start.")

    def join(self):
        match, ticket = self.ticket()
        url = f"ws://127.0.0.1:{self.port}/play/{match}/socket/?ticket={ticket}"
        line = connect(url, origin=self.origin)
        line.send(json.dumps({"type": "join", "client": str(uuid.uuid4())}))
        return line, until(line, "joined")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site with its tables and agents."""
    folder = tmp_path_factory.mktemp("prepared")
    tables(folder / "coplay.sqlite3")
    env = {**os.environ, "COPLAY_VAR": str(folder)}
    env.pop("COPLAY_DATABASE_URL", None)
    command = [sys.executable, "manage.py", "prepare", "--first"]
    subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
    for left in folder.glob("compile-*"):
        left.unlink()
    return folder


def until(line, kind: str) -> dict:
    """The next frame of this type; a snapshot of Arena is a state."""
    while True:
        data = line.recv(timeout=180)
        frame = json.loads(data) if isinstance(data, str) else {"type": "state", "snapshot": data}
        if frame["type"] == kind:
            return frame


def tick_of(state: dict) -> int:
    return state["tick"] if "tick" in state else unpack_snapshot(state["snapshot"]).tick


@pytest.mark.slow
def test_a_killed_server_loses_no_acknowledged_move(tmp_path, prepared):
    site = Site(tmp_path, prepared)
    first = site.serve()
    try:
        line, _ = site.join()
        view = until(line, "state")["view"]
        hint = next(m["action"] for m in view["moves"] if m["kind"] == "hint_rank" and m["legal"])
        line.send(json.dumps({"type": "move", "seq": 1, "tick": 0, "action": hint}))
        assert until(line, "ack")["tick"] == 1
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
    second = site.serve()
    try:
        line, joined = site.join()
        view = until(line, "state")["view"]
        assert view["tick"] >= 1
        assert joined["history"][0]["action"] == hint
        # The move that was under way is sent again by the page: it is refused and not made twice.
        line.send(json.dumps({"type": "move", "seq": 1, "tick": 0, "action": hint}))
        assert until(line, "error")["code"] == "stale"
        while view["current"] != 0:
            view = until(line, "state")["view"]
        assert view["tick"] == 2
        line.close()
    finally:
        second.send_signal(signal.SIGKILL)
        second.wait()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "partner", "ticks_per_second"),
    [
        ("overcooked", {"players": 2}, "self_play-cramped_room", 6),
        ("arena", {"teams": 2, "team_size": 1, "map_seed": 7, "monsters": 0}, "weak", 20),
    ],
)
def test_a_game_by_the_clock_loses_a_quarter_of_a_second_at_most(
    tmp_path, prepared, game, options, partner, ticks_per_second
):
    """Whatever the moment at which its host is killed, what was seen is never further ahead of the log than
    the ticks that fit into a quarter of a second.
    """
    site = Site(tmp_path, prepared, game, partner, options)
    seen, lost = 0, []
    for kill in range(3):
        server = site.serve()
        try:
            line, joined = site.join()
            durable = tick_of(until(line, "state"))
            if kill:
                lost.append(seen - durable)
            else:
                assert joined["pace"]["ticks_per_second"] == ticks_per_second
            seen = durable
            while seen < durable + 2 * ticks_per_second + kill:
                seen = tick_of(until(line, "state"))
        finally:
            server.send_signal(signal.SIGKILL)
            server.wait()
        with contextlib.suppress(ConnectionClosed):
            while True:
                seen = tick_of(until(line, "state"))
    assert len(lost) == 2 and max(lost) <= ticks_per_second * 0.25 + 1, lost

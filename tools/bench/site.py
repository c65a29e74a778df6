"""The site that a measurement of live games has to itself: the web server's own command, match hosts if asked
for, a database and logs in a temporary folder. Not for what is measured (bench_live, bench_stream,
bench_faults).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.refusal import Refusal
from engine.simulation.code_cache import CACHE_FOLDER
from tools.bench.replay import ROOT, free_port, manage, wait_for
from webapp.config.management.commands.up import children

HOST_STARTS_WITHIN = 60.0  # seconds
# A program that runs a command as if on another machine, by the name that hosts call theirs.
ELSEWHERE = "import socket; socket.gethostname = lambda: 'elsewhere'; import manage; manage.main()"


class Server:
    """The web server under test, and its match hosts by address; with none, it hosts the matches itself."""

    def __init__(self, folder: Path, hosts_matches: bool) -> None:
        self.folder = folder
        self._port = free_port()
        self.site = f"http://127.0.0.1:{self._port}"
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
        self.env |= {
            "COPLAY_VAR": str(folder),
            "COPLAY_PORT": str(self._port),
            "COPLAY_SITE_URL": self.site,
            "COPLAY_HOSTS_MATCHES": str(int(hosts_matches)),
            "COPLAY_LOG_LEVEL": "ERROR",
            "COPLAY_COUNTDOWN_SECONDS": "1",
            "COPLAY_LIMIT_MATCH": "off",
            "COPLAY_LIMIT_WORDS": "off",
            "COPLAY_SOCKETS_PER_PERSON": "0",
            "COPLAY_SOCKETS_PER_ADDRESS": "0",
            "OMP_NUM_THREADS": "1",
            "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
        }
        self.web: subprocess.Popen | None = None
        self.hosts: dict[str, subprocess.Popen] = {}

    def manage(self, *arguments: str) -> str:
        """The output of a manage.py command on its data."""
        return manage(self.env, *arguments)

    @property
    def playing(self) -> list[int]:
        """The processes that host matches."""
        return [process.pid for process in self.hosts.values()] or [self.web.pid if self.web else 0]

    @property
    def addresses(self) -> list[str]:
        """Where sockets are, up to their paths: one for each of `playing`."""
        return list(self.hosts) or [self.site.replace("http", "ws", 1)]

    def start(self, core: int | None = None) -> None:
        """The web server, on one core if that is named; returns once it answers."""
        self.manage("migrate", "--verbosity", "0")
        self.manage("agents", "sync")
        command = children("127.0.0.1", self._port, self.folder)[0].command
        self.web = self._start(command, core, "web.log")
        wait_for(self.site)

    def start_host(self, core: int | None = None, *, yields: bool = False, elsewhere: bool = False) -> str:
        """One match host more; its address, once it answers. `yields`: it makes way for what else its core
        has to do. `elsewhere`: it says that it runs on another machine, so that nobody looks for its process.
        """
        port = free_port()
        url = f"ws://127.0.0.1:{port}"
        program = ["-c", ELSEWHERE] if elsewhere else ["manage.py"]
        command = [sys.executable, *program, "matchhost", "--port", str(port), "--url", url]
        command = ["nice", "-n", "5", *command] if yields else command
        self.hosts[url] = self._start(command, core, f"host-{port}.log")
        until = time.monotonic() + HOST_STARTS_WITHIN
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=5).close()
                return url
            except OSError:
                time.sleep(0.1)
        raise Refusal(f"A match host did not start within {HOST_STARTS_WITHIN:g} s.")

    def _start(self, command: list[str], core: int | None, log: str) -> subprocess.Popen:
        pinned = [] if core is None else ["taskset", "--cpu-list", str(core)]
        with (self.folder / log).open("wb") as file:
            return subprocess.Popen([*pinned, *command], cwd=ROOT, env=self.env, stdout=file, stderr=file)

    def stop(self) -> None:
        started = [*self.hosts.values(), *([self.web] if self.web else [])]
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


@contextmanager
def served(hosts: int = 0) -> Iterator[Server]:
    """A site whose server, or each of so many match hosts, has its own core. This process has the others,
    or all of them where none is left: there hosts make way for people, who are on other machines elsewhere,
    so that what arrives is seen at once. Raises Refusal.
    """
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise Refusal("This needs two cores: one for the server, one for the people.")
    if hosts > len(cores):
        raise Refusal(f"--hosts is {hosts}; it can be 0 to {len(cores)}, a core each.")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), hosts_matches=not hosts)
        try:
            server.start(cores[0])
            for core in cores[:hosts]:
                server.start_host(core, yields=hosts == len(cores))
            os.sched_setaffinity(0, set(cores[max(1, hosts) :]) or set(cores))
            yield server
        finally:
            os.sched_setaffinity(0, set(cores))
            server.stop()


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and its children so far."""
    total = 0.0
    for process in [pid, *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]:
        total += thread_seconds(f"/proc/{process}/stat")
    return total


def thread_seconds(path: str) -> float:
    fields = Path(path).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

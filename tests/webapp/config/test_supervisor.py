"""The supervisor restarts what dies and leaves nothing running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings

from tests.waiting import PATIENCE, eventually
from webapp.config.guardian import tagged
from webapp.config.supervisor import Child, Supervisor

# A parent with two children: one in its group, one in a session of its own that ignores SIGTERM.
FAMILY = """
import subprocess, sys, time
stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
subprocess.Popen([sys.executable, "-c", stubborn], start_new_session=True)
time.sleep(600)
"""

RUN = """
import sys
import time
from itertools import pairwise
from pathlib import Path
from webapp.config.supervisor import Child, Supervisor
folder, program = Path(sys.argv[1]), sys.argv[2]
supervisor = Supervisor([Child("family", [sys.executable, "-c", program], folder / "log")], lambda text: None)
supervisor.start()
(folder / "tag").write_text(supervisor.tag)
supervisor.watch()
supervisor.stop()
"""


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


class Run:
    """A supervisor in a process of its own, with `program` as its child."""

    def __init__(self, folder: Path, program: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(folder), program], cwd=settings.BASE_DIR
        )
        eventually(lambda: (folder / "tag").exists() and (folder / "tag").read_text())
        self.tag = (folder / "tag").read_text()

    def family(self) -> list[int]:
        return tagged(self.tag)


@pytest.fixture
def run(tmp_path):
    started = []

    def make(program: str) -> Run:
        started.append(Run(tmp_path, program))
        return started[-1]

    yield make
    for each in started:
        each.process.kill()
        each.process.wait()
        eventually(lambda each=each: not each.family())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_signal_leaves_nothing_running(run, number):
    family = run(FAMILY)
    eventually(lambda: len(family.family()) == 3)
    family.process.send_signal(number)
    assert family.process.wait(PATIENCE) == 0
    assert family.family() == []


def test_killing_the_supervisor_leaves_nothing_running(run):
    family = run(FAMILY)
    eventually(lambda: len(family.family()) == 3)
    family.process.kill()
    eventually(lambda: not family.family())


def test_a_child_that_dies_is_started_again(run):
    family = run("import time; time.sleep(600)")
    eventually(lambda: len(family.family()) == 1)
    first = family.family()
    os.kill(first[0], signal.SIGKILL)
    eventually(lambda: family.family() not in ([], first))


def test_a_child_that_keeps_dying_is_started_ever_more_rarely(run, tmp_path):
    log = tmp_path / "starts"
    run(f"import time; open({str(log)!r}, 'a').write(f'{{time.time()}}\\n')")
    starts = eventually(lambda: log.exists() and len(found := log.read_text().split()) >= 4 and found)
    pauses = [float(later) - float(sooner) for sooner, later in pairwise(starts)]
    assert pauses[0] >= 0.5 and pauses[1] >= 1 and pauses[2] >= 2


def test_what_a_dead_child_leaves_behind_is_ended_before_its_restart(run):
    family = run(
        "import subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "time.sleep(600)"
    )
    eventually(lambda: len(family.family()) == 2)
    before = set(family.family())
    parents = [pid for pid in before if parent_of(pid) == family.process.pid]
    os.kill(parents[0], signal.SIGKILL)
    eventually(lambda: len(family.family()) == 2 and not before & set(family.family()))


def test_what_is_to_run_once_is_started_again_only_if_it_failed(tmp_path):
    starts = tmp_path / "starts"
    program = (
        f"import sys; from pathlib import Path; f = Path({str(starts)!r}); "
        "n = len(f.read_text()) if f.exists() else 0; f.write_text('x' * (n + 1)); sys.exit(n == 0)"
    )
    child = Child("once", [sys.executable, "-c", program], tmp_path / "log", once=True)
    supervisor = Supervisor([child], lambda text: None)
    child.start("a-tag")

    def ran() -> bool:
        supervisor._tend(child, time.monotonic())
        return starts.exists() and len(starts.read_text()) == 2 and child.process is None

    eventually(ran)
    for _ in range(20):
        supervisor._tend(child, time.monotonic() + 1000)
    assert child.process is None and starts.read_text() == "xx"

"""Programs that are forks: they end as processes do, and what doesn't end is said."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.forks import Fork, run


def program(folder: Path, text: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(text)
    return [sys.executable, str(path)]


def test_it_ends_as_a_process_does(tmp_path: Path) -> None:
    done = run(program(tmp_path, "import sys; print(__name__); sys.exit('That is wrong.')"))
    assert (done.returncode, done.stdout, done.stderr) == (1, "__main__\n", "That is wrong.\n")


def test_what_does_not_end_is_named_and_killed(tmp_path: Path) -> None:
    fork = Fork(program(tmp_path, "while True: pass"))
    with pytest.raises(AssertionError, match=r"`python .*program.py` did not end in 0.1 s."):
        fork.wait(0.1)
    with pytest.raises(ProcessLookupError):
        os.kill(fork.pid, 0)

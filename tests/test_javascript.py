"""The JavaScript modules, tested with Node's own test runner."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.node
@pytest.mark.parametrize("path", sorted((ROOT / "tests/js").glob("*.test.mjs")), ids=lambda path: path.name)
def test_javascript(path):
    done = subprocess.run(["node", "--test", str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout

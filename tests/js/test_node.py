"""Runs the JavaScript tests with Node's own test runner."""

import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.mark.node
def test_javascript_modules_pass_their_tests():
    files = sorted(str(path) for path in FOLDER.glob("*.test.mjs"))
    done = subprocess.run(["node", "--test", *files], capture_output=True, text=True, timeout=120)
    assert files
    assert done.returncode == 0, done.stdout[-4000:]

"""The JavaScript modules, tested with Node's own test runner."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.node
@pytest.mark.parametrize("path", sorted((ROOT / "tests/js").glob("*.test.mjs")), ids=lambda path: path.name)
def test_javascript(path):
    done = subprocess.run(["node", "--test", str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# The browser's own dialogs stop a running game, and everything else on the page, until they are answered.
BLOCKING = re.compile(
    r"window\.(?:alert|confirm|prompt)\b|(?<![.\w])(?:alert|prompt)\(|hx-(?:confirm|prompt)"
)


def test_no_page_uses_the_browsers_own_dialogs():
    files = [*(ROOT / "static/js").rglob("*.js"), *(ROOT / "templates").rglob("*.html")]
    assert [str(path) for path in files if BLOCKING.search(path.read_text())] == []
    assert BLOCKING.search("if (window.confirm(words)) leave();")

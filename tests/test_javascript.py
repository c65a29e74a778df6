"""The JavaScript modules, tested with Node's own test runner."""

import json
import re
import subprocess

import pytest

from tests.services import NODE, ROOT, SERVED


@pytest.mark.node
@pytest.mark.parametrize("path", sorted((ROOT / "tests/js").glob("*.test.mjs")), ids=lambda path: path.name)
def test_javascript(path):
    # A file of tests runs them itself; `--test` would start a second process for it.
    done = subprocess.run([*NODE, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), done.stdout


# What can't be broken: one attribute with its value, or one of Django's tags, alone on its line.
WHOLE = re.compile(r'[\w:-]+="(?:{%.*?%}|{{.*?}}|[^"])*"|{%[^%]*%}')


def test_lines_are_of_a_length_that_a_diff_can_be_read_in():
    rooms = [ROOT / room for room in ("static", "templates", "engine/games", "tests/js", "tools")]
    ours = [path for room in rooms for path in room.rglob("*") if "vendor" not in path.parts]
    files = [path for path in ours if path.suffix in (".js", ".mjs", ".html", ".css")]
    assert {path.suffix for path in files} == {".js", ".mjs", ".html", ".css"}
    assert [
        f"{path.relative_to(ROOT)}:{number}"
        for path in [*files, *ROOT.glob("*.js")]
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 120 and not (path.suffix == ".html" and WHOLE.fullmatch(line.strip()))
    ] == []


def test_what_checks_the_browsers_code_is_pinned_and_names_no_registry():
    package = json.loads((ROOT / "package.json").read_text())
    lock = json.loads((ROOT / "package-lock.json").read_text())
    wanted = package["devDependencies"]
    assert wanted and all(re.fullmatch(r"[\d.]+", version) for version in wanted.values())
    assert "dependencies" not in package, "what is served is vendored"
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []
    vendored = re.search(
        r"`three\.module\.js` \| `three` .*?\| ([\d.]+) \|", (ROOT / "static/vendor/README.md").read_text()
    )
    assert vendored and wanted["@types/three"] == vendored[1]


# The browser's own dialogs stop a running game, and everything else on the page, until they are answered.
BLOCKING = re.compile(
    r"window\.(?:alert|confirm|prompt)\b|(?<![.\w])(?:alert|prompt)\(|hx-(?:confirm|prompt)"
)


def test_no_page_uses_the_browsers_own_dialogs():
    files = [path for folder in SERVED for path in folder.rglob("*") if path.suffix in (".js", ".html")]
    ours = [path for path in files if "vendor" not in path.parts]
    assert [str(path) for path in ours if BLOCKING.search(path.read_text())] == []
    assert any("engine" in path.parts for path in ours)
    assert BLOCKING.search("if (window.confirm(words)) leave();")

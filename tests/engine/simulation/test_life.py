"""The states of an instruction are the same in the engine, in the browser and in the documents' picture."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from engine.simulation.life import FOLLOWS, IN_FORCE, OVER, TAKEN_BACK, State, may_follow
from tests.services import NODE, ROOT

MODULE = "static/js/lib/life.js"


def test_every_state_says_what_may_follow_it():
    assert set(FOLLOWS) == set(State) == {State.UNREAD, State.READ, *IN_FORCE, *OVER, *TAKEN_BACK}
    assert may_follow("confirmed", "read") and not may_follow("confirmed", "unread")
    assert not any(FOLLOWS[state] for state in (*OVER, *TAKEN_BACK))


@pytest.mark.node
def test_the_browser_has_the_same_table():
    script = f"import('./{MODULE}').then(({{ FOLLOWS }}) => console.log(JSON.stringify(FOLLOWS)))"
    done = subprocess.run([*NODE, "-e", script], cwd=ROOT, capture_output=True, text=True, check=True)
    found = {state: set(after) for state, after in json.loads(done.stdout).items()}
    assert found == {state.value: set(after) for state, after in FOLLOWS.items()}


def test_the_picture_in_the_documents_draws_this_table():
    text = (ROOT / "docs/architecture.md").read_text()
    picture = text.partition("```mermaid\n")[2].partition("```")[0]
    groups = {
        name: inside.split() for name, inside in re.findall(r"state (\w+) \{\s+([\w\s]+?)\s+\}", picture)
    }
    drawn: dict[str, set[str]] = {state.value: set() for state in State}
    for before, after in re.findall(r"^ *(\w+) --> (\w+)", picture, flags=re.MULTILINE):
        for one in groups.get(before, [before]):
            drawn[one] |= {*groups.get(after, [after])} - {one}
    assert drawn == {state.value: set(after) for state, after in FOLLOWS.items()}

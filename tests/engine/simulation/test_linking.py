"""Which functions are optimized and assembled: those that Python calls, with what they call in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.simulation.code_cache import ROOT
from engine.simulation.jit import inner, rule
from engine.simulation.linking import Linked, Whole

MODULE = """
from engine.simulation.jit import inner, rule

@inner
def deep(number):
    return number * 3 + WIDTH

@rule
def middle(number):
    return deep(number) - 1

@rule
def first(number):
    return middle(number) + deep(number)

@rule
def second(number):
    return middle(number) * 2

@rule
def other(number):
    return number

WIDTH = 1
"""
ASK = """
import sys, chain
from engine.simulation.linking import Linked
print(*[getattr(chain, name)(5) for name in sys.argv[1:]])
for name in ("deep", "middle", "first", "second"):
    function = getattr(chain, name)
    found = [type(one.library).__name__ for one in function.overloads.values()]
    print(name, sum(function.stats.cache_misses.values()), *found)
"""


def kinds(function) -> list[type]:
    return [type(one.library) for one in function.overloads.values()]


def test_only_what_python_calls_is_assembled():
    @inner
    def deep(number):
        return number * 3

    @rule(cache=False)
    def middle(number):
        return deep(number) - 1

    @rule(cache=False)
    def outside(number):
        return middle(number) + deep(number)

    assert outside(5) == 14 + 15
    assert (kinds(deep), kinds(middle), kinds(outside)) == ([Linked], [Linked], [Whole])
    assert middle(5) == 14 and kinds(middle) == [Whole], "Python asks for it: compiled again, whole"
    assert outside(6) == 17 + 18


def test_what_was_compiled_for_python_is_linked_as_it_is():
    @rule(cache=False)
    def middle(number):
        return number - 1

    @rule(cache=False)
    def outside(number):
        return middle(number) * 2

    assert (middle(5), outside(5)) == (4, 8)
    assert kinds(middle) == [Whole]
    assert len(middle.signatures) == 1


def test_an_error_inside_of_what_is_linked_reaches_python():
    @inner
    def deep(number):
        if number < 0:
            raise ValueError("below zero")
        return number

    @rule(cache=False)
    def outside(number):
        return deep(number) + 1

    assert outside(1) == 2
    try:
        outside(-1)
    except ValueError as problem:
        assert str(problem) == "below zero"
    else:
        raise AssertionError("no error came")


def ask(folder: Path, cache: Path, *names: str) -> dict[str, list[str]]:
    """Asked in a process: {function: [how often it was compiled, the kinds of its code]}, and the results."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", ASK, *names], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    results, *rows = (line.split() for line in done.stdout.splitlines())
    return {"results": results} | {name: row for name, *row in rows}


def test_code_to_link_is_kept_on_disk_for_the_next_caller(tmp_path):
    (tmp_path / "chain.py").write_text(MODULE)
    cache = tmp_path / "cache"
    found = ask(tmp_path, cache, "first")
    assert found == {
        "results": ["31"],
        "deep": ["1", "Linked"],
        "middle": ["1", "Linked"],
        "first": ["1", "Whole"],
        "second": ["0"],
    }
    found = ask(tmp_path, cache, "second", "first")
    assert found == {
        "results": ["30", "31"],
        "deep": ["0", "Linked"],  # loaded with its caller
        "middle": ["0", "Linked"],
        "first": ["0", "JITCodeLibrary"],  # loaded
        "second": ["1", "Whole"],
    }
    (tmp_path / "chain.py").write_text(MODULE.replace("WIDTH = 1", "WIDTH = 2"))
    assert ask(tmp_path, cache, "first", "second")["results"] == ["33", "32"]


@pytest.mark.parametrize(
    ("before", "compiled"),
    [
        ("deep", 1),  # not as a function of its own: `deep` gets another symbol than it had
        ("other", 0),  # `deep` happens to get the symbol that it had
        ("middle", 1),  # whole, for Python, and linked as it is
    ],
)
def test_code_that_was_compiled_again_is_linked_by_its_new_symbol(tmp_path, before, compiled):
    """As where two processes compile at once, and each keeps a part of what is on disk."""
    (tmp_path / "chain.py").write_text(MODULE)
    cache = tmp_path / "cache"
    ask(tmp_path, cache, "first")
    for file in (cache / "chain").glob("chain.deep-*"):
        file.unlink()
    found = ask(tmp_path, cache, before, "second")
    assert found["results"][1] == "30"
    assert (found["deep"][0], found["middle"][0]) == ("1", str(compiled))
    found = ask(tmp_path, cache, "second", "first")
    assert found["results"] == ["30", "31"]
    assert {found[name][0] for name in ("deep", "middle", "first", "second")} == {"0"}

"""Which changes have code compiled again: what a function is made of; the folder that processes share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from engine.simulation.code_cache import KEPT, ROOT, _Files, made_of, prune

CAME_OUT = """
import shop, till
for module in (shop, till):
    print(module.__name__, module.price(2), sum(module.price.stats.cache_misses.values()))
"""

FILES = {
    "base.py": """
from pathlib import Path
import numpy as np
from engine.simulation.jit import rule
TABLE = np.array((Path(__file__).parent / "table.txt").read_text().split(), np.int64)
NEVER = {"a": 1}

@rule
def rate(number):
    return number * TABLE[0]

@rule
def fee(number):
    return number + 1
""",
    "shop.py": """
import base
from engine.simulation.jit import njit

@njit
def price(number):
    return base.rate(number) + 1
""",
    "till.py": """
from base import fee
from engine.simulation.jit import njit

@njit
def price(number):
    return fee(number) * 2
""",
    "table.txt": "10 20",
}


def write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def come_out(folder: Path, cache: Path) -> dict[str, tuple[int, int]]:
    """{module: (its price, how often it had to be compiled)} in a process of its own."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", CAME_OUT], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    return {name: (int(price), int(misses)) for name, price, misses in rows}


def test_only_what_a_change_is_a_part_of_is_compiled_again(tmp_path):
    here, there, cache = tmp_path / "here", tmp_path / "there", tmp_path / "cache"
    write(here, FILES)
    assert come_out(here, cache) == {"shop": (21, 1), "till": (6, 1)}

    words = {
        name: '"""What this file is."""\n# A comment.\n'
        + text.replace(":\n    return", ':\n    "Why."\n    return')
        for name, text in FILES.items()
        if name.endswith(".py")
    }
    write(here, words)
    assert come_out(here, cache) == {"shop": (21, 0), "till": (6, 0)}, "comments and docstrings"

    shutil.copytree(here, there)
    shutil.copytree(cache, tmp_path / "copied")
    assert come_out(there, tmp_path / "copied") == {"shop": (21, 0), "till": (6, 0)}, "another place"

    write(there, {"base.py": words["base.py"].replace("number + 1", "number + 3")})
    assert come_out(there, cache) == {"shop": (21, 0), "till": (10, 1)}, "a rule that one of them calls"

    write(there, {"table.txt": "30 20"})
    assert come_out(there, cache) == {"shop": (61, 1), "till": (10, 0)}, "a file that one of them is made of"

    write(there, {"table.txt": FILES["table.txt"], "base.py": FILES["base.py"]})
    assert come_out(there, cache) == {"shop": (21, 0), "till": (6, 0)}, "back again"


WRITE = """
import sys
from engine.simulation.code_cache import _Files
file = _Files(sys.argv[1], "rules", "")
for number in range(60):
    file.save((sys.argv[2], number, 0), sys.argv[2] * number)
"""


def test_processes_that_compile_at_once_overwrite_nothing_of_each_other(tmp_path):
    names = "abc"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path), name]) for name in names]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    file = _Files(str(tmp_path), "rules", "")
    for name in names:
        assert [file.load((name, number, 0)) for number in range(60)] == [
            name * number for number in range(60)
        ]


def made(text: str, **known) -> str:
    """What the last function of a source text is made of."""
    mine = {"__name__": "made_up", "np": np, **known}
    exec(compile(text, "made_up.py", "exec"), mine)
    return made_of(mine["last"])


BASE = """
from engine.simulation.jit import njit, rule
SIZE = 3

@rule
def inner(number):
    return number + SIZE

@rule
def last(state, width=2):
    for place in range(width):
        state[place] = inner(place) + TABLE[place]
    return ROWS[1][0] + np.int64(4)
"""
KNOWN = {"TABLE": np.arange(4), "ROWS": ((1, 2), (3, 4))}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SIZE = 3", "SIZE = 4"),
        ("SIZE = 3", "SIZE = True"),
        ("number + SIZE", "number - SIZE"),
        ("@rule\ndef inner", "@njit\ndef inner"),
        ("@rule\ndef inner", "@rule(literals=True)\ndef inner"),
        ("@rule\ndef inner", '@rule(inline="always")\ndef inner'),
        ("@rule\ndef last", "@njit\ndef last"),
        ("width=2", "width=3"),
        ("np.int64(4)", "np.int64(5)"),
        ("np.int64(4)", "np.int32(4)"),
        ("ROWS[1][0]", "ROWS[1][1]"),
    ],
)
def test_what_a_change_makes_another_function(old, new):
    assert old in BASE
    assert made(BASE.replace(old, new), **KNOWN) != made(BASE, **KNOWN)


@pytest.mark.parametrize(
    "change", [{"TABLE": np.arange(5)}, {"TABLE": np.arange(4, dtype=np.int32)}, {"ROWS": ((1, 2), (3, 5))}]
)
def test_the_values_of_globals_count(change):
    assert made(BASE, **{**KNOWN, **change}) != made(BASE, **KNOWN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SIZE = 3", "# Wide.\n\n\nSIZE = 3\nOTHER = 5"),
        ("    return number", '    """Wider."""\n    return number'),
        ("(state, width=2):", "(state: object, width: int = 2) -> int:"),
        ("@rule\ndef last", "@rule\ndef other(number):\n    return number\n\n\n@rule\ndef last"),
    ],
)
def test_what_a_change_leaves_the_same_function(old, new):
    assert old in BASE
    assert made(BASE.replace(old, new), **KNOWN) == made(BASE, **KNOWN)


def test_functions_that_call_each_other_are_told_apart():
    text = (
        "def last(n):\n    return 0 if n < 1 else other(n - 1)\ndef other(n):\n    return last(n - 1) + 1\n"
    )
    assert made(text) == made(text)
    assert made(text) != made(text.replace("+ 1", "+ 2"))
    assert made(text) != made(text.replace("else other", "else last"))


def test_what_a_function_is_made_of_is_the_same_in_every_process():
    code = (
        "from engine.simulation.code_cache import made_of\n"
        "def last(word):\n    return word in {'one', 'two', 'three', 'four'}\n"
        "print(made_of(last))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(said) == 1


def test_an_index_keeps_the_newest_versions_of_each_signature(tmp_path):
    files = _Files(str(tmp_path), "rules", "")
    for version in range(KEPT + 2):
        files.save(("int", "cpu", version), f"int {version}")
    files.save(("float", "cpu", 0), "float 0")
    kept = [files.load(("int", "cpu", version)) for version in range(KEPT + 2)]
    assert kept == [None, None, *(f"int {version}" for version in range(2, KEPT + 2))]
    assert files.load(("float", "cpu", 0)) == "float 0"
    assert len(list(tmp_path.glob("*.nbc"))) == KEPT + 1


def test_code_that_nobody_has_used_for_long_is_thrown_away(tmp_path):
    for name in ("used", "loaded", "unused"):
        (tmp_path / name).mkdir()
        _Files(str(tmp_path / name), "rules", "").save(("int", "cpu", 0), name)
    for name in ("loaded", "unused"):
        os.utime(tmp_path / name, (0, time.time() - 31 * 86400))
    assert _Files(str(tmp_path / "loaded"), "rules", "").load(("int", "cpu", 0)) == "loaded"
    prune(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["loaded", "used"]

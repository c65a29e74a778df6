"""Who is served and who is told that they aren't; whether what is locked can be installed is asked of the
package index by `make resolve` (.ci/run).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
from django.conf import settings
from packaging.requirements import Requirement

from deploy import check_python, lock, resolve


@pytest.mark.parametrize(
    ("version", "system", "machine", "said"),
    [
        ((3, 11, 0), "linux", "x86_64", ""),
        ((3, 14, 2), "darwin", "arm64", ""),
        ((3, 12, 1), "linux", "aarch64", ""),
        ((3, 10, 9), "linux", "x86_64", "needs Python 3.11 to 3.14; .* is 3.10"),
        ((3, 15, 0), "linux", "x86_64", "needs Python 3.11 to 3.14; .* is 3.15"),
        ((3, 12, 0), "darwin", "x86_64", "Apple silicon"),
        ((3, 12, 0), "win32", "AMD64", "WSL 2"),
    ],
)
def test_machines_that_are_not_served_are_told_before_anything_is_installed(version, system, machine, said):
    problem = check_python.problem(version, system, machine)
    assert bool(problem) == bool(said) and re.search(said, problem)


def test_this_machine_is_served():
    script = settings.BASE_DIR / "deploy" / "check_python.py"
    assert subprocess.run([sys.executable, script]).returncode == 0


def test_the_lock_has_every_requirement_with_its_marker():
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    locked = {one.name.lower().replace("_", "-"): one for one in resolve.lines()}
    for text in project["dependencies"]:
        wanted = Requirement(text)
        found = locked[wanted.name.lower()]
        assert str(found.marker) == str(wanted.marker), text
        assert wanted.specifier.contains(str(found.specifier).removeprefix("==")), text
    for owner, ones in lock.FOLLOWS.items():
        assert {str(locked[one].marker) for one in ones} == {str(locked[owner].marker)}
    assert project["requires-python"] == ">=3.11,<3.15"
    assert [resolve.PYTHONS[0], resolve.PYTHONS[-1]] == [check_python.FIRST, check_python.LAST]


def test_a_package_without_wheels_for_somebody_is_found():
    whole = [("thing-1.0-py3-none-any.whl", ">=3.8")]
    assert list(resolve.missing(Requirement("thing==1.0"), whole)) == []
    assert ("macOS arm64", "3.11") in list(resolve.missing(Requirement("thing==1.1"), whole))
    some = [
        ("thing-1.0-cp311-cp311-manylinux_2_28_x86_64.whl", None),
        ("thing-1.0-cp312-cp312-macosx_11_0_arm64.whl", None),
        ("thing-1.0.tar.gz", None),
    ]
    lacking = set(resolve.missing(Requirement("thing==1.0"), some))
    assert ("Linux x86_64", "3.11") not in lacking and ("macOS arm64", "3.12") not in lacking
    assert {("Linux x86_64", "3.12"), ("macOS arm64", "3.14"), ("Linux aarch64", "3.11")} <= lacking
    linux = Requirement("thing==1.0; sys_platform == 'linux'")
    assert {platform for platform, _ in resolve.missing(linux, [])} == {"Linux x86_64", "Linux aarch64"}
    old = [("thing-1.0-py3-none-any.whl", "<3.13")]
    assert {python for _, python in resolve.missing(Requirement("thing==1.0"), old)} == {"3.13", "3.14"}

"""Write requirements.lock and requirements-test.lock from pyproject.toml (`make lock`).

Installs the ranges of pyproject.toml into a fresh virtual environment and freezes it: every package with
`==`. torch is pinned by version alone: its CPU and CUDA builds differ, and so do the CUDA packages that they
pull in, which are therefore left out. What a marker says of a requirement stays with it. Needs nothing but
Python; whether what is locked is there for every machine that is served, deploy/resolve.py asks.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"(nvidia-|cuda-toolkit|triton|pip==|setuptools==|wheel==)", re.IGNORECASE)
# What comes with a package that only some machines need is needed by those alone.
FOLLOWS = {"numba-cuda": ("cuda-bindings", "cuda-core", "cuda-pathfinder")}
HEAD = "# Made by `make lock` from pyproject.toml; not to be edited by hand.\n"


def frozen(python: Path, requirements: list[str]) -> list[str]:
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *requirements], check=True)
    freeze = [str(python), "-m", "pip", "freeze"]
    lines = subprocess.run(freeze, check=True, capture_output=True, text=True).stdout.splitlines()
    # A local version ("+cpu") names a build, not a release.
    found = [re.sub(r"\+.*$", "", line) for line in lines if "==" in line and not LEFT_OUT.match(line)]
    marked = {_name(one): one.split(";")[1].strip() for one in requirements if ";" in one}
    marked |= {one: marked[owner] for owner, ones in FOLLOWS.items() if owner in marked for one in ones}
    named = {_name(line): line for line in found}
    for one in requirements:
        if ";" in one and _name(one) not in named:
            named[_name(one)] = _elsewhere(python, one.split(";")[0])
    return sorted(
        (f"{line}; {marked[name]}" if name in marked else line for name, line in named.items()),
        key=str.lower,
    )


def _name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]|[=~<>]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def _elsewhere(python: Path, requirement: str) -> str:
    """What is locked of something that this machine doesn't need."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--report", "-"]
    asked = subprocess.run([*command, requirement], check=True, capture_output=True, text=True).stdout
    [one] = json.loads(asked)["install"]
    return f"{one['metadata']['name']}=={one['metadata']['version']}"


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        run = frozen(python, project["dependencies"])
        test = [
            line for line in frozen(python, project["optional-dependencies"]["test"]) if line not in set(run)
        ]
    (ROOT / "requirements.lock").write_text(HEAD + "\n".join(run) + "\n")
    (ROOT / "requirements-test.lock").write_text(HEAD + "-r requirements.lock\n" + "\n".join(test) + "\n")
    print(f"{len(run)} packages to run, {len(test)} more to test, by Python {sys.version.split()[0]}.")


if __name__ == "__main__":
    main()

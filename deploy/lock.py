"""Write requirements.lock and requirements-test.lock from pyproject.toml (`make lock`).

Installs the ranges of pyproject.toml into a fresh virtual environment and freezes it: every package with
`==`. torch is pinned by version alone: its CPU and CUDA builds differ, and so do the CUDA packages that they
pull in, which are therefore left out. Needs nothing but Python.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"(nvidia-|cuda-toolkit|triton|pip==|setuptools==|wheel==)", re.IGNORECASE)
HEAD = "# Made by `make lock` from pyproject.toml; not to be edited by hand.\n"


def frozen(python: Path, requirements: list[str]) -> list[str]:
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *requirements], check=True)
    freeze = [str(python), "-m", "pip", "freeze"]
    lines = subprocess.run(freeze, check=True, capture_output=True, text=True).stdout.splitlines()
    # A local version ("+cpu") names a build, not a release.
    return [re.sub(r"\+.*$", "", line) for line in lines if "==" in line and not LEFT_OUT.match(line)]


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

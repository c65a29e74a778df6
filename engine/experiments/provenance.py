"""Where numbers come from: the commit and the machine that made them, and how long that took.

Every step of an experiment is noted with it (engine.experiments.work), and a row or a result has what its
steps have (engine.experiments.prove).
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = ("--", ".", ":(exclude)docs", ":(exclude)CHANGELOG.md")
UNKNOWN = "unknown"
"""In place of what steps of earlier versions didn't note."""


@cache
def commit() -> str:
    """The commit of the running code; where files other than documents differ from it, with "+" and a hash of
    the differences, so that two working trees are told apart. UNKNOWN outside of a repository. As it was
    when this process first asked.
    """
    try:
        name = _git("rev-parse", "--short=10", "HEAD")
        changes = _git("diff", "HEAD", "--binary", "--no-ext-diff", *CODE)
        new = _git("ls-files", "--others", "--exclude-standard", "-z", *CODE).split("\0")
        changes += "".join(f"{path} {_digest(ROOT / path)}" for path in new if path)
    except (OSError, subprocess.SubprocessError):
        return UNKNOWN
    return f"{name}+{hashlib.sha256(changes.encode(errors='replace')).hexdigest()[:10]}" if changes else name


def _digest(path: Path) -> str:
    """Of a file's content; "" for what is no file, such as another repository in this one."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _git(*words: str) -> str:
    asked = ["git", "-C", str(ROOT), *words]
    done = subprocess.run(asked, capture_output=True, text=True, errors="replace", check=True, timeout=60)
    return done.stdout.strip()


@cache
def machine() -> str:
    """The processor, how many cores it has, and the GPU if there is one."""
    import torch

    named = [line for line in _lines(Path("/proc/cpuinfo")) if line.startswith("model name")]
    cpu = named[0].partition(":")[2].strip() if named else platform.processor() or platform.machine()
    gpu = f", {torch.cuda.get_device_name()}" if torch.cuda.is_available() else ""
    return f"{cpu}, {os.cpu_count()} cores{gpu}"


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def here(seconds: float) -> dict[str, Any]:
    """{"commit", "machine", "seconds"} of what this process has just made in so many seconds."""
    return {"commit": commit(), "machine": machine(), "seconds": round(seconds, 1)}


def together(made: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The same of what was made of several: all their commits and machines, and the sum of their seconds."""
    every = list(made)

    def named(what: str) -> str:
        return "; ".join(sorted({one.get(what, UNKNOWN) for one in every}))

    seconds = round(sum(one.get("seconds", 0.0) for one in every), 1)
    return {"commit": named("commit"), "machine": named("machine"), "seconds": seconds}

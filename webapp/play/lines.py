"""Instructions from a file, one a line, for commands."""

from __future__ import annotations

import sys
from pathlib import Path

MOST_LINES = 100_000


def lines_of(name: str) -> list[str]:
    """The lines of a file (`-`: standard input); an empty one is an instruction, too, that will be refused.

    Raises ValueError for a file that can't be read as UTF-8 text, or with too many lines.
    """
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise ValueError(f"{name!r} can't be read: {problem.strerror or problem}.") from None
    except UnicodeDecodeError:
        raise ValueError(f"{name!r} is no UTF-8 text.") from None
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) > MOST_LINES:
        raise ValueError(f"{name!r} has {len(lines):,} lines; {MOST_LINES:,} are read at most.")
    return [line.rstrip("\r") for line in lines]

"""The words and patterns of this folder, from the files next to this one. A new wording is a line there."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def lines(name: str) -> list[str]:
    """The lines of a file but empty ones and comments."""
    found = (HERE / name).read_text().splitlines()
    return [line for line in found if line and not line.startswith("# ")]


def words(name: str) -> frozenset[str]:
    """The words of a file."""
    return frozenset(" ".join(lines(name)).split())


def sections(name: str) -> list[tuple[str, list[str]]]:
    """(what stands in brackets, the lines below it) of a file, in its order."""
    found: list[tuple[str, list[str]]] = []
    for line in lines(name):
        if line.startswith("[") and line.endswith("]"):
            found.append((line[1:-1], []))
        else:
            found[-1][1].append(line)
    return found


def patterns(name: str) -> dict[str, str]:
    """The patterns of a file by their names: the lines below each, put together."""
    return {key: "".join(below) for key, below in sections(name)}

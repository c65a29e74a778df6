"""Pebbles (made_up/) as a package of its own, as pip would install it. Not for: games that ship."""

from __future__ import annotations

import shutil
from pathlib import Path

SOURCES = sorted((Path(__file__).parent / "made_up").glob("*.py"))


def write_package(site: Path, name: str, more: dict[str, str] | None = None, **entries: str) -> None:
    """Write Pebbles into the folder `site` as the package `name`: {game: module} of its entry points, by
    default itself, and `more` files of the package, {path: text}.
    """
    home = site / name
    home.mkdir(parents=True)
    for path in SOURCES:
        shutil.copy(path, home)
    for path, text in (more or {}).items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text)
    name_games(site, name, **(entries or {name: name}))


def name_games(site: Path, package: str, **entries: str) -> None:
    """What pip would write beside a package in the folder `site`: {game: module} of its entry points."""
    told = site / f"{package}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{game} = {module}" for game, module in entries.items()]
    (told / "entry_points.txt").write_text("[coplay.games]\n" + "\n".join(lines) + "\n")

"""The plan of the house, held to account: which room may import which."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def imports(path: Path) -> set[str]:
    """Every module that a file imports, by its dotted name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def offenders(folder: str, forbidden: tuple[str, ...]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in imports(path)
        if any(name == f or name.startswith(f + ".") for f in forbidden)
    ]


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("engine", ("webapp", "workers", "django", "celery", "channels")),
        (
            "engine/games",
            ("engine.agents", "engine.learning", "engine.language", "engine.evaluation", "torch"),
        ),
        ("engine/language", ("torch",)),
        ("webapp/play", ("torch",)),
    ],
)
def test_a_room_imports_only_what_it_may(folder: str, forbidden: tuple[str, ...]) -> None:
    assert list((ROOT / folder).rglob("*.py")), f"{folder} has no code to look at"
    assert offenders(folder, forbidden) == []


def test_no_game_imports_another() -> None:
    games = [p.name for p in (ROOT / "engine/games").iterdir() if (p / "rules.py").exists()]
    assert games
    for game in games:
        others = tuple(f"engine.games.{other}" for other in games if other != game)
        assert offenders(f"engine/games/{game}", others) == []


def test_the_simulation_knows_no_game_by_name() -> None:
    games = [p.name for p in (ROOT / "engine/games").iterdir() if (p / "rules.py").exists()]
    named = tuple(f"engine.games.{game}" for game in games)
    assert offenders("engine/simulation", named) == []


def test_no_rooms_of_the_engine_stand_in_a_circle() -> None:
    rooms = sorted(path.parent.name for path in (ROOT / "engine").glob("*/__init__.py"))
    needs = {
        room: {
            other
            for path in (ROOT / "engine" / room).rglob("*.py")
            for name in imports(path)
            for other in rooms
            if other != room and f"{name}.".startswith(f"engine.{other}.")
        }
        for room in rooms
    }
    assert needs["simulation"] == set()
    left = dict(needs)
    while free := [room for room, others in left.items() if not others & left.keys()]:
        for room in free:
            del left[room]
    assert left == {}, "each of these needs another of them"


def test_no_file_of_ours_passes_500_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {count}"
        for folder in ("engine", "webapp", "workers", "tests", "static/js")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js"} and (count := len(path.read_text().splitlines())) > 500
    ]
    assert long == []

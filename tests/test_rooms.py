"""The plan of the house, held to account: which room may import which."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


GAMES = [path.parent for path in sorted((ROOT / "engine/games").glob("*/rules.py"))]
ROOMS = sorted(path.parent.name for path in (ROOT / "engine").glob("*/__init__.py"))


def room_of(module: str) -> str | None:
    """The room of the engine that a module belongs to, by its dotted name: a folder of a game that is named
    like a room belongs to that room, `engine.games.hanabi.language.say` to "language".
    """
    parts = module.split(".")
    if parts[0] != "engine" or len(parts) < 2:
        return None
    if parts[1] == "games" and len(parts) > 3 and parts[3] in ROOMS:
        return parts[3]
    return parts[1] if parts[1] in ROOMS else None


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def files_of(room: str) -> list[Path]:
    return [path for path in sorted((ROOT / "engine").rglob("*.py")) if room_of(module_of(path)) == room]


@cache
def imports(path: Path) -> set[str]:
    """Every module that a file imports, by its dotted name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def needed(room: str) -> set[str]:
    """The rooms of the engine that a room's files import, itself among them."""
    return {other for path in files_of(room) for name in imports(path) if (other := room_of(name))}


def offenders(paths: Iterable[Path], forbidden: tuple[str, ...]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in imports(path)
        if any(name == f or name.startswith(f + ".") for f in forbidden)
    ]


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("engine", ("webapp", "workers", "django", "celery", "channels")),
        ("webapp/host", ("torch",)),
    ],
)
def test_a_folder_imports_only_what_it_may(folder: str, forbidden: tuple[str, ...]) -> None:
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths, f"{folder} has no code to look at"
    assert offenders(paths, forbidden) == []


@pytest.mark.parametrize("room", ["games", "language"])
def test_a_room_does_without_torch(room: str) -> None:
    assert files_of(room)
    assert offenders(files_of(room), ("torch",)) == []


def test_a_games_rules_know_nothing_of_agents_learning_or_readers() -> None:
    assert needed("games") == {"games", "simulation"}


def test_no_game_imports_another() -> None:
    assert GAMES
    for game in GAMES:
        others = tuple(f"engine.games.{other.name}" for other in GAMES if other != game)
        assert offenders(sorted(game.rglob("*.py")), others) == []


def scripts_of(game: str) -> list[Path]:
    folders = [ROOT / "static/js/games" / game, ROOT / "engine/games" / game / "static"]
    return sorted(path for folder in folders for path in folder.rglob("*.js"))


def test_no_script_of_a_game_imports_anothers() -> None:
    games = [p.name for p in (ROOT / "engine/games").iterdir() if scripts_of(p.name)]
    assert len(games) > 1
    wrong = [
        f"{path.relative_to(ROOT)} imports {address}"
        for game in games
        for path in scripts_of(game)
        for address in re.findall(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""", path.read_text())
        if set(Path(address).parts) & set(games) - {game}
    ]
    assert wrong == []


def test_no_room_knows_a_game_by_name() -> None:
    """Neither what runs games nor what reads, evaluates and trains: each asks the registry. The desktop
    client is for a streamed game.
    """
    named = tuple(f"engine.games.{game.name}" for game in GAMES)
    own = {*GAMES, ROOT / "engine/client"}
    shared = [path for path in (ROOT / "engine").rglob("*.py") if not own & {path, *path.parents}]
    assert shared
    assert offenders(shared, named) == []


def test_no_rooms_of_the_engine_stand_in_a_circle() -> None:
    needs = {
        room: {other for path in files_of(room) for name in imports(path) if (other := room_of(name))}
        - {room}
        for room in ROOMS
    }
    assert needs["simulation"] == set()
    left = dict(needs)
    while free := [room for room, others in left.items() if not others & left.keys()]:
        for room in free:
            del left[room]
    assert left == {}, "each of these needs another of them"


def test_only_a_thin_command_needs_the_tools() -> None:
    """A running site does without the folder, as the container image has it."""
    command = ROOT / "webapp/config/management/commands/bench.py"
    assert offenders([command], ("tools",))
    others = [path for room in ("engine", "webapp", "workers") for path in (ROOT / room).rglob("*.py")]
    assert offenders([path for path in others if path != command], ("tools",)) == []
    assert "tools" not in (ROOT / "Dockerfile").read_text()


# What each app imports of the others, in functions too: only what stands before it here. Not counted: foreign
# keys, which name a model by a text.
APPS = {
    "common": (),
    "accounts": ("common",),
    "studies": ("accounts",),
    "jobs": ("common",),
    "agents": ("accounts", "common"),
    "language": ("accounts", "agents", "common"),
    "episodes": ("accounts", "agents", "common", "jobs"),
    "matches": ("accounts", "agents", "episodes", "language", "studies"),
    "host": ("accounts", "agents", "common", "episodes", "language", "matches", "studies"),
    "annotation": ("accounts", "agents", "common", "episodes", "jobs", "matches", "studies"),
    "lobby": (
        *("accounts", "agents", "annotation", "common", "episodes"),
        *("host", "language", "matches", "studies"),
    ),
    "datasets": (
        *("accounts", "agents", "annotation", "common", "episodes"),
        *("jobs", "matches", "studies"),
    ),
    "gallery": (
        *("accounts", "agents", "annotation", "common", "datasets", "episodes"),
        *("lobby", "matches"),
    ),
    "rounds": (
        *("accounts", "agents", "annotation", "common", "datasets", "episodes"),
        *("jobs", "language", "matches"),
    ),
    "workers": ("annotation", "common", "jobs", "studies"),
    "config": (
        *("accounts", "agents", "annotation", "common", "datasets"),
        *("host", "jobs", "language", "studies"),
    ),
}


def app_of(name: str) -> str:
    """The app of a module or file, by its dotted name; "" for what isn't the site's."""
    first, *more = name.split(".")
    return first if first == "workers" else more[0] if first == "webapp" and more else ""


def test_every_app_of_the_site_imports_those_that_the_table_says() -> None:
    files = [*(ROOT / "webapp").rglob("*.py"), *(ROOT / "workers").glob("*.py")]
    found: dict[str, set[str]] = {}
    for path in files:
        app = app_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        if "migrations" not in path.parts and path.parent != ROOT / "webapp":
            found.setdefault(app, set()).update(filter(None, map(app_of, imports(path))))
    needs = {app: others - {app} for app, others in found.items()}
    assert needs == {app: set(others) for app, others in APPS.items()}


def test_no_apps_of_the_site_stand_in_a_circle() -> None:
    names = list(APPS)
    for place, app in enumerate(names):
        assert set(APPS[app]) <= set(names[:place]), f"{app} may import what comes after it"


MADE = "tests/engine/games/typed.py"  # by tools/game_parts.py, for mypy alone


def test_no_file_of_ours_passes_500_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {count}"
        for folder in ("engine", "webapp", "workers", "tools", "tests", "static/js")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js"} and (count := len(path.read_text().splitlines())) > 500
    ]
    assert [file for file in long if not file.startswith(MADE)] == []

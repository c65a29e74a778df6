"""Games are found by name: no code outside a game's own folders names one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from engine import games

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "workers", "webapp")
# What may name a game, and why. A folder ends with "/".
ALLOWED = {
    "engine/simulation/registry.py": "the game that is meant where nobody names one",
    "engine/client/": "the desktop client and the example bot, which are for a streamed game",
    "webapp/config/doctor.py": "a library is called what it is called",
    "webapp/lobby/management/commands/desktop.py": "the desktop client is for a streamed game",
    "webapp/agents/models.py": "an example of a ref",
}
NAMED = re.compile(rf"(?<![a-z])(?:{'|'.join(games.names())})(?![a-z])", re.IGNORECASE)


def own_folders() -> set[str]:
    """Folders named like a game, in any room."""
    return {
        str(path.relative_to(ROOT)) + "/"
        for room in ROOMS
        for name in games.names()
        for path in (ROOT / room).rglob(name)
        if path.is_dir()
    }


def code(text: str) -> Iterator[tuple[int, str]]:
    """(line, word) of every identifier, module and string of a source that isn't documentation."""
    tree = ast.parse(text)
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        words: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            words = [node.value]
        elif isinstance(node, ast.Name):
            words = [node.id]
        elif isinstance(node, ast.Attribute):
            words = [node.attr]
        elif isinstance(node, ast.Import):
            words = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            words = [node.module or "", *(alias.name for alias in node.names)]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            words = [node.name]
        elif isinstance(node, ast.arg):
            words = [node.arg]
        for word in words:
            yield getattr(node, "lineno", 0), word


def found() -> dict[str, list[str]]:
    """{file: what it names} outside of the games' folders."""
    places: dict[str, list[str]] = {}
    own = own_folders()
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            # What a database once was is told as it was.
            if path.parent.name == "migrations" or any(name.startswith(folder) for folder in own):
                continue
            hits = [f"{line}: {word[:60]}" for line, word in code(path.read_text()) if NAMED.search(word)]
            if hits:
                places[name] = hits
    return places


def allowed(name: str) -> str | None:
    return next((one for one in ALLOWED if name == one or one.endswith("/") and name.startswith(one)), None)


def test_no_code_outside_a_games_folders_names_it() -> None:
    assert {name: hits for name, hits in found().items() if not allowed(name)} == {}


def test_nothing_is_allowed_that_needs_no_leave() -> None:
    assert set(ALLOWED) == {allowed(name) for name in found()} - {None}


def test_names_are_found_in_code_and_not_in_documentation() -> None:
    text = (
        '"""Of Hanabi."""\nfrom engine.games.arena import state\nx = f"{y}/hanabi"\nHARENA, arenas = 1, 2\n'
    )
    named = [word for _, word in code(text) if NAMED.search(word)]
    assert named == ["engine.games.arena", "/hanabi"]

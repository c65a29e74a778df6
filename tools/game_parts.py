"""What engine/brings.py says that a game may bring, as others need it.

.venv/bin/python -m tools.game_parts            # the list in docs/adding-a-game.md
.venv/bin/python -m tools.game_parts --typed    # tests/engine/games/typed.py, which mypy checks
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator

from engine import brings, games
from engine.brings_part import Part

TYPED = '''"""What the games here bring, against engine/brings.py: mypy checks every line. Not for running.

Made by `.venv/bin/python -m tools.game_parts --typed`.
"""

'''


def listed() -> str:
    """All parts as a list in Markdown."""
    return "\n".join(line for part in brings.parts() for line in _lines(part)) + "\n"


def _lines(part: type[Part]) -> Iterator[str]:
    about = " ".join(str(part.__doc__).split())
    yield _wrapped(f"- `{place(part)}`: {about}. Without it: {part.WITHOUT}.", "  ")
    notes = _notes(part)
    for name in part.names():
        need = "" if hasattr(part, name) else " (needed)"
        yield _wrapped(f"  - `{name}`{need}{': ' + notes[name] if name in notes else ''}", "    ")


def place(part: type[Part]) -> str:
    """Its file, in the game's folder."""
    folder = "" if part.ROOM == "games" else f"{part.ROOM}/"
    return f"{folder}{part.MODULE or '__init__'}.py"


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _notes(part: type[Part]) -> dict[str, str]:
    """{name: what the string below it says}."""
    body = ast.parse(textwrap.dedent(inspect.getsource(part))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for before, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name):
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found[before.target.id] = " ".join(str(after.value.value).split())
    return found


def typed() -> str:
    """A module that assigns everything that our games bring to what it is declared as."""
    imports: set[str] = set()
    lines = ["from engine import brings", ""]
    for game in sorted(set(games.names()) - set(games.installed())):
        for part in brings.parts():
            module = games.part(game, part.MODULE, part.ROOM)
            own = [name for name in part.names() if module is not None and hasattr(module, name)]
            if module is None or not own:
                continue
            variable = f"{game}_{part.__name__.lower()}"
            imports.add(f"import {module.__name__} as their_{variable}")
            lines.append(f"{variable} = brings.{part.__name__}()")
            lines += [f"{variable}.{name} = their_{variable}.{name}" for name in own]
    return TYPED + "\n".join([*sorted(imports), *lines]) + "\n"


if __name__ == "__main__":
    print(typed() if "--typed" in sys.argv else listed(), end="")

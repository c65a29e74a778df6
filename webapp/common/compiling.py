"""Which games a start has left to be compiled beside it (`manage.py warm --left`): their matches wait.
Not for the compiling itself.
"""

from __future__ import annotations

from django.conf import settings

from engine import games


def left_to_compile() -> list[str]:
    """The games that `manage.py warm --left` has to compile, the quickest first."""
    left = [path.name.removeprefix("compile-") for path in settings.VAR_DIR.glob("compile-*")]
    return by_size([game for game in left if game in games.names()])


def by_size(names: list[str]) -> list[str]:
    """These games, those with little code first: they compile quickest."""
    return sorted(
        names, key=lambda game: sum(file.stat().st_size for file in games.folder(game).rglob("*.py"))
    )


def is_compiling(game: str) -> bool:
    """Whether a first start has left this game to be compiled beside it: a match would stand still."""
    return (settings.VAR_DIR / f"compile-{game}").exists()


def compiled(game: str) -> None:
    """The game is compiled: its matches may start."""
    (settings.VAR_DIR / f"compile-{game}").unlink(missing_ok=True)

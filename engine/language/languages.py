"""The declared languages of all games that have one."""

from __future__ import annotations

from engine import brings
from engine import games as registry
from engine.language.declared import Declared


def declared_languages() -> list[Declared]:
    found = (brings.Language.brought(game) for game in registry.names())
    return [own.DECLARED for own in found if own is not None]

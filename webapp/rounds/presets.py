"""Sizes of a round that the form offers as buttons. What a size sets is said by each program
(engine.learning.run.programs) and, where that doesn't suit a game, by the game (engine.learning.parts.sides).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.learning.parts.sides import said
from engine.learning.run.programs import PARTS
from webapp.rounds import programs

USUAL = "usual"
SIZES = {
    "tiny": ("Tiny", "Under a minute: shows that the whole pipeline works. The agent learns little."),
    USUAL: ("Usual", "The defaults: some minutes on a CPU core."),
    "thorough": (
        "Thorough",
        "About an hour: more passes over the marks, more moves, narrower intervals.",
    ),
}


def values(size: str, game: str = "", algorithms: Mapping[str, str] | None = None) -> dict[str, dict]:
    """A size as round settings, {"reward_model": {"steps": …}, …}: what differs from the defaults of the
    chosen programs. Raises `NoProgram`.
    """
    found = {}
    for part in PARTS:
        program = programs.chosen(part, (algorithms or {}).get(part, ""), game)
        own = said(game, "SETTINGS", {}).get(program.name, {}) if game else {}
        found[part] = {**program.sizes.get(size, {}), **own.get(USUAL, {}), **own.get(size, {})}
    return found


def fields(size: str, game: str = "", algorithms: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A size as values of the form's fields."""
    return {
        f"{part}-{name}": value
        for part, own in values(size, game, algorithms).items()
        for name, value in own.items()
    }


def buttons(game: str, algorithms: Mapping[str, str] | None = None) -> dict[str, dict]:
    """For the form's script: {size: {"title", "help", "values": {field: value}}}; every size sets the same
    fields, so that one undoes another.
    """
    by_size = {size: fields(size, game, algorithms) for size in SIZES}
    usual = {
        f"{part}-{name}": value
        for part in PARTS
        for name, value in programs.defaults(
            programs.chosen(part, (algorithms or {}).get(part, ""), game)
        ).items()
    }
    touched = {name: usual[name] for own in by_size.values() for name in own if name in usual}
    return {
        size: {"title": title, "help": text, "values": touched | by_size[size]}
        for size, (title, text) in SIZES.items()
    }

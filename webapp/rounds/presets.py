"""Sizes of a round that the form offers as buttons. Each program says what a size sets
(engine.learning.run.programs) and, where that doesn't suit a game, by the game (engine.learning.parts.sides).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import brings
from engine.learning.run.programs import PARTS, Program
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


def _chosen(game: str, algorithms: Mapping[str, str] | None) -> dict[str, Program]:
    return {part: programs.chosen(part, (algorithms or {}).get(part, ""), game) for part in PARTS}


def values(size: str, game: str = "", algorithms: Mapping[str, str] | None = None) -> dict[str, dict]:
    """A size as round settings, {"reward_model": {"steps": …}, …}: what differs from the defaults of the
    chosen programs. Raises `Refusal`.
    """
    values = {}
    for part, program in _chosen(game, algorithms).items():
        settings = brings.Training.of(game).SETTINGS.get(program.name, {}) if game else {}
        sized = {**program.sizes.get(size, {}), **settings.get(USUAL, {}), **settings.get(size, {})}
        # What no form can say, a table of rewards, a program takes from its game by itself.
        beside = {setting.name for setting in program.settings} - programs.defaults(program).keys()
        values[part] = {name: value for name, value in sized.items() if name not in beside}
    return values


def fields(size: str, game: str = "", algorithms: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A size as values of the form's fields."""
    return {
        f"{part}-{name}": value
        for part, given in values(size, game, algorithms).items()
        for name, value in given.items()
    }


def buttons(game: str, algorithms: Mapping[str, str] | None = None) -> dict[str, dict]:
    """For the form's script: {size: {"title", "help", "values": {field: value}}}; every size sets the same
    fields, so that one undoes another.
    """
    by_size = {size: fields(size, game, algorithms) for size in SIZES}
    usual = {
        f"{part}-{name}": value
        for part, program in _chosen(game, algorithms).items()
        for name, value in programs.defaults(program).items()
    }
    touched = {name: usual[name] for values in by_size.values() for name in values if name in usual}
    return {
        size: {"title": title, "help": text, "values": touched | by_size[size]}
        for size, (title, text) in SIZES.items()
    }

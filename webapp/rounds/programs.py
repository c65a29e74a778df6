"""What can be set about each program of a round, read from the program's own source.

An algorithm's settings are a dataclass with a doc string under each field (`engine/learning/<name>.py`); the
form, its explanations and its defaults come from there, so they can't disagree. The source is parsed and not
imported: web processes stay free of torch. Not for values that a round fills in itself (folders, the game).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import engine.learning

# Part of a round's settings -> its program; "data" is webapp.datasets.selection.
PARTS = {"reward_model": "ibt", "agent": "ppo", "evaluation": "evaluate_round"}
# What the round knows itself (workers.steps fills it in).
FILLED = {"dataset", "game", "base", "reward_model", "agent", "champion", "candidate", "name"}
ABBREVIATIONS = {"lr": "learning rate", "kl": "KL", "gae": "GAE", "envs": "games at once"}
TYPES = {"int": int, "float": float, "bool": bool, "str": str}


class BadSetting(ValueError):
    """A value that can't be used; the message is one sentence."""


@dataclass(frozen=True)
class Setting:
    """One field of a program's settings."""

    name: str
    type: str  # int, float, bool or str
    default: int | float | bool | str
    help: str

    @property
    def words(self) -> str:
        """The name as a label; abbreviations of the field are written out or in capitals."""
        words = [ABBREVIATIONS.get(word, word) for word in self.name.split("_")]
        return words[0][:1].upper() + " ".join(words)[1:]

    def read(self, text: str | None) -> int | float | bool | str:
        """What was typed, as a value; None is an unticked box. Raises BadSetting."""
        if self.type == "bool":
            return text not in (None, "", "0", "false", "off")
        if text is None or text.strip() == "":
            return self.default
        try:
            value = TYPES[self.type](text)
        except ValueError:
            kind = "a whole number" if self.type == "int" else "a number"
            raise BadSetting(f"{self.words} is {text!r}; it must be {kind}.") from None
        if self.type != "str" and not 0 <= value < 1e12:
            raise BadSetting(f"{self.words} is {text}; it must be 0 or more.")
        return value


@cache
def settings_of(program: str) -> tuple[Setting, ...]:
    """The settings of `engine/learning/<program>.py` that a person may choose, in the order of its source."""
    path = Path(engine.learning.__file__).parent / f"{program}.py"
    tree = ast.parse(path.read_text())
    body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name in ("Settings", "Config"))
    found = []
    for index, node in enumerate(body):
        if not isinstance(node, ast.AnnAssign) or node.value is None or not isinstance(node.target, ast.Name):
            continue
        kind = ast.unparse(node.annotation)
        if kind not in TYPES or node.target.id in FILLED:
            continue
        after = body[index + 1] if index + 1 < len(body) else None
        is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        help_text = " ".join(str(after.value.value).split()) if is_text else ""
        help_text = help_text[:1].upper() + help_text[1:]
        found.append(Setting(node.target.id, kind, ast.literal_eval(node.value), help_text))
    return tuple(found)


def defaults(part: str) -> dict[str, int | float | bool | str]:
    return {setting.name: setting.default for setting in settings_of(PARTS[part])}


def checked(part: str, given: dict) -> dict[str, int | float | bool | str]:
    """Complete settings of one part from JSON or a command line; raises BadSetting for names that it doesn't
    have."""
    known = {setting.name: setting for setting in settings_of(PARTS[part])}
    if unknown := sorted(set(given) - set(known)):
        raise BadSetting(f"Unknown {part} setting {unknown[0]!r}; there are {', '.join(known)}.")
    typed = {
        name: value if isinstance(value, bool) else known[name].read(str(value))
        for name, value in given.items()
    }
    return defaults(part) | typed

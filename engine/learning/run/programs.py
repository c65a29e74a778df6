"""The learning programs, found by name: every file of `learning/algorithms` that says what it makes.

Such a file is an algorithm: a docstring, a class `Settings`, `train`, and these constants, all literals, for
they are read from the source. It isn't imported, because it imports torch and a web process doesn't.

    MAKES = "agent"                    # or "reward_model", "evaluation"
    FITS = ("turns", "heads")          # kinds of games (`kinds_of`); without it, all of them
    USUAL = True                       # what rounds take where nobody chooses
    FOREMOST = ("moves", "lr")         # settings that forms show first; its time is proportional to the first
    SIZES = {"tiny": {"moves": 512}}   # settings for a small round, or a big one

Not for running them (engine.learning.run.reporting).
"""

from __future__ import annotations

import ast
import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import engine.learning.algorithms
from engine.learning.run import settings
from engine.learning.run.settings import Role, Setting
from engine.refusal import Refusal
from engine.simulation.spec import GameSpec

PARTS = ("reward_model", "agent", "evaluation")
KINDS = ("turns", "simultaneous", "heads", "small")
SMALL = 50
"""Bits that a seat sees of a "small" game at most."""
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Program:
    """One algorithm's file, as it describes itself."""

    name: str
    path: Path
    title: str  # the first sentence of its docstring
    makes: str
    fits: tuple[str, ...]
    usual: bool
    foremost: tuple[str, ...]
    sizes: dict[str, dict[str, Any]]

    @property
    def module(self) -> str:
        return f"engine.learning.{self.name}"

    @property
    def settings(self) -> tuple[Setting, ...]:
        """In the order of its source, with explanations."""
        return settings.of_source(self.path)

    def named(self, role: Role) -> str:
        """The name of its setting of a role; "" where it has none."""
        return next((setting.name for setting in self.settings if setting.role is role), "")

    def fits_game(self, spec: GameSpec) -> bool:
        return not kinds_of(spec).isdisjoint(self.fits)


def kinds_of(spec: GameSpec) -> set[str]:
    """What a game asks of a learner: "turns", "simultaneous" (all move at once, one choice each) or "heads"
    (all at once, several choices each); "small", too, where players move by turns and see few bits.
    """
    if spec.heads:
        return {"heads"}
    if not spec.turn_based:
        return {"simultaneous"}
    few = spec.observation_high == 1 and spec.observation_size(spec.validate({})) <= SMALL
    return {"turns", "small"} if few else {"turns"}


def every() -> dict[str, Program]:
    """All programs by name, sorted; of two of one name the first in the package's path, as in an import."""
    programs: dict[str, Program] = {}
    for folder in engine.learning.algorithms.__path__:
        for path in Path(folder).glob("*.py"):
            program = _read(path)
            if program is not None:
                programs.setdefault(program.name, program)
    return dict(sorted(programs.items()))


def find(name: str) -> Program:
    """A program; raises `Refusal`."""
    known = every()
    if name not in known:
        raise Refusal(f"There is no algorithm {name!r}; there are {', '.join(known)}.")
    return known[name]


def making(what: str, spec: GameSpec | None = None) -> dict[str, Program]:
    """The programs that make a "reward_model", an "agent" or an "evaluation" in a game (None: in any), by
    name; the usual one first.
    """
    fitting = [
        program
        for program in every().values()
        if program.makes == what and (spec is None or program.fits_game(spec))
    ]
    return {program.name: program for program in sorted(fitting, key=lambda program: not program.usual)}


@cache
def _read(path: Path) -> Program | None:
    """The program in a file; None if it is none, with a warning if it looks like one and can't be read."""
    try:
        tree = ast.parse(path.read_text())
        constants = _constants(tree)
        if "MAKES" not in constants:
            return None
        program = Program(
            name=path.stem,
            path=path,
            title=" ".join((ast.get_docstring(tree) or path.stem).split()).partition(". ")[0].rstrip("."),
            makes=constants["MAKES"],
            fits=tuple(constants.get("FITS", KINDS)),
            usual=bool(constants.get("USUAL", False)),
            foremost=tuple(constants.get("FOREMOST", ())),
            sizes=dict(constants.get("SIZES", {})),
        )
        wrong = [program.makes] if program.makes not in PARTS else [k for k in program.fits if k not in KINDS]
        if wrong:
            raise ValueError(f"{wrong[0]!r} is none of {', '.join((*PARTS, *KINDS))}")
        _ = program.settings
    except (ValueError, TypeError, SyntaxError, NameError, OSError, StopIteration) as error:
        logger.warning("The file %s is no algorithm that can be used (%s).", path, error)
        return None
    return program


def _constants(tree: ast.Module) -> dict[str, Any]:
    """What the module says of itself."""
    wanted = {"MAKES", "FITS", "USUAL", "FOREMOST", "SIZES"}
    return {
        target.id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in wanted
    }

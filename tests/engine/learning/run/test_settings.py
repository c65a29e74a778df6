"""Every number that a program can be told has a range, and what is outside is said at once, all of it."""

from __future__ import annotations

import ast
import dataclasses
import importlib
from pathlib import Path
from typing import Annotated

import pytest

import engine.learning.algorithms
from engine.learning.run import settings, shared
from engine.learning.run.reporting import config_from
from engine.refusal import Refusal
from engine.shapes import bounds

FOLDER = Path(engine.learning.algorithms.__file__).parent
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if 'run_program("' in path.read_text())
NUMBERS = {int, float}
DIGIT = Annotated[int, settings.Range(1, 9)]


def unbound(schema: dict) -> bool:
    """Whether there is a number in it without a range."""
    if schema.get("type") in ("integer", "number"):
        return None in bounds(schema)
    return any(
        unbound(one)
        for one in (schema.get("items"), schema.get("additionalProperties"))
        if isinstance(one, dict)
    )


def test_the_programs_of_a_round_are_among_those_looked_at():
    assert {"ibt", "ppo", "evaluate_round", "clone", "population"} <= set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_number_has_a_range_that_its_default_is_in_and_that_no_nan_is_in(name):
    found = settings.of_class(importlib.import_module(f"engine.learning.algorithms.{name}").Settings)
    for one in found:
        assert not unbound(one.schema), f"{name}.{one.name} has no range"
        if one.default is not settings.REQUIRED:
            assert one.problem(one.default) == "", f"{name}.{one.name}"
        if one.kind in NUMBERS:
            for bad in (float("nan"), float("inf"), -float("inf"), 10**400, -1e300):
                assert one.problem(bad), f"{name}.{one.name} takes {bad}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_source_says_what_the_class_says_and_explains_it(name):
    by_class = {
        one.name: one
        for one in settings.of_class(importlib.import_module(f"engine.learning.algorithms.{name}").Settings)
    }
    found = settings.of_source(FOLDER / f"{name}.py")
    literal = {one.name for one in found}
    assert found and [one.name for one in found] == [one for one in by_class if one in literal]
    for one in found:
        same = by_class[one.name]
        assert (one.schema, one.role, one.default) == (same.schema, same.role, same.default)
        assert len(one.help) > 5, f"{name}.{one.name} has no explanation"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_setting_that_a_program_gives_another_default_keeps_its_role(name):
    cls = importlib.import_module(f"engine.learning.algorithms.{name}").Settings
    roles = {one.name: one.role for one in settings.of_class(cls)}
    for part in cls.__mro__[1:-1]:
        for one in settings.of_class(part):
            assert roles[one.name] is one.role, f"{name}.{one.name}"


def test_what_programs_share_is_declared_once():
    """Of each, its type, range and explanation; a program may give it another default."""
    declared = 0
    for file in (*FOLDER.glob("*.py"), settings.SHARED):
        for found in ast.parse(file.read_text()).body:
            if isinstance(found, ast.ClassDef) and (found.name == "Settings" or file == settings.SHARED):
                declared += sum(isinstance(node, ast.Expr) for node in found.body)
                declared -= ast.get_docstring(found) is not None
    assert declared <= 200


@dataclasses.dataclass(frozen=True, kw_only=True)
class Then(shared.Rollouts):
    moves: int = 3


@dataclasses.dataclass(frozen=True, kw_only=True)
class Now(Then, shared.Instruction):
    base: str = ""


def test_settings_that_were_kept_are_completed_by_those_that_came_later():
    kept = dataclasses.asdict(Then(envs=2))
    assert settings.completed(Now, kept) == dataclasses.asdict(Now(envs=2))
    assert settings.completed(Now, {**kept, "reading": 2}) != dataclasses.asdict(Now(envs=2))


def test_all_that_is_wrong_is_said_at_once_with_what_is_allowed():
    from engine.learning.algorithms import ppo

    with pytest.raises(Refusal) as refused:
        config_from(ppo.Settings, {"lr": 1e9, "gamma": 5, "moves": 0, "seed": 0.5, "sped": 1})
    assert str(refused.value).startswith(
        "The setting 'lr' is 1000000000.0; it must be a number above 0 to 1. "
        "The setting 'gamma' is 5; it must be a number from 0 to 1. "
        "The setting 'moves' is 0; it must be a whole number from 1 to 1,000,000,000,000. "
        "The setting 'seed' is 0.5; it must be a whole number from 0 to 2,147,483,647. "
        "The setting 'sped' is no setting; there are game, options"
    )
    assert str(refused.value).endswith("The setting 'game' is missing.")


@pytest.mark.parametrize(
    ("kind", "given", "value", "problem"),
    [
        (DIGIT, " 7 ", 7, ""),
        (DIGIT, "1.5", "1.5", "is '1.5'; it must be a whole number from 1 to 9"),
        (DIGIT, "", "", "is empty; it must be a whole number from 1 to 9"),
        (DIGIT, True, True, "is True; it must be a whole number from 1 to 9"),
        (settings.Share, 1, 1.0, ""),
        (settings.Share, "nan", None, "is nan; it must be a number from 0 to 1"),
        (bool, "no", False, ""),
        (bool, "flase", "flase", "is 'flase'; it must be true or false"),
        (settings.Widths, [8, 0], [8, 0], "is [8, 0]; it must be a list of whole numbers from 1 to 8,192"),
        (
            dict[str, Annotated[float, settings.Range(0, 1)]],
            {"a": 2},
            {"a": 2},
            "is {'a': 2}; it must be an object of numbers from 0 to 1",
        ),
    ],
)
def test_values_are_read_from_texts_and_refused_with_a_sentence(kind, given, value, problem):
    one = settings.Setting("x", kind, None, "")
    read = one.value(given)
    assert value is None or (read == value and type(read) is type(value))
    assert one.problem(read) == problem


def test_open_ends_are_not_in_a_range():
    inside = settings.Setting("x", Annotated[float, settings.Range(0, 1, above=True, below=True)], None, "")
    assert not inside.problem(0.5) and inside.problem(0) and inside.problem(1)
    assert inside.problem(2) == "is 2; it must be a number above 0 and below 1"

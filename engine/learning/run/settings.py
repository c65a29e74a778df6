"""What can be set about a program, and the one check of it: names, types, defaults, ranges, explanations.

A program's settings are a dataclass. A number's range stands in its annotation, as in
`gamma: Annotated[float, Range(0, 1)] = 0.99`, and a doc string under each field explains it. What a setting
is for stands in its type as well (`Role`): rounds, forms and commands go by that, never by its name. The
check of a value is engine.shapes'.

Programs ask for them by class (`of_class`); pages and commands by source (`of_source`), which is parsed and
not imported, because an algorithm's file imports torch and a web process doesn't. Not for rules between
settings or about data: those are the program's own.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from annotated_types import Interval
from pydantic import ValidationError

from engine import shapes
from engine.shapes import fitting

REQUIRED = object()  # the default of a setting that has none
SHARED = Path(__file__).with_name("shared.py")  # the parts that settings are composed of


def Range(low: float, high: float, above: bool = False, below: bool = False) -> Interval:
    """The numbers from `low` to `high`; with `above` or `below` that end itself is not one of them."""
    return Interval(**{"gt" if above else "ge": low, "lt" if below else "le": high})


class Role(Enum):
    """What a setting is for."""

    GAME = "the game"
    OPTIONS = "the game's options"
    BASE = "the agent that training starts from, or that others are compared with"
    CANDIDATE = "the agent that a round made"
    CHAMPION = "the agent in use"
    HUMAN_PROXY = "the agent that stands for people"
    DATASET = "the folder of a snapshot, for its marks"
    PEOPLES_GAMES = "recorded games, or the folder of a snapshot, for how people played"
    PEOPLES_WORDS = "the folder of a snapshot, for what people told agents and what became of it"
    PARTS_OF_PEOPLE = "into how many parts people are split"
    REWARD_MODEL = "the folder of a reward model"
    SECOND_REWARD_MODEL = "the folder of one that learned from other annotators"
    UTILITY_WEIGHT = "the weight of the reward model's U"
    SCORE_WEIGHT = "the weight of the game's rewards"
    INSTRUCTION = "an instruction as text"
    READING = "which reading of the instruction is meant"
    NAME = "the name of the agent that is made"
    CARD_TEXT = "another text on its card"
    SEED = "the seed"
    DEVICE = "where to compute"


GameName = Annotated[str, Role.GAME]
Options = Annotated[dict[str, Any], Role.OPTIONS]
Base = Annotated[str, Role.BASE]
Candidate = Annotated[str, Role.CANDIDATE]
Champion = Annotated[str, Role.CHAMPION]
HumanProxy = Annotated[str, Role.HUMAN_PROXY]
Dataset = Annotated[str, Role.DATASET]
PeoplesGames = Annotated[str, Role.PEOPLES_GAMES]
PeoplesWords = Annotated[str, Role.PEOPLES_WORDS]
PartsOfPeople = Annotated[int, Role.PARTS_OF_PEOPLE, Range(1, 100)]
RewardModelFolder = Annotated[str, Role.REWARD_MODEL]
SecondModelFolder = Annotated[str, Role.SECOND_REWARD_MODEL]
InstructionText = Annotated[str, Role.INSTRUCTION]
ReadingNumber = Annotated[int, Role.READING, Range(0, 9)]
AgentName = Annotated[str, Role.NAME]
CardText = Annotated[str, Role.CARD_TEXT]
Seed = Annotated[int, Role.SEED, Range(0, 2**31 - 1)]
Share = Annotated[float, Range(0, 1)]
Weight = Annotated[float, Range(0, 1000)]
UtilityWeight = Annotated[float, Role.UTILITY_WEIGHT, Range(0, 1000)]
ScoreWeight = Annotated[float, Role.SCORE_WEIGHT, Range(0, 1000)]
Rate = Annotated[float, Range(0, 1, above=True)]  # of learning
Norm = Annotated[float, Range(0, 1000, above=True)]  # of gradients
Threads = Annotated[int, Range(1, 64)]
Device = Annotated[
    str,
    Role.DEVICE,
    *fitting(re.compile(r"auto|cpu|cuda(:\d{1,2})?").fullmatch, "auto, cpu, cuda or the likes of cuda:1"),
]
RewardInputs = Annotated[
    str,
    *fitting(
        re.compile("rated|features|observation|public").fullmatch, "rated, features, observation or public"
    ),
]
Widths = list[Annotated[int, Range(1, 8192)]]  # of layers


@dataclass(frozen=True)
class Setting:
    """One field of a program's settings: `type` is its annotation."""

    name: str
    type: Any
    default: Any
    help: str

    @property
    def kind(self) -> Any:
        """The type without what narrows it."""
        return get_args(self.type)[0] if get_origin(self.type) is Annotated else self.type

    @property
    def role(self) -> Role | None:
        """What it is for, where its type says it."""
        return next((one for one in get_args(self.type) if isinstance(one, Role)), None)

    @property
    def schema(self) -> shapes.Schema:
        """What may be set, as a JSON schema."""
        return shapes.schema_of(self.type)

    def problem(self, value: Any) -> str:
        """What is wrong with a value, to follow the setting's name; "" if it can be used."""
        return shapes.problem(self.type, value)

    def value(self, given: Any) -> Any:
        """A value as the program takes it: a text that says a number, or yes or no, is read, a whole number
        where any may stand becomes a float; what is neither stays as it is, for `problem`.
        """
        text = isinstance(given, str) and self.kind is not str
        try:
            read = shapes.adapter(self.kind).validate_python
            return read(given.strip(), strict=False) if text else read(given, strict=True)
        except ValidationError:
            return given


def of_class(cls: type) -> tuple[Setting, ...]:
    """The settings of a dataclass; their explanations, which only the source has, are left empty."""
    kinds = get_type_hints(cls, include_extras=True)
    known = []
    for field in dataclasses.fields(cls):
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        if default is dataclasses.MISSING:
            default = REQUIRED
        known.append(Setting(field.name, kinds[field.name], default, ""))
    return tuple(known)


@cache
def of_source(path: Path, name: str = "Settings") -> tuple[Setting, ...]:
    """The settings of the class of that name in an algorithm's file, in the dataclass's order, with
    explanations; of those whose default is a literal. What it is composed of stands in the same file or in
    SHARED; where it gives a field another default only, the explanation is the part's.
    """
    tree = ast.parse(path.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    body, known = classes[name].body, dict[str, Setting]()
    for base in reversed(classes[name].bases):
        part = ast.unparse(base).rpartition(".")[2]
        known |= {setting.name: setting for setting in of_source(path if part in classes else SHARED, part)}
    for index, node in enumerate(body):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        try:
            default = REQUIRED if node.value is None else _literal(node.value)
        except ValueError:
            continue
        # The repository's own source, in the words of this file.
        kind = eval(compile(ast.Expression(node.annotation), str(path), "eval"), dict(globals()))
        after, text = body[index + 1] if index + 1 < len(body) else None, ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            text = " ".join(str(after.value.value).split())
        setting_name = node.target.id
        text = text[:1].upper() + text[1:] or (known[setting_name].help if setting_name in known else "")
        known[setting_name] = Setting(setting_name, kind, default, text)
    return tuple(known.values())


def _literal(node: ast.expr) -> Any:
    """A default that is a literal, or a field that makes one; raises ValueError for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "field":
        if not node.keywords:  # without a default, though a part has one
            return REQUIRED
        makers = [given.value for given in node.keywords if given.arg == "default_factory"]
        if len(makers) == 1 and isinstance(makers[0], ast.Lambda):
            node = makers[0].body
        elif len(makers) == 1 and isinstance(makers[0], ast.Name) and makers[0].id in ("dict", "list"):
            return {} if makers[0].id == "dict" else []
    return ast.literal_eval(node)


def completed(cls: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they were kept some time ago, with the defaults of those that came later."""
    return {
        setting.name: setting.default for setting in of_class(cls) if setting.default is not REQUIRED
    } | dict(given)


def problems(settings: Iterable[Setting], given: Mapping[str, Any]) -> dict[str, str]:
    """Everything that is wrong with given values: {name: what, to follow the name}; {} if nothing is."""
    known = {setting.name: setting for setting in settings}
    sentences = {}
    for name, value in given.items():
        if name not in known:
            sentences[name] = f"is no setting; there are {', '.join(known)}"
        elif problem := known[name].problem(value):
            sentences[name] = problem
    for name, setting in known.items():
        if setting.default is REQUIRED and name not in given:
            sentences[name] = "is missing"
    return sentences

"""What data from elsewhere must look like, and the one check of it at every border: a shape is a type that
pydantic knows, mostly a `Shape`, a class whose fields carry their ranges.

`checked` takes a value or refuses it in our words, each with its place; `allowed` says in words what a schema
allows, for refusals and for the tables in docs/. Not for whether a JSON text is harmless
(engine.checked_json), nor for what depends on more than the value, such as how many seats a match has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from engine.refusal import Refusal, Refusals

LARGEST = 2**31 - 1  # of whole numbers, as a database's columns hold them
SHOWN = 40  # characters of a bad value that are repeated
MOST_NAMED = 9  # fields of an object that is missing
T = TypeVar("T")
Schema = dict[str, Any]

Id = Annotated[UUID, Strict(False), AfterValidator(str)]  # a UUID; as a text, in its usual form
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)  # compiled once a shape


class Shape(BaseModel):
    """An object from elsewhere. A doc string under a field explains it. Fields that nobody knows are ignored,
    as newer writers may have more; a class that wants none says `extra="forbid"`.
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", use_attribute_docstrings=True)


@cache
def schema_of(shape: Any) -> Schema:
    """The JSON schema of what is allowed."""
    return adapter(shape).json_schema()


def checked(shape: type[T], value: Any, what: str = "The field {}", whole: str = "This") -> T:
    """The value as the shape has it. Raises Refusals, a sentence for each place that can't be taken; `what`
    is how it begins, with {} where the place is named, and `whole` where all of the value is meant.
    """
    try:
        return adapter(shape).validate_python(value)
    except ValidationError as error:
        problems = _problems(shape, error)
    sentences = {
        place: text if is_sentence else f"{what.format(place) if place else whole} {text}."
        for place, (text, is_sentence) in problems.items()
    }
    raise Refusals(problems=sentences)


def problem(shape: Any, value: Any) -> str:
    """What is wrong with a value as a whole, to follow what it is called; "" if nothing is."""
    try:
        adapter(shape).validate_python(value, strict=True)
    except ValidationError:
        return f"is {shown(value)}; it must be {allowed(schema_of(shape))}"
    return ""


def fitting(fits: Callable[[Any], bool], words: str) -> tuple[Any, Any]:
    """For a type that only some values fit, as in `Annotated[str, *fitting(is_day, "a day")]`."""

    def check(value: T) -> T:
        if not fits(value):
            raise PydanticCustomError("unfit", "unfit")
        return value

    return AfterValidator(check), WithWords(words)


@dataclass(frozen=True)
class WithWords:
    """What is allowed, in words, in place of those that follow from the type."""

    words: str

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> Schema:
        return {**handler(core), "words": self.words}


def _problems(shape: Any, error: ValidationError) -> dict[str, tuple[str, bool]]:
    """Every place that can't be taken, as "files.a.bytes": (what is wrong there, whether that is a whole
    sentence already and not to follow the place's name).
    """
    problems: dict[str, tuple[str, bool]] = {}
    for detail in error.errors(include_url=False):
        steps, schema = _walked(schema_of(shape), detail["loc"])
        cause = detail.get("ctx", {}).get("error")
        if detail["type"] == "missing":
            text = f"is missing; it must be {allowed(schema)}"
        elif detail["type"] == "extra_forbidden":
            _, above = _walked(schema_of(shape), detail["loc"][:-1])
            text = f"isn't known; there are {', '.join(above['properties'])}"
        elif detail["type"] == "value_error":
            text = str(cause)
        else:
            text = f"is {shown(detail['input'])}; it must be {allowed(schema)}"
        problems.setdefault(".".join(map(str, steps)), (text, isinstance(cause, Refusal)))
    return problems


def shown(value: Any) -> str:
    """A value as a sentence shows it."""
    if value == "":
        return "empty"
    try:
        text = repr(value)
    except ValueError:  # a number of thousands of digits
        return "too long a number"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


# --- What is allowed, in words -----------------------------------------------------------------------------


def allowed(schema: Schema, many: bool = False) -> str:
    """What a schema allows, in words that follow "it must be" or, if there are `many`, "a list of"."""
    if "words" in schema:
        return str(schema["words"])
    if "anyOf" in schema:
        return _either(allowed(part, many) for part in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return _either(str(value) for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind in ("integer", "number"):
        noun = "whole number" if kind == "integer" else "number"
        return f"{noun}s{_range(schema)}" if many else f"a {noun}{_range(schema)}"
    if kind == "string":
        return _text(schema, many)
    if kind == "array":
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        count = (
            f" {least}" if least == most else f" up to {most:,}" if most else " 1 or more" if least else ""
        )
        inner = allowed(schema.get("items", {}), many=True)
        return f"{'lists' if many else 'a list'} of{count} {inner}"
    if kind == "object":
        return _object(schema, many)
    return {"boolean": "true or false", "null": "null"}.get(str(kind), "values" if many else "any value")


def _text(schema: Schema, many: bool) -> str:
    if schema.get("format") == "uuid":
        return "ids (UUIDs)" if many else "an id (a UUID)"
    if schema.get("format") == "date":
        return "days like 2026-01-31" if many else "a day like 2026-01-31"
    words = "texts" if many else "a text"
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if most is None:
        return f"{words} that isn't empty" if least else words
    return f"{words} of {f'{least:,} to' if least else 'at most'} {most:,} characters"


def _object(schema: Schema, many: bool) -> str:
    words = "objects" if many else "an object"
    names = list(schema.get("properties", {}))
    if 0 < len(names) <= MOST_NAMED:
        return f"{words} with {_either(names, 'and')}"
    inner = schema.get("additionalProperties")
    return f"{words} of {allowed(inner, many=True)}" if isinstance(inner, dict) and inner else words


def bounds(schema: Schema) -> tuple[float | None, float | None]:
    """(lowest, highest) number, whether or not that end is one of them."""
    low, high = schema.get("minimum"), schema.get("maximum")
    return schema.get("exclusiveMinimum", low), schema.get("exclusiveMaximum", high)


def _range(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    parts = [f" above {above:,}" if above is not None else f" from {low:,}" if low is not None else ""]
    if below is not None:
        parts.append(f"{' and' if above is not None else ' to' if parts[0] else ''} below {below:,}")
    elif high is not None:
        parts.append(f" to {high:,}" if parts[0] else f" up to {high:,}")
    elif low is not None:
        parts.append(" on")
    return "".join(parts)


def _either(words: Iterable[str], last: str = "or") -> str:
    *first, final = dict.fromkeys(words)
    return f"{', '.join(first)} {last} {final}" if first else final


def _walked(schema: Schema, steps: Iterable[Any]) -> tuple[list[Any], Schema]:
    """(steps taken, the schema there) along the steps as far as they are ones into the data: pydantic also
    names the branch of a union.
    """
    whole, taken = schema, list[Any]()
    schema = opened(schema, whole)
    for step in steps:
        below = schema.get("properties", {}).get(step) if isinstance(step, str) else schema.get("items")
        if below is None and isinstance(step, str):
            below = schema.get("additionalProperties")
        if below is None and "anyOf" in schema:
            continue
        taken.append(step)
        schema = opened(below if isinstance(below, dict) else {}, whole)
    return taken, schema


def opened(schema: Schema, whole: Schema) -> Schema:
    """A schema without references, also in its alternatives; the only alternative to null for the two."""
    if "$ref" in schema:
        return opened(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "anyOf" in schema:
        parts = [opened(part, whole) for part in schema["anyOf"]]
        (first, *more) = [part for part in parts if part.get("type") != "null"]
        return schema | {"anyOf": parts} | ({} if more else {k: first[k] for k in INSIDE & first.keys()})
    return schema | {
        name: opened(schema[name], whole)
        for name in ("items", "additionalProperties")
        if isinstance(schema.get(name), dict)
    }


INSIDE = {"properties", "items", "additionalProperties"}

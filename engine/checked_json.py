"""JSON that somebody else wrote, taken only if it is harmless: not too long or too deep, numbers that are
numbers, text that can be stored.

Not for what it means (each reader checks its own fields), nor for what this program wrote a moment ago.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from engine.refusal import Refusal

DEEPEST = 64  # lists and objects in one another
LARGEST = 2**63 - 1  # whole numbers; what databases and arrays hold
MOST_BYTES = 16 << 20  # of a file, where its reader says nothing else
NESTED = (dict, list)


def parse(text: str | bytes, what: str = "The text", depth: int = DEEPEST) -> Any:
    """The value of a JSON text (bytes: UTF-8); raises Refusal with a sentence that begins with `what`."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        value = json.loads(text, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Refusal(f"{what} isn't text in UTF-8.") from None
    except RecursionError:
        raise Refusal(f"{what} has more than {depth} lists or objects in one another.") from None
    except json.JSONDecodeError as error:
        raise Refusal(
            f"{what} isn't JSON: {error.msg} (line {error.lineno}, column {error.colno})."
        ) from None
    except ValueError as error:  # NaN and numbers of thousands of digits
        raise Refusal(f"{what} isn't JSON: {str(error).partition(';')[0]}.") from None
    if problem := problem_of(value, depth):
        raise Refusal(f"{what} has {problem}.")
    return value


def parse_object(text: str | bytes, what: str = "The text", depth: int = DEEPEST) -> dict[str, Any]:
    """As `parse`, and it must be an object."""
    value = parse(text, what, depth)
    if not isinstance(value, dict):
        raise Refusal(f"{what} must be a JSON object ({{…}}), not {_kind(value)}.")
    return value


def read(path: Path, what: str = "", most: int = MOST_BYTES) -> Any:
    """The value in a file of at most `most` bytes; raises Refusal. `what` names it in sentences."""
    what = what or f"The file {path}"
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise Refusal(f"{what} isn't there.") from None
    except (OSError, ValueError) as error:
        raise Refusal(f"{what} can't be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(data) > most:
        raise Refusal(f"{what} has more than {most:,} bytes.")
    return parse(data, what)


def read_object(path: Path, what: str = "", most: int = MOST_BYTES) -> dict[str, Any]:
    """As `read`, and it must be an object."""
    value = read(path, what, most)
    if not isinstance(value, dict):
        raise Refusal(f"{what or f'The file {path}'} must hold one JSON object ({{…}}), not {_kind(value)}.")
    return value


def problem_of(value: Any, depth: int = DEEPEST) -> str:
    """What a parsed value has that isn't taken, in a few words; "" if there is nothing."""
    level = [value]
    for nested in range(depth + 1):
        deeper: list[Any] = []
        for item in level:
            if not isinstance(item, NESTED):
                if problem := _scalar_problem(item):
                    return problem
            elif nested == depth:
                return f"more than {depth} lists or objects in one another"
            else:
                deeper += [*item, *item.values()] if isinstance(item, dict) else item
        level = deeper
    return ""


def _scalar_problem(value: Any) -> str:
    if isinstance(value, float):
        if math.isfinite(value):
            return ""
        return "NaN, which is no number" if math.isnan(value) else "a number that is too large"
    if isinstance(value, int):
        return "a whole number that is too large" if abs(value) > LARGEST else ""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return "half a character (a lone surrogate)"
        return "a character of number 0" if "\0" in value else ""
    return ""


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")

"""What options of commands may be: numbers with their range, files, addresses; how a refusal reads.

    parser.add_argument("--limit", type=whole(1, 10_000), default=50)
    parser.add_argument("--config", type=json_object_file, required=True)

Each takes the text of an option and gives its value, or raises ArgumentTypeError with what was given and what
is allowed. Not for options that only a game can judge (engine.games.arguments).
"""

from __future__ import annotations

import argparse
import ipaddress
import math
import os
import re
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from string import hexdigits
from typing import Any, NoReturn
from urllib.parse import urlsplit
from uuid import UUID

from engine import checked_json
from engine.refusal import NotNow, Refusal

MOST_SEED = 10**15  # browsers know whole numbers up to 2**53
DAY = 86_400  # seconds
MOST_NAME = 300  # characters of a name, a ref or a path in a list
MOST_NAMES = 100
REFUSED = 2  # exit status for options and input that can't be used, however often one tries
SHOWN = 80  # characters of a bad value that are repeated to its writer


def exit_status(problem: Exception) -> int:
    """With what status a program leaves: REFUSED, or 1 where another try may help or nothing was refused."""
    return REFUSED if isinstance(problem, Refusal) and not isinstance(problem, NotNow) else 1


# --- Numbers -----------------------------------------------------------------------------------------------


def whole(least: int, most: int) -> Callable[[str], int]:
    """A whole number from `least` to `most`, in digits."""

    def whole_number(text: str) -> int:
        number = int(text) if re.fullmatch(r"[+-]?[0-9]{1,20}", text.strip()) else None
        if number is None or not least <= number <= most:
            raise ArgumentTypeError(f"{shown(text)} is not a whole number from {least:,} to {most:,}")
        return number

    return whole_number


def number(least: float, most: float) -> Callable[[str], float]:
    """A number from `least` to `most`; never one that is none."""

    def some_number(text: str) -> float:
        value = _float(text)
        if not least <= value <= most:
            raise ArgumentTypeError(f"{shown(text)} is not a number from {least:,g} to {most:,g}")
        return value

    return some_number


def seconds(text: str) -> float:
    """A time above 0 and up to a day."""
    value = _float(text)
    if not 0 < value <= DAY:
        raise ArgumentTypeError(f"{shown(text)} is not a number of seconds above 0 and up to {DAY:,}")
    return value


seed = whole(0, MOST_SEED)
port = whole(1, 65_535)
share = number(0, 1)


def _float(text: str) -> float:
    """NaN, which no range has, for what is no number."""
    try:
        return float(text)
    except ValueError:
        return math.nan


# --- Words -------------------------------------------------------------------------------------------------


def words(most: int) -> Callable[[str], str]:
    """A text of at most `most` characters."""

    def some_text(text: str) -> str:
        if len(text) > most:
            raise ArgumentTypeError(f"it has {len(text):,} characters; at most {most:,} are allowed")
        return text

    return some_text


name = words(MOST_NAME)


def names(text: str) -> list[str]:
    """Names separated by commas: at least one."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise ArgumentTypeError(f"{shown(text)} names nothing; give one name or more, separated by commas")
    if len(parts) > MOST_NAMES:
        raise ArgumentTypeError(f"{len(parts):,} names are too many; at most {MOST_NAMES} are allowed")
    return [name(part) for part in parts]


def setting(text: str) -> tuple[str, str]:
    """The text "lr=0.001" as its two parts."""
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise ArgumentTypeError(f"{shown(text)} is not a setting and its value, like lr=0.001")
    return name.strip(), value


def uuid(text: str) -> UUID:
    """The id of an episode, a match, a snapshot."""
    try:
        return UUID(text)
    except ValueError:
        raise ArgumentTypeError(
            f"{shown(text)} is not an id like 01234567-89ab-cdef-0123-456789abcdef"
        ) from None


def uuid_or_part(text: str) -> str:
    """The id of an episode, or its beginning as pages show it: at least four of its digits."""
    digits = text.replace("-", "")
    if not 4 <= len(digits) <= 32 or not set(digits) <= set(hexdigits):
        raise ArgumentTypeError(
            f"{shown(text)} is neither an id like 01234567-89ab-cdef-0123-456789abcdef nor its beginning "
            "as pages show it, 0123"
        )
    return text.lower()


def one_of(allowed: Sequence[str]) -> Callable[[str], str]:
    """One of these words; for lists that are too long for `choices`, which repeats them in every usage."""

    def known(text: str) -> str:
        if text not in allowed:
            raise ArgumentTypeError(f"there is no {shown(text)}; there are {', '.join(allowed)}")
        return text

    return known


# --- Files -------------------------------------------------------------------------------------------------


def file(text: str) -> Path:
    """A file that can be read."""
    path = Path(text)
    problem = _file_problem(path)
    if problem:
        raise ArgumentTypeError(f"{shown(text)} {problem}")
    return path


def _file_problem(path: Path) -> str:
    try:
        if path.is_dir():
            return "is a folder, not a file"
        if not path.exists():
            return "isn't there"
        with path.open("rb"):
            return ""
    except (OSError, ValueError) as error:
        return f"can't be read: {_reason(error)}"


def file_or_folder(text: str) -> Path:
    """A file that can be read, or a folder that is there."""
    with suppress(OSError, ValueError):
        if text and (path := Path(text)).is_dir():
            return path
    return file(text)


def folder(text: str) -> Path:
    """A folder that is there."""
    path = Path(text)
    try:
        is_folder = path.is_dir()
    except OSError as error:
        raise ArgumentTypeError(f"{shown(text)} can't be read: {_reason(error)}") from None
    if not is_folder:
        raise ArgumentTypeError(f"there is no folder {shown(text)}")
    return path


def json_object_file(text: str) -> dict[str, Any]:
    """The object in a JSON file."""
    try:
        return checked_json.read_object(Path(text), f"the file {shown(text)}")
    except Refusal as error:
        raise ArgumentTypeError(str(error).removesuffix(".")) from None


def json_object(text: str) -> dict[str, Any]:
    """The object in a JSON text."""
    try:
        return checked_json.parse_object(text, shown(text))
    except Refusal as error:
        raise ArgumentTypeError(str(error).removesuffix(".")) from None


def new_file(text: str) -> Path:
    """A file to write, in a folder that is there; one that exists is replaced."""
    path = Path(text)
    try:
        if not text or path.is_dir():
            raise ArgumentTypeError(f"{shown(text)} is a folder, not a file to write")
        if not path.parent.is_dir():
            raise ArgumentTypeError(f"there is no folder {shown(str(path.parent))} to write it in")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise ArgumentTypeError(f"{shown(text)} can't be written: Permission denied")
    except (OSError, ValueError) as error:
        raise ArgumentTypeError(f"{shown(text)} can't be written: {_reason(error)}") from None
    return path


def new_folder(text: str) -> Path:
    """A folder to write into, which is made if it isn't there."""
    path = Path(text)
    try:
        near = path
        while not near.exists() and near != near.parent:
            near = near.parent
        if not text or not near.is_dir():
            raise ArgumentTypeError(
                f"{shown(str(near) if text else '')} is a file, not a folder to write into"
            )
        if not os.access(near, os.W_OK | os.X_OK):
            raise ArgumentTypeError(f"the folder {shown(str(near))} can't be written to: Permission denied")
    except (OSError, ValueError) as error:
        raise ArgumentTypeError(f"{shown(text)} can't be written to: {_reason(error)}") from None
    return path


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


# --- Addresses ---------------------------------------------------------------------------------------------


def host(text: str) -> str:
    """An address or a host name to listen on."""
    if not _is_host(text):
        raise ArgumentTypeError(
            f"{shown(text)} is not an address to listen on like 127.0.0.1, ::1 or 0.0.0.0"
        )
    return text


def _is_host(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        label = r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
        # What looks like numbers alone is an address gone wrong.
        return bool(re.fullmatch(rf"{label}(\.{label})*\.?", text)) and not re.fullmatch(r"[0-9.]+", text)
    return True


def url(*schemes: str) -> Callable[[str], str]:
    """An address with one of these schemes, a host, and a port where one is named."""

    def address(text: str) -> str:
        if not _is_url(text, schemes):
            like = " or ".join(f"{scheme}://host:8000" for scheme in schemes)
            raise ArgumentTypeError(f"{shown(text)} is not an address like {like}")
        return text

    return address


def _is_url(text: str, schemes: Iterable[str]) -> bool:
    try:
        parts = urlsplit(text)
        fits = parts.scheme in schemes and parts.port != 0 and not re.search(r"\s", text)
        return fits and _is_host(parts.hostname or "")
    except ValueError:  # a port or an IPv6 address that is none
        return False


web_url = url("http", "https")
socket_url = url("ws", "wss")

# --- Refusals ----------------------------------------------------------------------------------------------


def shown(text: str) -> str:
    """A value in quotes, cut short, without characters that a terminal or a log would choke on."""
    quoted = ascii(text) if re.search(r"[\ud800-\udfff]", text) else repr(text)
    return quoted if len(quoted) <= SHOWN else f"{quoted[:SHOWN]}…"


def sentence(message: str) -> str:
    """What argparse says as one sentence: no line feeds, a capital, a full stop."""
    text = " ".join(message.removeprefix("argument ").split())
    if len(text) > 600:
        text = f"{text[:600]}…"
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "…", "?")) else ".")


def odd_text(given: Iterable[str]) -> str:
    """What is wrong with an argument that isn't text: a byte that is no UTF-8, the character of number 0; ""
    if nothing is. No table, log or page could hold it."""
    for text in given:
        try:
            text.encode()
        except UnicodeEncodeError:
            return f"{shown(text)} isn't text in UTF-8"
        if "\0" in text:
            return f"{shown(text)} has a character of number 0"
    return ""


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its sub-commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from parsers(command)


class Parser(argparse.ArgumentParser):
    """A parser that refuses with one sentence on standard error and status 2."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        if problem := odd_text(sys.argv[1:] if args is None else args):
            self.error(problem)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        self.exit(2, sentence(message) + "\n")

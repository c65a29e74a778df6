"""What commands that read instructions have in common: their options, and files of one instruction a line."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from engine import language
from engine.command_line import one_of, shown
from webapp.language import site

MOST_LINES = 100_000
MOST_BYTES = 64 << 20


def add_arguments(parser: ArgumentParser) -> None:
    """The game, the file, who answers, and whether as JSON."""
    games = language.games()
    parser.add_argument("--game", type=one_of(games), required=True, help=", ".join(games))
    parser.add_argument("--file", help="a file with one instruction a line (- for standard input)")
    parser.add_argument("--model", choices=site.MODELS, help=site.MODELS_HELP)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def lines_of(name: str) -> list[str]:
    """The lines of a file (`-`: standard input); an empty one is an instruction, too, that will be refused.

    Raises ValueError for a file that can't be read as UTF-8 text, or with too much in it.
    """
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ValueError(f"{shown(name)} has more than {MOST_BYTES >> 20} MiB.")
        text = data.decode("utf-8-sig")
    except OSError as problem:
        raise ValueError(f"{shown(name)} can't be read: {problem.strerror or problem}.") from None
    except UnicodeDecodeError:
        raise ValueError(f"{shown(name)} is no UTF-8 text.") from None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) > MOST_LINES:
        raise ValueError(f"{shown(name)} has {len(lines):,} lines; {MOST_LINES:,} are read at most.")
    return lines

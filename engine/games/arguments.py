"""Options of a game on a command line: `--players`, `--layout`, `--teams`, `--pace` and the like.

    add(parser)                      # in add_arguments
    options = given(namespace)       # a partial dict of options; raises OptionError

What isn't given isn't in the dict, so the game's own defaults hold, and a game refuses what it doesn't have.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from engine.simulation.spec import OptionError

MAX_FILE = 100_000  # bytes
NAMES = (
    *("players", "layout", "dynamics", "horizon", "start"),
    *("teams", "team_size", "map_seed", "pace", "monsters"),
)


def add(parser: ArgumentParser) -> None:
    """The options that commands take, for every game."""
    parser.add_argument("--players", type=int, help="number of seats")
    parser.add_argument("--layout", metavar="NAME_OR_FILE", help="Overcooked: a layout's name or its file")
    parser.add_argument("--dynamics", help="Overcooked: old (default) or new")
    parser.add_argument("--horizon", type=int, help="Overcooked: ticks of a game (default 400)")
    parser.add_argument("--start", help="Overcooked: fixed (default) or random")
    parser.add_argument("--teams", type=int, help="Arena: teams in the match (default 2)")
    parser.add_argument("--team-size", type=int, help="Arena: players in a team (default 4)")
    parser.add_argument("--map-seed", type=int, help="Arena: the map (default one of 16 by the seed)")
    parser.add_argument("--pace", help="Arena: short, normal (default) or long")
    parser.add_argument("--monsters", type=int, help="Arena: monsters on the map (default 4)")


def given(arguments: dict[str, Any]) -> dict[str, Any]:
    """The options among a command's parsed arguments; the text of a layout's file takes the file's place."""
    options = {name: arguments[name] for name in NAMES if arguments.get(name) is not None}
    if "layout" in options:
        options["layout"] = layout(options["layout"])
    return options


def layout(name: str) -> str:
    """The text of a file with this name, the name itself where there is none; raises OptionError."""
    path = Path(name)
    try:
        if not path.is_file():
            return name
        data = path.read_bytes() if path.stat().st_size <= MAX_FILE else None
    except (OSError, ValueError) as error:
        raise OptionError(f"The layout file can't be read: {getattr(error, 'strerror', error)}.") from None
    if data is None:
        raise OptionError(f"The layout file {name} has more than {MAX_FILE:,} bytes.")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise OptionError(f"The layout file {name} isn't a text in UTF-8.") from None
    # A text always has a line feed; a name never has one.
    return text if "\n" in text else text + "\n"

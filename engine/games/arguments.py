"""Options of a game on a command line: `--players`, `--layout`, `--teams`, `--pace` and the like.

    parser.add_argument("--game", type=game, default=games.DEFAULT)
    add(parser)                      # in add_arguments
    options = given(namespace)       # a partial dict of options; raises Refusal

What isn't given isn't in the dict, so the game's own defaults hold, and a game refuses what it doesn't have.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from engine import command_line, games
from engine.refusal import Refusal
from engine.simulation.spec import Option

MAX_FILE = 100_000  # bytes
WHOLE = command_line.whole(0, 2**31 - 1)  # the game says which of them it takes


def game(text: str) -> str:
    """The name of a game, as the type of an argument."""
    return command_line.one_of(games.names())(text)


def variant(name: str, layout: str) -> str:
    """What learned agents are made for in this layout of a game ("": its default); "" in games without
    layouts. Raises Refusal."""
    spec = games.spec(name)
    if spec.variant is None and layout:
        raise Refusal(f"{spec.title} has no layouts; leave --layout out.")
    complete = spec.validate({"layout": layout} if layout else {})
    return spec.variant(complete) if spec.variant else ""


def _options() -> dict[str, list[tuple[str, Option]]]:
    """{option: [(title of a game that has it, what it is there)]}, "players" and the like first."""
    offering: dict[str, list[tuple[str, Option]]] = {}
    for spec in map(games.spec, games.names()):
        for name, option in spec.options.items():
            offering.setdefault(name, []).append((spec.title, option))
    return dict(sorted(offering.items(), key=lambda pair: -len(pair[1])))


def add(parser: ArgumentParser) -> None:
    """The options that commands take, for every game."""
    for name, takers in _options().items():
        values = [value for _, option in takers for value in (option.default, *option.choices)]
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=command_line.name if any(isinstance(value, str) for value in values) else WHOLE,
            help="; ".join(f"{title}: {option.help.rstrip('.')}" for title, option in takers),
        )


def given(arguments: dict[str, Any]) -> dict[str, Any]:
    """The options among a command's parsed arguments; the text of a layout's file takes the file's place."""
    options = {name: arguments[name] for name in _options() if arguments.get(name) is not None}
    if "layout" in options:
        options["layout"] = layout(options["layout"])
    return options


def layout(name: str) -> str:
    """The text of a file with this name, the name itself where there is none; raises Refusal."""
    path = Path(name)
    try:
        if not path.is_file():
            return name
        data = path.read_bytes() if path.stat().st_size <= MAX_FILE else None
    except (OSError, ValueError) as error:
        raise Refusal(f"The layout file can't be read: {getattr(error, 'strerror', error)}.") from None
    if data is None:
        raise Refusal(f"The layout file {name} has more than {MAX_FILE:,} bytes.")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Refusal(f"The layout file {name} isn't a text in UTF-8.") from None
    # A text always has a line feed; a name never has one.
    return text if "\n" in text else text + "\n"

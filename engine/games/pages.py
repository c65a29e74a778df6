"""Words and choices of a game's pages: its `pages.py` has a `PAGES`, of which everything has a default.

Plain data and functions; nothing here knows the web. Not for: what is said of a game that is over
(engine.games.stories), templates and scripts (templates/games/<game>/, static/js/games/<game>/).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import brings, games

ME, AGENT = "me", "agent:"
"""Who sits in a seat, as the lobby's form says it: the person, or "agent:" and an agent's name."""
MOST_SEATS = 20  # that a lobby shows, where the rules don't say


@dataclass(frozen=True)
class Key:
    """An action that keys can be bound to. `places`: its keys are named by where they lie
    (`KeyboardEvent.code`), not by what they write. `mouse`: of them, the table also listens to buttons of
    the mouse ("Mouse0"), its wheel ("WheelUp") and Shift, Ctrl, Alt and Meta alone.
    """

    name: str
    label: str
    keys: tuple[str, ...]
    places: bool = False
    mouse: bool = False


@dataclass(frozen=True)
class Preset:
    """A ready choice of the lobby: options, and who sits where. `sides`: by level, who sits in each of the
    other sides instead; of the wishes for a side its seats take one after the other.
    """

    name: str
    text: str
    options: dict[str, Any]
    wishes: tuple[str, ...]
    sides: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Level:
    """How hard a match is; each of the ready ones says who sits in the other sides then."""

    name: str
    text: str


@dataclass(frozen=True)
class Pages:
    """A game's words for its pages; `pages` fills in what it leaves out."""

    place: int = 100  # where its tab stands in the lobby, the least first
    heading: str = ""  # of its lobby: "Cook with people and agents"
    invited: str = ""  # what one does in it, to somebody who is invited: the end of a sentence
    rules: str = ""  # what it is about, in a sentence or two, over the tutorial's first position
    lasts: str = "a few minutes"  # a first game
    # How long a game lasts whose options say so: {(option, value): words}.
    lasts_with: dict[tuple[str, Any], str] = field(default_factory=dict)
    seats_help: str = ""  # under "Seats"
    watched: str = ""  # what those see who watch: "(all hands stay face down until the end)"
    partners: str = "partner"  # whom one instructs
    example: str = ""  # of an instruction
    untold: str = ""  # why its agents can't be told things, where they can't
    # The options that the lobby offers, in order: {option: values}; None: all that have a choice.
    offered: dict[str, tuple[Any, ...]] | None = None
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)  # {option: (label, help)}
    words: dict[tuple[str, Any], str] = field(default_factory=dict)  # {(option, value): how it is called}
    # Options that are written as a number: {option: (least, most, what an empty field means)}.
    numbers: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    apart: tuple[str, ...] = ()  # options that the game's own lobby.html shows elsewhere
    most_seats: int = 0  # 0: as many as the options allow
    presets: tuple[Preset, ...] = ()
    levels: tuple[Level, ...] = ()
    # What agents are made for (a layout), where the game has variants: choices with pictures for the lobby,
    # what a variant is called, the choice that a typed text makes (raises Refusal).
    layouts: Callable[[], list[dict[str, Any]]] = list
    layout_label: Callable[[str], str] = str
    checked_layout: Callable[[str, Mapping[str, Any]], dict[str, Any]] | None = None
    # (options, the form's fields) -> options: what the form says in fields of its own. Raises Refusal.
    from_form: Callable[[dict[str, Any], Mapping[str, Any]], dict[str, Any]] = lambda options, form: options
    keys_title: str = ""  # of its table on the keys page
    keys: tuple[Key, ...] = ()
    score_note: str = ""  # what is to be known of its scores
    highest: float = 0.0  # the end of the axis of scores; 0: the highest one there is


def pages(game: str) -> Pages:
    """The words for a game's pages, with defaults filled in. Raises Refusal for a game that there isn't."""
    spec = games.spec(game)
    brought: Pages = brings.PagesOf.of(game).PAGES or Pages()
    offered = brought.offered
    if offered is None:
        offered = {
            name: option.choices
            for name, option in spec.options.items()
            if name != "players" and len(option.choices) > 1
        }
    first = "The first seat moves first." if spec.turn_based else "Everybody moves at once."
    return replace(
        brought,
        heading=brought.heading or f"Play {spec.title} with people and agents",
        seats_help=brought.seats_help or first,
        watched=brought.watched or ", a moment late",
        untold=brought.untold or f"Agents of {spec.title} can't be told things yet.",
        offered=offered,
        most_seats=brought.most_seats or _most_seats(game),
        keys_title=brought.keys_title or spec.title,
    )


def lasts(game: str, options: dict[str, Any]) -> str:
    """How long a game with these options takes, in words: "one to two minutes"."""
    page = pages(game)
    fitting = (words for (name, value), words in page.lasts_with.items() if options.get(name) == value)
    return next(fitting, page.lasts)


def in_order() -> list[str]:
    """All games as the lobby's tabs have them: by place, then by title. The first is shown first."""
    return sorted(games.names(), key=lambda name: (pages(name).place, games.spec(name).title))


def option_fields(game: str) -> list[dict[str, Any]]:
    """The lobby's fields for options: [{"name", "label", "help", "choices": [(value, words)], "default",
    "number": (least, most, hint) or None, "apart"}].
    """
    page, options = pages(game), games.spec(game).options
    fields = []
    for name, choices in (page.offered or {}).items():
        label, explained = page.labels.get(name, (name.replace("_", " ").capitalize(), options[name].help))
        fields.append(
            {
                "name": name,
                "label": label,
                "help": explained,
                "choices": [(value, page.words.get((name, value), str(value))) for value in choices],
                "default": options[name].default,
                "number": page.numbers.get(name),
                "apart": name in page.apart,
            }
        )
    return fields


def in_page_words(game: str, sentence: str) -> str:
    """A sentence about options, with what the lobby calls them: "“Pots”" for "option 'dynamics'"."""
    for offered in option_fields(game):
        for value, words in offered["choices"]:
            sentence = sentence.replace(f"{offered['name']} {value!r}", f"“{offered['label']}: {words}”")
        for named in (
            f"{games.spec(game).title}'s option {offered['name']!r}",
            f"option {offered['name']!r}",
        ):
            sentence = sentence.replace(named, f"“{offered['label']}”")
    return sentence


def options_in_words(game: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """[(label, value)] of what the lobby offers, as complete options have it: how a game will be played."""
    page = pages(game)
    rows = [("Players", str(games.spec(game).seats(dict(options))))]
    for offered in option_fields(game):
        value = options.get(offered["name"])
        words = dict(offered["choices"]).get(value)
        if words is None and isinstance(value, str):  # a layout that was written
            words = page.layout_label(value)
        elif words is None:
            words = offered["number"][2] if value is None and offered["number"] else str(value)
        rows.append((offered["label"], words))
    return rows


def _most_seats(game: str) -> int:
    """The most seats of any number of players, else those of the game's usual settings."""
    spec = games.spec(game)
    players = spec.options.get("players")
    if players is not None and players.choices:
        return min(MOST_SEATS, max(players.choices))
    return min(MOST_SEATS, spec.seats(spec.validate({})))

"""The checked fields of a card, so that pages, matches and trainings can rely on their form.

A card may have further fields; only those that some code reads are checked. Not for reading files
(catalogue.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine import games
from engine.agents.features import READS
from engine.refusal import Refusal

MOST_PLAYERS = 1000
MOST_TEXT = 20_000  # characters
MOST_MS = 10_000  # of a tick and of a reaction


def problem_of(card: Any) -> str:
    """What is wrong with a card, as the rest of a sentence ("names no game"); "" if nothing is."""
    if not isinstance(card, dict):
        return "is no JSON object"
    if card.get("game") not in games.names():
        return f"names no game that is known here; those are {', '.join(games.names())}"
    for name, (words, fits) in FIELDS.items():
        if name in card and not fits(card[name]):
            return f"has {words} as {name}"
    try:
        games.spec(card["game"]).validate(dict(card.get("options", {})))
    except Refusal as error:
        return f"has options that can't be played: {str(error).rstrip('.')}"
    return ""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_TEXT


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_clock(least: int) -> Callable[[Any], bool]:
    return lambda value: _is_number(value) and least <= value <= MOST_MS


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _or_null(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def _object_of(**known: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """An object whose known fields, where it has them, fit."""
    return lambda value: (
        isinstance(value, dict) and all(fits(value[name]) for name, fits in known.items() if name in value)
    )


def _by_name(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def _is_players(value: Any) -> bool:
    return (
        _list_of(lambda number: _is_whole(number) and 1 <= number <= MOST_PLAYERS)(value) and len(value) > 0
    )


def _is_parent(value: Any) -> bool:
    return _is_text(value) or isinstance(value, dict) and _is_text(value.get("ref"))


def _is_pair(value: Any) -> bool:
    return _list_of(_is_number)(value) and len(value) == 2


def _is_matrix(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    labels, rows = value.get("labels"), value.get("rows")
    if not isinstance(labels, list) or not isinstance(rows, list) or len(labels) != len(rows):
        return False
    return all(map(_is_text, labels)) and all(map(_list_of(_is_number), rows))


def _is_policy_table(value: Any) -> bool:
    if not isinstance(value, dict) or not _list_of(_is_text)(value.get("columns")):
        return False
    cell = _object_of(text=_is_text, level=lambda level: _is_whole(level) and 0 <= level <= 10)
    row = _object_of(label=_is_text, cells=_list_of(cell))
    texts = all(_is_text(value.get(name)) for name in ("title", "corner", "sentence"))
    return texts and _list_of(row)(value.get("rows"))


def _is_told(value: Any) -> bool:
    if not isinstance(value, dict) or not _is_mean(value.get("untold")):
        return False
    rows = value.get("instructions")
    if not isinstance(rows, list) or not all(map(_is_told_row, rows)):
        return False
    if not _told_game(value.get("game", {})):
        return False
    return len({tuple(row["scores"]) for row in rows}) <= 1


def _is_told_row(value: Any) -> bool:
    if not isinstance(value, dict) or not all(fits(value.get(name)) for name, fits in _TOLD):
        return False
    moments = value.get("moments", [])
    return isinstance(moments, list) and all(_told_moment(moment) and len(moment) == 2 for moment in moments)


def _is_mean(value: Any) -> bool:
    return isinstance(value, dict) and _is_number(value.get("mean"))


_told_game = _object_of(options=_object_of(), seed=_is_whole, actions=_list_of(_is_whole))
_told_moment = _list_of(_is_whole)
_TOLD: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("text", _is_text),
    ("sentence", _is_text),
    ("program", _or_null(_object_of())),
    ("rows", _list_of(_list_of(_is_number))),
    ("scores", _by_name(_is_mean)),
)
_score = _or_null(
    _object_of(mean=_or_null(_is_number), stderr=_or_null(_is_number), interval=_or_null(_is_pair))
)
_measured = {
    "people": _score,
    "self_play": _score,
    "greedy": lambda value: _is_number(value) or _score(value),
    "cross_play": _by_name(_score),
    "partners": _by_name(_score),
    "action_matrix": _or_null(_is_matrix),
    "counts": _by_name(_by_name(_is_whole)),
    "instructed": _or_null(_is_told),
    "policy_table": _or_null(_is_policy_table),
}
_evaluation = _object_of(**_measured, layouts=_by_name(_object_of(**_measured)))
_text = ("something else than a text", _or_null(_is_text))
_whole = ("something else than a whole number", _is_whole)
_texts = ("something else than a list of texts", _list_of(_is_text))
# Field: (what a bad value is called, whether a value is a good one).
FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("name", "title", "description", "explanation", "kind", "algorithm", "bot"), _text),
    **dict.fromkeys(("orders", "acts", "hears", "sha256", "instructions", "goal"), _text),
    **dict.fromkeys(("rules_version", "features_version", "told_version"), _whole),
    **dict.fromkeys(("inputs", "choices"), _texts),
    "tick_ms": (f"something else than milliseconds from 1 to {MOST_MS:,}", _is_clock(1)),
    "reaction_ms": (f"something else than milliseconds from 0 to {MOST_MS:,}", _is_clock(0)),
    "reads": (f"something else than {' or '.join(READS)}", lambda value: value in READS),
    "players": (f"something else than numbers of players from 1 to {MOST_PLAYERS:,}", _is_players),
    "options": ("something else than an object", _object_of()),
    "hyperparameters": ("something else than an object", _object_of()),
    "parents": ("something else than a list of refs", _list_of(_is_parent)),
    "training": (
        "something else than an object with a curve of pairs",
        _or_null(_object_of(curve=_or_null(_list_of(_is_pair)))),
    ),
    "evaluation": ("something else than scores", _evaluation),
}

"""What players type and which of its readings they mean: shown while they type, kept with what they chose.

Not for reading itself (engine.language), nor for messages and forms (messages/, setup.py).
"""

from __future__ import annotations

import unicodedata
from importlib import import_module
from typing import Any

from engine import language
from engine.language import Reading, second
from engine.language.second import Opinion
from webapp.play import opinions

LONGEST_INSTRUCTION = 500  # characters
MOST_READINGS = 3
UNSURE = 0.5
"""Readings less sure than this are told as a guess."""
SAID_BEFORE = 20
# What a program consists of, by game.
PARTS = {"hanabi": "rules", "overcooked": "goals", "arena": "clauses"}


class NotOffered(ValueError):
    """A reading was chosen that there isn't; the message is one sentence."""


def clean_text(value: str) -> str:
    """Typed words in one line, without control and formatting characters."""
    spaced = (" " if c.isspace() else c for c in value)
    return " ".join("".join(c for c in spaced if unicodedata.category(c)[0] != "C").split())


def chips(program: dict[str, Any] | None) -> list[str]:
    """Each rule, goal or clause of a program told back alone, in the agent's first person."""
    if not program:
        return []
    game = program["game"]
    say = import_module(f"engine.language.{game}.say").sentence
    told = [say({**program, PARTS[game]: [part], "subgoals": {}}) for part in program[PARTS[game]]]
    if goals := program.get("subgoals"):
        # What Arena's agents understand and can't follow yet, under the names of Table 7 of OpenContra.
        done = import_module("engine.language.arena.subgoals").fulfilled(program["clauses"])
        told += [f"{name}: {value}" for name, value in goals.items() if name not in done]
    return list(dict.fromkeys(told))


def shown(reading: Reading) -> dict[str, Any]:
    """For the page; `readings` has up to three to choose from: [{"choice", "sentence", "chips"}], `unsure`
    says that the first is a guess.
    """
    found = reading.as_json()
    return {
        "refused": reading.refused,
        "sentence": reading.sentence,
        "unread": reading.unread,
        "unsure": reading.confidence < UNSURE,
        "readings": [
            {
                "choice": option["choice"],
                "sentence": option["sentence"],
                "chips": chips(option["program"]),
            }
            for option in options(found)[:MOST_READINGS]
        ],
    }


def options(stored: dict[str, Any]) -> list[dict[str, Any]]:
    """All that a stored reading may mean, [{"choice", "sentence", "program"}]: 0 is what was read first (left
    out if nothing was), the others are its alternatives.
    """
    first = stored.get("offered") or {key: stored[key] for key in ("refused", "sentence", "program")}
    found = [] if first["refused"] else [{"choice": 0, **first}]
    for number, other in enumerate(stored.get("alternatives", []), 1):
        if all(other["sentence"] != one["sentence"] for one in found):
            found.append({"choice": number, **other})
    return [{key: one[key] for key in ("choice", "sentence", "program")} for one in found]


def choose(stored: dict[str, Any], choice: int) -> dict[str, Any]:
    """The reading with another of its meanings in force. It keeps what was read first as `offered`, and
    `chosen`: the number of the choice. Raises NotOffered.
    """
    for option in options(stored):
        if option["choice"] == choice:
            offered = stored.get("offered") or {
                key: stored[key] for key in ("refused", "sentence", "program")
            }
            return {
                **stored,
                "offered": offered,
                "chosen": choice,
                "refused": False,
                "sentence": option["sentence"],
                "reading": option["sentence"],
                "program": option["program"],
            }
    raise NotOffered("This reading isn't among those that were offered; say it in other words.")


def read(
    game: str,
    text: str,
    choice: int | None = None,
    context: dict[str, Any] | None = None,
    said: Opinion | None = None,
) -> dict[str, Any]:
    """The reading of a text as it is stored; `choice` is the one of `options` that the player meant, `said`
    what the site's language model made of the text. Where that differs, "embedded" keeps what was read
    without it. Raises NotOffered.
    """
    found = language.read(game, text, context)
    stored = found.as_json()
    if said is not None:
        try:
            stored = second.applied(game, text, said, context).as_json() | {"opinion": opinions.stored(said)}
        except ValueError:  # sealed by an older Coplay
            raise NotOffered("This reading was made by another version of Coplay; say it again.") from None
        if stored["sentence"] != found.sentence:
            stored["embedded"] = {key: getattr(found, key) for key in ("refused", "sentence", "program")}
    return stored if choice is None else choose(stored, choice)

"""Read one instruction: what was understood, how surely, what was left unread, what else it could mean."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from engine.games.overcooked.language import say
from engine.games.overcooked.language.intents import Goal, parse
from engine.language import exceptions
from engine.language import text as typed
from engine.language.reading import Reading

VERSION = 1
"""Raised when programs change their meaning; it is stored with every program."""
LEAST_CONFIDENCE = 0.4
"""With fewer of its words understood than this, a text is refused: it is about something else."""

_NEIGHBOURS = {
    "fetch_onion": ("put_onion_in_pot",),
    "put_onion_in_pot": ("fetch_onion",),
    "serve_soup": ("pick_up_soup",),
    "pick_up_soup": ("serve_soup",),
    "stop": ("wait_at",),
    "wait_at": ("stop",),
}
"""What people also mean by the words for it."""
_CODE = re.compile(r"[{}]|\(\s*\)|</|/>|==|::|\$\(|\w\.\w+\(|\becho\b|\w\((?!e?s\))")


@lru_cache(maxsize=1024)
def read(text: str) -> Reading:
    """The reading of `text`; refuses, with a sentence, what it can't read. Never raises."""
    if not isinstance(text, str) or not typed.clean(text):
        return _refuse(str(text or ""), "Nothing was typed. I can read " + say.CAN_READ + ".")
    if len(text) > typed.MAX_CHARACTERS:
        return _refuse(
            text[: typed.MAX_CHARACTERS],
            f"That is too long for me: I read up to {typed.MAX_CHARACTERS:,} characters at once.",
        )
    parsed = parse(exceptions.cut(text))
    if not parsed.goals:
        return _refuse(text, "I could not read that. I can read " + say.CAN_READ + ".", parsed.unread)
    if _CODE.search(text):
        return _refuse(text, "I could not read that. I can read " + say.CAN_READ + ".", parsed.unread)
    total = parsed.used + 0.6 * len(parsed.unread)
    confidence = round(parsed.used / max(1, total) * 0.95**parsed.corrected, 3)
    if confidence < LEAST_CONFIDENCE:
        return _refuse(text, "I could not read most of that. I can read " + say.CAN_READ + ".", parsed.unread)
    clash = _contradiction(parsed.goals)
    if clash:
        options = [_option([g for g in parsed.goals if g is not other]) for other in reversed(clash)]
        said = " Or: ".join(option["sentence"] for option in options)
        sentence = f"I can't do both. Did you mean: {said}"
        return Reading(text, True, sentence, round(confidence / 2, 3), None, parsed.unread, options)
    option = _option(parsed.goals)
    return Reading(
        text,
        False,
        option["sentence"],
        confidence,
        option["program"],
        parsed.unread,
        _alternatives(parsed.goals),
    )


def _refuse(text: str, sentence: str, unread: list[str] | None = None) -> Reading:
    return Reading(text, True, sentence, 0.0, None, unread or [])


def _option(goals: list[Goal]) -> dict[str, Any]:
    program = {"game": "overcooked", "version": VERSION, "goals": goals}
    return {"sentence": say.sentence(program), "program": program}


def _contradiction(goals: list[Goal]) -> tuple[Goal, Goal] | None:
    """Two goals that can't both be meant: the same, asked for and forbidden."""
    for i, a in enumerate(goals):
        for b in goals[i + 1 :]:
            same = all(a.get(key) == b.get(key) for key in ("intent", "target", "who", "item", "when"))
            if same and a["negated"] != b["negated"]:
                return a, b
    return None


def _alternatives(goals: list[Goal]) -> list[dict[str, Any]]:
    """Other things that the same words often mean: once against always, to fetch against to hand over."""
    found: list[dict[str, Any]] = []
    for at, goal in enumerate(goals):
        if goal["negated"] or goal["who"] == "me":
            continue
        for other in _other_readings(goal):
            found.append(_option([*goals[:at], other, *goals[at + 1 :]]))
    return found[:3]


def _other_readings(goal: Goal) -> list[Goal]:
    intent, found = goal["intent"], []
    if intent.startswith("fetch_") and goal.get("to") != "me":
        found.append({**goal, "to": "me"})
    elif goal.get("to") == "me" and intent.startswith("fetch_"):
        found.append({key: value for key, value in goal.items() if key != "to"})
    if intent.startswith(("fetch_", "put_", "serve_", "pick_")):
        found.append({**goal, "count": 1 if goal["count"] is None else None})
    if intent == "go_to" and goal["target"]:
        found.append({**goal, "intent": "wait_at"})
    for other in _NEIGHBOURS.get(intent, ()):
        if not goal["target"] and goal.get("to") != "me":
            found.append({**goal, "intent": other})
    if intent == "start_pot":
        found.append({**goal, "intent": "put_onion_in_pot", "count": None})
    return found

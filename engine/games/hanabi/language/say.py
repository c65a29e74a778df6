"""Programs of version 1 told back in the agent's first person, as the clauses that they stand for
(saying.py): what the agent will do, whatever was typed.
"""

from __future__ import annotations

from typing import Any

from engine.games.hanabi.language import saying
from engine.games.hanabi.language.carried import clauses_of

PARTS = "rules"  # what a program consists of, each of which can be told alone

CAN_READ = (
    "what a hint by colour or rank means (play, keep or discard the cards), which card to play or discard "
    "(newest, oldest, hinted or not), what to hint (colours, ranks, playable or critical cards), and what "
    "not to do"
)


def sentence(program: dict[str, Any]) -> str:
    """One sentence for a whole program; exceptions of later instructions are told with these."""
    return saying.sentence(clauses_of([_whole(rule) for rule in program["rules"]]))


def _whole(rule: dict[str, Any]) -> dict[str, Any]:
    """A rule with the occasions for which a later one has replaced it."""
    when = {name: one for name, one in rule.get("when", {}).items() if name != "but_not"}
    return {**rule, "when": when} if when else rule

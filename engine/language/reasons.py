"""Why an agent moved as it did, in a sentence, and as the record that a log keeps of it.

    {"type": "reason", "tick": of the state that the move led to, "seat", "id": of the instruction, "kind",
     "by": id of another instruction or "", "instead": the move that it would have made or null, "text"}

The kinds are those of engine.agents.reasons. Players are "Player 1" here, as in all sentences of rules.
"""

from __future__ import annotations

from typing import Any

from engine.simulation.told import Span

LONGEST = 60  # characters of what was typed


def record(reason: dict[str, Any], spans: list[Span], tick: int, seat: int) -> dict[str, Any]:
    """The record of a reason of engine.agents.reasons; `spans`: what was in force, oldest first."""
    span, by = spans[reason["program"]], spans[reason["by"]] if "by" in reason else None
    about: dict[str, Any] = {"type": "reason", "tick": tick, "seat": seat, "id": span.id}
    about |= {"kind": reason["kind"], "by": by.id if by else "", "instead": reason.get("instead")}
    return about | {"text": _sentence(reason["kind"], span, by)}


def _sentence(kind: str, span: Span, by: Span | None) -> str:
    asked = f"Player {span.speaker + 1} asked: {_quoted(span.text)}"
    if kind == "because":
        return f"Because {asked}."
    against = f"Not what {asked}. "
    if kind == "only":
        return against + "No other legal move was left."
    if kind == "other" and by is not None:
        return against + f"Player {by.speaker + 1} also asked: {_quoted(by.text)}."
    return against + "By my own numbers that was far worse."


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + '…'}”"

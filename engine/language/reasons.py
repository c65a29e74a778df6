"""Why an agent moved as it did, in a sentence, and as the record in the log.

    {"type": "reason", "tick": of the state that the move led to, "seat", "id": of the instruction, "kind",
     "by": id of another instruction or "", "instead": the move that it would have made or null, "text"}

The kinds are those of engine.agents.reasons. Players are "Player 1" here, as in all sentences of rules. In
games with many moves a second, a reason is shown when it begins (`Begun`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.simulation.told import Span

LONGEST = 60  # characters of what was typed
# Seconds: between two reasons of a seat about one instruction; unseen after which one begins anew; until the
# same is said again; for which one that may pass at once has to last.
PAUSE, GAP, AGAIN, LASTS = 2, 1, 30, 1
MOST, MOST_IN_ALL = 6, 200  # reasons of a seat about one instruction, of a match
KEPT_FROM = ("blocked", "unmoved")  # kinds that say that what was asked isn't done
OTHERWISE = "doing something else"  # how such a one stands where nothing keeps it from being done


def record(reason: dict[str, Any], spans: list[Span], tick: int, seat: int) -> dict[str, Any]:
    """The record of a reason of engine.agents.reasons; `spans`: the instructions in force, oldest first."""
    span, by = spans[reason["program"]], spans[reason["by"]] if "by" in reason else None
    about: dict[str, Any] = {"type": "reason", "tick": tick, "seat": seat, "id": span.id}
    about |= {"kind": reason["kind"], "by": by.id if by else "", "instead": reason.get("instead")}
    return about | {"text": _sentence(reason["kind"], span, by, reason.get("what", ""))}


class Begun:
    """Which reasons begin in a match with so many ticks a second; `said`: those that were shown before."""

    def __init__(self, per_second: float, said: Iterable[dict[str, Any]] = ()) -> None:
        self.second = max(1.0, per_second)
        # By seat, instruction and sentence: since when it has been so, when it was so last.
        self.since: dict[tuple[int, str, str], int] = {}
        self.last: dict[tuple[int, str, str], int] = {}
        self.said: list[dict[str, Any]] = []
        for one in said:
            self._note(one)

    def _note(self, record: dict[str, Any]) -> None:
        key = record["seat"], record["id"], record["text"]
        self.since.setdefault(key, record["tick"])
        self.last[key] = record["tick"]
        self.said.append(record)

    def lasts(self, record: dict[str, Any], sure: bool) -> bool:
        """Whether what a record says holds now, shown or not; if it is not `sure`, only after it
        has lasted.
        """
        key, tick = (record["seat"], record["id"], record["text"]), record["tick"]
        if tick - self.last.get(key, tick) > GAP * self.second or key not in self.since:
            self.since[key] = tick
        self.last[key] = tick
        return sure or tick - self.since[key] >= LASTS * self.second

    def begins(self, record: dict[str, Any], sure: bool) -> bool:
        """Whether a record is to be shown; it then counts as shown."""
        key, tick, second = (record["seat"], record["id"], record["text"]), record["tick"], self.second
        if not self.lasts(record, sure) or len(self.said) >= MOST_IN_ALL:
            return False
        about = [other for other in self.said if (other["seat"], other["id"]) == key[:2]]
        same = [other["tick"] for other in about if other["text"] == record["text"]]
        if same and (same[-1] >= self.since[key] or tick - same[-1] < AGAIN * second):
            return False
        if len(about) >= MOST or about and tick - about[-1]["tick"] < PAUSE * second:
            return False
        self._note(record)
        return True


def _sentence(kind: str, span: Span, by: Span | None, what: str) -> str:
    asked = f"Player {span.speaker + 1} asked: {_quoted(span.text)}"
    what = what[:1].upper() + what[1:]
    if kind == "because":
        return f"{what}, because {asked}." if what else f"Because {asked}."
    if kind == "blocked":
        return f"{what}. So not yet what {asked}."
    against = f"Not what {asked}. "
    if kind == "unmoved":
        return against + "I would have done the same had nobody asked."
    if kind == "only":
        return against + "No other legal move was left."
    if kind == "other" and by is not None:
        return against + f"Player {by.speaker + 1} also asked: {_quoted(by.text)}."
    return against + "By my own numbers that was far worse."


def _quoted(text: str) -> str:
    text = text.rstrip(" .")
    return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + '…'}”"

"""Steps of a plan, made and checked. Not for who makes them (planners) or what comes of them (running)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine import brings
from engine.games.plans import Place
from engine.language.declared import SPEECH, Clause, parse, values
from engine.language.written import option
from engine.refusal import Refusal

MOST = 40
"""Steps in one plan at most."""


@dataclass(frozen=True)
class Proposed:
    """A step that a planner proposes: `program` in notation, `ticks` that it is thought to take, `after`: the
    places in the proposal of what has to be over first.
    """

    seat: int
    program: str
    ticks: float = 0.0
    place: Place | None = None
    after: tuple[int, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """What a planner proposes: steps in the order in which they begin, and why so, in words."""

    steps: tuple[Proposed, ...]
    why: str = ""
    lost: frozenset[tuple[int, str]] = frozenset()
    """(seat, notation) of what was fixed and can't be done, as far as the game knows"""
    asked: tuple[dict[str, Any], ...] = ()
    """What a language model was asked and answered, for admins to read."""


def carried(game: str, notation: str) -> dict[str, Any]:
    """The program that carries a notation out, with its sentence: {…, "means": notation, "says": sentence}.
    Raises Refusal for what isn't declared, isn't an order, or can't be carried out whole.
    """
    clauses = parse(brings.Language.of(game).DECLARED, notation)
    if any(clause["act"] in SPEECH for clause in clauses):
        raise Refusal(f"“{notation}” asks for nothing that a seat can do.")
    made = option(game, clauses, None)
    if made["program"] is None or made["left"]:
        raise Refusal(f"“{notation}” can't be carried out: {' '.join(made['left'])}")
    return {**made["program"], "says": made["sentence"]}


def named(seat: int) -> str:
    """A seat's name in words of a plan; pages put the name in its place."""
    return f"{{{int(seat)}}}"


def made(game: str, number: str, proposed: Proposed, names: Sequence[str] = ()) -> dict[str, Any]:
    """A step as the log has it (engine.simulation.planned). `names`: the ids of the proposal's steps. Raises
    Refusal.
    """
    program = carried(game, proposed.program)
    says = program.pop("says")
    return {
        "id": number,
        "seat": proposed.seat,
        "program": program,
        "says": says,
        "after": [names[index] for index in proposed.after],
        "place": list(proposed.place) if proposed.place else None,
        "ticks": round(proposed.ticks, 1),
        "by": None,
    }


def asked_of_all(
    clauses: Sequence[Clause], speaker: int, seats: Sequence[int]
) -> tuple[tuple[Clause, ...], dict[int, tuple[Clause, ...]]]:
    """What clauses that somebody said to all of a side come to: (the goal, by seat what it is not to do).
    "I'd rather not carry plates" bans it for the speaker, "nobody fetches plates" for all, "you serve, I fill
    the pots" is what the speaker does and the others don't.
    """
    goal: list[Clause] = []
    banned: dict[int, list[Clause]] = {seat: [] for seat in seats}
    for clause in clauses:
        by = values(clause, "by")
        bare = {
            key: value for key, value in clause.items() if key not in ("by", "not", "rather", "now", "then")
        }
        mine = "me" in by or speaker in by
        if clause.get("not"):
            for seat in seats:
                if seat == speaker if mine else seat != speaker or "both" in by:
                    banned[seat].append(bare)
        elif mine:
            for seat in seats:
                if seat != speaker:
                    banned[seat].append(bare)
        elif clause["act"] not in SPEECH:
            goal.append(bare)
    return tuple(goal), {seat: tuple(clauses) for seat, clauses in banned.items() if clauses}

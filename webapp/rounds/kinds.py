"""Kinds of rounds: from marks, to an instruction, and co-training. The part of its settings that says what a
round learns from says its kind. Which programs and jobs each has, and which games. Not for starting one
(launch).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import brings, games, language
from engine.learning.run.programs import Program
from engine.learning.run.settings import Role
from webapp.rounds import programs

MARKS, TOLD, WORDS = "data", "told", "words"
PIPELINES = {
    MARKS: ("snapshot", "reward_model", "agent", "evaluation", "candidate"),
    TOLD: ("agent", "evaluation", "candidate"),
    # What was co-trained plays once more, told and untold, to be watched: the job "told".
    WORDS: ("snapshot", "agent", "evaluation", "told", "candidate"),
}


def of(settings: Mapping[str, Any]) -> str:
    """The kind of a round with these settings."""
    return next((kind for kind in (TOLD, WORDS) if kind in settings), MARKS)


def pipeline(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The kinds of a round's jobs, in their order; nothing is frozen for who co-trains without people's
    words.
    """
    kind = of(settings)
    without = "snapshot" if kind == WORDS and not settings[WORDS] else ""
    return tuple(job for job in PIPELINES[kind] if job != without)


def parts(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts of a round that run a learning program."""
    return tuple(part for part in PIPELINES[of(settings)] if part in programs.PARTS)


def fitting(part: str, kind: str, game: str = "") -> dict[str, Program]:
    """The programs that a round of this kind may run for a part, by name, the usual one first."""
    if part != "agent":
        return programs.choices(part, game)
    if kind == TOLD:
        return programs.instructed(game)
    return {
        name: program
        for name, program in programs.choices(part, game).items()
        if bool(program.named(Role.PEOPLES_WORDS)) == (kind == WORDS)
    }


def chosen(part: str, settings: Mapping[str, Any], game: str) -> Program:
    """The program of a part of a round; raises `Refusal`."""
    name = settings.get("algorithms", {}).get(part, "")
    return programs.chosen(part, name, game, fitting(part, of(settings), game))


def why_not(kind: str, game: str) -> str:
    """Why no round of this kind can train an agent of a game, in a sentence; "" if some can."""
    title = games.spec(game).title
    if kind == MARKS:
        return ""
    if game not in language.games():
        return f"Agents of {title} can't be told things in words yet."
    if kind == TOLD and games.spec(game).goal_size:
        return (
            f"In {title} instructions are goals for a while, not a way to play: co-train an agent there, "
            "which learns all of them."
        )
    if kind == WORDS and brings.GoalSpace.brought(game) is None:
        return (
            f"In {title} instructions say how to play and are no goals, so nothing can be co-trained: train "
            "an agent to one instruction there."
        )
    what = "learns an instruction" if kind == TOLD else "co-trains"
    return "" if fitting("agent", kind, game) else f"No algorithm {what} in {title}."

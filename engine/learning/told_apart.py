"""One deal, played several times by one agent with different instructions, to watch side by side: first
without an instruction, then with each of them. One game each shows what an instruction changes, but not how
much (engine.learning.algorithms.evaluate_round).

    python -m engine.learning.told_apart --config FILE --out FOLDER

leaves logs, pictures and clips of the beginnings in FOLDER/games.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from engine import games, language
from engine.agents.catalogue import load
from engine.evaluation import side_by_side
from engine.learning.parts.sides import round_options
from engine.learning.run.reporting import Reporter, Stopped, run_program
from engine.learning.run.settings import Range, Seed
from engine.learning.run.shared import Game, Seeded
from engine.refusal import Refusal

WHO = ("both", "second")


@dataclass(frozen=True, kw_only=True)
class Settings(Seeded, Game):
    agent: str
    """the agent that plays every seat: ref or folder"""
    instructions: list[str]
    """instructions, one game each"""
    readings: list[Annotated[int, Range(0, 9)]] = field(default_factory=list)
    """which reading of each is meant: 0 the first one, 1 the first of the others; empty: the first of each"""
    told: str = "both"
    """seats that have the instruction: all ("both"), or all but the first ("second")"""
    seed: Seed = 1


def train(settings: Settings, out: Path, reporter: Reporter) -> None:
    """The program; see the module's first lines."""
    game, numbers = settings.game, settings.readings or [0] * len(settings.instructions)
    if settings.told not in WHO or len(numbers) != len(settings.instructions):
        raise Refusal(f"Who is told is {' or '.join(WHO)}, and every instruction has one reading.")
    try:
        meant = [language.meant(game, *pair) for pair in zip(settings.instructions, numbers, strict=True)]
    except ValueError as problem:
        raise Refusal(str(problem)) from None
    policy = load(settings.agent, game)
    options = {**round_options(game, policy.card), **settings.options}
    seats = games.spec(game).seats(games.spec(game).validate(options))
    hearers = range(settings.told == "second", seats)

    def check() -> None:
        if reporter.stopping:
            raise Stopped

    # The same seat's eyes in every clip: those of one who is told.
    eyes = hearers.start if settings.told == "second" else None
    results: list[dict[str, Any]] = []
    for number, reading in enumerate([None, *meant]):
        heard = {seat: reading for seat in hearers} if reading else {}
        watched = side_by_side.watch([policy] * seats, policy, options, settings.seed, check, heard)
        about = {"instruction": reading.text, "reading": reading.sentence} if reading else {}
        name = f"told-{number}"
        kept = side_by_side.kept(watched, out / "games", name)
        kept["clip"] = side_by_side.moving(watched, out / "games", name, eyes)
        results.append({**kept, **about, "events": dict(watched.events), "good": watched.good})
        reporter.progress(number + 1, len(meant) + 1)
    reporter.result(games=results)


if __name__ == "__main__":
    sys.exit(run_program("told_apart", Settings, train))

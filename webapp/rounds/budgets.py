"""Budgets of rounds whose form asks for no more than that: how long the training is, in three sizes, and how
long each takes from what was measured. Not for rounds from marks, whose every length is set (presets.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from webapp.jobs.progress import duration
from webapp.rounds import kinds, presets, programs, progress

# What it is called, of how much it is the size, and its share of a usual training's length.
BUDGETS = {
    "small": ("Small", "tiny", 0.1),
    "medium": ("Medium", presets.USUAL, 1.0),
    "large": ("Large", "thorough", 5.0),
}


def of_size(size: str) -> str:
    """The budget that is a size of rounds."""
    return next(name for name, (_, own, _) in BUDGETS.items() if own == size)


def sized(
    game: str, kind: Mapping[str, Any], algorithm: str, budget: str, more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Settings of a round for `launch.create`: of this `kind`, {"told": …} or {"words": …}; `more`: of the
    agent, before what the budget says. Raises Refusal.
    """
    _, size, share = BUDGETS[budget]
    algorithms = {"agent": algorithm} if algorithm else {}
    program = kinds.chosen("agent", {**kind, "algorithms": algorithms}, game)
    given = presets.values(size, game, {"agent": program.name})
    usual = programs.defaults(program) | presets.values(presets.USUAL, game, {"agent": program.name})["agent"]
    agent = given["agent"]
    if program.foremost:
        agent[program.foremost[0]] = max(1, round(share * usual[program.foremost[0]]))
    return {
        **kind,
        "algorithms": {"agent": program.name},
        "agent": agent | dict(more or {}),
        "evaluation": given["evaluation"],
    }


def offered(game: str, settings_of: Callable[[str], dict[str, Any]]) -> list[dict[str, str]]:
    """The budgets to choose from, of rounds with the settings that `settings_of(budget)` makes: [{"value",
    "title", "length", "time": how long at most, from what was measured}]. Raises Refusal.
    """
    choices = []
    for value, (title, _, _) in BUDGETS.items():
        settings = settings_of(value)
        program, evaluation = (kinds.chosen(part, settings, game) for part in ("agent", "evaluation"))
        settings["algorithms"]["evaluation"] = evaluation.name
        settings["evaluation"] = programs.complete(evaluation, settings["evaluation"])
        length = settings["agent"].get(next(iter(program.foremost), ""), 0)
        seconds = progress.seconds(settings, game)
        choices.append(
            {
                "value": value,
                "title": title,
                "length": f"{length:,} {program.foremost[0].replace('_', ' ')}" if length else "",
                "time": f"up to {duration(sum(seconds.values()))}" if "agent" in seconds else "",
            }
        )
    return choices

"""Rounds that train a partner to an instruction: who can, by what, for how long. Such a round learns from
words, so it freezes no marks and makes no reward model. Not for starting it (launch), nor for its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import games, language
from engine.learning.run.programs import Program
from engine.learning.run.settings import Role
from engine.refusal import Refusal
from webapp.jobs.progress import duration
from webapp.rounds import presets, programs, progress

PARTS = ("agent", "evaluation")
# Of a budget: what it is called, of how much it is the size, and its share of a usual training's length.
BUDGETS = {
    "small": ("Small", "tiny", 0.1),
    "medium": ("Medium", presets.USUAL, 1.0),
    "large": ("Large", "thorough", 5.0),
}


def parts(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts of a round that run a learning program."""
    return PARTS if "told" in settings else programs.PARTS


def chosen(part: str, settings: Mapping[str, Any], game: str) -> Program:
    """The program of a part of a round; raises `Refusal`."""
    name = settings.get("algorithms", {}).get(part, "")
    if "told" not in settings or part != "agent":
        return programs.chosen(part, name, game)
    known = programs.instructed(game)
    if not known or (name and name not in known):
        what = f"{name!r} learns no instruction" if name else "No algorithm can be trained to an instruction"
        raise Refusal(f"{what} in {games.spec(game).title}; there are {', '.join(known) or 'none'}.")
    return known[name] if name else next(iter(known.values()))


def why_not(game: str) -> str:
    """Why no agent of a game can be trained to an instruction, in a sentence; "" if some can."""
    title = games.spec(game).title
    if game not in language.games():
        return f"Agents of {title} can't be told things in words yet."
    if games.spec(game).goal_size:
        return (
            f"In {title} instructions are goals for a while, not a way to play: its agents learn all of them "
            "in their usual training, and rounds don't teach those."
        )
    return "" if programs.instructed(game) else f"No algorithm learns an instruction in {title}."


def unread(game: str, text: str, number: Any = 0) -> str:
    """Why a text can't be followed by the reading of this number, in a sentence; "" if it can."""
    try:
        language.meant(game, text, number if isinstance(number, int) else 0)
    except ValueError as problem:
        return str(problem)
    return ""


def settings_of(
    game: str,
    text: str,
    number: int = 0,
    algorithm: str = "",
    budget: str = "medium",
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Settings of a round for `launch.create`, by the reading of this number; `more`: of the agent. Raises
    Refusal.
    """
    _, size, share = BUDGETS[budget]
    algorithms = {"agent": algorithm} if algorithm else {}
    program = chosen("agent", {"told": {}, "algorithms": algorithms}, game)
    sized = presets.values(size, game, {"agent": program.name})
    usual = programs.defaults(program) | presets.values(presets.USUAL, game, {"agent": program.name})["agent"]
    given = {Role.INSTRUCTION: text, Role.READING: number}
    agent = sized["agent"] | programs.handed(program, given)
    if program.foremost:
        agent[program.foremost[0]] = max(1, round(share * usual[program.foremost[0]]))
    evaluation = sized["evaluation"] | programs.handed(programs.usual("evaluation", game), given)
    reading = "" if unread(game, text, number) else language.meant(game, text, number).sentence
    return {
        "told": {"instruction": text, "reading": reading},
        "algorithms": {"agent": program.name},
        "agent": agent | dict(more or {}),
        "evaluation": evaluation,
    }


def budgets(game: str, algorithm: str = "") -> list[dict[str, str]]:
    """The budgets to choose from: [{"value", "title", "length", "time": how long at most, from what was
    measured}]. Raises Refusal.
    """
    choices = []
    for value, (title, _, _) in BUDGETS.items():
        settings = settings_of(game, "", algorithm=algorithm, budget=value)
        program = chosen("agent", settings, game)
        settings["algorithms"]["evaluation"] = programs.usual("evaluation", game).name
        settings["evaluation"] = programs.complete(programs.usual("evaluation", game), settings["evaluation"])
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

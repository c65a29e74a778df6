"""The settings of each program of a round, for the New round form and the commands.

Names, defaults, ranges and explanations are the program's own (engine.learning.run.programs), so they can't
disagree. Not for values that a round fills in itself (folders, the game).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import games
from engine.learning.run import programs, settings
from engine.learning.run.programs import Program
from engine.learning.run.settings import REQUIRED, Role, Setting
from engine.refusal import Refusal

PARTS = programs.PARTS
# What the round knows itself (steps.py fills it in): a program of a part takes the first of these, or
# people's games.
HANDED = {
    "reward_model": (Role.DATASET, Role.GAME, Role.BASE),
    "agent": (
        Role.BASE,
        Role.GAME,
        Role.OPTIONS,
        Role.DATASET,
        Role.REWARD_MODEL,
        Role.NAME,
        Role.PEOPLES_GAMES,
        Role.PEOPLES_WORDS,
    ),
    "evaluation": (
        Role.CANDIDATE,
        Role.BASE,
        Role.CHAMPION,
        Role.GAME,
        Role.HUMAN_PROXY,
        Role.REWARD_MODEL,
        Role.SECOND_REWARD_MODEL,
    ),
}
# Those, and what a round writes on an agent's card itself.
FILLED = {Role.CARD_TEXT}.union(*HANDED.values())
ABBREVIATIONS = {"lr": "learning rate", "kl": "KL", "gae": "GAE", "envs": "games at once"}


def choices(part: str, game: str = "") -> dict[str, Program]:
    """The programs that a round of a game may run for a part, by name, the usual one first; of any game for
    "". They go on from what the round hands them, or learn from its games, and need nothing else.
    """
    spec = games.spec(game) if game else None
    return {
        name: program
        for name, program in programs.making(part, spec).items()
        if (program.named(HANDED[part][0]) or learns_from_people(program))
        and all(field.default is not REQUIRED or field.role in HANDED[part] for field in program.settings)
    }


def learns_from_people(program: Program) -> bool:
    """Whether it learns from the people in a round's games rather than going on from its base."""
    return bool(program.named(Role.PEOPLES_GAMES))


def instructed(game: str = "") -> dict[str, Program]:
    """The programs that make an agent keep to an instruction and learn from nobody's games or marks, by name;
    those first that name the instruction foremost.
    """
    programs = {
        name: program
        for name, program in choices("agent", game).items()
        if program.named(Role.INSTRUCTION)
        and not program.named(Role.DATASET)
        and not learns_from_people(program)
        and all(
            field.default is not REQUIRED for field in program.settings if field.role is Role.REWARD_MODEL
        )
    }

    def place(name: str) -> int:
        foremost, setting = programs[name].foremost, programs[name].named(Role.INSTRUCTION)
        return foremost.index(setting) if setting in foremost else len(foremost)

    return {name: programs[name] for name in sorted(programs, key=place)}


def usual(part: str, game: str = "") -> Program:
    """The default program for a part of a round; raises `Refusal`."""
    return chosen(part, "", game)


def chosen(part: str, name: str, game: str = "", fitting: Mapping[str, Program] | None = None) -> Program:
    """The program of that name for a part, the usual one for ""; of those that fit, by default all that the
    game's rounds may run. Raises `Refusal` with these.
    """
    such = "" if fitting is None else "such "
    fitting = choices(part, game) if fitting is None else fitting
    if not name and fitting:
        return next(iter(fitting.values()))
    if name not in fitting:
        what = f"makes {'an' if part[0] in 'ae' else 'a'} {part.replace('_', ' ')}"
        where = f" in {such}a round{f' of {games.spec(game).title}' if game else ''}"
        raise Refusal(
            f"The algorithm {name!r} isn't one that {what}{where}; there are {', '.join(fitting) or 'none'}."
        )
    return fitting[name]


def handed(program: Program, values: Mapping[Role, Any]) -> dict[str, Any]:
    """The settings that a round fills in for a program, by name."""
    return {setting.name: values[setting.role] for setting in program.settings if setting.role in values}


def filled(program: Program) -> list[str]:
    """The names of the settings that a round fills in."""
    return [setting.name for setting in program.settings if setting.role in FILLED]


def name_of(settings: Mapping[str, Any], part: str, role: Role) -> str:
    """The name of a part's setting of a role, in complete settings of a round; "" if it has none, or is no
    program any more.
    """
    try:
        return programs.find(settings.get("algorithms", {}).get(part, "")).named(role)
    except Refusal:
        return ""


def value_of(settings: Mapping[str, Any], part: str, role: Role) -> Any:
    """The value of that setting; None if there is none."""
    return settings.get(part, {}).get(name_of(settings, part, role))


def settings_of(program: Program) -> tuple[Setting, ...]:
    """The settings that a person may choose, in the order of the program's source."""
    simple = (
        field
        for field in program.settings
        if field.kind in (int, float, bool, str) and field.default is not REQUIRED
    )
    return tuple(setting for setting in simple if setting.role not in FILLED)


def words(setting: Setting) -> str:
    """A setting's name as a label; abbreviations of the field are written out or in capitals."""
    parts = [ABBREVIATIONS.get(word, word) for word in setting.name.split("_")]
    return parts[0][:1].upper() + " ".join(parts)[1:]


def defaults(program: Program) -> dict[str, Any]:
    return {setting.name: setting.default for setting in settings_of(program)}


def complete(program: Program, given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a program; texts, as a command line has them, are read as what they say."""
    known = {setting.name: setting for setting in settings_of(program)}
    typed = {name: known[name].value(value) if name in known else value for name, value in given.items()}
    return defaults(program) | typed


def problems(part: str, program: Program, given: Mapping[str, Any]) -> dict[str, str]:
    """All that is wrong with settings of one part: {"agent.lr": sentence}."""
    refusals = settings.problems(settings_of(program), complete(program, given))
    return {f"{part}.{name}": f"{part}.{name} {text}." for name, text in refusals.items()}

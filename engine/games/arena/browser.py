"""The numbers of Arena's rules that the browser needs, as a JavaScript module.

    python -m engine.games.arena.browser > engine/games/arena/static/js/games/arena/rules.js

Printed, never written by hand, so that the page predicts with the same tables; a test says when the file is
old. Not for: rules (the page's own are move.js and hands.js there).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from engine.games.arena import (
    aim,
    angles,
    combat,
    hands,
    monsters,
    move,
    protocol,
    rules,
    sight,
    state,
    world,
    zone,
)

PLAYER_FIELDS = (
    "X Y Z VX VY VZ YAW PITCH LIFE STANCE STANCE_WAIT STAMINA MOVING AIRBORNE FALL_FROM SLIDE "
    "SLIDE_YAW SLOW HP ARMOUR SLOT WEAPON WEAPON_2 MAGAZINE MAGAZINE_2 AMMO MEDKITS FIRE_WAIT "
    "RELOAD TREAT RESCUE RESCUED HELPED_BY HAND_WAIT RECOIL BLOOM HIT_BY HIT_TICK HIT_YAW "
    "SHOT_TICK STEPS SIGHT SIGHT_2 SEES SEES_2 EVER EVER_2 ACTED"
)
# What a section says, the module, and the names in it that the browser has.
SECTIONS = (
    ("Fields of one's own record, in the order of the snapshot", state, PLAYER_FIELDS),
    (
        "Units and sizes",
        state,
        "TICKS_PER_SECOND UNIT SIDE CELLS MAX_SEATS MAX_TEAMS SUPPLIES DOORS MONSTERS HISTORY",
    ),
    (
        "Life and stance",
        state,
        "OUT DOWNED UP STAND CROUCH PRONE SLIDING DOWN",
    ),
    (
        "Who hit",
        state,
        "MONSTER_HIT ZONE_HIT FALL_HIT",
    ),
    (
        "Weapons and supplies",
        state,
        "NO_WEAPON PISTOL SMG RIFLE SHOTGUN SNIPER BULLETS MEDKIT VEST",
    ),
    (
        "Events",
        state,
        "NO_EVENT SHOT HIT KNOCK KILL RESCUED_EVENT DOOR_EVENT PICKED DROPPED TREATED RELOADED STEP "
        "MONSTER_DEAD MONSTER_BITES ZONE_MOVES WIN",
    ),
    (
        "Choices of the heads",
        state,
        "B_SLIDE B_STOP B_CROUCH B_RUN B_JUMP B_PRONE B_DOOR B_RESCUE B_NONE FIRE RELOADING TREATING "
        "PICK DROP STOP_FIRE ADJUST_FIRE KEEP",
    ),
    (
        "Moving",
        move,
        "RADIUS CLIMB JUMP GRAVITY STAMINA_MAX RUN_COST SLIDE_COST JUMP_COST REST STANCE_TICKS "
        "SLIDE_TICKS HARMLESS_FALL SPEEDS RUNNING HEIGHTS EYES",
    ),
    (
        "Hands",
        hands,
        "ARM DOOR_ARM TREAT_TICKS TREAT_POINTS RESCUE_TICKS HAND_TICKS SWITCH_TICKS MAX_AMMO "
        "MAX_MEDKITS MAX_ARMOUR",
    ),
    (
        "Weapons",
        combat,
        "POINTS MAGAZINES INTERVALS RELOADS SPREADS RECOILS REACH PELLETS BODY_RADIUS MONSTER_HEIGHT "
        "MONSTER_RADIUS FULL_HP KNOCKED_HP RAISED_HP",
    ),
    (
        "Monsters",
        monsters,
        "MONSTER_HP",
    ),
    (
        "Aiming",
        aim,
        "AIM_STEP AIM_ERROR AIM_RANGE",
    ),
    (
        "Seeing",
        sight,
        "RANGE NEAR HALF_VIEW SAMPLE",
    ),
    (
        "Zone",
        zone,
        "STAGES WHOLE",
    ),
    (
        "Looking on",
        protocol,
        "GRIEF_TICKS",
    ),
    (
        "Sounds",
        rules,
        "STEP_SOUND",
    ),
    (
        "The map's bytes",
        world,
        "OPEN WATER BUSH COVER WALL ROCK FLOOR DOOR_CELL STEP_HEIGHT COVER_TOP BUSH_TOP WALL_TOP "
        "ROCK_TOP BORDER SPOTS DENS TOPS KINDS DOOR_COUNT DOOR_SPOTS SPOT_COUNT SPOT DEN WORLD_SIZE",
    ),
    (
        "Angles",
        angles,
        "TURN QUARTER STEEPEST ONE SINES ARCS",
    ),
)
HEAD = """\
/**
 * The numbers of Arena's rules: fields, tables, the layout of a map. Printed, not to be edited:
 * python -m engine.games.arena.browser > engine/games/arena/static/js/games/arena/rules.js
 */
"""


def constant(name: str, value: int | Iterable[int]) -> Iterator[str]:
    """The lines of one constant."""
    if isinstance(value, int):
        yield f"export const {name} = {value};"
        return
    numbers = ", ".join(str(int(number)) for number in value)
    if len(numbers) < 80:
        yield f"export const {name} = Int32Array.of({numbers});"
        return
    yield f"export const {name} = Int32Array.of("
    yield from wrap(numbers, 118, initial_indent="  ", subsequent_indent="  ")
    yield ");"


def module() -> str:
    """The whole module."""
    lines = []
    for title, source, names in SECTIONS:
        lines.append(f"\n// {title}")
        for name in names.split():
            value = getattr(source, name)
            lines.extend(constant(name, value if not hasattr(value, "item") or value.ndim else int(value)))
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(module(), end="")

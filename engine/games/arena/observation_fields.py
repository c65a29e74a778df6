"""The numbers of an Arena observation by name, block by block, with the widths of OpenContra's Table 4.

`FIELDS` says where each block lies, `NAMES` what each number is, `COMPACT` which of them the shipped networks
read. Not here: what is written (observation.py and what it calls).
"""

from __future__ import annotations

import numpy as np

MATES, ENEMIES, SUPPLIES_SHOWN, EVENTS_SHOWN = 3, 3, 3, 2
RAYS = 16


def _hot(name: str, *values: str) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for value in values)


_STANCES = ("stand", "crouch", "prone", "slide", "downed")
_WEAPONS = ("none", "pistol", "smg", "rifle", "shotgun", "sniper")
_SUPPLIES = (*_WEAPONS[1:], "bullets", "medkit", "vest")
_PLACE = ("right", "forward", "near distance", "far distance", "forward (16 m)", "right (16 m)")

HERO_ATTRIBUTE = (
    *_hot("number in team", "0", "1", "2", "3"),
    "teams",
    "team size",
    "teams left",
    "players left",
    "enemies left",
    "mates up",
    "mates downed",
    *_hot("pace", "short", "normal", "long"),
    "monsters",
    "enemies ever seen",
    "kills",
    "knock-downs",
    "damage dealt",
    "shots",
    "hits",
    "supplies taken",
    "heals",
    "rescues",
    "assists",
    "distance walked",
    "match time",
    "height of the body",
)
HERO_STATUS = (
    *_hot("life", "out", "downed", "up"),
    *_hot("stance", *_STANCES),
    "hp",
    "armour",
    "stamina",
    "can run",
    "can slide",
    "can jump",
    "stance wait",
    "moving",
    "airborne",
    "running",
    "slide left",
    "slow",
    "speed",
    "speed forward",
    "speed to the right",
    "speed up",
    "treatment done",
    "rescue done",
    "being helped",
    "hand wait",
    "since hit",
    *_hot("hit by", "player", "monster", "zone"),
    "hit from the right",
    "hit from the front",
    "since shot",
    "outside blue",
    "outside white",
    "in bush",
    "in water",
    "indoors",
    "enemies seen",
    "enemies remembered",
    "monster near",
    "hp low",
)
HERO_POSE = (
    "x",
    "y",
    "z",
    "yaw sine",
    "yaw cosine",
    "pitch",
    "pitch (fine)",
    "yaw change",
    "eye height",
    "moved forward in 2 ticks",
    "moved right in 2 ticks",
    "moved forward in 5 ticks",
    "moved right in 5 ticks",
    "white to the right",
    "white forward",
    "inside white",
    "inside white (fine)",
    "blue to the right",
    "blue forward",
    "inside blue",
    "inside blue (fine)",
    *(f"free way, ray {ray}" for ray in range(RAYS)),
    *(f"obstacle high, ray {ray}" for ray in range(RAYS)),
    *_hot("slope", "front", "right", "back", "left"),
    "target right of the crosshair",
    "target right of the crosshair (fine)",
    "target above the crosshair",
    "target above the crosshair (fine)",
    "target in line",
    "target distance",
    "target in reach",
    "recoil",
    "bloom",
    "spread",
    "mates' middle to the right",
    "mates' middle forward",
    "mates' middle distance",
    "next to cover",
    "next to cover to the right",
    "next to cover forward",
    "since a step could be heard",
    "window or cover in front",
    "ahead is water",
)
HERO_ITEM = (
    *_hot("slot 0", *_WEAPONS),
    *_hot("slot 1", *_WEAPONS),
    *_hot("in hand", *_WEAPONS),
    *_hot("slot in hand", "0", "1"),
    "magazine 0",
    "magazine 0 filled",
    "magazine 1",
    "magazine 1 filled",
    "ammunition",
    "ammunition (fine)",
    *_hot("medical kits", "0", "1", "2", "3", "4", "5"),
    *(
        f"{hand} {what}"
        for hand in ("in hand", "other")
        for what in ("points", "interval", "magazine size", "reload", "spread", "recoil", "reach", "pellets")
    ),
    "fire wait",
    "reload left",
    "reload done",
    "can fire",
    "should reload",
    "can reload",
    "can treat",
    "no ammunition",
    *_hot("supply in reach", "none", *_SUPPLIES),
    "supply in reach amount",
    *_hot("took effect", "fire", "reload", "treat", "pick", "drop", "stop fire", "adjust fire"),
    "door in reach",
    "downed mate in reach",
    "holds a gun",
    "room for medical kits",
    "room for ammunition",
    "room for armour",
    "magazines in the bag",
    "shots a second",
    "damage a second",
    "hit rate",
    "can switch",
    "can drop",
    "magazine empty",
    "treating",
    "hands busy",
    "nothing took effect",
    "better weapon in reach",
    *(f"last movement {i}" for i in range(16)),
    *(f"last turn {i}" for i in range(16)),
    *_hot("last pitch", "down", "level", "up"),
    *_hot("last body", "slide", "stop", "crouch", "run", "jump", "ground", "door", "rescue", "none"),
    *_hot("last basic", "fire", "reload", "treat", "pick", "drop", "stop fire", "adjust fire"),
    *_hot("last switch", "0", "1", "none"),
)
UNIT_ATTRIBUTE = (
    "present",
    "mate",
    *_hot("number in team", "0", "1", "2", "3"),
    "seat",
    "its team left",
    "kills",
    "height of the body",
    *_hot("in hand", *_WEAPONS),
    "in hand points",
    "in hand reach",
    "in hand interval",
    "in hand spread",
    *_hot("other weapon", *_WEAPONS),
    "magazine filled",
    "knock-downs",
)
_SEEN = (  # of anybody
    *_hot("life", "downed", "up"),
    *_hot("stance", *_STANCES),
    "speed",
    "running",
    "airborne",
    "moving",
    "busy",
    "being helped",
    "fired lately",
    "since shot",
    "outside blue",
    "outside white",
)
MATE_STATUS = (
    *_SEEN,
    "hp",
    "armour",
    "stamina",
    "ammunition",
    "medical kits",
    "treatment done",
    "reloading",
    "rescue done",
    "since hit",
    "enemies seen",
    "sees an enemy",
    "helped by me",
    "hp low",
)
ENEMY_STATUS = (
    *_SEEN,
    "seen now",
    "remembered",
    "age",
    "age (fine)",
    "mates who see it",
    "seen by mates only",
    "first mate sees it",
    "second mate sees it",
    "third mate sees it",
    "ever seen by me",
    "hit by my team lately",
    "hp (critic)",
    "armour (critic)",
    "stamina (critic)",
    "ammunition (critic)",
    "medical kits (critic)",
)
UNIT_POSE = (
    *_PLACE,
    "x",
    "y",
    *_hot("distance below", "2 m", "5 m", "10 m", "20 m", "40 m", "any"),
    "rise",
    "rise (fine)",
    "right of the crosshair",
    "right of the crosshair (fine)",
    "above the crosshair",
    "above the crosshair (fine)",
    "its yaw sine",
    "its yaw cosine",
    "its pitch",
    "its view off me",
    "looks at me",
    "speed forward",
    "speed to the right",
    "speed up",
    "closing speed",
    "moved forward in 2 ticks",
    "moved right in 2 ticks",
    "moved forward in 5 ticks",
    "moved right in 5 ticks",
    "z",
    "inside blue",
    "in bush",
    "in water",
    "indoors",
    "crosshair on it",
    "in my reach",
    "in half my reach",
    "I am in its reach",
    "moves across",
)
MONSTER = (
    *("present", "body height", "wanders", "chases", "returns", "may bite", "in sight", "in view"),
    *("hp", "hp share", "hp low", "after me", "after a mate", "after an enemy"),
    *_PLACE,
    *("rise", "x", "y", "right of the crosshair", "right of the crosshair (fine)"),
    *("its yaw sine", "its yaw cosine", "within bite", "speed forward", "speed to the right"),
)
CIRCLE = (
    *("shrinking", "pain", "blue radius", "white radius"),
    *("blue forward", "blue to the right", "white forward", "white to the right", "inside blue"),
    *("inside white", "stage", "phase left", "phase left (fine)", "phase done", "match time"),
)
EVENT = (
    *("shot", "step", "wound", "door", "beast", "damage to me", "seen", "age"),
    *("right", "forward", "distance"),
)
DOOR = (
    "present",
    "open",
    "in reach",
    "can be used",
    "in a doorway",
    *_PLACE,
    "passage right",
    "passage forward",
)
SUPPLY = (
    "present",
    *_hot("kind", *_SUPPLIES),
    "amount",
    "useful",
    "in reach",
    "can be taken",
    "points",
    "in sight",
    "indoors",
    "outside blue",
    "outside white",
    "nearer to a mate",
    *_PLACE,
    "rise",
)

_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("hero/attribute", HERO_ATTRIBUTE),
    ("hero/status", HERO_STATUS),
    ("hero/pose", HERO_POSE),
    ("hero/item", HERO_ITEM),
    *(
        (f"{who} {i}/{part}", names)
        for who, count, status in (("mate", MATES, MATE_STATUS), ("enemy", ENEMIES, ENEMY_STATUS))
        for i in range(count)
        for part, names in (("attribute", UNIT_ATTRIBUTE), ("status", status), ("pose", UNIT_POSE))
    ),
    ("monster/attribute", MONSTER[:8]),
    ("monster/status", MONSTER[8:14]),
    ("monster/pose", MONSTER[14:]),
    ("circle/status", CIRCLE[:4]),
    ("circle/position", CIRCLE[4:10]),
    ("circle/time", CIRCLE[10:]),
    *(
        (f"event {i}/{part}", names)
        for i in range(EVENTS_SHOWN)
        for part, names in (("attribute", EVENT[:8]), ("position", EVENT[8:]))
    ),
    ("door/attribute", DOOR[:5]),
    ("door/pose", DOOR[5:]),
    *(
        (f"supply {i}/{part}", names)
        for i in range(SUPPLIES_SHOWN)
        for part, names in (("status", SUPPLY[:19]), ("position", SUPPLY[19:]))
    ),
)


def _layout(parts: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[dict[str, slice], tuple[str, ...]]:
    """Where each part and each thing ("hero", "mate 0", …) lies, and all names in order."""
    fields: dict[str, slice] = {}
    names: list[str] = []
    for part, numbers in parts:
        begin = len(names)
        names += [f"{part}/{name}" for name in numbers]
        fields[part] = slice(begin, len(names))
        thing = part.split("/")[0]
        fields[thing] = slice(fields[thing].start if thing in fields else begin, len(names))
    return fields, tuple(names)


FIELDS, NAMES = _layout(_PARTS)
SIZE = len(NAMES)
CRITIC_FIELDS, CRITIC_NAMES = _layout(
    (
        ("enemy/attribute", UNIT_ATTRIBUTE),
        ("enemy/status", ENEMY_STATUS),
        ("enemy/pose", UNIT_POSE),
    )
)
CRITIC_SIZE = len(CRITIC_NAMES)

# What the shipped networks read: what varies from tick to tick and matters for a decision. Left out are where
# things are on the map (only where they are from the seat counts), tallies, what a match never changes, the
# last turn and movement heads, the third supply, most of the third enemy and most of what others carry.
_NEAR = ("right", "forward", "near distance", "far distance")
_READ: dict[str, tuple[str, ...]] = {
    "hero/attribute": ("teams left", "enemies left", "mates up", "mates downed"),
    "hero/status": tuple(name for name in HERO_STATUS if name not in ("life=out", "indoors", "can jump")),
    "hero/pose": (
        *("pitch", "pitch (fine)", "yaw change", "moved forward in 5 ticks", "moved right in 5 ticks"),
        *(name for name in HERO_POSE if "white" in name or "blue" in name or "free way" in name),
        *(name for name in HERO_POSE if "target" in name or "mates' middle" in name),
        *("recoil", "spread", "next to cover", "next to cover to the right", "next to cover forward"),
    ),
    "hero/item": (
        *(name for name in HERO_ITEM if name.startswith(("in hand=", "supply in reach=", "last body"))),
        *("slot in hand=0", "magazine 0 filled", "magazine 1 filled", "ammunition", "medical kits=0"),
        *("other points", "other reach", "fire wait", "reload left", "can fire", "should reload"),
        *("can reload", "can treat", "door in reach", "downed mate in reach", "better weapon in reach"),
        *("took effect=fire", "took effect=pick", "nothing took effect"),
    ),
    **{
        f"mate {i}/{part}": names
        for i in range(MATES)
        for part, names in (
            ("attribute", ("present",)),
            ("status", ("life=downed", "being helped", "fired lately", "hp", "sees an enemy", "since hit")),
            ("pose", (*_NEAR, "speed forward", "speed to the right")),
        )
    },
    **{
        f"enemy {i}/{part}": names
        for i in range(2)
        for part, names in (
            ("attribute", ("present", "in hand reach", "in hand points")),
            (
                "status",
                (
                    *("life=downed", "stance=crouch", "stance=prone", "busy", "fired lately", "seen now"),
                    *("age", "age (fine)", "mates who see it", "hit by my team lately", "outside blue"),
                ),
            ),
            (
                "pose",
                (
                    *_NEAR,
                    *("rise", "right of the crosshair (fine)", "above the crosshair (fine)"),
                    *("looks at me", "its view off me", "speed forward", "speed to the right"),
                    *("crosshair on it", "in my reach"),
                ),
            ),
        )
    },
    "enemy 2/attribute": ("present",),
    "enemy 2/status": ("life=downed", "seen now", "age"),
    "enemy 2/pose": _NEAR,
    "monster/attribute": ("present", "may bite", "in view"),
    "monster/pose": (*_NEAR, "within bite"),
    "circle/status": ("shrinking", "pain", "blue radius"),
    "circle/time": ("stage", "phase left", "phase left (fine)"),
    **{
        f"event {i}/{part}": EVENT[low:high]
        for i in range(EVENTS_SHOWN)
        for part, low, high in (("attribute", 0, 8), ("position", 8, 11))
    },
    "door/attribute": ("present", "open", "in reach"),
    "door/pose": (*_NEAR, "passage right", "passage forward"),
    **{
        f"supply {i}/{part}": names
        for i in range(2)
        for part, names in (
            ("status", tuple(name for name in SUPPLY[:11]) + ("in reach", "points")),
            ("position", _NEAR),
        )
    },
}
COMPACT = np.array(sorted(NAMES.index(f"{part}/{name}") for part, names in _READ.items() for name in names))

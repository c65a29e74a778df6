"""What can be said to squad mates in Arena, declared (engine.language.declared), and how it is carried out."""

from __future__ import annotations

from engine.games.arena.subgoal_table import DIRECTIONS, PRINTED, SUBGOALS
from engine.language.declared import Act, Declared, Slot

_WAYS = {
    "north": "", "northeast": "", "east": "", "southeast": "", "south": "", "southwest": "", "west": "",
    "northwest": "", "left": "", "right": "", "ahead": "forward", "back": "backward", "up": "", "down": "",
}  # fmt: skip
_KINDS = {
    "house": "house, building, inside",
    "rock": "",
    "wall": "",
    "bush": "",
    "water": "",
    "door": "",
    "hill": "high ground, roof",
}
_WHOM = {
    "me": "the speaker",
    "mate": "a team mate (of several: whoever it fits)",
    "enemy": "enemies, nobody in particular",
    "nearest": "the nearest enemy",
    "aim": "the one that the speaker looks at (“that one”, “him”)",
    "shooter": "whoever shoots at us",
    "mine": "the one that the speaker attacks (“my target”)",
}
_HOW = {
    "quietly": "without shooting, unseen",
    "crouched": "crouched, sneaking",
    "lying": "prone, crawling",
    "hurrying": "running, fast",
    "slowly": "walking, carefully",
}

_CLOCKWISE = (*DIRECTIONS[2:], *DIRECTIONS[:2])
"""The directions as the model learned its labels: from north on."""

DECLARED = Declared(
    game="arena",
    about=(
        "Squads of two to four fight each other and monsters on an island with houses, rocks, low walls, bushes, water "
        "and hills, look for guns, bullets, medkits and armour, heal, help mates up who were knocked down, and must "
        "stay inside a shrinking white circle. One player of the squad (“me”) types or speaks to the mates, who are "
        "agents; “you” is the mate that is spoken to."
    ),
    by={
        "me": "the speaker does it (“I'll loot”)",
        "all": "the whole squad, “we”, “everyone”",
        "two": "two of us (“you two”)",
        "one": "any one of us (“somebody heal me”)",
    },
    acts={
        "follow": Act("go with somebody, stay near them", ("whom", "how", "far")),
        "hold": Act("stay at a place, guard it, wait", ("at", "behind", "how")),
        "go": Act("go to a place, a direction or somebody", ("at", "behind", "whom", "how", "metres")),
        "approach": Act("close in on an enemy without it being said to shoot", ("whom", "how")),
        "avoid": Act("keep away from enemies, keep a distance", ("whom", "far")),
        "attack": Act(
            "shoot at, fight; result=down or kill where that is said", ("whom", "result", "at", "how")
        ),
        "cover": Act("protect somebody, shoot at whoever threatens them", ("whom",)),
        "take_cover": Act("hide, don't be seen", ("behind", "how")),
        "loot": Act("look for things and pick them up", ("what", "at", "how")),
        "heal": Act("treat one's own wounds"),
        "rescue": Act("help somebody up who is knocked down, revive", ("whom", "how")),
        "help": Act("help somebody, without saying how", ("whom",)),
        "prone": Act("lie down"),
        "crouch": Act("crouch"),
        "stand": Act("stand up, stay on one's feet"),
        "hold_fire": Act("don't shoot"),
        "fire": Act("shoot again, as one sees fit (weapons free)"),
        "draw": Act("take the gun into the hands"),
        "holster": Act("put the gun away"),
        "rotate": Act("go into the white circle"),
        "regroup": Act("come together, stay together as a squad"),
        "spread": Act("don't stand together, keep apart"),
        "retreat": Act("fall back from the enemy, flee"),
        "hurry": Act("be faster, without saying at what"),
        "slow": Act("be slower, more careful, without saying at what"),
        "look": Act("look somewhere, watch a direction or somebody", ("at", "whom")),
        "scout": Act("find enemies, say where they are", ("at",)),
    },
    slots={
        "whom": Slot("whom it is about; a number is the seat (“player 3” is 3)", _WHOM, number=True),
        "at": Slot(
            "where",
            {
                "here": "",
                "there": "where the speaker looks or points",
                "zone": "the white circle",
                **_KINDS,
                **_WAYS,
            },
        ),
        "behind": Slot("behind something", _KINDS),
        "how": Slot("in which manner", _HOW),
        "far": Slot("at which distance", {"touch": "right beside", "near": "", "medium": "", "far": ""}),
        "metres": Slot("how far, in metres", number=True),
        "what": Slot("which things", {"gun": "", "bullets": "ammo", "medkit": "", "armour": ""}),
        "result": Slot("what the attack is to end in", {"down": "knock down only", "kill": ""}),
    },
    limits={
        "seconds": Slot("for how many seconds", number=True),
        "after": Slot("in how many seconds", number=True),
        "times": Slot("how many (enemies, things), how often", number=True),
    },
    events={
        "seen": "an enemy is in sight",
        "close": "an enemy is close, comes, pushes",
        "clear": "no enemy is in sight (any more)",
        "down": "an enemy is knocked down or dead",
        "shot_at": "somebody shoots at the agent or the squad",
        "hurt": "the agent's health is low, it is wounded",
        "healthy": "the agent's health is full",
        "empty": "the agent has no bullets, no gun",
        "armed": "the agent has a gun, has found what it looked for",
        "there": "the agent has arrived",
        "mate_down": "a mate is knocked down",
        "i_down": "the speaker is knocked down",
        "i_hurt": "the speaker is wounded",
        "i_attack": "the speaker shoots, attacks",
        "i_move": "the speaker moves, runs, goes",
        "i_stop": "the speaker stops",
        "i_heal": "the speaker heals",
        "i_reload": "the speaker reloads",
        "i_loot": "the speaker loots",
        "i_rescue": "the speaker helps somebody up",
        "i_back": "the speaker comes back, arrives",
        "signal": "the speaker says so",
        "zone": "the circle shrinks, comes",
        "alone": "the agent is alone, the last one",
    },
    labels=tuple(
        f"{one.name}={value}"
        for one in SUBGOALS[:PRINTED]
        for value in (_CLOCKWISE + one.values[8:] if one.values[:8] == DIRECTIONS else one.values)
    ),
)

"""Sub-goals of Table 7 in words of the agent's own, to be told back."""

from __future__ import annotations

from engine.games.arena.language.wishes.names import CODES

_TRUTHS: dict[str, tuple[str, str]] = {
    "kd": ("knock an enemy down", "knock nobody down"),
    "kill": ("kill an enemy", "kill nobody"),
    "se": ("see the enemy", "not look for enemies"),
    "sb": ("let enemies see me", "stay unseen by enemies"),
    "rh": ("restore my health", "not treat my wounds"),
    "hd": ("take damage", "take no damage"),
    "res": ("help a mate up", "help nobody up"),
    "down": ("let myself be knocked down", "not be knocked down"),
    "pr": ("lie down", "not lie"),
    "gun": ("have a gun", "have no gun"),
    "bul": ("have bullets", "have no bullets"),
    "med": ("have medical kits", "have no medical kits"),
    "cl": ("get closer to the enemy", "get no closer to the enemy"),
    "cr": ("crouch", "not crouch"),
    "hold": ("hold a gun", "hold no gun"),
    "st": ("stay where mates see me", "stay where no mate sees me"),
    "fv": ("look the way that mates look", "look another way than mates"),
    "tt": ("target the same enemy as mates", "target another enemy than mates"),
    "fm": ("move the way that mates move", "move another way than mates"),
}
_VALUES: dict[str, str] = {
    "dmg": "deal {} damage",
    "num": "have seen {} enemies",
    "len": "move: {}",
    "vel": "keep my speed: {}",
    "mv": "move {}",
    "vw": "look {}",
    "pit": "set the height of my view: {}",
    "hp": "keep my health: {}",
    "de": "be from the nearest enemy: {}",
    "dt": "be from mates: {}",
    "tp": "have mates to my {}",
    "emv": "make the enemy move {}",
    "ev": "make the enemy's speed: {}",
    "ep": "have the enemy to my {}",
}


def told(goals: dict[str, str]) -> str:
    """Sub-goals as a list of what I do: "look north, lie down"."""
    parts = []
    for code, (name, _) in CODES.items():
        if name not in goals:
            continue
        value = goals[name]
        said = _TRUTHS[code][value == "False"] if code in _TRUTHS else _VALUES[code].format(value.lower())
        parts.append(said)
    return ", ".join(parts)

"""Names and values of Table 7 of the OpenContra paper, each under a short code: "vel=F" is a fast velocity.

The rules next door are written in these codes. The table itself is in engine/games/arena/subgoal_table.py; a
test holds the two equal.
"""

from __future__ import annotations

_TRUTH = {"T": "True", "F": "False"}
_GRADES = {"Z": "Zero", "L": "Low", "l": "Little low", "M": "Medium", "h": "Little high", "H": "High"}
_WAYS = {"N": "North", "NE": "NorthEast", "E": "East", "SE": "Southeast"}
_WAYS |= {"S": "South", "SW": "Southwest", "W": "West", "NW": "Northwest"}
_FAR = {"T": "Touch", "N": "Nearby", "M": "Moderate", "F": "Far", "O": "Out of reach", "X": "Extreme Far"}
_SPEEDS = {"0": "Static", "S": "Slow", "M": "Medium", "F": "Fast", "D": "Falling"}
_LENGTHS = {"0": "No movement", "S": "Short", "M": "Medium", "L": "Long", "V": "Very long"}
_LEVELS = {"E": "Empty", "L": "Low", "M": "Medium", "H": "High", "F": "Full"}
_PITCHES = {code: name for code, name in _GRADES.items() if code != "Z"}

CODES: dict[str, tuple[str, dict[str, str]]] = {
    "dmg": ("Damage to enemy", _GRADES),
    "kd": ("Whether knock down enemy", _TRUTH),
    "kill": ("Whether kill enemy", _TRUTH),
    "se": ("Whether seen enemy", _TRUTH),
    "sb": ("Whether seen by enemy", _TRUTH),
    "num": ("Number of enemies have ever seen", {str(n): str(n) for n in range(16)}),
    "len": ("Length of distance moved", _LENGTHS),
    "vel": ("Average velocity", _SPEEDS),
    "mv": ("Horizontal direction of movement", _WAYS),
    "vw": ("Horizontal direction of view", _WAYS),
    "pit": ("Pitch direction of view", _PITCHES),
    "hp": ("Health level", _LEVELS),
    "rh": ("Whether to restore health", _TRUTH),
    "hd": ("Whether the health is damaged", _TRUTH),
    "res": ("Whether rescued teammate", _TRUTH),
    "down": ("Whether be knocked down", _TRUTH),
    "pr": ("Whether prone position", _TRUTH),
    "gun": ("Whether have a gun", _TRUTH),
    "bul": ("Whether have bullets", _TRUTH),
    "med": ("Whether have medical kits", _TRUTH),
    "de": ("Distance with nearest enemy", _FAR),
    "cl": ("Whether closer with nearest enemy", _TRUTH),
    "cr": ("Whether crouch position", _TRUTH),
    "hold": ("Whether hold a gun", _TRUTH),
    "dt": ("Length of distance from agent to teammate", _FAR),
    "st": ("Whether seen by teammate", _TRUTH),
    "tp": ("Teammate’s position relative to agent", _WAYS),
    "fv": ("Whether follow with the views of teammate", _TRUTH),
    "tt": ("Whether target the same enemy as teammate", _TRUTH),
    "fm": ("Whether follow with the movement direction of teammate", _TRUTH),
    "emv": ("Horizontal direction of movement of enemy", {**_WAYS, "0": "None"}),
    "ev": ("Velocity of enemy", {**_SPEEDS, "-": "None"}),
    "ep": ("Enemy’s position relative to agent", {**_WAYS, "-": "None"}),
}
"""Code -> (name, value's code -> value), in the order of Table 7."""

ORDER = tuple(name for name, _ in CODES.values())
WAYS = tuple(_WAYS)
"""The codes of the directions, clockwise from north."""


def goals(codes: str) -> dict[str, str]:
    """{name: value} of "vel=F len=0"; raises KeyError for what is no code."""
    found = {}
    for pair in codes.split():
        code, _, value = pair.partition("=")
        name, values = CODES[code]
        found[name] = values[value]
    return found


def in_order(found: dict[str, str]) -> dict[str, str]:
    """The same in the order of the table."""
    return {name: found[name] for name in ORDER if name in found}

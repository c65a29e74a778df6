"""The programs that squads carry out and that logs hold: their version, the kinds of their clauses, and how a
clause looks. What becomes of them is in `standing`, what is said of them in `say`.

A clause: {"kind": one of KINDS or ALWAYS, "to": who is to do it (None for whoever is told, "all", "two",
"one", "player 3", "mate 2"), "who": whom it is about (None, "me" for the speaker, "aim" for the one looked
at, "shooter", "nearest", "mine", "player 3", "mate 2", or a seat once known), "place": None, "here", "there",
"me", "enemy", a kind of place ("house", "behind rock") or a direction ("north", "left"), "point": [x, y] in
units once known, "metres": of a direction, or within which to follow, "negated": bool, "seconds": None for as
long as it takes, "flags": of ALL_FLAGS, "adds": whether it leaves earlier instructions standing}.
Clauses are done one after the other.

Some have more keys: "if" (lists of events by "when", "unless" and "until", and "after", in seconds), "beside"
(a number: it isn't one of those that are done one after the other, but holds beside them), "what" and
"result" as in declared.py, "wants" ({sub-goal: value}, subgoal_table.py) instead of what its kind comes to,
where its player changed that. To go to the place "enemy" is to close in on one, to retreat with "metres" to
keep away so far, to attack until an enemy is seen to look for one. Nobody says "stay" (staying.py).
"""

from __future__ import annotations

from typing import Any

from engine.games.arena import GOALS

Clause = dict[str, Any]

VERSION = 1
"""Raised when programs change their meaning; it is stored with every program."""
KINDS = (*GOALS, "help", "fire", "stand", "hurry", "cancel")
"""Goals, and what ends or changes them; "help" is to rescue who is down and to cover who is not."""
FLAGS = ("quietly", "lying", "crouched", "hurrying")
ALL_FLAGS = (*FLAGS, "slowly")
ADDING = ("hold_fire", "fire", "stand", "hurry")
"""Kinds that change how something is done rather than what."""
ALWAYS = ("look", "spread")
"""Kinds of what is asked for in whatever is done (manners.py), besides that something isn't to be done.
Networks don't read them, nor flags that aren't among FLAGS."""
DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
"""Of the compass, clockwise."""
METRES = 20
"""How far somebody goes who was told a direction alone."""


def clause(kind: str, **more: Any) -> Clause:
    """A clause with nothing but its kind, or with more."""
    nothing = dict.fromkeys(("to", "who", "place", "point", "metres", "seconds"))
    return {"kind": kind, **nothing, "negated": False, "flags": [], "adds": False, **more}

"""What was asked of a team of cooks, and what its members are not to do, as parts of their steps.

A goal says what is counted ("serve times=3"), where soups are made ("fill side=left"), or asks for something
that makes no soup ("wait at=pot"): then each agent gets it as a step. Not for the steps that a kitchen's work
is made of (`steps`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.games.overcooked.language.declared import DECLARED
from engine.games.overcooked.language.ends import CLEAR_TICKS, GO_TICKS
from engine.games.overcooked.rules import DISH, NOTHING, ONION, SOUP, TOMATO
from engine.language.declared import Clause, notation, values

ITEMS = {ONION: "onion", TOMATO: "tomato", DISH: "dish", SOUP: "soup"}
INGREDIENTS = (ONION, TOMATO)
SERVE = ("serve", NOTHING, -1)
WORK = ("fill", "plate", "serve", "start")
IGNORED = ("continue", "divide", "swap")
LASTING = {"go": GO_TICKS, "clear": CLEAR_TICKS}  # ticks; what else has no end is done until the game ends

Deed = tuple[str, int, int]
"""A part of a step: an act, the thing (NOTHING for none), the number of a pot (-1 for none)."""


class Goal(NamedTuple):
    """`meant`: the deeds that count, `times`: how often; `program`: the notation of a step of its own, ""
    where the kitchen's work does it, which takes `ticks` (0: as long as the game goes on).
    """

    meant: frozenset[Deed]
    times: int
    program: str = ""
    ticks: int = 0


def deeds(pots: int) -> list[Deed]:
    """All of them in a kitchen with so many pots."""
    found: list[Deed] = [("fill", item, pot) for item in INGREDIENTS for pot in range(pots)]
    found += [(act, NOTHING, pot) for act in ("plate", "start") for pot in range(pots)]
    return [*found, SERVE, *((act, item, -1) for act in ("fetch", "hand") for item in ITEMS)]


def means(clause: Clause, deed: Deed, sides: Mapping[str, Sequence[int]]) -> bool:
    """Whether a clause is about a deed. `sides`: the numbers of the pots at each."""
    act, item, pot = deed
    hands = bool(clause.get("to")) or clause["act"] == "lay"
    what = ["soup"] if hands and clause["act"] == "plate" else values(clause, "what")
    if act != ("hand" if hands else clause["act"]):
        return False
    if what and item != NOTHING and not {ITEMS[item], "held"} & {*what}:
        return False
    named = values(clause, "side")
    return not named or pot < 0 or any(pot in sides.get(side, (pot,)) for side in named)


def bans(clauses: Sequence[Clause], pots: int, sides: Mapping[str, Sequence[int]]) -> frozenset[Deed]:
    """The deeds that clauses forbid."""
    return frozenset(deed for deed in deeds(pots) for clause in clauses if means(clause, deed, sides))


def goals(
    clauses: Sequence[Clause], agents: int, pots: int, sides: Mapping[str, Sequence[int]]
) -> list[Goal]:
    """What is counted. `agents`: how many seats get what makes no soup."""
    found: list[Goal] = []
    for index, clause in enumerate(clauses):
        times = max(values(clause, "times"), default=0)
        if clause["act"] in IGNORED:
            continue
        if clause["act"] in WORK and not clause.get("to"):
            meant = frozenset(deed for deed in deeds(pots) if means(clause, deed, sides))
            found += [Goal(meant, times)] if times else []
            continue
        program = notation(DECLARED, [{key: value for key, value in clause.items() if key != "then"}])
        moves = clause["act"] not in ("fetch", "lay", "take", "plate")
        ticks = LASTING.get(clause["act"], 0) if moves else 20 * max(times, 1)
        found.append(Goal(frozenset({("asked", index, -1)}), agents if moves else 1, program, ticks))
    return found


def allowed(clauses: Sequence[Clause], pots: int, sides: Mapping[str, Sequence[int]]) -> frozenset[int]:
    """The numbers of the pots in which soups are made."""
    found = frozenset(range(pots))
    for clause in clauses:
        if clause["act"] in ("fill", "plate", "start") and values(clause, "side"):
            found &= {
                pot
                for _, _, pot in deeds(pots)
                if pot >= 0 and means(clause, (clause["act"], NOTHING, pot), sides)
            }
    return found

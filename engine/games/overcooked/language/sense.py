"""Literal obedience with sense: what is asked, but of no use now, rests until it is, and isn't forgotten.

Onions are brought while a pot takes some; who serves goes for it once a soup cooks or stands somewhere.
What rests is left out of the prior, so the cook does what its policy finds best; claims and bans hold.
`Following`, `prior`, `progress`: of instructions, with `follow.py`. Not for how a task is done (tasks).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.language import follow
from engine.games.overcooked.language.standing import Goal, mine, settle
from engine.simulation.life import State

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Programs = list[dict[str, Any]]
SERVING = ("serve_soup", "pick_up_soup")
BRINGING = {"fetch_onion": rules.ONION, "fetch_tomato": rules.TOMATO}
FULL, NO_SOUP = "the pots are full", "no soup is cooking yet"


def prior(program: dict[str, Any], sim: Simulation, seat: int) -> np.ndarray:
    """Preference among the actions of `seat`, float32 (6,), in logits; 0 where the program is silent.

    `program["since_tick"]`, if there, is the tick of the instruction; `program["from_seat"]` who gave it, by
    default the cook who is nearest.
    """
    return priors([program], sim, seat)


def priors(programs: Programs, sim: Simulation, seat: int) -> np.ndarray:
    """The same for all instructions to a seat, oldest first: later ones replace what they contradict."""
    return Following.of(sim).asked(programs, np.array([0]), np.array([seat]))[0]


def progress(program: dict[str, Any], sim: Simulation, seat: int) -> dict[str, str]:
    """{"state": "waiting" | "obeying" | "done", "text": short words} of one instruction."""
    return progresses([program], sim, seat)[0]


def progresses(programs: Programs, sim: Simulation, seat: int) -> list[dict[str, str]]:
    """The same for each of all instructions to a seat, oldest first: what rests waits, and says for what."""
    found, told = follow.progresses(programs, sim, seat), settle(programs)
    why = _useless(np.asarray(sim.state), seat)
    for index, goals in enumerate(told):
        wishes = [goal for goal in goals if mine(goal)]
        if wishes and found[index]["state"] != State.DONE and all(_rests(one, why) for one in wishes):
            found[index] = {"state": State.WAITING, "text": _rests(wishes[0], why)}
    return found


class Following(follow.Following):
    """The same in `n` games."""

    def asked(self, programs: Programs, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        told = settle(programs)
        if not any(_may_rest(goal) for goals in told for goal in goals):
            return super().asked(programs, rows, seats)
        out = np.zeros((len(rows), rules.NUM_ACTIONS), np.float32)
        reasons = [_useless(self.states[row], seat) for row, seat in zip(rows, seats.tolist(), strict=True)]
        for why in set(reasons):
            alike = np.array([one == why for one in reasons])
            left = [
                {**program, "goals": [goal for goal in goals if not _rests(goal, why)]}
                for program, goals in zip(programs, told, strict=True)
            ]
            out[alike] = super().asked(left, rows[alike], seats[alike])
        return out


def _may_rest(goal: Goal) -> bool:
    """Whether a goal may be of no use for a while: a role. Who serves one soup gets ready for it."""
    if not mine(goal) or goal.get("when") or goal["count"] is not None:
        return False
    return goal["intent"] in SERVING or goal["intent"] in BRINGING and goal.get("to") == "me"


def _rests(goal: Goal, why: tuple[str, ...]) -> str:
    """Why a goal is of no use now, "" where it is; `why`: of each kind of thing to bring, and of serving."""
    if not _may_rest(goal):
        return ""
    kinds = (*BRINGING, SERVING[0])
    return why[kinds.index(SERVING[0] if goal["intent"] in SERVING else goal["intent"])]


def _useless(state: np.ndarray, seat: int) -> tuple[str, ...]:
    """Why it is of no use now to bring onions, to bring tomatoes, to serve; "" where it is. What is in the
    hand is brought and served all the same.
    """
    cells = int(state[rules.WIDTH]) * int(state[rules.HEIGHT])
    kinds = state[rules.GRID : rules.GRID + cells] & 7
    items, timers = state[rules.ITEM : rules.ITEM + cells], state[rules.TIMER : rules.TIMER + cells]
    held = int(state[rules.HELD + seat])
    pots = kinds == rules.POT
    inside = [int(rules.ingredients_of(int(item))) for item in items[pots]]
    idle = timers[pots] == rules.IDLE
    takes = any(one < rules.MAX_INGREDIENTS and free for one, free in zip(inside, idle, strict=True))
    soup = held >= rules.SOUP or not idle.all() or bool((items[kinds == rules.COUNTER] >= rules.SOUP).any())
    bring = ["" if takes or held == name else FULL for name in BRINGING.values()]
    return (*bring, "" if soup else NO_SOUP)

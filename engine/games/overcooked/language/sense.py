"""Literal obedience with sense: what is asked, but of no use now, rests until it is, and isn't forgotten.

Onions are brought while a pot takes some; who serves goes for it once a soup cooks or stands somewhere.
What rests is left out of the prior, so the cook does what its policy finds best; claims and bans hold.
`Following`, `prior`, `progress`: of instructions, with `follow.py`. Not for how a task is done (tasks).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

import numpy as np

from engine.games.overcooked import rules
from engine.games.overcooked.language import follow
from engine.games.overcooked.language.conditions import Turn, active, conditional
from engine.games.overcooked.language.events import Memory, Seen, speaker
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


def progresses(programs: Programs, sim: Simulation, seat: int) -> list[dict[str, str]]:
    """{"state": "waiting" | "obeying" | "done", "text": short words} of each of all instructions to a seat,
    oldest first: what rests waits, and says for what.
    """
    if conditional(programs):
        return _progresses(programs, sim, seat)
    found, told = follow.progresses(programs, sim, seat), settle(programs)
    why = _useless(np.asarray(sim.state), seat)
    for index, goals in enumerate(told):
        wishes = [goal for goal in goals if mine(goal)]
        if wishes and found[index]["state"] != State.DONE and all(_rests(one, why) for one in wishes):
            found[index] = {"state": State.WAITING, "text": _rests(wishes[0], why)}
    return found


def _progresses(programs: Programs, sim: Simulation, seat: int) -> list[dict[str, str]]:
    """The same where some goals have conditions."""
    now, turns = Following.of(sim).turns(programs, 0, seat)
    found = progresses(now, sim, seat)
    for index, (goals, turn) in enumerate(zip(settle(programs), turns, strict=True)):
        state = found[index]["state"]
        if programs[index]["goals"] and not goals:
            found[index] = {"state": State.REPLACED, "text": "replaced by a later instruction"}
        elif turn.over and state != State.DONE:
            found[index] = {"state": State.DONE, "text": "done"}
        elif not turn.over and state in (State.DONE, State.REPLACED):
            later = "a later instruction comes first" if state == State.REPLACED else ""
            found[index] = {"state": State.WAITING, "text": later or turn.waits or "going on"}
    return found


_MEMORIES: WeakKeyDictionary[Simulation, Memory] = WeakKeyDictionary()


class Following(follow.Following):
    """The same in `n` games."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.memories: dict[int, Memory] = {}  # of games in which there are conditions

    @classmethod
    def of(cls, sim: Simulation) -> Self:
        one = super().of(sim)
        one.memories[0] = _MEMORIES.setdefault(sim, Memory())
        return one

    def begin(self, states: np.ndarray, rows: np.ndarray) -> None:
        super().begin(states, rows)
        self.memories = {row: memory for row, memory in self.memories.items() if row not in rows}

    def done(self, program: dict[str, Any], rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        if not conditional([program]):
            return super().done(program, rows, seats)
        games = zip(rows.tolist(), seats.tolist(), strict=True)
        return np.array([self.turns([program], *game)[1][0].over for game in games], bool)

    def turns(self, programs: Programs, row: int, seat: int) -> tuple[Programs, list[Turn]]:
        """The programs as they are to be followed now in one game, and what `active` finds of each."""
        memory, now, turns = self.memories.setdefault(row, Memory()), [], []
        memory.note(self.states[row])
        look = partial(self.look, rows=np.array([row]), seats=np.array([seat]), which=0)
        for program, goals in zip(programs, settle(programs), strict=True):
            who = speaker(self.states[row], seat, program.get("from_seat"))
            seen = Seen(self.states[row], self.events[row, : self.counts[row]], memory, seat, who, {})
            turns.append(active(goals, seen, look))
            now.append({**program, "goals": turns[-1].goals})
        return now, turns

    def asked(self, programs: Programs, rows: np.ndarray, seats: np.ndarray) -> np.ndarray:
        if conditional(programs):
            found = np.zeros((len(rows), rules.NUM_ACTIONS), np.float32)
            for at, (row, seat) in enumerate(zip(rows.tolist(), seats.tolist(), strict=True)):
                now, _ = self.turns(programs, row, seat)
                found[at] = self.asked(now, rows[at : at + 1], seats[at : at + 1])[0]
            return found
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

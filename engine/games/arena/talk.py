"""What squad mates say unasked: where enemies are, that they need help, what they took and why.

A sentence is made of two records of the match, some ticks apart, and of nothing that the speaker's own squad
doesn't know: who is seen, where a shot came from, what is carried. Nobody says much: one sentence a seat in
PAUSE, one a squad in BREATH, and the same thing not again for AGAIN. Not for answers to instructions before
they are done (engine.language), nor for what a seat sees in full (words.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from engine.games.arena import abstraction
from engine.games.arena import state as s
from engine.games.arena.words import WEAPONS, a
from engine.simulation.life import State

LOOK_EVERY = 4  # ticks between two records that are compared
PAUSE, BREATH, AGAIN = 100, 30, 240  # ticks
FORGOTTEN = 200  # ticks unseen after which an enemy is news again
FEW = 12  # rounds in all that are as good as none
URGENT, SOON, IDLE = range(3)

Names = Callable[[int], str]
Line = tuple[int, str, str]  # how urgent it is, what it is about, the sentence


class Talk:
    """The talk of one match. It alone remembers what was said; a host that takes over the match starts
    without that memory.
    """

    def __init__(self) -> None:
        self.before: np.ndarray | None = None
        self.last: dict[int, int] = {}  # when a seat said something
        self.squads: dict[int, int] = {}  # when somebody of a squad did
        self.said: dict[tuple[int, str], int] = {}  # when a squad said a thing

    def look(self, state: np.ndarray, speakers: Iterable[int], names: Names) -> list[tuple[int, str]]:
        """[(seat, sentence)] that these seats say now; nothing between two looks."""
        tick = int(state[s.TICK])
        if self.before is not None and tick - int(self.before[s.TICK]) < LOOK_EVERY:
            return []
        before, self.before = self.before, state.copy()
        if before is None or int(state[s.OVER]):
            return []
        lines = [(line, seat) for seat in speakers for line in to_say(before, state, seat, names)]
        spoken = []
        for (urgency, about, text), seat in sorted(lines, key=lambda line: line[0][0]):
            if self.may(tick, int(state[s.player(seat) + s.TEAM]), seat, urgency, about):
                spoken.append((seat, text))
        return spoken

    def answer(
        self, state: np.ndarray, seat: int, instruction: str, text: str, progress: dict[str, str]
    ) -> str:
        """What a seat says once an instruction that it heard (its id and text) is done; "" for nothing."""
        if progress["state"] != State.DONE or progress["text"] != "done":
            return ""
        tick, squad = int(state[s.TICK]), _of(state, seat, s.TEAM)
        return f"Done: “{text}”." if self.may(tick, squad, seat, SOON, f"done {instruction}") else ""

    def may(self, tick: int, squad: int, seat: int, urgency: int, about: str) -> bool:
        """Whether this may be said now; it counts as said then."""
        quiet = (
            tick - self.last.get(seat, -PAUSE) >= PAUSE and tick - self.squads.get(squad, -BREATH) >= BREATH
        )
        fresh = tick - self.said.get((squad, about), -AGAIN) >= AGAIN
        if not fresh or not (quiet or urgency == URGENT):
            return False
        self.last[seat] = self.squads[squad] = self.said[squad, about] = tick
        return True


def to_say(before: np.ndarray, now: np.ndarray, seat: int, names: Names) -> list[Line]:
    """All that a seat could say of what has changed between two records, most urgent first."""
    was, life = (_of(state, seat, s.LIFE) for state in (before, now))
    if life == s.OUT:
        return []
    lines = [_fallen(before, now, seat, names), _ordeal(before, now, seat), _enemies(before, now, seat)]
    if life == was == s.UP:
        lines += [_deed(before, now, seat, names), _bullets(before, now, seat), *_taken(before, now, seat)]
    return [line for line in lines if line is not None]


def _of(state: np.ndarray, seat: int, field: int) -> int:
    return int(state[int(s.player(seat)) + field])


def where(state: np.ndarray, seat: int, x: int, y: int) -> str:
    """ "30 m to the north-east" """
    dx, dy = x - _of(state, seat, s.X), y - _of(state, seat, s.Y)
    way = abstraction.direction(dx, dy)
    metres = max(1, round((dx * dx + dy * dy) ** 0.5 / s.UNIT))
    return f"{metres} m to the {way.lower()}" if way else "right here"


def _mates(state: np.ndarray, seat: int, life: int) -> list[int]:
    size, team = int(state[s.TEAM_SIZE]), _of(state, seat, s.TEAM)
    squad = range(team * size, team * size + size)
    return [mate for mate in squad if mate != seat and _of(state, mate, s.LIFE) == life]


def _fallen(before: np.ndarray, now: np.ndarray, seat: int, names: Names) -> Line | None:
    """Going down, and getting up again."""
    was, life = _of(before, seat, s.LIFE), _of(now, seat, s.LIFE)
    if was == s.UP and life == s.DOWNED:
        by = _hit(before, now, seat)
        return URGENT, f"down {seat}", f"I’m down{f', hit {by}' if by else ''}. Help me up!"
    if was == s.DOWNED and life == s.UP:
        helper = _of(before, seat, s.HELPED_BY)
        return SOON, f"up {seat}", f"I’m up again{f'. Thanks, {names(helper - 1)}' if helper else ''}."
    return None


def _hit(before: np.ndarray, now: np.ndarray, seat: int) -> str:
    """ "from the west", of a new hit that somebody's shot made; "" without one."""
    if _of(before, seat, s.HIT_TICK) == _of(now, seat, s.HIT_TICK):
        return ""
    if not 0 < _of(now, seat, s.HIT_BY) <= s.MAX_SEATS:
        return ""
    return f"from the {abstraction.heading(_of(now, seat, s.HIT_YAW) & 0xFFFF).lower()}"


def _ordeal(before: np.ndarray, now: np.ndarray, seat: int) -> Line | None:
    """Being shot at, or outside of the zone."""
    health = _of(now, seat, s.HP)
    if _of(now, seat, s.LIFE) != s.UP or _of(before, seat, s.HP) <= health:
        return None
    by = _hit(before, now, seat)
    if by:
        blind = not _of(now, seat, s.SEES) and not _of(now, seat, s.SEES_2)
        return SOON, f"hit {seat}", f"I’m hit {by}{' and see nobody' if blind else ''}. {health} health left."
    if _of(now, seat, s.HIT_BY) == s.ZONE_HIT and _of(now, seat, s.OUTSIDE) > _of(before, seat, s.OUTSIDE):
        return SOON, f"outside {seat}", f"I’m outside of the zone. {health} health left."
    return None


def _enemies(before: np.ndarray, now: np.ndarray, seat: int) -> Line | None:
    """Enemies in view whom the squad hadn't seen for a while."""
    team, tick = _of(now, seat, s.TEAM), int(before[s.TICK])
    new = []
    for other in range(int(now[s.SEATS])):
        known = s.MEMORY + 3 * (s.MAX_SEATS * team + other)
        if s.sees(now, seat, other) and tick - int(before[known]) > FORGOTTEN:
            x, y = _of(now, other, s.X), _of(now, other, s.Y)
            far = (x - _of(now, seat, s.X)) ** 2 + (y - _of(now, seat, s.Y)) ** 2
            new.append((far, other, x, y))
    if not new:
        return None
    _, other, x, y = min(new)
    who = "Enemy" if len(new) == 1 else f"{len(new)} enemies"
    return SOON, f"enemy {other}", f"{who} {where(now, seat, x, y)}."


def _deed(before: np.ndarray, now: np.ndarray, seat: int, names: Names) -> Line | None:
    """Putting somebody out or down, helping up, treating oneself."""
    if _of(now, seat, s.KILLS) > _of(before, seat, s.KILLS):
        return SOON, f"out {_of(now, seat, s.KILLS)} {seat}", "I put one out."
    if _of(now, seat, s.KNOCKS) > _of(before, seat, s.KNOCKS):
        return SOON, f"knocked {_of(now, seat, s.KNOCKS)} {seat}", "I knocked one down."
    helped = _of(now, seat, s.RESCUED)
    if helped and not _of(before, seat, s.RESCUED):
        return SOON, f"helping {helped}", f"I’m helping {names(helped - 1)} up. Cover us!"
    if _of(now, seat, s.TREAT) and not _of(before, seat, s.TREAT):
        return IDLE, f"treating {seat}", f"I’m treating myself: {_of(now, seat, s.HP)} health left."
    return None


def _rounds(state: np.ndarray, seat: int) -> int:
    return _of(state, seat, s.AMMO) + _of(state, seat, s.MAGAZINE) + _of(state, seat, s.MAGAZINE_2)


def _bullets(before: np.ndarray, now: np.ndarray, seat: int) -> Line | None:
    left = _rounds(now, seat)
    if left <= FEW < _rounds(before, seat):
        return SOON, f"bullets {seat}", f"I need bullets: {left} left." if left else "I have no bullets left."
    return None


def _taken(before: np.ndarray, now: np.ndarray, seat: int) -> Iterable[Line]:
    """What was picked up, and why it was wanted."""
    if _of(now, seat, s.LOOTS) == _of(before, seat, s.LOOTS):
        return
    about = f"took {_of(now, seat, s.LOOTS)} {seat}"
    for slot in (s.WEAPON, s.WEAPON_2):
        had, has = _of(before, seat, slot), _of(now, seat, slot)
        if has not in (had, s.NO_WEAPON):
            yield IDLE, about, f"I take {a(WEAPONS[has])}{f' for my {WEAPONS[had]}' if had else ''}."
            return
    had, has = _of(before, seat, s.MEDKITS), _of(now, seat, s.MEDKITS)
    if has > had:
        yield IDLE, about, f"I take a medical kit, {'I had none' if not had else f'that makes {has}'}."
    elif _of(now, seat, s.ARMOUR) > _of(before, seat, s.ARMOUR):
        worn = _of(before, seat, s.ARMOUR)
        yield IDLE, about, f"I put a vest on, {'I had none' if not worn else 'mine was worn'}."
    elif _rounds(before, seat) <= 3 * FEW < _rounds(now, seat):
        yield IDLE, about, "I found bullets, I was running out."

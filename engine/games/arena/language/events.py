"""What conditions are about (the events of declared.py), as a match tells it: whether an event holds now, and
whether it has happened since an instruction was given.

A seat goes by what a person in it is shown: whom its team has seen, where its squad is hit, and its mates.
`signal` isn't here: the speaker says it, and a match doesn't know what is said. Not for what an agent does
with conditions (`standing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from engine.games.arena import goals
from engine.games.arena import state as s
from engine.games.arena.language.places import LATELY, alive, apart, at, last_seen, spot, squad_of, team

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

Event = dict[str, Any]  # of a match, as engine.games.arena.view tells it
IN_SIGHT = 20  # ticks for which somebody who is still in line of sight counts as seen
RECENT = 60  # ticks after which an enemy is no longer in sight or close, and what happened no longer holds
CLOSE, AIMED = 15.0, 3.0  # metres: an enemy who comes; where a shot ends that was meant for somebody
HURT = 67  # points of health under which somebody is wounded: "Low" and "Medium" of Table 7
AWAY = 12 * s.UNIT  # units: farther off the speaker is away, and back within goals.NEAR


@dataclass
class Since:
    """What is remembered from the time when an instruction was given."""

    tick: int = 0  # when it was given, or what has happened was last looked at
    away: bool = False  # whether the speaker has been away since
    there: bool = False  # whether the seat has come to where it was sent since


def lately(sim: Simulation, tick: int) -> Iterator[Event]:
    """What has happened from a tick on, the last of it first."""
    return takewhile(lambda one: one["tick"] >= tick, reversed(sim.events))


def enemies(sim: Simulation, seat: int, ago: int, life: int = s.UP) -> Iterator[tuple[int, float]]:
    """(enemy, metres to where they were last seen) of those in such a state whom a seat's team saw at most
    `ago` ticks ago.
    """
    state, own, (x, y) = sim.state, team(sim, seat), spot(sim, seat)
    oldest, size, first = int(state[s.TICK]) - ago, int(state[s.TEAM_SIZE]), s.MEMORY + 3 * s.MAX_SEATS * own
    lives = state[s.PLAYERS + s.LIFE :: s.PLAYER][: sim.seats].tolist()
    memory = state[first : first + 3 * sim.seats].reshape(-1, 3).tolist()
    for other, (tick, at_x, at_y) in enumerate(memory):
        if other // size != own and lives[other] == life and tick >= oldest:
            yield other, ((at_x - x) ** 2 + (at_y - y) ** 2) ** 0.5 / s.UNIT


def _moves(sim: Simulation, who: int) -> bool:
    return at(sim, who, s.VX) != 0 or at(sim, who, s.VY) != 0


def _hurt(sim: Simulation, who: int) -> bool:
    return at(sim, who, s.LIFE) == s.DOWNED or alive(sim, who) and at(sim, who, s.HP) < HURT


def _guns(sim: Simulation, seat: int) -> list[int]:
    """The weapons with which a seat can shoot."""
    slots = [(at(sim, seat, s.WEAPON + slot), at(sim, seat, s.MAGAZINE + slot)) for slot in (0, 1)]
    return [weapon for weapon, rounds in slots if weapon and rounds + at(sim, seat, s.AMMO) > 0]


def _mates(sim: Simulation, seat: int, life: int) -> bool:
    return any(mate != seat and at(sim, mate, s.LIFE) == life for mate in squad_of(sim, seat))


HOLDS: dict[str, Callable[[Simulation, int, int], bool]] = {
    "seen": lambda sim, seat, _: any(s.in_sight(sim.state, seat, n) for n, _ in enemies(sim, seat, IN_SIGHT)),
    "close": lambda sim, seat, _: any(far <= CLOSE for _, far in enemies(sim, seat, RECENT)),
    "clear": lambda sim, seat, _: not any(enemies(sim, seat, RECENT)),
    "down": lambda sim, seat, _: any(enemies(sim, seat, LATELY, s.DOWNED)),
    "hurt": lambda sim, seat, _: _hurt(sim, seat),
    "healthy": lambda sim, seat, _: at(sim, seat, s.LIFE) == s.UP and at(sim, seat, s.HP) >= 100,
    "empty": lambda sim, seat, _: not _guns(sim, seat),
    # Everybody begins with a pistol: armed is who has found more.
    "armed": lambda sim, seat, _: any(weapon != s.PISTOL for weapon in _guns(sim, seat)),
    "mate_down": lambda sim, seat, _: _mates(sim, seat, s.DOWNED),
    "alone": lambda sim, seat, _: not _mates(sim, seat, s.UP),
    "i_down": lambda sim, _, speaker: at(sim, speaker, s.LIFE) == s.DOWNED,
    "i_hurt": lambda sim, _, speaker: _hurt(sim, speaker),
    "i_move": lambda sim, _, speaker: _moves(sim, speaker),
    "i_stop": lambda sim, _, speaker: alive(sim, speaker) and not _moves(sim, speaker),
    "i_heal": lambda sim, _, speaker: at(sim, speaker, s.TREAT) > 0,
    "i_reload": lambda sim, _, speaker: at(sim, speaker, s.RELOAD) > 0,
    "i_rescue": lambda sim, _, speaker: at(sim, speaker, s.RESCUED) > 0,
    "zone": lambda sim, *_: int(sim.state[s.SHRINKING]) != 0,
}


def _ours(sim: Simulation, seat: int, who: int | None) -> bool:
    return who is not None and team(sim, who) == team(sim, seat)


def _downed(sim: Simulation, seat: int, one: Event) -> bool:
    """Whether an enemy was put down by the squad, or before its eyes."""
    if one["kind"] not in ("knock", "kill") or _ours(sim, seat, one["other"]):
        return False
    return _ours(sim, seat, one["seat"]) or last_seen(sim, seat, one["other"])[0] >= one["tick"]


def _shot_at(sim: Simulation, seat: int, one: Event) -> bool:
    """Whether somebody else hit one of the squad, or all but did."""
    if one["kind"] not in ("hit", "shot", "monster_bites") or _ours(sim, seat, one["seat"]):
        return False
    ways = [
        (x / s.UNIT - one["x"], y / s.UNIT - one["y"]) for x, y in (spot(sim, m) for m in squad_of(sim, seat))
    ]
    near = any(x * x + y * y <= AIMED**2 for x, y in ways)
    return near if one["kind"] == "shot" else _ours(sim, seat, one["other"])


HAPPENS: dict[str, Callable[[Simulation, int, int, Event], bool]] = {
    "down": lambda sim, seat, _, one: _downed(sim, seat, one),
    "shot_at": lambda sim, seat, _, one: _shot_at(sim, seat, one),
    "i_attack": lambda sim, _, speaker, one: one["kind"] == "shot" and one["seat"] == speaker,
    "i_loot": lambda sim, _, speaker, one: one["kind"] == "picked" and one["seat"] == speaker,
}
EVENTS = {*HOLDS, *HAPPENS, "there", "i_back"}


def holds(name: str, sim: Simulation, seat: int, speaker: int, known: Since) -> bool:
    """Whether an event holds now; what happens in a moment does for RECENT ticks."""
    if name in ("there", "i_back"):
        back = known.away and apart(sim, seat, speaker) <= goals.NEAR
        return known.there if name == "there" else back
    if name in HOLDS and HOLDS[name](sim, seat, speaker):
        return True
    tick = int(sim.state[s.TICK])
    return name in HAPPENS and happened(name, sim, seat, speaker, Since(tick - RECENT))


def happened(name: str, sim: Simulation, seat: int, speaker: int, known: Since) -> bool:
    """Whether an event has happened since, or, of those that last, holds now."""
    if name not in HAPPENS:
        return holds(name, sim, seat, speaker, known)
    return any(HAPPENS[name](sim, seat, speaker, one) for one in lately(sim, known.tick))

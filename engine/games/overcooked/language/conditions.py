"""What of programs with conditions is to be done now: goals with "if" (declared.CONDITIONS: lists of events,
any of which will do) and "after" (their place in a chain: what has an end and is before them is done first).

`when` with an event of a moment holds from then on until the goal was done once, and again each time; so does
an `until` beside it. Any other `until` ends its goal for good. Not for the events themselves (`events`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.games.overcooked import rules
from engine.games.overcooked.language import saying
from engine.games.overcooked.language.events import HAPPENS, HOLDS, Seen, happened, has_been
from engine.games.overcooked.language.standing import POSTURES, ROLES, Goal, mine

MOVES = ("go_to", "clear_the_way")
PUTS = ("put_onion_in_pot", "put_tomato_in_pot")
EACH_TIME = {name: rules.MAX_INGREDIENTS if name in PUTS else 1 for name in (*ROLES[:-2], "start_pot")}
"""How often that is done each time that something happens, where no number is said."""


class Turn(NamedTuple):
    """Of a program: its goals that hold now, without conditions; whether all is over; for what it waits."""

    goals: list[Goal]
    over: bool
    waits: str


def conditional(programs: list[dict[str, Any]]) -> bool:
    """Whether any goal has conditions."""
    return any("if" in goal for program in programs for goal in program["goals"])


def active(goals: list[Goal], seen: Seen, look: Callable[..., Any]) -> Turn:
    """What of a program's goals is followed now. `look`: how far goals without conditions have got in this
    game (follow.Following).
    """
    ones = [_one(seen._replace(goal=goal)) for goal in goals]
    did, _ = look([{"goals": [one.goal for one in ones], "from_seat": seen.speaker}])
    left, place, waits, over = [], len(goals), "", True
    for goal, one, is_done in zip(goals, ones, did[0], strict=True):
        if one.over or is_done and not one.again:
            continue
        after, over, waits = goal.get("after", 0), False, waits or _waits(seen._replace(goal=goal))
        if one.holds and after <= place:
            stays = "if" in goal and mine(goal) and goal["intent"] in POSTURES and not is_done
            left.append((one.goal, stays))
        moves = goal["intent"] in MOVES and "when" not in _said(goal)
        if mine(goal) and (goal["count"] is not None or "until" in _said(goal) or moves):
            place = min(place, after)
    # Who is told to stay somewhere does nothing else.
    alone = any(stays for _, stays in left)
    return Turn([goal for goal, stays in left if stays or not alone or not mine(goal)], over, waits)


class _One(NamedTuple):
    """A goal without its conditions; whether they hold, whether they end it for good, and whether it goes on
    after it was done.
    """

    goal: Goal
    holds: bool
    over: bool
    again: bool


def _one(seen: Seen) -> _One:
    goal, said, since = seen.goal, _said(seen.goal), seen.goal["since_tick"]
    once, when, until = goal["count"] is not None, said.get("when", []), said.get("until", [])
    moments = [event for event in when if event in HAPPENS and mine(goal)]
    ticks = sorted(tick for event in moments for tick in happened(event, seen, since))
    holds = not when or bool(ticks) or any(HOLDS[event](seen) for event in when if event not in moments)
    plain = {name: value for name, value in goal.items() if name not in ("if", "after")}
    if ticks:
        since = ticks[0 if once else -1]
        if not once:
            plain["count"] = EACH_TIME.get(goal["intent"])
            holds = goal["intent"] not in PUTS or HOLDS["room"](seen)
    # A list: each event is remembered.
    over = (bool(ticks) or not moments) and any([has_been(event, seen, since) for event in until])
    holds = holds and not over and not any(HOLDS[event](seen) for event in said.get("unless", []))
    if goal["intent"] in MOVES and (until or when and not ticks):
        # Not for the usual time, but as long as this holds, or for that time since it first did.
        now, key = int(seen.state[rules.TICK]), (seen.seat, repr(goal))
        since = seen.memory.first.setdefault(key, now) if once and holds else seen.memory.first.get(key, now)
    again = bool(moments and not ticks or not once and (when or until))
    return _One({**plain, "since_tick": since}, holds, over and (once or not moments), again)


def _said(goal: Goal) -> dict[str, list[str]]:
    """The conditions of a goal, with what version 1 knows to wait until."""
    found: dict[str, list[str]] = goal.get("if") or ({"until": [goal["until"]]} if goal.get("until") else {})
    return found


def _waits(seen: Seen) -> str:
    """For what a goal waits, "until a soup is done"."""
    said = _said(seen.goal)
    unless = [event for event in said.get("unless", []) if HOLDS[event](seen)]
    word, events = ("while", unless) if unless else ("until", said.get("when", []))
    return f"{word} {' or '.join(saying.EVENTS[event] for event in events)}" if events else ""

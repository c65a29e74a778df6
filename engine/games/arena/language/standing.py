"""Which instruction of several stands, how far it has got, and the goal that comes of it.

Clauses are done one after the other; what has begun is kept with the match (kept.py). Not for the words
(`say`), nor for where and whom they mean (`places`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from engine.games.arena import chips, goals
from engine.games.arena import state as s
from engine.games.arena.language import events, manners, places, saying, staying
from engine.games.arena.language.carried import LASTING
from engine.games.arena.language.kept import STANCES, Begun, Order, Program, speaker_of, standing, unbegun
from engine.games.arena.language.programs import ADDING, ALL_FLAGS, Clause
from engine.games.arena.plan import away
from engine.games.arena.sight import FORGOTTEN

if TYPE_CHECKING:
    from engine.simulation.simulation import Simulation

FLAG_BITS = {flag: 1 << bit for bit, flag in enumerate(ALL_FLAGS)}
GOAL_OF = {"approach": "go", "avoid": "retreat", "scout": "attack"}
THINGS = {s.BULLETS: "bullets", s.MEDKIT: "medkit", s.VEST: "armour"}  # the others are guns


def begun(program: Program, sim: Simulation, seat: int) -> Begun:
    """A program with the goal of its first clause, as if it was said in this state; it isn't kept. Where
    nobody is there whom it could mean, the goal is of nobody in particular.
    """
    found = unbegun(program, sim, seat)
    if found.steps:
        _begin(found, 0, sim, seat, speaker_of(program, sim, seat))
        kind = GOAL_OF.get(found.kind, found.kind)
        if found.missing and kind in goals.NAMES:
            goals.give(sim.state, seat, goals.NAMES.index(kind), -1, 0, 0, 0, 0, found.goal)
    return found


# --- Which one stands ------------------------------------------------------------------------------------


def order(programs: list[Program], sim: Simulation, seat: int, now: bool = False) -> Order:
    """What stands of all instructions to a seat (their `parts`), oldest first: a later one replaces an
    earlier one unless it adds to it. `now`: with what changes others only while its condition holds.
    """
    kept = standing(sim)
    begun = [kept.of(program, sim, seat) for program in programs]
    if any(one.asks for one in begun):
        return _order(programs, sim, seat, now)
    # Without conditions this changes with what is over, and with nothing else.
    key = (seat, now, *map(id, programs), *(one.over for one in begun))
    known = kept.orders.get(key)
    if known is None:
        known = kept.orders[key] = programs, _order(programs, sim, seat, now)
    return known[1]


def _order(programs: list[Program], sim: Simulation, seat: int, now: bool) -> Order:
    kept, found = standing(sim), Order()
    for index, program in enumerate(programs):
        begun = kept.of(program, sim, seat)
        follows = active(begun, program, sim, seat)
        for one in begun.changes if now and follows else [one for one in begun.changes if "if" not in one]:
            _change(found, one, [kept.of(p, sim, seat) for p in programs])
        steps = begun.steps
        if not steps:
            if follows and any(one["kind"] == "hurry" and not one["negated"] for one in begun.changes):
                found.hurry = index
            continue
        others = [(rule, kept.of(programs[rule], sim, seat)) for rule in found.rules]
        found.rules = [rule for rule, other in others if not _replaces(begun, other)]
        if begun.is_manner and found.main is not None:
            if _replaces(begun, kept.of(programs[found.main], sim, seat)):
                found.main = None
        if begun.is_rule or begun.is_manner:
            found.rules.append(index)
            continue
        kinds = [one["kind"] for one in steps]
        if kinds == ["hold_fire"]:
            found.quiet = index
            continue
        if begun.adds and found.main is not None and len(kinds) == 1 and kinds[0] in STANCES:
            found.stance = index
            continue
        shoots = any(kind in ("attack", "cover", "help") for kind in kinds)
        dropped = int(program.get("dropped", 0))
        found = Order(index, None if shoots else found.quiet, dropped=dropped, rules=found.rules)
    for index in found.rules:
        rule = kept.of(programs[index], sim, seat)
        main = kept.of(programs[found.main], sim, seat) if found.main is not None else None
        # What was asked after a rule began to hold comes before it, until it comes to hold again.
        first = main is None or main.over or rule.rose >= main.given
        if first and rule.rose >= 0 and not (rule.waits or rule.over or rule.is_way):
            found.leads = index
    return found


def _replaces(later: Begun, earlier: Begun) -> bool:
    """Whether an instruction ends an earlier one because both can't be kept, one of them being a manner. What
    has conditions leaves what has others.
    """
    if "if" in later.steps[0]:
        return False
    if earlier.is_manner:
        return any(manners.against(earlier.steps[0], one) for one in later.steps)
    doing = [one for one in earlier.steps if not manners.manner(one)]
    return later.is_manner and any(manners.against(later.steps[0], one) for one in doing)


def active(begun: Begun, program: Program, sim: Simulation, seat: int) -> bool:
    """Whether what an instruction has come to is to be followed now; `waits` says why not. What an event has
    ended is over for good.
    """
    clauses = begun.steps or begun.changes
    if begun.over or not begun.asks:
        return not begun.over
    one = clauses[0 if begun.is_rule else min(max(begun.at, 0), len(clauses) - 1)]
    asked, speaker, tick = one.get("if", {}), speaker_of(program, sim, seat), int(sim.state[s.TICK])
    begun.since.away |= places.apart(sim, seat, speaker) > events.AWAY

    def some(name: str, told: Callable[..., bool]) -> bool:
        return any(told(event, sim, seat, speaker, begun.since) for event in asked.get(name, ()))

    gone = (tick - begun.tick) / s.TICKS_PER_SECOND
    over = not begun.steps and one["seconds"] and gone >= one["seconds"] or some("until", events.happened)
    begun.since.tick = tick
    if over:
        after = range(max(begun.at, 0) + 1, len(begun.steps))
        more = (at for at in after if begun.steps[at].get("if", {}).get("until") != asked.get("until"))
        _next(begun, sim, seat, speaker, next(more, len(begun.steps)))
        return active(begun, program, sim, seat)
    once = not begun.is_rule or "after" in asked or asked["when"] == ["there"]
    left = asked.get("after", 0) - gone
    holds = left <= 0 and ("when" not in asked or some("when", events.holds))
    if not holds and not (once and begun.rose >= 0):
        begun.rose = -1
        begun.waits = f"in {ceil(left)} s" if left > 0 else f"until {_told(asked['when'])}"
        return False
    if begun.rose < 0:
        begun.rose = tick
        if begun.steps and {"when", "after"} & asked.keys():
            _begin(begun, 0 if begun.is_rule else max(begun.at, 0), sim, seat, speaker)
    begun.waits = f"not while {_told(asked['unless'])}" if some("unless", events.holds) else ""
    return not begun.waits


def _told(names: list[str]) -> str:
    return " or ".join(saying.event(name) for name in names)


def remaining(programs: list[Program], sim: Simulation, seat: int) -> list[Program | None]:
    """What is left of each program for a seat (engine.language.remaining): the clauses that are the seat's,
    without the flags that were taken back since ("dropped", bits of engine.games.arena.goals).
    """
    kept = standing(sim)
    split = [kept.parts(program) for program in programs]
    found = order(sum(split, []), sim, seat)
    standing_ones = (found.main, found.quiet, found.hurry, found.stance, *found.rules)
    left: list[Program | None] = []
    indices = iter(range(sum(map(len, split))))
    for program, each in zip(programs, split, strict=True):
        mine, is_main = [], False
        for part, index in zip(each, indices, strict=False):
            begun = kept.of(part, sim, seat)
            mine += begun.steps + begun.changes if not begun.steps or index in standing_ones else []
            is_main |= index == found.main
        own = [{**one, "to": None} for one in program["clauses"] if one in mine]
        if program["clauses"] and not own:
            left.append(None)
            continue
        rest = program if own == program["clauses"] else {**program, "clauses": own}
        if is_main and found.dropped != rest.get("dropped", 0):
            rest = {**rest, "dropped": found.dropped}
        left.append(rest)
    return left


def _change(found: Order, one: Clause, begun: list[Begun]) -> None:
    """What a clause that isn't a goal does to what stands."""
    kind = one["kind"]
    ended = {"fire": ["hold_fire"], "stand": [*STANCES]}.get(kind, [kind] if one["negated"] else [])
    lasting = [rule for rule in found.rules if begun[rule].steps[-1]["negated"]]
    found.rules = [
        rule for rule in found.rules if rule in lasting or begun[rule].steps[-1]["kind"] not in ended
    ]
    if kind == "cancel":
        found.main = found.quiet = found.hurry = found.stance = None
        found.rules = []
    elif kind == "fire":
        found.quiet = None
        found.dropped |= goals.QUIETLY
    elif kind == "stand" or (one["negated"] and kind in STANCES):
        found.stance = None
        found.dropped |= goals.LYING | goals.CROUCHED
        if found.main is not None and begun[found.main].steps[-1]["kind"] in STANCES:
            found.main = None
    elif kind == "hurry" and one["negated"]:
        found.hurry = None
        found.dropped |= goals.HURRYING
    elif one["negated"] and found.main is not None and manners.manner(one) in ("", *manners.BARS):
        asked = {step["kind"] for step in begun[found.main].steps}
        asked |= {"rescue", "cover"} if "help" in asked else set()
        if kind in asked or kind == "help" and asked & {"rescue", "cover"}:
            found.main = None


def ends_at_once(begun: Begun) -> bool:
    """Whether an instruction only changes others."""
    return not begun.steps and not any(one["kind"] in ADDING for one in begun.changes)


# --- The goal --------------------------------------------------------------------------------------------


def advance(begun: Begun, program: Program, sim: Simulation, seat: int) -> np.ndarray:
    """The goal of an instruction now, (GOAL_SIZE,) int16: of its first clause that isn't done yet."""
    speaker = speaker_of(program, sim, seat)
    if begun.at < 0 and not begun.over:
        _begin(begun, 0, sim, seat, speaker)
    for _ in begun.steps:  # no clause twice at once, however many are done already
        if begun.over or begun.waits:
            break
        _follow_up(begun, sim, seat, speaker)
        if not _is_done(begun, sim, seat, speaker):
            known = events.enemies(sim, seat, goals.KNOWN) if begun.kind == "avoid" else [(-1, 0)]
            if any(far <= (begun.steps[begun.at]["metres"] or 0) for _, far in known):
                return begun.goal
            break
        asked = begun.steps[0].get("if", {})
        if begun.is_rule and begun.at + 1 == len(begun.steps) and asked.get("when", ["there"]) != ["there"]:
            begun.at = len(begun.steps) if begun.goal[goals.UNTIL] else -1  # from the next time on
            break
        _next(begun, sim, seat, speaker, begun.at + 1)
        active(begun, program, sim, seat)
    return np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE)


def _next(begun: Begun, sim: Simulation, seat: int, speaker: int, at: int) -> None:
    """Go on to another clause, for which what has been so far doesn't count."""
    begun.tick, begun.waits = int(sim.state[s.TICK]), ""
    begun.rose = begun.rose if begun.is_rule else -1  # a rule's condition is that of all its clauses
    begun.since = events.Since(begun.tick)
    _begin(begun, at, sim, seat, speaker)


def _is_done(begun: Begun, sim: Simulation, seat: int, speaker: int) -> bool:
    """Whether a clause has come to its end. One that asks for more than its goal does is given it anew."""
    one, goal, until = begun.steps[begun.at], begun.goal, int(begun.goal[goals.UNTIL])
    if one["kind"] == "stay":
        return not places.alive(sim, one["who"])
    if begun.missing or 0 < until <= int(sim.state[s.TICK]):
        return not begun.missing
    if manners.manner(one):
        return False
    done = int(goals.progress(sim.state, sim.world, seat, goal)) == goals.DONE
    if "wants" in one and int(goal[goals.KIND]) == goals.FREE:
        done = one["kind"] not in LASTING and chips.is_met(goal, sim, seat)
    if begun.kind == "hold":
        there = away(sim.state, seat, int(goal[goals.X]), int(goal[goals.Y])) <= goals.HERE
    else:
        there = done and begun.kind in ("go", "rotate", "regroup")
    for other, waiting in standing(sim).waiting if there else ():
        waiting.since.there |= other == seat
    if one.get("result") == "kill":
        return goal[goals.WHO] >= 0 and not places.alive(sim, int(goal[goals.WHO]))
    if begun.kind == "avoid" or not done:
        return False
    lately = events.lately(sim, int(goal[goals.SINCE]))
    taken = [it["value"] for it in lately if it["kind"] == "picked" and it["seat"] == seat]
    begun.got |= {THINGS.get(kind, "gun") for kind in taken}
    if {*one.get("what", ())} <= begun.got and (begun.kind == "go" or not one.get("if", {}).get("until")):
        return True
    _begin(begun, begun.at, sim, seat, speaker)
    return False


def _begin(begun: Begun, at: int, sim: Simulation, seat: int, speaker: int) -> None:
    """Give the goal of a clause, from what is the case now."""
    begun.at, begun.missing = at, ""
    if at >= len(begun.steps):
        begun.over = True
        begun.goal = np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE)
        return
    one = begun.steps[at]
    if name := manners.manner(one):
        _begin_manner(begun, one, name, sim, seat, speaker)
        return
    kind, who = _whom(one, sim, seat, speaker)
    begun.kind = kind
    missing = "there is nobody whom that could mean" if who is None else ""
    if kind == "rescue" and who is not None:
        missing = _nobody_down(sim, seat, who, speaker)
    if kind == "approach" and who is not None:
        who = who if who >= 0 else int(goals.known_enemy(sim.state, seat, FORGOTTEN))
        known = who >= 0 and int(sim.state[s.TICK]) - places.last_seen(sim, seat, who)[0] <= FORGOTTEN
        missing = "" if known else "nobody knows where they are"
    if who is None or missing:
        begun.missing = missing
        begun.goal = np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE)
        return
    x = y = 0
    if kind in ("go", "hold"):
        x, y = places.spot(sim, who) if who >= 0 else places.point(sim, seat, speaker, one)
    elif kind == "approach":
        x, y = places.last_seen(sim, seat, who)[1:]
    until = int(sim.state[s.TICK]) + one["seconds"] * s.TICKS_PER_SECOND if one["seconds"] else 0
    flags = sum(FLAG_BITS[flag] for flag in one["flags"])
    number = goals.NAMES.index(GOAL_OF.get(kind, kind))
    goals.give(sim.state, seat, number, who, x, y, until, flags, begun.goal)
    begun.goal[goals.WITHIN] = one["metres"] * s.UNIT if kind == "follow" and one["metres"] else 0
    if "wants" in one:
        chips.put(begun.goal, one["wants"], sim, seat)


def _begin_manner(begun: Begun, one: Clause, name: str, sim: Simulation, seat: int, speaker: int) -> None:
    """Give the goal of what is asked for in whatever is done."""
    begun.kind, who = name, -1
    begun.goal = np.zeros(goals.GOAL_SIZE, goals.GOAL_DTYPE)
    if name == "look":
        found = manners.watched(one, sim, seat, speaker)
    else:
        found = places.meant_enemy(one["who"], sim, seat, speaker) if name in ("spare", "keep_off") else -1
    unknown = name == "spare" and one["who"] is not None and found == -1
    begun.missing = "there is nobody whom that could mean" if found is None or unknown else ""
    if begun.missing:
        return
    who = -1 if found is None else found
    begun.point = places.point(sim, seat, speaker, one) if one["place"] in manners.PLACES else (0, 0)
    # Who comes to it after something else stays there.
    kind, (x, y) = goals.HOLD if begun.at else goals.FREE, places.spot(sim, seat)
    until = int(sim.state[s.TICK]) + one["seconds"] * s.TICKS_PER_SECOND if one["seconds"] else 0
    flags = sum(FLAG_BITS[flag] for flag in one["flags"])
    goals.give(sim.state, seat, kind, who, x, y, until, flags, begun.goal)
    manners.write(one, sim, seat, speaker, begun.goal, begun.point)
    if "wants" in one:
        chips.put(begun.goal, one["wants"], sim, seat)


def _nobody_down(sim: Simulation, seat: int, who: int, speaker: int) -> str:
    """Why nobody can be helped up now, "" where somebody can: whoever is meant has to be down."""
    if who >= 0:
        name = "you" if who == speaker else f"Player {who + 1}"
        life = int(sim.state[s.player(who) + s.LIFE])
        state = {s.DOWNED: "", s.OUT: "out"}.get(life, "not down")
        return state and f"{name} {'are' if name == 'you' else 'is'} {state}"
    mates = [mate for mate in places.squad_of(sim, seat) if mate != seat]
    down = any(int(sim.state[s.player(mate) + s.LIFE]) == s.DOWNED for mate in mates)
    return "" if down else "nobody is down"


def _follow_up(begun: Begun, sim: Simulation, seat: int, speaker: int) -> None:
    """Keep a goal up with those whom it is about: where they are now, whether they are down."""
    one = begun.steps[begun.at]
    if begun.missing:
        _begin(begun, begun.at, sim, seat, speaker)
        return
    who = int(begun.goal[goals.WHO])
    if manners.manner(one):
        manners.write(one, sim, seat, speaker, begun.goal, begun.point)
    elif one["kind"] == "stay" or one["kind"] == "help" and who >= 0:
        kind, whom = _whom(one, sim, seat, speaker)
        if kind != begun.kind or one["kind"] == "stay" and whom != who:
            _begin(begun, begun.at, sim, seat, speaker)
    elif begun.kind == "go" and who >= 0:
        begun.goal[goals.X], begun.goal[goals.Y] = places.spot(sim, who)
    elif begun.kind == "approach":
        begun.goal[goals.X : goals.Y + 1] = places.last_seen(sim, seat, who)[1:]
    elif one.get("result") == "kill" and one["who"] in (None, "nearest"):
        if who < 0 or places.at(sim, who, s.LIFE) == s.UP:
            begun.goal[goals.WHO] = goals.known_enemy(sim.state, seat, FORGOTTEN)


def _whom(one: Clause, sim: Simulation, seat: int, speaker: int) -> tuple[str, int | None]:
    """(the kind of goal, whom it is about: -1 for nobody in particular, None where nobody can be meant)."""
    kind, said = one["kind"], one["who"]
    if kind == "stay":
        return staying.now(sim, seat, said)
    if kind == "attack" or one["place"] == "enemy":
        scouts = "seen" in one.get("if", {}).get("until", ())
        named = "approach" if kind == "go" else "scout" if scouts else kind
        return named, places.meant_enemy(said, sim, seat, speaker)
    if kind == "retreat" and one["metres"]:
        return "avoid", -1
    if kind in ("follow", "cover", "help", "rescue") or kind == "go" and (said or one["place"] == "me"):
        who = places.meant_mate("me" if kind == "go" and said is None else said, kind, sim, seat, speaker)
        if who is not None and who >= 0 and places.team(sim, who) != places.team(sim, seat):
            return "attack", who  # who is told to follow an enemy goes after them
        if kind == "help":
            down = who is not None and who >= 0 and int(sim.state[s.player(who) + s.LIFE]) == s.DOWNED
            return "rescue" if down else "cover", who
        return kind, who
    return kind, -1

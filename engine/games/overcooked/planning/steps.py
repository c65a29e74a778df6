"""What a cook can do next, as planners see it: soups served, things put into pots, pots started, things
handed over counters, or what was asked besides. Each is a program of the declared language that cooks carry
out whole, with the ticks that it takes.

Not for what a kitchen is worth (`kitchen`).
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.overcooked.planner import FAR
from engine.games.overcooked.planning.asked import INGREDIENTS, ITEMS, SERVE, Deed
from engine.games.overcooked.planning.kitchen import FADES, IDLE, Hand, Kitchen, Lies, Pot, put
from engine.games.overcooked.rules import DISH, MAX_INGREDIENTS, NOTHING, ONION, SOUP
from engine.games.plans import Option

LEAST, PATIENCE = 4.0, 8.0  # ticks for which a cook leaves the work to the others before it looks again
MOST_POTS = 2  # that one cook thinks of filling

Needs = tuple[str, ...]


def options(kitchen: Kitchen) -> list[Option]:
    """What the seat that is free first can do next; the last one is to leave it to the others."""
    seat = kitchen.turn()
    if seat is None:
        return []
    found = [*_asked(kitchen, seat), *_serve(kitchen, seat)]
    if not found or kitchen.held[seat] < SOUP:
        found += [*_fill(kitchen, seat), *_start(kitchen, seat), *_hand(kitchen, seat)]
    now = kitchen.free[seat]
    others = [kitchen.free[other] for other in kitchen.ground.order if other != seat]
    if not found and now in others:
        wait = 1.0  # they choose first
    else:
        wait = min(PATIENCE, max(LEAST, min((one - now for one in others if one > now), default=PATIENCE)))
    return [*found, Option("", wait, kitchen.later(wait))]


def _asked(kitchen: Kitchen, seat: int) -> Iterator[Option]:
    """What the goal asks for that makes no soup."""
    ground = kitchen.ground
    for done, goal in zip(kitchen.counted, ground.goals, strict=True):
        if goal.program and done < goal.times and seat not in ground.people:
            ticks = float(goal.ticks) or ground.left
            hand = kitchen.hand(seat)
            then = kitchen.after(seat, hand._replace(now=hand.now + ticks), kitchen.pots, list(goal.meant))
            yield Option(goal.program, ticks, then)


# --- Soups --------------------------------------------------------------------------------------------------


def _serve(kitchen: Kitchen, seat: int) -> Iterator[Option]:
    """A soup taken from a pot or from a counter and served; handed over where no window is in reach."""
    ground, banned = kitchen.ground, kitchen.ground.banned[seat]
    hand, serves = kitchen.hand(seat), ground.serves[seat]
    if serves and SERVE in banned:
        return
    if hand.held >= SOUP:
        yield from _served(kitchen, seat, hand, -1, ()) if serves else ()
        return
    if serves and (has := hand.taking(ground, SOUP)) is not None and hand.held == NOTHING:
        yield from _served(kitchen, seat, has, -1, ("soup on the counter",))
    best: tuple[float, int, Hand] | None = None
    pace, crates = ground.paced(seat, "serve" if serves else "plate"), ("fetch", DISH, -1) not in banned
    for number, pot in enumerate(kitchen.pots if ground.fills[seat] else ()):
        if pot.ready == IDLE or ("plate", NOTHING, number) in banned:
            continue
        has = hand.having(ground, DISH, ground.pots[number], pace, crates)
        ticks, cell = ground.ways.use(has.cell, ground.pots[number]) if has else (FAR, 0)
        if has is None or ticks >= FAR:
            continue
        now = max(has.now + ticks * pace, pot.ready + 1)
        if best is None or now < best[0]:
            best = now, number, Hand(now, cell, SOUP + pot.inside, has.lying)
    if best is not None:
        _, number, has = best
        needs = _filled_by_all(kitchen, number) if hand.now >= kitchen.pots[number].since else ()
        if serves:
            yield from _served(kitchen, seat, has, number, needs)
        elif ("hand", SOUP, -1) not in banned:
            yield from _handed(kitchen, seat, has, number, needs)


def _served(kitchen: Kitchen, seat: int, hand: Hand, number: int, needs: Needs) -> Iterator[Option]:
    """With a soup in the hand, out of pot `number` if it is none that was there before."""
    ground = kitchen.ground
    ticks, cell, window = ground.ways.trip(hand.cell, ground.windows)
    now = hand.now + ticks * ground.paced(seat, "serve")
    if ticks >= FAR or now > ground.left:
        return
    deeds, pots, place, gives = [SERVE], kitchen.pots, window, Needs()
    if number >= 0:
        deeds, gives = [SERVE, ("plate", NOTHING, number)], (f"pot {number} empty",)
        pots, place = put(pots, number, Pot(0, hand.now, hand.now, IDLE)), ground.pots[number]
    points = ground.values[hand.held - SOUP] * FADES**now
    then = kitchen.after(seat, Hand(now, cell, NOTHING, hand.lying), pots, deeds, points=points)
    yield Option("serve times=1", now - kitchen.free[seat], then, ground.xy(place), needs, gives)


def _handed(kitchen: Kitchen, seat: int, hand: Hand, number: int, needs: Needs) -> Iterator[Option]:
    """With a soup in the hand that others serve."""
    ground = kitchen.ground
    handing = ground.handing[seat, SOUP]
    taken = {one.counter for one in hand.lying}
    free = tuple(one for one in handing[1] if one not in taken) if handing else ()
    ticks, cell, counter = ground.ways.trip(hand.cell, free)
    now = hand.now + ticks * ground.paced(seat, "plate")
    if handing is None or ticks >= FAR or now > ground.left:
        return
    pots = put(kitchen.pots, number, Pot(0, hand.now, hand.now, IDLE))
    laid = Hand(now, cell, NOTHING, (*hand.lying, Lies(now, hand.held, counter)))
    then = kitchen.after(seat, laid, pots, [("plate", NOTHING, number), ("hand", SOUP, -1)])
    gives = f"pot {number} empty", "soup on the counter"
    place = ground.xy(ground.pots[number])
    yield Option(f"{handing[0]} times=1", now - kitchen.free[seat], then, place, needs, gives)


# --- Pots ---------------------------------------------------------------------------------------------------


def _fill(kitchen: Kitchen, seat: int) -> Iterator[Option]:
    """Things put into pots that lack them: all that one lacks, or fewer."""
    ground, cell = kitchen.ground, kitchen.at[seat]
    lacking = [
        number
        for number, pot in enumerate(kitchen.pots if ground.fills[seat] else ())
        if pot.ready == IDLE
        and number in ground.allowed
        and ground.lacks[pot.inside]
        and ground.ways.use(cell, ground.pots[number])[0] < FAR
    ]
    if len(lacking) > MOST_POTS:
        lacking.sort(key=lambda one: (-kitchen.pots[one].inside, ground.ways.use(cell, ground.pots[one])[0]))
    for number in lacking[:MOST_POTS]:
        for item, count in ground.lacks[kitchen.pots[number].inside].items():
            if ("fill", item, number) in ground.banned[seat]:
                continue
            for times in dict.fromkeys((count, 1)) if lacking[1:] else range(count, 0, -1):
                yield from _filled(kitchen, seat, number, item, times)


def _filled(kitchen: Kitchen, seat: int, number: int, item: int, times: int) -> Iterator[Option]:
    ground, pot, station = kitchen.ground, kitchen.pots[number], kitchen.ground.pots[number]
    hand, pace = kitchen.hand(seat), kitchen.ground.paced(seat, "fill")
    crates = ("fetch", item, -1) not in ground.banned[seat]
    for _ in range(times):
        has = hand.having(ground, item, station, pace, crates)
        if has is None:
            return
        ticks, cell = ground.ways.use(has.cell, station)
        hand = Hand(max(has.now + ticks * pace, pot.opens + 1), cell, NOTHING, has.lying)
    if hand.now > ground.left:
        return
    inside, since = pot.inside + times * (4 if item == ONION else 1), max(pot.since, hand.now)
    cooks = (inside >> 2) + (inside & 3) == MAX_INGREDIENTS and not ground.starts
    ready = since + ground.times[inside] - 1 if cooks else IDLE
    pots = put(kitchen.pots, number, Pot(inside, pot.opens, since, ready))
    then = kitchen.after(seat, hand, pots, [("fill", item, number)], times)
    needs = (f"pot {number} empty",) if kitchen.free[seat] >= pot.opens > 0 else ()
    gives = (f"pot {number} filled by {seat}",)
    program = f"fill what={ITEMS[item]}{ground.name(number)} times={times}"
    yield Option(program, hand.now - kitchen.free[seat], then, ground.xy(station), needs, gives)


def _filled_by_all(kitchen: Kitchen, number: int) -> Needs:
    """What has to be so before a pot's soup is cooked or scooped: who puts things in may end in any order."""
    return tuple([f"pot {number} filled by {seat}" for seat in range(kitchen.ground.cooks)])


def _start(kitchen: Kitchen, seat: int) -> Iterator[Option]:
    """Pots that have all that they need switched on, where they don't start by themselves."""
    ground = kitchen.ground
    for number, pot in enumerate(kitchen.pots if ground.starts and ground.fills[seat] else ()):
        full = pot.ready == IDLE and pot.inside and not ground.lacks[pot.inside]
        if not full or ("start", NOTHING, number) in ground.banned[seat]:
            continue
        hand = kitchen.hand(seat).emptied(ground)
        ticks, cell = ground.ways.use(hand.cell, ground.pots[number]) if hand else (FAR, 0)
        if hand is None or ticks >= FAR:
            continue
        now = max(hand.now + ticks * ground.paced(seat, "start"), pot.since + 1)
        pots = put(kitchen.pots, number, pot._replace(ready=now + ground.times[pot.inside] - 1))
        deeds: list[Deed] = [("start", NOTHING, number)]
        then = kitchen.after(seat, Hand(now, cell, NOTHING, hand.lying), pots, deeds)
        needs, place = _filled_by_all(kitchen, number), ground.xy(ground.pots[number])
        yield Option(f"start{ground.name(number)}", now - kitchen.free[seat], then, place, needs)


# --- Handing over -------------------------------------------------------------------------------------------


def _hand(kitchen: Kitchen, seat: int) -> Iterator[Option]:
    """Things laid where a cook who needs them takes them."""
    ground = kitchen.ground
    for item in (*INGREDIENTS, DISH):
        banned = {("hand", item, -1), ("fetch", item, -1)} & ground.banned[seat]
        handing = ground.handing[seat, item]
        if handing is None or banned:
            continue
        free = len({*handing[1]} - {one.counter for one in kitchen.lying})
        wanted = min(_demand(kitchen, item), MAX_INGREDIENTS, free)
        for times in dict.fromkeys((wanted, 1)) if wanted > 0 else ():
            yield from _laid(kitchen, seat, item, times)


def _demand(kitchen: Kitchen, item: int) -> int:
    """How many of a thing are still wanted at the pots."""
    ground, count = kitchen.ground, 0
    for pot in kitchen.pots:
        if item == DISH:
            count += pot.ready != IDLE or (pot.inside >> 2) + (pot.inside & 3) >= MAX_INGREDIENTS - 1
        else:
            count += ground.lacks[pot.inside if pot.ready == IDLE else 0].get(item, 0)
    count -= sum(one.item == item for one in kitchen.lying)
    return count - sum(held == item and fills for held, fills in zip(kitchen.held, ground.fills, strict=True))


def _laid(kitchen: Kitchen, seat: int, item: int, times: int) -> Iterator[Option]:
    ground, handing = kitchen.ground, kitchen.ground.handing[seat, item]
    hand, pace, last = kitchen.hand(seat), kitchen.ground.paced(seat, "fetch"), -1
    for _ in range(times):
        taken = {one.counter for one in hand.lying}
        free = [one for one in handing[1] if one not in taken] if handing else []
        has = hand.having(ground, item, free[0], pace, counters=False) if free else None
        if has is None:
            return
        uses = [(*ground.ways.use(has.cell, one), one) for one in free]
        ticks, cell, last = min(uses, key=lambda one: one[0] + ground.onward[one[2]])
        now = has.now + ticks * pace
        hand = Hand(now, cell, NOTHING, (*has.lying, Lies(now, item, last)))
    if handing is None or hand.now > ground.left:
        return
    then = kitchen.after(seat, hand, kitchen.pots, [("hand", item, -1), ("fetch", item, -1)], times)
    gives = (f"{ITEMS[item]} on the counter",)
    program = f"{handing[0]} times={times}"
    yield Option(program, hand.now - kitchen.free[seat], then, ground.xy(last), (), gives)

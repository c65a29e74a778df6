"""What a cook does next for a goal: which station to use, where to stand, or why it can't.

Each task is a chain ("get a plate, fill it, serve it") whose next link follows from what the cook holds and
what the pots hold, so it works from any state. Not for the way there (`follow`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.games.overcooked import rules
from engine.language.overcooked.kitchen import Kitchen, use_costs, walk_costs
from engine.language.overcooked.say import KIND, place, things

SPARE = 2  # things that wait on a counter for the player before "bring me plates" pauses
NAMES = {"onion": "onions", "dish": "plates", "tomato": "tomatoes", "soup": "soup"}


@dataclass(frozen=True)
class Step:
    """The next thing to do: stations of which one is to be used, or cells of which one is to be stood on;
    neither where there is nothing to do. `worth` tells apart, among several roles, what can be done now (4
    with what is in the hand, 3 a soup that is done, 2 with empty hands), what is only being got ready (1),
    and what can't be done (0).
    Stations that are used `early` are only looked at, until they can be used. `keep` are counters from which
    nothing is to be taken, because it lies there for somebody.
    """

    text: str
    use: frozenset[int] = frozenset()
    stand: frozenset[int] = frozenset()
    worth: int = 2
    state: str = "obeying"
    keep: frozenset[int] = frozenset()
    early: bool = False

    @property
    def drives(self) -> bool:
        """Whether there is anything to do for it now."""
        return bool(self.use or self.stand)


def cant(text: str, keep: frozenset[int] = frozenset()) -> Step:
    return Step(text, worth=0, state="waiting", keep=keep)


def called(target: dict[str, Any] | None, kind: str) -> str:
    """ "the left pot", "the pot", "a counter"."""
    if target and target["which"]:
        return place(target)
    return "a counter" if kind == "counter" else f"the {KIND[kind]}"


def which(kitchen: Kitchen, cells: list[int], side: str | None) -> list[int]:
    """Those of some stations that "left", "top", "middle"… means; all for none or "nearest"."""
    if not cells or side in (None, "nearest"):
        return cells
    plan = kitchen.plan
    if side == "middle":
        inner = [
            c for c in cells if 0 < c % plan.width < plan.width - 1 and 0 < c // plan.width < plan.height - 1
        ]
        if inner:
            return inner
        across, down = plan.width - 1, plan.height - 1
        middle = {c: abs(2 * (c % plan.width) - across) + abs(2 * (c // plan.width) - down) for c in cells}
        return [c for c in cells if middle[c] == min(middle.values())]
    along = {c: c % plan.width if side in ("left", "right") else c // plan.width for c in cells}
    edge = (min if side in ("left", "top") else max)(along.values())
    return [c for c in cells if along[c] == edge]


def resolve(kitchen: Kitchen, target: dict[str, Any] | None, kind: str) -> list[int]:
    """The stations that a goal means, within reach or not.

    "The left pot" is the leftmost of all pots; of other stations sides are told among those within reach, if
    there are any.
    """
    every = kitchen.plan.where(kind)
    within = kitchen.reachable(every)
    side = target["which"] if target and target["kind"] == kind else None
    return which(kitchen, every if kind == "pot" or not within else within, side)


def near_to(kitchen: Kitchen, cells: list[int], near: dict[str, Any]) -> list[int]:
    """Those of some counters that are closest to a place."""
    width = kitchen.plan.width
    there = resolve(kitchen, near, near["kind"])
    if not there or not cells:
        return cells
    off = {c: min(abs(c % width - t % width) + abs(c // width - t // width) for t in there) for c in cells}
    return [c for c in cells if off[c] == min(off.values())]


def wait_near(kitchen: Kitchen, stations: list[int], text: str) -> Step:
    """Stand close to some stations, on no cell that anybody needs for a pot, a dispenser or the window."""
    plan = kitchen.plan
    needed = {cell for s, ways in plan.access.items() if plan.kind[s] != rules.COUNTER for cell, _ in ways}
    mine = [c for c in plan.floor if plan.region[c] == kitchen.region and c not in kitchen.taken()]
    free = [c for c in mine if c not in needed] or mine
    at_station = frozenset(cell for s in stations for cell, _ in plan.access[s])
    off = walk_costs(plan, at_station, frozenset())
    best = min((off.get(c, 99) for c in free), default=99)
    return Step(text, stand=frozenset(c for c in free if off.get(c, 99) == best), worth=1)


def put_away(kitchen: Kitchen, avoid: frozenset[int] = frozenset()) -> Step:
    """Empty the hands: on a free counter, or where the thing belongs if no counter is free."""
    counters = frozenset(kitchen.free_counters())
    free = counters - avoid or counters
    if not free and kitchen.holds("soup"):
        free = frozenset(kitchen.reachable(kitchen.plan.where("serve")))
    elif not free and not kitchen.holds("dish"):
        pots = kitchen.reachable(kitchen.plan.where("pot"))
        free = frozenset(pot for pot in pots if kitchen.open(pot))
    if not free:
        return cant("my hands are full and no counter is free")
    return Step("emptying my hands", use=free, worth=1)


def get(
    kitchen: Kitchen, name: str, sources: list[int] | None = None, avoid: frozenset[int] = frozenset()
) -> Step:
    """Have a thing in the hand: from its dispenser, or from a counter where one lies."""
    if sources is None:
        sources = kitchen.plan.where(name) + kitchen.lying(name)
    within = [s for s in kitchen.reachable(sources) if s not in avoid]
    if not within:
        return cant(f"I can't reach the {NAMES[name]}")
    if kitchen.held != rules.NOTHING:
        return put_away(kitchen, avoid)
    return Step(f"fetching {things(name, 1)}", use=frozenset(within))


def hand_over(kitchen: Kitchen, name: str | None, regions: set[int], text: str) -> Step:
    """Put what is held on a free counter that these parts of the kitchen share, near to the player too if
    theirs is one of them.
    """
    shared = [s for s in kitchen.shared_with(regions) if kitchen.item[s] == rules.NOTHING]
    if not shared:
        return cant("there is no free counter that we both reach")
    plan, taken = kitchen.plan, kitchen.taken()
    shared = [s for s in shared if any(cell not in taken for cell, _ in plan.access[s])] or shared
    if kitchen.told_by_region() in regions:
        # The sum of both ways: the nearest to the player alone would change as the player moves.
        off = walk_costs(plan, frozenset([kitchen.places[kitchen.told_by]]), frozenset())
        far = {s: min(off.get(cell, 99) for cell, _ in plan.access[s]) for s in shared}
        for station in shared:
            own = use_costs(plan, frozenset([station]), frozenset()).get(kitchen.at, 99)
            far[station] += 0 if kitchen.faced == station else own
        shared = [s for s in shared if far[s] == min(far.values())]
    return Step(text, use=frozenset(shared), worth=4)


def bring(kitchen: Kitchen, name: str, target: dict[str, Any] | None, count: int | None) -> Step:
    """Fetch a thing for the player and put it where they can take it."""
    regions = {kitchen.told_by_region()}
    shared = frozenset(kitchen.shared_with(regions))
    if not shared:
        return cant("there is no counter that we both reach")
    if kitchen.holds(name):
        return hand_over(kitchen, name, regions, f"bringing you {things(name, 1)}")
    if count is None and sum(cell in shared for cell in kitchen.lying(name)) >= SPARE:
        text = f"{NAMES[name]} are waiting for you on the counter"
        return Step(text, worth=1, state="waiting", keep=shared)
    if name == "soup":
        return replace(plate(kitchen, target), text="fetching soup for you")
    sources = resolve(kitchen, target, name) if target else None
    return get(kitchen, name, sources, avoid=shared)


def cook(kitchen: Kitchen, name: str, target: dict[str, Any] | None, lasting: bool) -> Step:
    """An ingredient into a pot; passed on over a counter where the pots are out of reach."""
    pots = resolve(kitchen, target, "pot")
    within = kitchen.reachable(pots)
    what = called(target, "pot")
    if not within:
        return _pass_on(kitchen, name, pots, what) if lasting else cant(f"I can't reach {what}")
    opened = [pot for pot in within if kitchen.open(pot)]
    if kitchen.holds(name):
        if opened:
            return Step(f"putting {things(name, 1)} in {what}", use=frozenset(opened), worth=4)
        return wait_near(kitchen, within, f"waiting until {what} is free")
    full = [pot for pot in within if kitchen.timer[pot] == rules.IDLE and kitchen.inside(pot) == 3]
    if lasting and not kitchen.old and full and kitchen.held == rules.NOTHING:
        return Step("starting the pot", use=frozenset(full))
    found = get(kitchen, name)
    if not found.worth:
        return replace(wait_near(kitchen, within, found.text), worth=0, state="waiting")
    return found if opened else replace(found, worth=1)


def _pass_on(kitchen: Kitchen, name: str, stations: list[int], what: str) -> Step:
    """Leave a thing on a counter for those who reach the stations."""
    regions = {kitchen.plan.region[cell] for station in stations for cell, _ in kitchen.plan.access[station]}
    shared = frozenset(kitchen.shared_with(regions))
    if not shared:
        return cant(f"I can't reach {what}")
    if kitchen.holds(name):
        found = hand_over(kitchen, name, regions, f"passing {things(name, 1)} on: I can't reach {what}")
        return found if found.worth else replace(found, text="the counters are full")
    if all(kitchen.item[cell] != rules.NOTHING for cell in shared):
        return cant(f"I can't reach {what}, and the counters are full", shared)
    found = get(kitchen, name, avoid=shared)
    return found if found.worth else cant(f"I can't reach {what}")


def plate(kitchen: Kitchen, target: dict[str, Any] | None, dispensers: bool = True) -> Step:
    """A dish filled with soup."""
    pots = resolve(kitchen, target, "pot")
    within = kitchen.reachable(pots)
    what = called(target, "pot")
    if not within:
        return _pass_on(kitchen, "dish", pots, what)
    done = [pot for pot in within if kitchen.ready(pot)]
    cooking = [pot for pot in within if kitchen.timer[pot] != rules.IDLE]
    if kitchen.holds("dish"):
        if done:
            return Step("filling the plate", use=frozenset(done), worth=4)
        if cooking:
            return Step("waiting for the soup", use=frozenset(cooking), worth=1, early=True)
        return wait_near(kitchen, within, "waiting for the soup")
    found = get(kitchen, "dish", None if dispensers else kitchen.lying("dish"))
    if not found.worth:
        return replace(wait_near(kitchen, within, found.text), worth=0, state="waiting")
    return replace(found, worth=3 if done else 2 if cooking else 1)


def serve(kitchen: Kitchen, target: dict[str, Any] | None, dispensers: bool = True) -> Step:
    """A soup served: taken from a pot or a counter, carried to the window."""
    windows = resolve(kitchen, target, "serve")
    within = kitchen.reachable(windows)
    if kitchen.holds("soup"):
        if within:
            return Step("serving the soup", use=frozenset(within), worth=4)
        return _pass_on(kitchen, "soup", windows, "the serving window")
    lying = kitchen.lying("soup")
    if lying and within:
        return replace(get(kitchen, "soup", lying), worth=3)
    return plate(kitchen, None, dispensers)


def start(kitchen: Kitchen, target: dict[str, Any] | None) -> Step:
    pots = resolve(kitchen, target, "pot")
    within = kitchen.reachable(pots)
    what = called(target, "pot")
    if kitchen.old:
        return cant("pots start by themselves at three ingredients here")
    if not within:
        return cant(f"I can't reach {what}")
    filled = [pot for pot in within if kitchen.timer[pot] == rules.IDLE and kitchen.inside(pot)]
    if not filled:
        return cant(f"{what} is empty or has been started")
    if kitchen.held != rules.NOTHING:
        return put_away(kitchen)
    return Step(f"starting {what}", use=frozenset(filled))


def on_counter(kitchen: Kitchen, goal: dict[str, Any]) -> Step:
    """Something put on a counter; what is held where nothing is named."""
    name, target, count = goal.get("item"), goal["target"], goal["count"]
    if goal.get("to") == "me" and name:
        return bring(kitchen, name, None, count)
    counters = resolve(kitchen, target, "counter")
    if goal.get("near"):
        free = kitchen.free_counters()
        counters = near_to(kitchen, [c for c in counters if c in free] or counters, goal["near"])
    within = kitchen.reachable(counters)
    if not within:
        return cant(f"I can't reach {called(target, 'counter')}")
    free = [c for c in within if kitchen.item[c] == rules.NOTHING]
    where = called(target, "counter")
    if not free:
        return cant(f"{where} is full", frozenset(within))
    if kitchen.holds(name):
        return Step(f"putting {things(name, 1)} on {where}", use=frozenset(free), worth=4)
    if name is None:
        return cant("I hold nothing")
    if target is None and count is None and len(kitchen.lying(name)) >= SPARE:
        return Step(f"{NAMES[name]} are on the counter", worth=1, state="waiting", keep=frozenset(within))
    if name == "soup":
        return plate(kitchen, None)
    avoid = frozenset(within) if target or count is None else frozenset(kitchen.lying(name))
    return get(kitchen, name, avoid=avoid)


def take(kitchen: Kitchen, goal: dict[str, Any]) -> Step:
    """Something taken from a counter."""
    name, target = goal.get("item"), goal["target"]
    lying = [c for c in kitchen.lying(name) if c in resolve(kitchen, target, "counter")]
    if not lying:
        return cant(f"there is no {name or 'thing'} on {called(target, 'counter')} within my reach")
    if kitchen.held != rules.NOTHING:
        return put_away(kitchen)
    return Step(f"taking {things(name, 1) if name else 'what lies there'}", use=frozenset(lying))


def be_at(kitchen: Kitchen, goal: dict[str, Any]) -> Step:
    """Stand at a place, next to the player, or where the cook is."""
    target, plan = goal["target"], kitchen.plan
    here = frozenset([kitchen.at])
    if goal.get("to") == "me":
        width, there = plan.width, kitchen.places[kitchen.told_by]
        mine = [c for c in plan.floor if plan.region[c] == kitchen.region and c not in kitchen.taken()]
        off = {c: abs(c % width - there % width) + abs(c // width - there // width) for c in mine}
        return Step("coming to you", stand=frozenset(c for c in mine if off[c] == min(off.values())))
    if target is None:
        return Step("waiting here", stand=here)
    stations = resolve(kitchen, target, target["kind"])
    within = kitchen.reachable(stations)
    if not within:
        return cant(f"I can't reach {called(target, target['kind'])}")
    cells = frozenset(
        cell for s in within for cell, _ in plan.access[s] if plan.region[cell] == kitchen.region
    )
    there = kitchen.at in cells
    return Step(
        f"{'standing by' if there else 'going to'} {called(target, target['kind'])}",
        stand=cells - kitchen.taken() or cells,
    )


def near_cells(kitchen: Kitchen, target: dict[str, Any]) -> frozenset[int]:
    """The cells from which a place can be used."""
    stations = resolve(kitchen, target, target["kind"])
    return frozenset(cell for s in stations for cell, _ in kitchen.plan.access.get(s, ()))


def keep_away(kitchen: Kitchen, target: dict[str, Any]) -> Step | None:
    """Leave the cells next to a place, if the cook stands on one."""
    near, plan = near_cells(kitchen, target), kitchen.plan
    if kitchen.at not in near:
        return None
    free = frozenset(c for c in plan.floor if plan.region[c] == kitchen.region) - near - kitchen.taken()
    return Step(f"keeping away from {called(target, target['kind'])}", stand=free) if free else None


def clear_way(kitchen: Kitchen) -> Step:
    """As far from the player as a few steps lead, off the cells that stations need."""
    plan = kitchen.plan
    them = frozenset([kitchen.places[kitchen.told_by]])
    off = walk_costs(plan, them, frozenset())
    mine = walk_costs(plan, frozenset([kitchen.at]), kitchen.taken())
    busy = {cell for s, ways in plan.access.items() if plan.kind[s] != rules.COUNTER for cell, _ in ways}
    worth = {c: 2 * min(off.get(c, 9), 9) - 3 * (c in busy) - far for c, far in mine.items() if far <= 6}
    best = max(worth.values(), default=0)
    return Step("getting out of your way", stand=frozenset(c for c, value in worth.items() if value == best))

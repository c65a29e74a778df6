"""A game of Overcooked that is over, told in one line. Not for single steps (see `words`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from engine.games.overcooked.view import view

if TYPE_CHECKING:
    from engine.games.stories import Ending
    from engine.simulation.simulation import Simulation

STEPS = ((0, -1), (0, 1), (1, 0), (-1, 0))  # by action


def headline(end: Ending, seat: int | None) -> str:
    """There is no winning and no losing."""
    return "Time is up"


def advice(end: Ending, last: Simulation, seat: int | None) -> tuple[str, str] | None:
    """A kitchen that served no soup: how far it had come, and the next step from there."""
    if end.score > 0 or not last.tick:
        return None
    kitchen = view(last.state, None)
    held = [cook["held"] for cook in kitchen["cooks"]] + [counter["held"] for counter in kitchen["counters"]]
    pots = [pot for pot in kitchen["pots"] if pot["onions"] + pot["tomatoes"]]
    if any(thing and thing["kind"] == "soup" for thing in held):
        return (
            "A soup was in a dish and nobody brought it to the serving window in time.",
            "Carry a full dish straight to the serving window: only what is served there counts.",
        )
    if any(pot["state"] == "ready" for pot in pots):
        return (
            "A soup was ready in the pot and nobody had filled it into a dish.",
            "Fetch a dish while a pot cooks, so that you stand there when it is ready; then serve it.",
        )
    if any(pot["state"] == "cooking" for pot in pots):
        return (
            "A pot was still cooking when the time was up.",
            "Fill the first pot at once: one of you brings ingredients, the other a dish. Say so: "
            "“you do onions, I serve”.",
        )
    if pots:
        inside = max(pot["onions"] + pot["tomatoes"] for pot in pots)
        return (
            f"No pot was full: the fullest held {_counted(inside, 'ingredient')}.",
            _START if kitchen["dynamics"] == "old" else _START_NEW,
        )
    return "Nothing was put into a pot.", _START if kitchen["dynamics"] == "old" else _START_NEW


_START = (
    "Take an onion, carry it to a pot and use it; a pot begins to cook with three. Then bring a dish, fill "
    "it and serve it at the window."
)
_START_NEW = (
    "Take an onion, carry it to a pot and use it; use the pot with empty hands to start it. Then bring a "
    "dish, fill it and serve it at the window."
)


def story(moments: Iterable[Simulation], names: Sequence[str], seat: int | None) -> str:
    """One line for the cook in `seat` on what happened: who served soups, who filled pots, collisions."""
    return summary([moment.view(None) for moment in moments], names, seat)


def summary(views: Sequence[dict[str, Any]], names: Sequence[str], seat: int | None) -> str:
    """The same of the open views after each tick, the start first."""
    last = views[-1]
    served: Counter[int] = Counter()
    filled: Counter[int] = Counter()
    unwanted = clashes = 0
    for before, after in zip(views, views[1:], strict=False):
        for event in after["last"]["events"]:
            served[event["seat"]] += event["kind"] == "deliver"
            unwanted += event["kind"] == "deliver" and not event["points"]
            filled[event["seat"]] += event["kind"] == "put_pot"
        clashes += _clash(before, after)
    parts = [_by_whom("soup", "served", served, names, seat)]
    if unwanted:
        parts.append(f"{unwanted} that nobody had ordered")
    parts.append(_by_whom("ingredient", "put into pots", filled, names, seat))
    parts.append(_counted(clashes, "collision") if clashes else "no collision")
    when = f"{'In' if last['over'] else 'Until then, in'} {_counted(last['tick'], 'step')}"
    return f"{when}: {', '.join(parts[:-1])} and {parts[-1]}."


def _by_whom(thing: str, done: str, count: Counter[int], names: Sequence[str], seat: int | None) -> str:
    """ "5 soups served (3 by you, 2 by Greedy)" """
    total = sum(count.values())
    if not total:
        return f"no {thing} {done}"
    who = [f"{n} by {'you' if cook == seat else names[cook]}" for cook, n in sorted(count.items()) if n]
    return f"{_counted(total, thing)} {done} ({', '.join(who)})"


def _clash(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether somebody who wanted to walk onto floor stayed where they were."""
    for cook, now, action in zip(before["cooks"], after["cooks"], after["last"]["actions"], strict=True):
        if action >= len(STEPS):
            continue
        x, y = cook["x"] + STEPS[action][0], cook["y"] + STEPS[action][1]
        if before["grid"][y][x] == " " and (now["x"], now["y"]) != (x, y):
            return True
    return False


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"

"""Declared programs (`declared`) as programs of version 1 (goals, described in programs.py), which `follow`
carries out, and back. What version 1 has no word for are the conditions of goals and the chain in which they
come ("if" and "after", conditions.py).

What goals can't say, or `follow` doesn't heed, is left out whole and told, never carried out in part. Not for
what a program says in plain English (saying.py).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from engine.games.overcooked.language import saying
from engine.games.overcooked.language.declared import DECLARED
from engine.games.overcooked.language.programs import Goal
from engine.language.declared import CONDITIONS, SPEECH, Carried, Clause, Left, checked, values, without
from engine.simulation.lazy import later

VERSION = 1
INTENTS = {
    "lay": "put_on_counter", "take": "take_from_counter", "plate": "pick_up_soup", "serve": "serve_soup",
    "start": "start_pot", "wait": "wait_at", "go": "go_to", "stop": "stop", "continue": "continue",
    "divide": "divide_roles", "swap": "swap_roles", "clear": "clear_the_way",
}  # fmt: skip
ACTS = {intent: act for act, intent in INTENTS.items()}
STATIONS = {
    "fill": "pot", "plate": "pot", "start": "pot", "serve": "serve", "lay": "counter", "take": "counter",
}  # fmt: skip
TASKS = ("fetch", *STATIONS)
ROLES = ("fill", "plate", "serve", "start")
"""What may follow the filling of a pot, which has no end: done without number when the pots ask for it."""
WHENS = ("ready", "full", "empty")
MOVES = ("go_to", "clear_the_way")
ALWAYS = ("fill until full", "fill unless full", "fill when room", "take when laid")
"""Conditions that hold by the rules wherever the act is done."""
layout_with = later("engine.games.overcooked.options", "layout_with")  # telling needs no compiler


def carried(clauses: list[Clause], aim: Any = None) -> Carried:
    """The program of version 1 that does what the clauses say. `aim`: for games where players look around."""
    goals: list[Goal] = []
    places: list[int] = []  # of goals in a chain of "then"
    left: list[str] = []
    others_only = all(values(clause, "by") == ["other"] for clause in clauses)
    filling = stuck = busy = False  # before: a pot is filled; something has no known end; there is work to do
    starts = [at for at, clause in enumerate(clauses) if at == 0 or clause.get("then")]
    for start, end in zip(starts, [*starts[1:], len(clauses)], strict=True):
        run, earlier, was_stuck, was_busy = clauses[start:end], list(goals), stuck, busy
        # Until they are full is by the rules where all that follows is a part of that work.
        apart = any(_asks(one) and _unordered(one) for one in clauses[end:])
        always = [[]] if apart else [[], ["full"]]
        endless = [one for one in run if one["act"] == "fill" and values(one, "until") in always]
        fills = filling or any(_asks(one) and "times" not in one for one in endless)
        for clause in run:
            act, asks, by = clause["act"], _asks(clause), values(clause, "by")
            if act == "cannot":
                left.append("There is one part I have no move for.")
            waits = act not in SPEECH and not _ends(clause) and (asks or clause is run[-1])
            stuck = stuck or act == "cannot" or waits
            if act in SPEECH and act != "cancel" or by == ["other"] and not others_only:
                continue
            busy = busy or asks and act != "cancel"
            try:
                unordered = filling and _unordered(clause)
                if was_stuck and by != ["me"] or asks and unordered or clause.get("not") and was_busy:
                    raise Left("I can't tell yet when to go on to this")
                found = _goals(clause, end < len(clauses) and not fills and "until" not in clause, fills)
                if any(_counts_too(old, new) for old in earlier for new in found):
                    raise Left("I can't count that a second time yet")
                fresh = [goal for goal in found if goal not in goals]
                goals, places = goals + fresh, places + [asks * starts.index(start)] * len(fresh)
            except Left as error:
                if by == ["me"] and (clause.get("not") or act not in (*TASKS, "divide", "swap")):
                    continue  # it asks the agent for nothing
                stuck = stuck or asks
                left.append(f"{error}: {saying.clause(clause)}.")
        filling = fills
    if any("if" in goal for goal in goals):  # else the order of the goals says it
        goals = [{**goal, **({"after": at} if at else {})} for goal, at in zip(goals, places, strict=True)]
    return Carried({"game": "overcooked", "version": VERSION, "goals": goals} if goals else None, tuple(left))


def never(clause: Clause, options: dict[str, Any]) -> tuple[str, Clause | None]:
    """Why no cook can ever do this in such a kitchen, "" if one can, and what is nearest to it."""
    letters = "".join(layout_with(options).grid)
    if clause["act"] == "start" and options["dynamics"] == "old":
        kept = {name: one for name, one in clause.items() if name not in ("times", "when", "until", "now")}
        what = "onion" if "O" in letters else "tomato"
        return "Pots start by themselves at three ingredients here", {**kept, "act": "fill", "what": what}
    for item, (letter, other) in {"tomato": ("T", "onion"), "onion": ("O", "tomato")}.items():
        named = [name for name in ("what", "at", "near") if item in values(clause, name)]
        if letter not in letters and named:
            instead = clause
            for name in named:
                instead = without(instead, name, (item,)) or {**instead, name: other}
            return f"There are no {saying.thing(item, None)} in this kitchen", instead
    return "", None


def _asks(clause: Clause) -> bool:
    """Whether the agent is to do something."""
    return not clause.get("not") and values(clause, "by") in ([], ["both"])


def _unordered(clause: Clause) -> bool:
    """Whether it needs to be said when to go on to it after pots are filled."""
    return clause["act"] not in ROLES or "times" in clause


def _ends(clause: Clause) -> bool:
    """Whether something can follow it: bans hold at once, and the agent knows when its own work is done."""
    ends = clause["act"] not in ("stop", "continue", "divide", "swap", "wait") or "until" in clause
    return bool(clause.get("not")) or _asks(clause) and ends


def _counts_too(old: Goal, new: Goal) -> bool:
    """Whether what is done for one goal is counted for a later one, too."""
    named = [((goal["target"] or {}).get("which"), goal.get("item")) for goal in (old, new)]
    apart = any(one and other and one != other for one, other in zip(*named, strict=True))
    counted = None not in (old["count"], new["count"]) and old["intent"] not in MOVES
    return old["intent"] == new["intent"] and counted and not apart


def _goals(clause: Clause, once: bool, fills: bool) -> list[Goal]:
    """A goal for each thing, side and place; `once`: more follows; `fills`: with or after filling a pot."""
    act, by, negated, asks = clause["act"], values(clause, "by"), bool(clause.get("not")), _asks(clause)
    if by not in ([], ["me"], ["both"]) or by == ["me"] and act in ("cancel", "continue", "divide", "swap"):
        raise Left("I can't leave that to others yet")
    if act == "cancel" and not negated:
        return [_goal("continue", all=True)]
    if act in ("stop", "wait") and negated and set(clause) <= {"act", "then", "not", "rather"}:
        return [_goal("continue")]
    if negated and act not in (*TASKS, "go"):
        raise Left("I can't keep from that yet")
    named = {name: values(clause, name) for name in ("what", "side", "at")}
    if act == "fill" and not named["what"]:
        named["what"] = ["onion"] if asks else ["onion", "tomato"]
    many = any(some[1:] for some in named.values()) and values(clause, "times") not in ([], [1])
    either = asks and (named["at"][1:] or named["side"][1:] and act not in TASKS)
    if many or either or values(clause, "near")[1:] or values(clause, "times")[1:]:
        raise Left("I can't do that for several at once yet")
    each = product(*(some or [None] for some in named.values()))
    return [_one({**clause, **dict(zip(named, one, strict=True))}, once, fills) for one in each]


def _one(clause: Clause, once: bool, fills: bool) -> Goal:
    """The goal of a clause with one thing, side and place at most."""
    act, what, side, at = clause["act"], clause["what"], clause["side"], clause["at"]
    to_me, near, asks = bool(clause.get("to")), clause.get("near"), _asks(clause)
    if act == "fetch" and at == "counter" and not to_me:
        act, at = "take", None
    elif act == "fetch" and what == "soup" and at in (None, "pot"):
        act, what, at = "plate", None, None
    count, moves, placed = _count(clause, act, once, fills), act in ("wait", "go"), at not in (None, "here")
    apart = side == "nearest" or near or to_me or act == "take" and what
    lies = act == "lay" and (near == "here" or to_me and (near or side or what in (None, "held")))
    one_crate = act == "fetch" and asks and side not in (None, "nearest") and not (count or to_me)
    nowhere = side and not placed or to_me and at or act == "go" and not (placed or to_me)
    for reason, holds in {
        "I can't tell yet which the other one is": side == "other",
        "I can't make such exceptions yet": not asks and apart,
        "I can't tell what that is": act == "fetch" and not what or act != "lay" and what == "held",
        "I can't put that into a pot": act == "fill" and what not in ("onion", "tomato"),
        "I can't do that there yet": act == "fetch" and at not in (None, what) or lies,
        "I can't keep to one side yet": one_crate,
        "I can't tell where": moves and nowhere,
    }.items():
        if holds:
            raise Left(reason)
    intent = f"fetch_{what}" if act == "fetch" else f"put_{what}_in_pot" if act == "fill" else INTENTS[act]
    goal = _goal(intent, "both" if act in ("divide", "swap") else (values(clause, "by") or ["you"])[0])
    goal |= {"negated": bool(clause.get("not")), "count": count, **_conditions(clause, act, asks, fills)}
    if once and intent in MOVES and "when" in goal.get("if", {}):
        goal["count"] = 1
    kind = STATIONS.get(act) or (what if act == "fetch" and (at or side) else at)
    if kind not in (None, "here") and (side or act not in STATIONS or act == "lay" and not to_me):
        goal["target"] = {"kind": kind, "which": side}
    item = what if act in ("lay", "take") and what != "held" else None
    more = {"item": item, "near": near and {"kind": near, "which": None}, "to": clause.get("to")}
    return {**goal, **{name: one for name, one in more.items() if one}}


def _goal(intent: str, who: str = "you", **more: Any) -> Goal:
    return {"intent": intent, "target": None, "count": None, "who": who, "negated": False, **more}


def _count(clause: Clause, act: str, once: bool, fills: bool) -> int | None:
    """How often; None: until somebody says otherwise."""
    times: int | None = next(iter(values(clause, "times")), None)
    if clause.get("not") and clause.get("now"):
        raise Left("I can't keep from that only for now")
    lasting = clause.get("not") or act not in TASKS
    if times == 0 or lasting and times not in (None, 1):
        raise Left("I can't count that")
    starts = act == "start" and "when" not in clause and not fills
    single = once or starts or act == "lay" and clause["what"] in (None, "held")
    once = bool(clause.get("now")) or _asks(clause) and single
    return None if lasting else 1 if once and times is None and act != "fill" else times


def _conditions(clause: Clause, act: str, asks: bool, fills: bool) -> Goal:
    """The conditions of a goal: "when" and "until" where version 1 has what is said, else all of them as "if"
    (conditions.py).
    """
    found: dict[str, list[str]] = {}
    known = {"when": WHENS if asks and act in TASKS else ("ready",) if act in ("plate", "serve") else ()}
    known["until"] = ("ready",) if asks and act == "wait" else ()
    for name in CONDITIONS:
        events = values(clause, name)
        always = [f"{act} {name} {event}" in ALWAYS for event in events] == [True]
        always = always and (fills or not asks or name != "until" or "times" in clause)
        if not events or always and not clause.get("not"):
            continue
        if "signal" in events:
            raise Left("I can't wait for your signal yet")
        found[name] = events
    if all(not more and event in known.get(name, ()) for name, (event, *more) in found.items()):
        return {name: event for name, (event,) in found.items()}
    if values(clause, "by") == ["me"] and (clause.get("not") or act not in TASKS):
        raise Left("That asks nothing of me")
    return {"if": found}


def of_version_1(program: dict[str, Any]) -> list[Clause]:
    """The clauses of a program of version 1. Raises Refusal for more goals than there may be clauses."""
    return checked(DECLARED, clauses_of(program["goals"]))


def clauses_of(goals: list[Goal]) -> list[Clause]:
    """The clauses of goals; `cannot` for those that no clause says."""
    place, made = 0, []
    for goal in goals:
        follows = {"then": True} if goal.get("after", 0) > place else {}
        place = max(place, goal.get("after", 0))
        made.append({**_clause(goal), **follows})
    return made


def _clause(goal: Goal) -> Clause:
    intent, target, near = goal["intent"], goal.get("target") or {}, goal.get("near") or {}
    act = "cancel" if goal.get("all") else ACTS.get(intent) or ("fill" if "_in_" in intent else "fetch")
    if near.get("which") not in (None, "nearest"):
        act = "cannot"
    what = goal.get("item") or ("held" if act == "lay" else None)
    if act in ("fetch", "fill"):
        what = intent.removeprefix("fetch_").removeprefix("put_").removesuffix("_in_pot")
    by = goal["who"] if goal["who"] != "you" and act not in ("divide", "swap") else None
    said = {"by": by, "not": goal["negated"] or None, "what": what, "at": target.get("kind")}
    said |= {"side": target.get("which"), "near": near.get("kind"), "times": goal["count"]}
    said |= {name: goal.get(name) for name in ("to", *CONDITIONS)} | goal.get("if", {})
    has = () if act in SPEECH else ("by", "not", *DECLARED.slots_of(act))
    return {"act": act, **{name: one for name, one in said.items() if one is not None and name in has}}

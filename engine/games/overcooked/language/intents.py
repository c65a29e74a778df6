"""From the words of an instruction to its goals.

A goal: {"intent", "target": None | {"kind": pot|onion|dish|tomato|serve|counter, "which": left|right|top|
bottom|middle|nearest|None}, "count": how often, None for "until I say otherwise", "who": "me" (the person who
typed), "you" (the agent) or "both", "negated": bool}, and only where it is needed: "item" (onion, dish,
tomato, soup: what is put on or taken from a counter), "to": "me" (handed over), "near" (a target: which
counter), "when" (ready, full, empty: not before), "until": "ready", "all" (of continue: roles and claims end
as well).

The language is a small one on purpose: a clause that does not fit is left unread, not guessed at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.games.overcooked.language.clauses import Clause, clauses
from engine.games.overcooked.language.lexicon import ITEMS, prepare, tag
from engine.games.overcooked.language.named import Said, gone_for, items_of, new_target, place_of, verb_of
from engine.games.overcooked.language.verbs import Goal, asked, new_goal

__all__ = ["INTENTS", "KINDS", "SIDES", "Goal", "Parsed", "parse"]

INTENTS = (
    "fetch_onion",
    "fetch_dish",
    "fetch_tomato",
    "put_onion_in_pot",
    "put_tomato_in_pot",
    "put_on_counter",
    "take_from_counter",
    "pick_up_soup",
    "serve_soup",
    "start_pot",
    "wait_at",
    "go_to",
    "stop",
    "continue",
    "divide_roles",
    "swap_roles",
    "clear_the_way",
)
KINDS = ("pot", "onion", "dish", "tomato", "serve", "counter")
SIDES = ("left", "right", "top", "bottom", "middle", "nearest")


@dataclass
class Parsed:
    """Goals found, the words that no goal accounts for, and how many words one does."""

    goals: list[Goal] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    used: int = 0
    corrected: int = 0


def parse(text: str) -> Parsed:
    """The goals of `text`; see the module's first lines for their form."""
    before, after, corrected = prepare(text)
    out = _parse(after)
    if before:
        taken_back = _parse(before)
        if taken_back.goals and (side := _only_a_side(after)):
            target = taken_back.goals[-1]["target"] or new_target("pot")
            taken_back.goals[-1]["target"] = {**target, "which": side}
            out.goals = []
        if not out.goals:
            out = taken_back
        elif len(out.goals) == 1:
            out.goals = [g for g in taken_back.goals[:-1] if g not in out.goals] + out.goals
    out.corrected = corrected
    return out


def _only_a_side(text: str) -> str | None:
    """The side that a correction consists of: "the left pot, no, the right"."""
    tokens = [
        t
        for t in tag(text)
        if t.concept not in ("THE", "ONE", "SIDE", "TO", "IN", "ON", "AT", "BREAK", "COMMA")
    ]
    numbers = [t for t in tokens if t.concept == "NUMBER"]
    sides = [t for t in tokens if t.concept == "WHICH"]
    return str(sides[0].value) if len(sides) == 1 and len(tokens) == len(sides) + len(numbers) else None


def _parse(text: str) -> Parsed:
    out, said = Parsed(), Said()
    found = clauses(tag(text))
    named = {clause.who or "you" for clause in found}
    roles = "me" in named and len(named) > 1
    weak: list[Goal] = []
    for clause in found:
        if _takes_that(clause) and out.goals and out.goals[-1]["intent"] == "take_from_counter":
            continue
        wishes = _wishes(clause, said, roles) or _same_by(clause, out.goals)
        if clause.verb in ("SERVE", "PLATEUP") and not clause.has(*ITEMS) and wishes and not clause.negated:
            # "Cook and serve" means for good, "take a plate and serve" once.
            before = [goal for goal in out.goals if goal["who"] == wishes[0]["who"] and not goal["negated"]]
            wishes[0]["count"] = before[-1]["count"] if before else wishes[0]["count"]
        unknown = [t.word for t in clause.content if t.concept in ("?", "ODD")]
        if wishes:
            if clause.states or _says_little(wishes):
                weak += [goal for goal in wishes if goal not in out.goals]
            for goal in wishes:
                if goal not in out.goals:
                    out.goals.append(goal)
            idiom = clause.verb in ("CLEAR", "SWAP", "DIVIDE", "STOP", "CONTINUE", "PLATEUP")
            out.used += max(2 if idiom else 1, len(clause.content) - len(unknown))
            out.unread += unknown
        else:
            out.unread += [t.word for t in clause.content if clause.verb != "HAVE"]
    for at, goal in enumerate(out.goals[:-1]):
        # "Go to the plates and take one" says how, not what else.
        kind = goal["target"]["kind"] if goal["intent"] == "go_to" and goal["target"] else ""
        if out.goals[at + 1]["intent"] == f"fetch_{kind}":
            weak.append(goal)
    if any(goal["intent"] == "stop" for goal in out.goals):
        weak += [goal for goal in out.goals if goal["intent"] == "wait_at" and not goal["target"]]
    strong = [goal for goal in out.goals if goal not in weak]
    out.goals = strong or out.goals
    return out


def _same_by(clause: Clause, goals: list[Goal]) -> list[Goal]:
    """What was named last, by somebody else: "you don't have to serve, I'll do it"."""
    bare = clause.verb == "DO" and clause.has("IT") and not clause.has(*ITEMS, "ODD", "?")
    if not bare or clause.negated or not goals or (clause.who or "you") == goals[-1]["who"]:
        return []
    return [{**goals[-1], "who": clause.who or "you", "negated": False}]


def _takes_that(clause: Clause) -> bool:
    """Whether it only points at what was named before: "there is a plate on the counter, take it"."""
    bare = clause.verb in ("FETCH", "USE") and clause.has("IT")
    return bare and not clause.negated and not clause.has(*ITEMS, "POT", "WINDOW", "COUNTER", "ME", "?")


def _says_little(wishes: list[Goal]) -> bool:
    """Whether beside other wishes it is no wish of its own: "go", "don't wait"."""
    return wishes[0]["intent"] == "continue" and not wishes[0].get("all")


def _wishes(clause: Clause, said: Said, roles: bool) -> list[Goal]:
    if clause.has("ODD"):
        return []
    said.item = next((str(t.value) for t in clause.tokens if t.concept == "COND" and t.value), said.item)
    items = items_of(clause, said, roles)
    target, near = place_of(clause, said)
    verb = clause.verb
    if not verb:
        verb = verb_of(clause, items, target)
    soup = [item for item, _ in items]
    pairs = zip(clause.tokens, clause.tokens[1:], strict=False)
    compound = any(a.concept in ("ONION", "TOMATO") and b.concept == "SOUP" for a, b in pairs)
    into = clause.verb in ("PUT", "USE", "NEED") and clause.has("IN") and "SOUP" in soup and len(soup) > 1
    if compound or into:
        # "Tomato soup" is cooked of tomatoes, and served as soup.
        if clause.verb == "PUT" and clause.has("IN") and not target:
            target = new_target("pot")
        cooks = (
            into
            or clause.verb == "PUT"
            and target is not None
            and target["kind"] == "pot"
            or clause.verb in ("COOK", "DO", "NEED", "START", "")
        )
        items = [found for found in items if (found[0] != "SOUP") == cooks]
        verb = "COOK" if cooks and verb != "PUT" else verb
    if clause.verb == "NEED" and verb == "COOK":
        clause.who = "you"
    if verb == "GO" and gone_for(clause):
        verb, items, target = "FETCH", items or gone_for(clause), None
    made = asked(clause, verb, items, target, near)
    for item in clause.tokens:
        if item.concept in ITEMS:
            said.item = item.concept
    if target:
        said.place = target
    if clause.has("READY") and clause.has("POT"):
        said.item = "SOUP"
    if clause.verb == "PLATEUP" and not clause.has("SOUP"):
        said.item = "DISH"
    who = clause.who or "you"
    if verb == "NEED":
        who = "you"
    return [_finish(goal, clause, who) for goal in made]


def _finish(goal: Goal, clause: Clause, who: str) -> Goal:
    goal = {**goal, "who": who, "negated": clause.negated}
    if clause.negated:
        goal.pop("to", None)
        if goal["intent"] in ("wait_at", "stop") and not goal["target"]:
            return {**new_goal("continue"), "who": who}
        if goal["intent"] == "clear_the_way":
            goal["negated"] = False
        if goal["intent"] in ("swap_roles", "divide_roles"):
            return {**goal, "who": "both"}
        if goal["intent"] == "wait_at":
            goal["intent"] = "go_to"
        goal["count"] = None
    if goal["intent"] in ("swap_roles", "divide_roles"):
        goal["who"] = "both"
    if clause.when and goal["intent"] != "wait_at":
        goal["when"] = clause.when
    return goal

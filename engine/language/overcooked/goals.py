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
from typing import Any

from engine.language.overcooked.clauses import Clause, clauses
from engine.language.overcooked.lexicon import ITEMS, Token, tag

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

Goal = dict[str, Any]
_KIND = {
    "POT": "pot",
    "WINDOW": "serve",
    "COUNTER": "counter",
    "ONION": "onion",
    "DISH": "dish",
    "TOMATO": "tomato",
}
_HANDS_OVER = (
    "bring brings bringing hand hands handing give gives giving gimme pass passes passing send sending "
    "supply supplies supplying provide"
)


@dataclass
class Parsed:
    """Goals found, the words that no goal accounts for, and how many words one does."""

    goals: list[Goal] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    used: int = 0
    corrected: int = 0


@dataclass
class _Said:
    """What "it", "one" and "the left one" mean."""

    item: str = ""
    place: dict[str, Any] | None = None


def parse(text: str) -> Parsed:
    """The goals of `text`; see the module's first lines for their form."""
    tokens = tag(text)
    out = Parsed(corrected=sum(t.corrected for t in tokens))
    said = _Said()
    found = clauses(tokens)
    named = {clause.who or "you" for clause in found}
    roles = "me" in named and len(named) > 1
    for clause in found:
        wishes = _wishes(clause, said, roles)
        if clause.verb in ("SERVE", "PLATEUP") and not clause.has(*ITEMS) and wishes and not clause.negated:
            # "Cook and serve" means for good, "take a plate and serve" once.
            before = [goal for goal in out.goals if goal["who"] == wishes[0]["who"] and not goal["negated"]]
            wishes[0]["count"] = before[-1]["count"] if before else wishes[0]["count"]
        unknown = [t.word for t in clause.content if t.concept == "?"]
        if wishes:
            out.goals += [goal for goal in wishes if goal not in out.goals]
            out.used += max(1, len(clause.content) - len(unknown))
            out.unread += unknown
        else:
            out.unread += [t.word for t in clause.content]
    return out


def _wishes(clause: Clause, said: _Said, roles: bool) -> list[Goal]:
    items = _items(clause, said, roles)
    target, near = _place(clause, said)
    verb = clause.verb
    if not verb:
        verb = _verb_of(clause, items, target)
    made = _by_verb(clause, verb, items, target, near)
    for item in clause.tokens:
        if item.concept in ITEMS:
            said.item = item.concept
    if target:
        said.place = target
    who = clause.who or "you"
    if verb == "NEED":
        who = "you"
    return [_finish(goal, clause, who) for goal in made]


def _finish(goal: Goal, clause: Clause, who: str) -> Goal:
    goal = {**goal, "who": who, "negated": clause.negated}
    if clause.negated:
        goal.pop("to", None)
        if goal["intent"] in ("wait_at", "stop") and not goal["target"]:
            return {**_goal("continue"), "who": who}
        if goal["intent"] == "clear_the_way":
            goal["negated"] = False
        if goal["intent"] == "wait_at":
            goal["intent"] = "go_to"
        goal["count"] = None
    if clause.when and goal["intent"] != "wait_at":
        goal["when"] = clause.when
    return goal


def _goal(intent: str, target: dict[str, Any] | None = None, count: int | None = None, **more: Any) -> Goal:
    return {"intent": intent, "target": target, "count": count, "who": "you", "negated": False, **more}


def _target(kind: str, which: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "which": which}


def _items(clause: Clause, said: _Said, roles: bool) -> list[tuple[str, int | None]]:
    """(item, how many; None for any number) of the things that a clause names, places left out."""
    found: list[tuple[str, int | None]] = []
    tokens = clause.tokens
    count: int | None = 1
    for at, token in enumerate(tokens):
        if token.concept == "NUMBER":
            count = int(token.value or 1)
        elif token.concept == "SOME" and not _counted(tokens, at):
            count = None
        elif token.concept in ITEMS and not _is_place(clause, at):
            lasting = clause.lasting or roles and count == 1 and not _counted(tokens, at)
            many = None if lasting or (token.plural and count == 1) else count
            found.append((token.concept, many))
            count = 1
    if not found and said.item and clause.has("IT", "ONE", "NUMBER", "A"):
        number = next((int(t.value or 1) for t in tokens if t.concept == "NUMBER"), 1)
        found.append((said.item, None if clause.lasting or clause.has("ONE") else number))
    return found


def _counted(tokens: list[Token], at: int) -> bool:
    return any(t.concept in ("NUMBER", "A") for t in tokens[max(0, at - 2) : at])


def _is_place(clause: Clause, at: int) -> bool:
    """Whether an item stands for its dispenser: "wait by the onions", "go to the onion crate"."""
    tokens = clause.tokens
    if tokens[at + 1 : at + 2] and tokens[at + 1].concept == "DISPENSER":
        return clause.verb in ("GO", "WAIT")
    if clause.verb == "GO":
        return True
    if clause.verb == "WAIT":
        return tokens[at].concept != "SOUP"
    before = [t.concept for t in tokens[max(0, at - 2) : at]]
    return "AT" in before and clause.verb in ("PUT", "FETCH") and any(t.concept in ITEMS for t in tokens[:at])


def _place(clause: Clause, said: _Said) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """(the place that a clause names, the place that this one is near to)."""
    nouns: list[tuple[int, str]] = []
    for at, token in enumerate(clause.tokens):
        if (
            token.concept in ITEMS[:3]
            and _is_place(clause, at)
            or token.concept in ("POT", "WINDOW", "COUNTER")
        ):
            nouns.append((at, _KIND[token.concept]))
    sides = [(at, str(t.value)) for at, t in enumerate(clause.tokens) if t.concept == "WHICH"]
    which: dict[int, str] = {}
    loose: str | None = None
    for at, side in sides:
        after = next((n for n, _ in nouns if 0 < n - at <= 2), None)
        if after is None:
            after = next((n for n, _ in reversed(nouns) if 0 < at - n <= 3), None)
        if after is None:
            loose = side
        else:
            which[after] = side
    if nouns:
        places = [_target(kind, which.get(at)) for at, kind in nouns]
        if clause.verb in ("PUT", "FETCH") and len(places) > 1:
            counters = [p for p in places if p["kind"] == "counter"]
            if counters:
                return counters[0], next(p for p in places if p is not counters[0])
        if (
            clause.verb == "PUT"
            and _after_at(clause, nouns[0][0])
            and places[0]["kind"] in ("pot", "onion", "dish")
        ):
            return _target("counter"), places[0]
        return places[-1 if clause.verb in ("FETCH", "PUT", "SERVE") else 0], None
    if loose is None:
        return (said.place if clause.has("THERE") and clause.verb in ("WAIT", "GO", "PUT") else None), None
    item = next((t.concept for t in clause.tokens if t.concept in ITEMS[:3]), None)
    if clause.has("ONE") or clause.has("NUMBER") and not item:
        return (_target(said.place["kind"], loose) if said.place else None), None
    if item and clause.verb != "PUT" and not clause.has("SIDE"):
        if clause.verb == "DO" and clause.has("ON"):
            return _target("pot", loose), None
        return _target(_KIND[item], loose), None
    return _target("counter", loose), None


def _after_at(clause: Clause, noun: int) -> bool:
    return any(t.concept == "AT" for t in clause.tokens[max(0, noun - 3) : noun])


def _verb_of(clause: Clause, items: list[tuple[str, int | None]], target: dict[str, Any] | None) -> str:
    """The verb of a clause that has none: "onions please", "you the left pot"; "" if none fits."""
    if clause.has("?"):
        return ""
    if clause.has("READY") and (clause.has("SOUP", "POT")):
        return "SERVE"
    if clause.has("EMPTY") and clause.has("POT"):
        return "COOK"
    if clause.has("FULL"):
        return ""
    if clause.who or clause.negated:
        return "DO"
    if items and target and target["kind"] == "counter":
        return "PUT"
    if items:
        return "DO" if items[0][1] is None else "FETCH"
    if target and target["kind"] == "pot":
        return "DO"
    return "GO" if target and clause.has("TO", "AT", "WHICH") else ""


def _by_verb(
    clause: Clause,
    verb: str,
    items: list[tuple[str, int | None]],
    target: dict[str, Any] | None,
    near: dict[str, Any] | None,
) -> list[Goal]:
    if verb in ("FETCH", "NEED"):
        return _fetch(clause, verb, items, target, near)
    if verb in ("PUT", "KEEP"):
        return _put(clause, verb, items, target, near)
    if verb == "DO":
        return _do(clause, items, target)
    if verb == "COOK":
        pot = target if target and target["kind"] == "pot" else None
        tomato = any(item == "TOMATO" for item, _ in items)
        onion = any(item == "ONION" for item, _ in items) or not tomato
        counted = [n for item, n in items if item in ("ONION", "TOMATO")]
        count = counted[0] if counted and not clause.has("SOUP") else None
        wanted = ["put_onion_in_pot"] * onion + ["put_tomato_in_pot"] * tomato
        return [_goal(intent, pot, count) for intent in wanted] if not clause.has("?") else []
    if verb in ("SERVE", "PLATEUP"):
        kind = "serve" if verb == "SERVE" else "pot"
        place = target if target and target["kind"] == kind and target["which"] else None
        once = bool(items) or not clause.who
        count = None if clause.lasting or not once else next((n for _, n in items), 1)
        if any(item in ("ONION", "TOMATO") for item, _ in items):
            return []
        return [_goal("serve_soup" if verb == "SERVE" else "pick_up_soup", place, count)]
    if verb == "START":
        if clause.has("POT", "SOUP", "COOK"):
            return [_goal("start_pot", target if target and target["which"] else None, 1)]
        if items:
            return _do(clause, items, target)
        return [] if clause.has("?") else [_goal("continue")]
    return _stand(clause, verb, items, target)


def _stand(
    clause: Clause, verb: str, items: list[tuple[str, int | None]], target: dict[str, Any] | None
) -> list[Goal]:
    """Being somewhere, or doing nothing at all."""
    if verb == "GO":
        if target is None and clause.has("ME"):
            return [_goal("go_to", None, None, to="me")]
        if target is None:
            return [] if clause.tokens else [_goal("continue")]
        return [_goal("go_to", target)]
    if verb == "WAIT":
        goal = _goal("wait_at", target)
        if clause.has("ME") and target is None:
            goal["to"] = "me"
        if clause.when or clause.has("SOUP"):
            goal["until"] = "ready"
            goal["target"] = target or _target("pot")
        elif target is None and clause.has("?"):
            return []
        return [goal]
    if verb in ("STOP", "CONTINUE"):
        if items or target:
            stopped = _do(clause, items, target)
            return [{**goal, "negated": True} for goal in stopped] if verb == "STOP" else stopped
        return [_goal(verb.lower())]
    if verb == "CANCEL":
        return [_goal("continue", all=True)]
    simple = {"CLEAR": "clear_the_way", "SWAP": "swap_roles", "DIVIDE": "divide_roles"}
    return [_goal(simple[verb])] if verb in simple and not clause.has("?") else []


def _fetch(
    clause: Clause,
    verb: str,
    items: list[tuple[str, int | None]],
    target: dict[str, Any] | None,
    near: dict[str, Any] | None,
) -> list[Goal]:
    kind = target["kind"] if target else ""
    if not items and kind == "counter" and clause.has("FROM", "IT", "ONE") and not clause.has("ON", "TO"):
        return [_goal("take_from_counter", target, 1)]
    if not items and kind in ("onion", "dish", "tomato"):
        items = [(kind.upper(), None)]
    if not items and clause.has("IT") and kind == "serve":
        items = [("SOUP", 1)]
    if not items and kind == "pot" and not clause.has("FROM"):
        items = [("ONION", None)]
    made = []
    for item, count in items:
        made += _fetch_one(clause, verb, item, count, target, near)
    return made


def _fetch_one(
    clause: Clause,
    verb: str,
    item: str,
    count: int | None,
    target: dict[str, Any] | None,
    near: dict[str, Any] | None,
) -> list[Goal]:
    kind = target["kind"] if target else ""
    handed = clause.word in _HANDS_OVER.split() and not clause.has("FROM", "ON")
    if kind == "counter" and handed and (clause.has("ME") or not clause.has("TO", "IN", "AT")):
        return [_goal(f"fetch_{item.lower()}" if item != "SOUP" else "pick_up_soup", None, count, to="me")]
    if kind == "counter" and clause.has("TO", "ON") and not clause.has("FROM"):
        return [_on_counter(item, target, count, near)]
    if kind == "counter":
        return [_goal("take_from_counter", target, count, item=item.lower())]
    if kind == "pot" and not clause.has("FROM"):
        return _into_pot(item, target, count)
    if kind == "serve" and item in ("SOUP", "DISH"):
        return [_goal("serve_soup", target if target and target["which"] else None, count)]
    source = target if kind == item.lower() or kind == "pot" and item == "SOUP" else None
    if source and not source["which"]:
        source = None
    intent = "pick_up_soup" if item == "SOUP" else f"fetch_{item.lower()}"
    goal = _goal(intent, source, count)
    wished = (
        verb == "NEED"
        and clause.who != "both"
        or clause.word in _HANDS_OVER.split()
        or clause.has("ME", "BOTH", "HERE")
    )
    if wished and (verb == "NEED" or clause.who != "me"):
        goal["to"] = "me"
    return [goal]


def _into_pot(item: str, target: dict[str, Any] | None, count: int | None) -> list[Goal]:
    if item in ("DISH", "SOUP"):
        return [_goal("pick_up_soup", target if target and target["which"] else None, count)]
    return [_goal(f"put_{item.lower()}_in_pot", target, count)]


def _on_counter(
    item: str, target: dict[str, Any] | None, count: int | None, near: dict[str, Any] | None
) -> Goal:
    goal = _goal("put_on_counter", target, count)
    if item:
        goal["item"] = item.lower()
    if near:
        goal["near"] = near
    return goal


def _put(
    clause: Clause,
    verb: str,
    items: list[tuple[str, int | None]],
    target: dict[str, Any] | None,
    near: dict[str, Any] | None,
) -> list[Goal]:
    kind = target["kind"] if target else ""
    if verb == "KEEP" and not (kind == "counter" and items):
        return _do(clause, items, target) if items or kind == "pot" else []
    if kind == "serve":
        fits = not items or items[0][0] in ("SOUP", "DISH")
        return [_goal("serve_soup", None, items[0][1] if items else 1)] if fits else []
    if not items and kind == "pot":
        return [_goal("put_onion_in_pot", target, 1 if clause.has("IT") else None)]
    if not items:
        # "Put it down" with nothing named before: whatever the agent holds.
        return [_on_counter("", target, 1, near)] if clause.has("IT") or kind == "counter" else []
    made = []
    for item, count in items:
        if kind == "counter" or clause.has("ME", "HERE"):
            made.append(_on_counter(item, target, count, near))
            if clause.has("ME", "HERE") and not kind:
                made[-1]["to"] = "me"
        elif kind == "pot" or (item in ("ONION", "TOMATO") and not clause.has("IT")):
            made += _into_pot(item, target if kind == "pot" else None, count)
        else:
            made.append(_on_counter(item, None, count, near))
    return made


def _do(clause: Clause, items: list[tuple[str, int | None]], target: dict[str, Any] | None) -> list[Goal]:
    """Whose job something is: "you do onions on the left pot", "I'm on plates", "use the right pot"."""
    kind = target["kind"] if target else ""
    made = []
    for item, count in items:
        count = count if clause.has("NUMBER", "A") else None
        if kind == "counter" and item != "SOUP" and (clause.has("ON") or clause.word.startswith("us")):
            made.append(_on_counter(item, target, count, None))
        elif item in ("ONION", "TOMATO"):
            made.append(_goal(f"put_{item.lower()}_in_pot", target if kind == "pot" else None, count))
        elif item == "DISH":
            made.append(_goal("fetch_dish", target if kind == "dish" else None, count))
        else:
            made.append(_goal("serve_soup", None, count))
    if made or clause.has("?"):
        return made
    if kind == "pot":
        return [_goal("put_onion_in_pot", target)]
    if kind == "serve":
        return [_goal("serve_soup", target if target and target["which"] else None)]
    return [_goal("go_to", target)] if kind == "counter" else []

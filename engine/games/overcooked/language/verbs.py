"""What a clause asks for: one function for each kind of verb.

Things, places and verbs come from `named`; who, negation and conditions are added by `intents`.
"""

from __future__ import annotations

from typing import Any

from engine.games.overcooked.language.clauses import Clause
from engine.games.overcooked.language.lexicon import ITEMS
from engine.games.overcooked.language.named import Items, Target, definite, ends_in, new_target

Goal = dict[str, Any]
_HANDS_OVER = (
    "bring brings bringing hand hands handing give gives giving gimme pass passes passing send sending "
    "supply supplies supplying provide"
)


def new_goal(intent: str, target: Target | None = None, count: int | None = None, **more: Any) -> Goal:
    return {"intent": intent, "target": target, "count": count, "who": "you", "negated": False, **more}


def asked(
    clause: Clause,
    verb: str,
    items: Items,
    target: Target | None,
    near: Target | None,
) -> list[Goal]:
    if verb == "HAVE":
        if clause.negated and clause.who != "you" and items:
            clause.negated, clause.who = False, "you"
            return _fetch(clause, "NEED", items, target, near)
        return (
            _fetch(clause, verb, items, target, near)
            if not clause.who and clause.word in ("have", "hold")
            else []
        )
    if verb == "USE" and not items and target and target["kind"] == "counter" and clause.has("ON", "FROM"):
        return [new_goal("take_from_counter", target, 1)]
    if verb == "USE":
        if (
            items
            and target
            and target["kind"] == "counter"
            and (clause.has("FROM") or clause.has("ON") and definite(clause))
        ):
            return _fetch(clause, verb, items, target, near)
        verb = "DO"
    if verb == "NEED" and items and items[0][0] == "SOUP" and clause.has("SOME"):
        return [new_goal("put_onion_in_pot", target if target and target["kind"] == "pot" else None)]
    if verb == "NEED" and not items and clause.has("?"):
        return []
    if verb in ("FETCH", "NEED"):
        return _fetch(clause, verb, items, target, near)
    if verb in ("PUT", "KEEP"):
        return _put(clause, verb, items, target, near)
    if verb == "DO":
        return _do(clause, items, target)
    if verb == "COOK":
        if clause.verb and _unknown_thing(clause):
            return []
        if clause.word.startswith("prep") and [item for item, _ in items] == ["DISH"]:
            return [new_goal("fetch_dish", None, items[0][1])]
        pot = target if target and target["kind"] == "pot" else None
        tomato = any(item == "TOMATO" for item, _ in items)
        onion = any(item == "ONION" for item, _ in items) or not tomato
        counted = [n for item, n in items if item in ("ONION", "TOMATO")]
        count = counted[0] if counted and not clause.has("SOUP") else None
        wanted = ["put_onion_in_pot"] * onion + ["put_tomato_in_pot"] * tomato
        return [new_goal(intent, pot, count) for intent in wanted]
    if verb in ("SERVE", "PLATEUP"):
        kind = "serve" if verb == "SERVE" else "pot"
        place = target if target and target["kind"] == kind and target["which"] else None
        once = bool(items) or not clause.who
        count = None if clause.lasting or not once else next((n for _, n in items), 1)
        if any(item in ("ONION", "TOMATO") for item, _ in items):
            return []
        if not items and clause.verb and _unknown_thing(clause):
            return []
        return [new_goal("serve_soup" if verb == "SERVE" else "pick_up_soup", place, count)]
    if verb == "START":
        if clause.has("POT", "SOUP", "COOK", "IT"):
            return [new_goal("start_pot", target if target and target["which"] else None, 1)]
        if items:
            return _do(clause, items, target)
        return [] if clause.has("?") else [new_goal("continue")]
    return _stand(clause, verb, items, target)


def _unknown_thing(clause: Clause) -> bool:
    """Whether it is about something else: "serve the nation"."""
    pairs = zip(clause.tokens, clause.tokens[1:], strict=False)
    before = ("THE", "A", "IN", "TO", "FROM", "AT", "ME")
    return any(a.concept in before and b.concept == "?" for a, b in pairs)


def _stand(clause: Clause, verb: str, items: Items, target: Target | None) -> list[Goal]:
    """Being somewhere, or doing nothing at all."""
    if verb == "GO":
        if target is None and clause.has("ME"):
            return [new_goal("go_to", None, None, to="me")]
        if target is None and clause.has("THERE", "HERE"):
            return [new_goal("go_to")]
        if target is None:
            return [] if clause.tokens or clause.negated else [new_goal("continue")]
        if _unknown_thing(clause):
            return []
        if target["kind"] == "serve" and clause.has("SOUP"):
            return [new_goal("serve_soup", target if target["which"] else None, 1)]
        return [new_goal("go_to", target)]
    if verb == "WAIT":
        goal = new_goal("wait_at", target)
        if clause.has("ME") and target is None:
            goal["to"] = "me"
        if clause.when or clause.has("SOUP"):
            goal["until"] = "ready"
            goal["target"] = target or new_target("pot")
        elif target is None and (clause.has("?") or clause.who == "me" and not clause.has("HERE", "THERE")):
            return []
        return [goal]
    if (
        verb == "STOP"
        and clause.who == "me"
        or verb == "STOP"
        and any(t.concept == "?" and t.word.endswith("ing") for t in clause.tokens)
    ):
        return []
    if verb in ("STOP", "CONTINUE", "SWAP", "DIVIDE", "CLEAR") and not items and _unknown_thing(clause):
        return []
    if verb in ("SWAP", "DIVIDE") and any(t.concept == "?" for t in clause.tokens[:2]):
        return []
    if verb in ("STOP", "CONTINUE"):
        if items or target:
            stopped = _do(clause, items, target)
            return [{**goal, "negated": True} for goal in stopped] if verb == "STOP" else stopped
        return [new_goal(verb.lower())]
    if verb == "CANCEL":
        return [new_goal("continue", all=True)]
    simple = {"CLEAR": "clear_the_way", "SWAP": "swap_roles", "DIVIDE": "divide_roles"}
    return [new_goal(simple[verb])] if verb in simple else []


def _fetch(
    clause: Clause,
    verb: str,
    items: Items,
    target: Target | None,
    near: Target | None,
) -> list[Goal]:
    kind = target["kind"] if target else ""
    if not items and clause.has("IT") and kind == "pot" and clause.has("FROM"):
        items = [("SOUP", 1)]
    if not items and kind == "counter" and clause.has("IT") and not clause.has("FROM"):
        if clause.word in _HANDS_OVER.split():
            return [_on_counter("", target, 1, None)]
    if not items and kind == "serve":
        return [new_goal("serve_soup", target if target and target["which"] else None, 1)]
    if items and items[0][0] in ("ONION", "TOMATO") and not target and ends_in(clause):
        return [goal for item, count in items for goal in _into_pot(item, None, count)]
    if kind == "pot" and any(t.word == "for" for t in clause.tokens) and not clause.has("IN"):
        target, kind = None, ""
    if not items and kind == "counter" and clause.has("ON") and not clause.has("TO", "?"):
        return [new_goal("take_from_counter", target, 1)]
    if not items and kind == "counter" and clause.has("FROM", "IT", "ONE") and not clause.has("ON", "TO"):
        return [new_goal("take_from_counter", target, 1)]
    if not items and kind in ("onion", "dish", "tomato"):
        items = [(kind.upper(), None)]
    if not items and clause.has("IT") and kind == "serve":
        items = [("SOUP", 1)]
    if not items and kind == "pot" and not clause.has("FROM"):
        items = [("ONION", None)]
    bare = (
        clause.who
        and not clause.tokens
        and not clause.negated
        and clause.word in ("fetch", "bring", "get", "collect")
    )
    if bare and not items and not target:
        items = [("ONION", None)]  # "I fetch, you cook"
    made = []
    for item, count in items:
        made += _fetch_one(clause, verb, item, count, target, near)
    return made


def _fetch_one(
    clause: Clause,
    verb: str,
    item: str,
    count: int | None,
    target: Target | None,
    near: Target | None,
) -> list[Goal]:
    kind = target["kind"] if target else ""
    handed = clause.word in _HANDS_OVER.split() and not clause.has("FROM", "ON")
    if kind == "counter" and handed and (clause.has("ME") or not clause.has("TO", "IN", "AT")):
        return [new_goal(f"fetch_{item.lower()}" if item != "SOUP" else "pick_up_soup", None, count, to="me")]
    if (
        kind == "counter"
        and not clause.has("TO", "FROM")
        and clause.word not in _HANDS_OVER.split()
        and definite(clause)
    ):
        return [new_goal("take_from_counter", target, count, item=item.lower())]
    if kind == "counter" and clause.has("TO", "ON") and not clause.has("FROM"):
        return [_on_counter(item, target, count, near)]
    if kind == "counter":
        return [new_goal("take_from_counter", target, count, item=item.lower())]
    if kind == "pot" and item == "DISH" and verb == "NEED":
        target, kind = None, ""
    if kind == "pot" and not clause.has("FROM"):
        return _into_pot(item, target, count)
    if kind == "serve" and item in ("SOUP", "DISH"):
        return [new_goal("serve_soup", target if target and target["which"] else None, count)]
    source = target if kind == item.lower() or kind == "pot" and item == "SOUP" else None
    if source and not source["which"]:
        source = None
    intent = "pick_up_soup" if item == "SOUP" else f"fetch_{item.lower()}"
    goal = new_goal(intent, source, count)
    wished = (
        verb == "NEED"
        and clause.who != "both"
        or clause.word in _HANDS_OVER.split()
        or clause.has("ME", "BOTH", "HERE")
    )
    if wished and (verb == "NEED" or clause.who != "me"):
        goal["to"] = "me"
    return [goal]


def _into_pot(item: str, target: Target | None, count: int | None) -> list[Goal]:
    if item in ("DISH", "SOUP"):
        return [new_goal("pick_up_soup", target if target and target["which"] else None, count)]
    return [new_goal(f"put_{item.lower()}_in_pot", target, count)]


def _on_counter(item: str, target: Target | None, count: int | None, near: Target | None) -> Goal:
    goal = new_goal("put_on_counter", target, count)
    if item:
        goal["item"] = item.lower()
    if near:
        goal["near"] = near
    return goal


def _put(
    clause: Clause,
    verb: str,
    items: Items,
    target: Target | None,
    near: Target | None,
) -> list[Goal]:
    kind = target["kind"] if target else ""
    if clause.word.startswith("leav") and kind == "pot" and not items:
        return []
    if clause.word.startswith(("fill", "refill")) and items and items[0][0] in ("ONION", "TOMATO"):
        return _into_pot(items[0][0], target if kind == "pot" else None, None)
    if clause.word.startswith("fill") and clause.has("IT") and items and items[0][0] == "DISH":
        return [new_goal("pick_up_soup", None, 1)]
    if clause.word.startswith("fill") and clause.has("IT") and not items and not target:
        return [new_goal("put_onion_in_pot")]
    if verb == "KEEP" and clause.has("IT") and not clause.has(*ITEMS, "POT"):
        return []
    if verb == "KEEP" and not (kind == "counter" and items):
        return _do(clause, items, target) if items or kind == "pot" else []
    if kind == "serve":
        fits = not items or items[0][0] in ("SOUP", "DISH")
        return [new_goal("serve_soup", None, items[0][1] if items else 1)] if fits else []
    if not items and kind == "pot":
        return [new_goal("put_onion_in_pot", target, 1 if clause.has("IT") else None)]
    if (
        clause.has("IT")
        and ends_in(clause)
        and not target
        and not any(i in ("DISH", "SOUP") for i, _ in items)
    ):
        return _into_pot(items[0][0] if items else "ONION", None, 1)
    if not items and kind == "counter" and clause.has("?"):
        return []
    if not items:
        # "Put it down" with nothing named before: whatever the agent holds.
        return [_on_counter("", target, 1, near)] if clause.has("IT") or kind == "counter" else []
    dropped = clause.word.startswith(("drop", "ditch", "dump", "discard", "release")) and definite(clause)
    if dropped and not kind and not clause.has("IN", "TO"):
        return [_on_counter(item, None, count, near) for item, count in items]
    made = []
    for item, count in items:
        if kind == "counter" or clause.has("ME", "HERE") and kind != "pot":
            made.append(_on_counter(item, target, count, near))
            if clause.has("ME", "HERE") and not kind:
                made[-1]["to"] = "me"
        elif kind == "pot" or (item in ("ONION", "TOMATO") and (clause.has("IN") or not clause.has("IT"))):
            made += _into_pot(item, target if kind == "pot" else None, count)
        else:
            made.append(_on_counter(item, None, count, near))
    return made


def _soup_job(clause: Clause) -> str:
    """ "Do the soup" is to cook; who must not touch it leaves it in the pot."""
    return "pick_up_soup" if clause.word.startswith("touch") else "put_onion_in_pot"


def _do(clause: Clause, items: Items, target: Target | None) -> list[Goal]:
    """Whose job something is: "you do onions on the left pot", "I'm on plates", "use the right pot"."""
    kind = target["kind"] if target else ""
    made = []
    for item, count in items:
        count = count if clause.has("NUMBER", "A") else None
        if kind == "counter" and item != "SOUP" and (clause.has("ON") or clause.word.startswith("us")):
            made.append(_on_counter(item, target, count, None))
        elif item in ("ONION", "TOMATO"):
            made.append(new_goal(f"put_{item.lower()}_in_pot", target if kind == "pot" else None, count))
        elif item == "DISH":
            made.append(new_goal("fetch_dish", target if kind == "dish" else None, count))
        else:
            made.append(new_goal(_soup_job(clause), None, count))
    if made or clause.has("?"):
        return made
    if kind == "pot":
        return [new_goal("put_onion_in_pot", target)]
    if kind == "serve":
        return [new_goal("serve_soup", target if target and target["which"] else None)]
    return [new_goal("go_to", target)] if kind == "counter" else []

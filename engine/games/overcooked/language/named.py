"""What a clause names: things and how many, a place, and the verb where none is said.

`Said` remembers what "it", "one" and "there" mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.games.overcooked.language.clauses import Clause
from engine.games.overcooked.language.lexicon import ITEMS, Token

Target = dict[str, Any]
Items = list[tuple[str, int | None]]
_KIND = {
    "POT": "pot",
    "WINDOW": "serve",
    "COUNTER": "counter",
    "ONION": "onion",
    "DISH": "dish",
    "TOMATO": "tomato",
}


@dataclass
class Said:
    """What "it", "one" and "the left one" mean."""

    item: str = ""
    place: Target | None = None


def new_target(kind: str, which: str | None = None) -> dict[str, Any]:
    return {"kind": kind, "which": which}


def items_of(clause: Clause, said: Said, roles: bool) -> Items:
    """(item, how many; None for any number) of the things that a clause names, places left out."""
    found: Items = []
    tokens = clause.tokens
    count: int | None = 1
    for at, token in enumerate(tokens):
        if token.concept == "NUMBER":
            count = int(token.value or 1)
        elif token.concept == "SOME" and not _counted(tokens, at):
            count = None
        elif token.concept in ITEMS and found and any(t.word == "for" for t in tokens[max(0, at - 2) : at]):
            continue  # "a bowl for the soup"
        elif token.concept in ITEMS and not _is_place(clause, at):
            lasting = clause.lasting or roles and count == 1 and not _counted(tokens, at)
            many = None if lasting or (token.plural and count == 1) else count
            found.append((token.concept, many))
            count = 1
    there = clause.verb == "FETCH" and (
        clause.has("FROM") and clause.has("THERE", "HERE") or clause.has("SOME")
    )
    if not found and said.item and (there or clause.has("IT", "ONE", "NUMBER", "A")):
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


def place_of(clause: Clause, said: Said) -> tuple[Target | None, Target | None]:
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
        places = [new_target(kind, which.get(at)) for at, kind in nouns]
        if (
            clause.verb in ("PUT", "FETCH")
            and clause.has("SOUP")
            and any(kind == "serve" for _, kind in nouns)
        ):
            return next(p for p in places if p["kind"] == "serve"), None
        if clause.verb in ("PUT", "FETCH") and len(places) > 1:
            counters = [p for p in places if p["kind"] == "counter"]
            if counters:
                return counters[0], next(p for p in places if p is not counters[0])
        if (
            clause.verb == "PUT"
            and _after_at(clause, nouns[0][0])
            and places[0]["kind"] in ("pot", "onion", "dish")
        ):
            return new_target("counter"), places[0]
        return places[-1 if clause.verb in ("FETCH", "PUT", "SERVE") else 0], None
    if loose is None and clause.verb == "GO" and clause.has("SIDE") and not clause.has("?", *ITEMS):
        return new_target("counter"), None
    if loose is None:
        return (said.place if clause.has("THERE") and clause.verb in ("WAIT", "GO", "PUT") else None), None
    item = next((t.concept for t in clause.tokens if t.concept in ITEMS[:3]), None)
    if clause.has("ONE") or clause.has("NUMBER") and not item:
        return (new_target(said.place["kind"], loose) if said.place else None), None
    if (
        item
        and clause.verb != "PUT"
        and (not clause.has("SIDE") or clause.verb == "FETCH" and clause.has("FROM"))
    ):
        if clause.verb == "DO" and clause.has("ON"):
            return new_target("pot", loose), None
        return new_target(_KIND[item], loose), None
    if clause.verb == "PUT" and clause.has("IN"):
        return new_target("pot", loose), None
    return new_target("counter", loose), None


def _after_at(clause: Clause, noun: int) -> bool:
    return any(t.concept == "AT" for t in clause.tokens[max(0, noun - 3) : noun])


def gone_for(clause: Clause) -> Items:
    """The thing that somebody goes for: "run for tomatoes", "go plate"."""
    tokens = clause.tokens
    straight = not clause.has("TO", "AT", "FROM", "WHICH", "IN", "ON", "THE")
    return [
        (token.concept, None if token.plural else 1)
        for at, token in enumerate(tokens)
        if token.concept in ITEMS and (straight or any(t.word == "for" for t in tokens[max(0, at - 2) : at]))
    ]


def definite(clause: Clause) -> bool:
    """Whether the thing named is a certain one: "the plate", "that onion"."""
    return any(token.concept in ("THE", "IT") for token in clause.tokens[:2])


def ends_in(clause: Clause) -> bool:
    """Whether it ends in a bare "in": into the pot, of course."""
    return bool(clause.tokens) and clause.tokens[-1].concept == "IN"


def verb_of(clause: Clause, items: Items, target: Target | None) -> str:
    """The verb of a clause that has none: "onions please", "you the left pot"; "" if none fits."""
    if clause.has("READY") and clause.has("SOUP", "POT"):
        return "SERVE" if clause.has("SOUP") else "PLATEUP"
    if clause.has("?"):
        return ""
    if clause.has("EMPTY") and clause.has("POT"):
        return "COOK"
    if clause.has("FULL"):
        return ""
    if clause.negated and not clause.who and [item for item, _ in items] == ["SOUP"]:
        return "COOK"
    if clause.negated and target and target["kind"] == "counter" and clause.has("ON") and not items:
        return "PUT"
    if clause.who or clause.negated:
        return "DO"
    if items and target and target["kind"] == "counter":
        return "PUT"
    if items and (clause.has("IN") or target and target["kind"] == "pot" and clause.has("TO")):
        return "PUT"
    if (
        items
        and items[0][0] == "SOUP"
        and (clause.has("SOME") or any(t.word == "another" for t in clause.tokens))
    ):
        return "COOK"
    if items and (items[0][0] == "TOMATO" or clause.has("SOME")):
        return "FETCH"
    if items:
        return "DO" if items[0][1] is None else "FETCH"
    if target and target["kind"] == "pot":
        return "DO"
    return "GO" if target and clause.has("TO", "AT", "WHICH") else ""

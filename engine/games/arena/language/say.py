"""Clauses told back as one sentence in the agent's first person, so that a player can confirm or correct it.

Written from the program alone, never from what was typed: the sentence says what the agent will do, and which
of the sub-goals that it understood no agent follows yet.
"""

from __future__ import annotations

from typing import Any

from engine.games.arena.language import saying
from engine.games.arena.language.carried import of_step
from engine.games.arena.language.programs import DIRECTIONS, METRES
from engine.games.arena.language.subgoals import fulfilled
from engine.games.arena.language.wishes import say as wishes

PARTS = "clauses"  # what a program consists of, each of which can be told alone

CAN_READ = (
    "follow me, hold here, go somewhere, attack somebody, cover me, take cover, loot, heal, help somebody "
    "up, lie down, hold fire, go into the zone, regroup or retreat; for example “cover me”, “go there and "
    "wait” or “player 3, hold here”"
)
_KIND = {
    "house": "the nearest house",
    "rock": "the nearest rock",
    "wall": "the nearest low wall",
    "bush": "the nearest bushes",
    "water": "the nearest water",
    "door": "the nearest door",
    "hill": "the highest ground near me",
}
_SIDES = {"left": "to your left", "right": "to your right", "ahead": "ahead of you", "back": "behind you"}
_FLAGS = {"quietly": "without shooting", "lying": "lying down", "crouched": "crouched", "hurrying": "running"}


def sentence(program: dict[str, Any]) -> str:
    """One sentence for a whole program."""
    clauses = program["clauses"]
    left = {
        name: value for name, value in program.get("subgoals", {}).items() if name not in fulfilled(clauses)
    }
    if not clauses:
        return f"I understand: {wishes.told(left)}. But I can't follow that yet."
    parts = [clause(one) for one in clauses]
    told = parts[0]
    for before, one, part in zip(clauses, clauses[1:], parts[1:], strict=False):
        follows = before["to"] == one["to"] and before.get("beside") == one.get("beside")
        told += f", then {part}" if follows else f"; {part}"
    more = f" I also understand, but can't follow yet: {wishes.told(left)}." if left else ""
    return told[0].upper() + told[1:] + "." + more


def not_followed(program: dict[str, Any]) -> list[str]:
    """What agents understand and can't follow yet, under the names of Table 7 of the OpenContra paper."""
    done = fulfilled(program["clauses"])
    return [f"{name}: {value}" for name, value in program.get("subgoals", {}).items() if name not in done]


def somebody(who: Any, kind: str = "") -> str:
    """Whom a clause is about: "you", "Player 3", "the enemy that you look at"."""
    if isinstance(who, int):
        return f"Player {who + 1}"
    if who is None:
        return {"attack": "the nearest enemy", "rescue": "whoever is down"}.get(kind, "you")
    if who.startswith("player "):
        return f"Player {who.removeprefix('player ')}"
    if who.startswith("mate "):
        return f"number {who.removeprefix('mate ')} of the squad"
    return {
        "me": "you",
        "aim": "the enemy that you look at" if kind == "attack" else "the one that you look at",
        "shooter": "the one who shot you",
        "nearest": "the nearest enemy" if kind == "attack" else "the nearest mate",
    }[who]


def place(one: dict[str, Any]) -> str:
    """Where a clause is about, with its preposition: "to the point that you look at"."""
    name, to = one["place"], "to" if one["kind"] == "go" else "at"
    if name is None:
        if one["who"] is not None:
            return f"{to} {somebody(one['who'])}"
        return f"{to} the point that you look at" if one["kind"] == "go" else "here"
    if name == "here":
        return "anywhere from here" if to == "to" else "here"
    if name == "there":
        return f"{to} the point that you {'marked' if one['point'] else 'look at'}"
    if name == "me":
        return "to you" if to == "to" else "next to you"
    if name in _SIDES:
        return f"{one['metres'] or METRES} metres {_SIDES[name]}"
    if name in DIRECTIONS:
        return f"{one['metres'] or METRES} metres to the {name}"
    if name.startswith("behind "):
        return f"behind {_KIND[name.removeprefix('behind ')]}"
    return f"{to} {_KIND[name]}"


def clause(one: dict[str, Any]) -> str:
    """A clause in words, without capital or stop."""
    more = {"if", "beside", "what", "result"} & {*one} or one["kind"] == "retreat" and one["metres"]
    if more or one["place"] == "enemy" or one["who"] == "mine":
        return "; ".join(saying.clause(clause) for clause in of_step(one))
    subject = {None: "I", "all": "we", "two": "the two of us", "one": "one of us"}.get(one["to"])
    subject = subject or somebody(one["to"])
    plural = one["to"] in (None, "all", "two")
    doing = _doing(one)
    if one["negated"]:
        doing = f"{'stop' if plural else 'stops'} {doing}"
    elif not plural:
        verb, _, rest = doing.partition(" ")
        verb = "goes" if verb == "go" else f"{verb}es" if verb.endswith("sh") else f"{verb}s"
        doing = f"{verb} {rest}".strip()
    how = [_FLAGS[flag] for flag in one["flags"]]
    lasts = f" for {one['seconds']} seconds" if one["seconds"] else ""
    return f"{subject} {doing}{lasts}{''.join(f', {text}' for text in how)}".replace("1 seconds", "1 second")


def _doing(one: dict[str, Any]) -> str:
    kind, who, negated = one["kind"], one["who"], one["negated"]
    if negated:
        return {
            "follow": f"following {somebody(who)}",
            "hold": "waiting",
            "go": "going " + place(one),
            "cover": f"covering {somebody(who)}",
            "take_cover": "hiding",
            "loot": "looting",
            "heal": "treating my wounds",
            "rescue": "helping up",
            "help": "helping",
            "prone": "lying down",
            "crouch": "crouching",
            "rotate": "going into the white circle",
            "regroup": "regrouping",
            "retreat": "falling back",
            "hurry": "running",
        }[kind]
    if kind == "help":
        return f"help {somebody(who)}: up if down, else with cover"
    return {
        "follow": f"follow {somebody(who)}",
        "hold": f"wait {place(one)}",
        "go": f"go {place(one)}",
        "attack": f"attack {somebody(who, kind)}",
        "cover": f"cover {somebody(who)}",
        "take_cover": "take cover",
        "loot": "look for something of use and pick it up",
        "heal": "treat my wounds",
        "rescue": f"help {somebody(who, kind)} up",
        "prone": "lie down and stay",
        "crouch": "crouch",
        "hold_fire": "hold fire",
        "fire": "shoot again as I see fit",
        "stand": "stand up",
        "hurry": "hurry",
        "rotate": "go into the white circle",
        "regroup": "come back to the squad",
        "retreat": "fall back from the enemy",
        "cancel": "forget what you told me and do as I see fit",
    }[kind]

"""From the words of an instruction to its clauses: what is to be done, by whom, about whom, where, how long.

A clause: {"kind": one of KINDS, "to": who is to do it (None for whoever is told, "all", "two", "one", "player
3", "mate 2"), "who": whom it is about (None, "me" for the speaker, "aim" for the one looked at, "shooter",
"nearest", "player 3", "mate 2", or a seat once known), "place": None, "here", "there", "me", a kind of place
("house", "behind rock") or a direction ("north", "left"), "point": [x, y] in units once known, "metres": of a
direction, "negated": bool, "seconds": None for as long as it takes, "flags": of FLAGS, "adds": whether it
leaves earlier instructions standing}. Clauses are done one after the other.

The language is a small one on purpose: words that do not fit are left unread, not guessed at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.games.arena import GOALS
from engine.games.arena.language.lexicon import tag
from engine.games.arena.language.parts import ADDRESS, GAITS, VERBS, Part, address, parts

KINDS = (*GOALS, "help", "fire", "stand", "hurry", "cancel")
"""Goals, and what ends or changes them; "help" is to rescue who is down and to cover who is not."""
FLAGS = ("quietly", "lying", "crouched", "hurrying")
LASTING = ("follow", "hold", "cover", "take_cover", "prone", "hold_fire", "crouch")
"""Kinds that don't end by themselves."""
IN_BETWEEN = 10  # seconds that a lasting clause takes when another one follows
ADDING = ("hold_fire", "fire", "stand", "hurry")
"""Kinds that change how something is done rather than what."""

Clause = dict[str, Any]
_THAT = (
    "it",
    "that",
    "this",
    "those",
    "these",
    "him",
    "her",
    "them",
    "he",
    "she",
    "'em",
    "em",
    "one",
    "ones",
)
_PEOPLE = ("him", "her", "them", "he", "she", "'em", "em", "one", "ones")


@dataclass
class Parsed:
    """Clauses found, the words that none accounts for, how many words one does, and other readings."""

    clauses: list[Clause] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    used: int = 0
    corrected: int = 0
    others: list[list[Clause]] = field(default_factory=list)


def parse(text: str) -> Parsed:
    """The clauses of `text`; see the module's first lines for their form."""
    tokens = tag(text)
    out = Parsed(corrected=sum(token.corrected for token in tokens))
    adds = bool(tokens) and (tokens[0].concept == "AND" or any(t.word == "also" for t in tokens))
    to: list[str] = []
    names_more = False  # the part before named somebody and asked for nothing: "player 2 and player 3, …"
    found: list[tuple[str, list[Clause]]] = []
    for part in parts(tokens):
        named, speaker = address(part)
        if named and names_more and part.joined in ("AND", "COMMA"):
            to = [*to, *(one for one in named if one not in to)]
        else:
            to = named or ([] if part.joined == "BREAK" and part.verb else to)
        names_more = bool(named) and part.verb is None
        if part.verb is None:
            loose = [
                t.word for t in (*part.before, *part.after) if t.concept not in (*ADDRESS, "YOU", "I", "ME")
            ]
            out.unread += [word for word in loose if not word.startswith(("addressplayer", "addressmate"))]
            continue
        if speaker:
            continue
        made = _clauses(part)
        unknown = [t.word for t in (*part.before, *part.after) if t.concept == "?"]
        if not made:
            out.unread += [part.verb.word, *unknown]
            continue
        unknown += _more_people(part, made)
        out.used += 1 + sum(t.concept != "?" for t in part.after)
        out.unread += unknown
        # Everybody who is named does it all, each a clause of their own.
        found.append((part.joined, [{**one, "to": each} for each in (*to,) or (None,) for one in made]))
    out.clauses, others = _sequence(found)
    out.others = [other for other in others if other]
    for one in out.clauses:
        one["adds"] = adds or one["kind"] in ADDING
    return out


# --- Reading a part --------------------------------------------------------------------------------------


def clause(kind: str, **more: Any) -> Clause:
    """A clause with nothing but its kind, or with more."""
    return {
        "kind": kind,
        "to": None,
        "who": None,
        "place": None,
        "point": None,
        "metres": None,
        "negated": False,
        "seconds": None,
        "flags": [],
        "adds": False,
        **more,
    }


def _clauses(part: Part) -> list[Clause]:
    assert part.verb is not None
    concept, kind = part.verb.concept, VERBS[part.verb.concept]
    lasts = part.first("LASTS")
    gait = GAITS.get(concept)
    flags = list(dict.fromkeys([*part.flags, *([gait] if gait else [])]))
    made = _negated(kind, part) if part.negated else _wished(kind, part)
    for one in made:
        if one["kind"] == "hurry":
            continue
        one["flags"] = [flag for flag in FLAGS if flag in (*one["flags"], *flags)]
    if made and lasts is not None:
        made[-1]["seconds"] = lasts.value
    return made


def _negated(kind: str, part: Part) -> list[Clause]:
    """What "don't …" asks for: its contrary where there is one, else that it ends."""
    if kind in ("attack", "fire"):
        return [clause("hold_fire")]
    if kind == "hold_fire":
        return [clause("fire")]
    if kind == "stand":
        return [clause("crouch")]
    if kind == "cancel":
        return []
    if kind == "go":
        place = _place(part)
        return [clause("go", place=place, negated=True)] if place else [clause("hold")]
    who = (_who(part) or "me") if kind in ("follow", "cover", "help") else None
    return [clause(kind, who=who, negated=True)]


def _wished(kind: str, part: Part) -> list[Clause]:
    assert part.verb is not None
    place, who = _place(part), _who(part)
    if kind == "go":
        return _go(part, place, who)
    if kind == "hold":
        return [clause("hold", place=None if place in ("here", None) else place)]
    if kind == "attack":
        return _attack(part, place, who)
    # "Rescue our mate", "help our mate": about whoever is down, not about the one who says it.
    if kind in ("rescue", "help") and part.has("MATE") and part.said("our") and who == "me":
        return [clause("rescue")]
    if kind in ("follow", "cover", "help"):
        if part.has("OTHERS", "ALL") or part.said("mates", "teammates", "friends"):
            return [clause("regroup" if kind == "follow" else kind, who=None if kind == "follow" else "me")]
        if kind == "cover" and place and place != "me" and not part.has("ME", "PLAYER", "MATENO", "MATE"):
            return [clause("hold", place=None if place == "here" else place)]
        if part.has("MONSTER"):
            return []
        return [clause(kind, who=who or "me")]
    if kind == "take_cover" and place and place not in ("here", "me"):
        return [clause("hold", place=place, flags=["crouched"])]
    if kind == "loot":
        return _loot(part, place)
    if kind == "rescue":
        return [clause("rescue", who=who)]
    if kind in ("rotate", "regroup", "retreat") and place:
        return [clause("go", place=place, **_metres(part))]
    return [clause(kind)]


def _go(part: Part, place: str | None, who: Any) -> list[Clause]:
    assert part.verb is not None
    if part.has("ITEM"):
        return [clause("loot")]
    if place is None and who not in (None, "me"):
        return [clause("go", who=who)]
    if part.verb.concept == "COME" or (place is None and who == "me"):
        return [clause("go", place=place if place not in ("here", None) else "me")]
    if (
        place is None
        and part.verb.concept in ("RUN",)
        and part.verb.word.startswith(("hurry", "haste", "rush"))
    ):
        return [clause("hurry")]
    return [clause("go", place="me" if place == "here" else place, **_metres(part))]


def _metres(part: Part) -> dict[str, Any]:
    far = part.first("FAR")
    return {"metres": far.value} if far is not None else {}


def _attack(part: Part, place: str | None, who: Any) -> list[Clause]:
    if part.has("MONSTER", "MATE") or who == "me":
        return []
    if who is None and place in ("here", "there", "me"):
        return [clause("attack", who="aim" if place == "there" else None)]
    if who is None and place is not None:
        return [clause("go", place=place, **_metres(part)), clause("attack")]
    return [clause("attack", who=who)]


def _loot(part: Part, place: str | None) -> list[Clause]:
    assert part.verb is not None
    people = part.has("THATONE", "SHOOTER", "PLAYER") or any(
        t.concept == "ENEMY" and (t.word in _PEOPLE or t.word not in _THAT) for t in part.after
    )
    if people and part.verb.word.startswith(("find", "take", "search", "pick", "grab", "collect")):
        return _attack(part, place, _who(part))
    if part.has("MONSTER"):
        return []
    if place and place not in ("here", "me"):
        going = clause("go", place=place, **_metres(part))
        return [going] if part.verb.word.startswith(("take", "find")) else [going, clause("loot")]
    return [clause("loot")]


def _place(part: Part) -> str | None:
    """The place that a part names."""
    behind = part.has("BEHIND")
    for token in part.after:
        if token.concept == "PLACE":
            return f"behind {token.value}" if behind else str(token.value)
        if token.concept == "DIRECTION":
            return str(token.value)
        if token.concept == "THERE":
            return "there"
        if token.concept == "HERE":
            return "here"
    return "me" if part.has("ME") and part.verb is not None and VERBS[part.verb.concept] == "go" else None


def _who(part: Part) -> str | None:
    """Whom a part is about."""
    for token in part.after:
        if token.concept in ("PLAYER", "MATENO"):
            return f"{'player' if token.concept == 'PLAYER' else 'mate'} {token.value}"
        if token.concept == "ME":
            return "me"
        if token.concept == "THATONE" or token.concept == "ENEMY" and token.word in _THAT:
            return "aim"
        if token.concept == "SHOOTER":
            return "shooter"
        if token.concept == "NEAREST":
            return "nearest"
    return None


def _more_people(part: Part, made: list[Clause]) -> list[str]:
    """Whom a part is about besides the one whom its clauses are about: "follow me and player 2"."""
    if all(one["who"] is None for one in made):
        return []
    said = {f"{t.concept} {t.value}": t.word for t in part.after if t.concept in ("PLAYER", "MATENO", "ME")}
    return list(said.values())[1:]


# --- Putting in order ------------------------------------------------------------------------------------


def _sequence(found: list[tuple[str, list[Clause]]]) -> tuple[list[Clause], list[list[Clause]]]:
    """(clauses in the order in which they are done, what "or" offers instead)."""
    steps: list[Clause] = []
    others: list[list[Clause]] = []
    for joined, made in found:
        if joined == "OR" and steps:
            others.append([*steps[:-1], *made])
            continue
        for one in made:
            _add(steps, one, joined)
    steps = _without_empty(steps)
    for at, one in enumerate(steps):
        later = [other for other in steps[at + 1 :] if _same_doer(one, other) and other["kind"] not in ADDING]
        lasting = one["kind"] in LASTING and not one["negated"] and one["kind"] not in ADDING
        if lasting and later and one["seconds"] is None:
            one["seconds"] = IN_BETWEEN
    return steps, others


def _same_doer(a: Clause, b: Clause) -> bool:
    return a["to"] == b["to"] or None in (a["to"], b["to"])


def _add(steps: list[Clause], one: Clause, joined: str) -> None:
    """Put a clause after the others, or into the one before as the way in which it is done."""
    before = steps[-1] if steps and _same_doer(steps[-1], one) else None
    kind = one["kind"]
    if any(_same(one, other) for other in steps):
        return
    if before is not None and {before["kind"], kind} == {"help", "rescue"} and before["who"] == one["who"]:
        before["kind"] = "rescue"
        return
    if before is None or before["negated"] or before["kind"] == "cancel":
        steps.append(one)
        return
    flag = {"hold_fire": "quietly", "prone": "lying", "crouch": "crouched", "hurry": "hurrying"}.get(kind)
    stays = before["kind"] in ("hold", "follow", "cover", "take_cover")
    if (
        flag
        and not one["negated"]
        and not one["seconds"]
        and joined != "THEN"
        and before["kind"] not in ADDING
    ):
        if (kind in ("hold_fire", "hurry") and before["kind"] != "attack") or (
            stays and kind in ("prone", "crouch")
        ):
            before["flags"] = [f for f in FLAGS if f in (*before["flags"], flag)]
            return
    mode = {"hold_fire": "quietly", "prone": "lying", "crouch": "crouched", "hurry": "hurrying"}.get(
        before["kind"]
    )
    if (
        mode
        and joined in ("AND", "COMMA", "")
        and kind in GOALS
        and kind != "attack"
        and not before["seconds"]
    ):
        # "Hold your fire and follow me".
        steps[-1] = {**one, "flags": [f for f in FLAGS if f in (*one["flags"], mode, *before["flags"])]}
        return
    if before["kind"] == "go" and kind == "hold" and one["place"] is None and before["place"] != "me":
        # "Go there and wait" is to wait there.
        steps[-1] = {**before, "kind": "hold", "seconds": one["seconds"], "flags": before["flags"]}
        return
    if before["kind"] == "hold" and kind == "hold" and one["place"] is None:
        before["seconds"] = before["seconds"] or one["seconds"]
        return
    if before["kind"] == "follow" and kind == "follow":
        return
    ends = kind in GOALS and kind not in LASTING
    if before["kind"] in LASTING and ends and joined in ("AND", "COMMA") and not before["seconds"]:
        # "Cover me and heal": first what comes to an end.
        steps.insert(len(steps) - 1, one)
        return
    steps.append(one)


def _same(a: Clause, b: Clause) -> bool:
    keys = ("kind", "to", "who", "place", "negated", "metres")
    return all(a[key] == b[key] for key in keys)


def _without_empty(steps: list[Clause]) -> list[Clause]:
    """Without "go" that leads nowhere, unless it is all that was said: then it is where the speaker looks."""
    out: list[Clause] = []
    gaits: list[str] = []
    for one in steps:
        empty = one["kind"] == "go" and one["place"] is None and one["who"] is None and not one["negated"]
        if empty and len(steps) > 1:
            gaits += one["flags"]
            continue
        if empty:
            one["place"] = "there"
        one["flags"] = [f for f in FLAGS if f in (*one["flags"], *gaits)]
        gaits = []
        out.append(one)
    return out

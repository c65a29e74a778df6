"""Declared programs (`declared`) as programs of version 1 (programs.py), which `standing` and `follow` carry
out, and back. What version 1 can't say is left out whole and told, never carried out in part. Not for what
a program says in plain English (saying.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from engine.games.arena.language import saying
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.language.programs import ADDING, ALL_FLAGS, ALWAYS, VERSION
from engine.language.declared import CONDITIONS, MOST_NUMBER, Carried, Clause, checked, ordered, values

IN_BETWEEN = 10  # seconds that a lasting act takes when another one follows
LASTING = ("follow", "hold", "cover", "take_cover", "help", "prone", "crouch", "hold_fire", "avoid", *ALWAYS)
AT_ONCE = ("fire", "stand", "hurry", "slow", "cancel")  # change what stands, at once; so do negated ones
WAYS = {"hold_fire": "quietly", "prone": "lying", "crouch": "crouched", "hurry": "hurrying"}
"""Kind -> the flag that stands for it while something else is done."""
CONTRARY = {"attack": "hold_fire", "fire": "hold_fire", "hold_fire": "fire", "stand": "crouch", "go": "hold"}
CONTRARY |= {"slow": "hurry", "hurry": "slow"}
"""Act -> what "don't" comes to, where no more is said."""
CLASHES = {"quietly": {"attack"}, "lying": {"crouch", "crouched"}, "crouched": {"prone", "lying"}}
CLASHES |= {"hurrying": {"slowly"}}
"""Flag -> kinds and flags beside which it makes no sense."""
ODD = ({"lying", "crouched"}, {"slowly", "hurrying"})  # ways that nobody can do at the same time
_KINDS = tuple(DECLARED.slots["behind"].values)
_AT = tuple(place for place in DECLARED.slots["at"].values if place not in ("zone", "up", "down"))
_SIDES = tuple(place for place in _AT if place not in ("here", "there", *_KINDS))
_MATE, _NUMBER, _THERE = ("me", "mate", "aim", "#"), ("#",), ("there",)
_TO = {"at": (*_AT, "zone"), "behind": _KINDS, "whom": _MATE, "metres": _NUMBER}
_ENEMY = ("enemy", "nearest", "aim", "shooter", "mine", "#")
FAR = {"near": 10, "medium": 25, "far": 45}  # metres
BEHIND = {"touch": 2, "medium": 12, "far": 20}  # metres within which to follow; "near" is as usual
KEEPS_OUT = (*_KINDS, "there")  # of which places
BARRED: dict[str, dict[str, tuple[str, ...]]] = {
    "go": {"at": KEEPS_OUT}, "approach": {"whom": _ENEMY}, "rescue": {"whom": ("mate",)},
    "attack": {"whom": (_ENEMY[0], *_ENEMY[2:]), "result": ("kill",)}, "loot": {}, "heal": {},
}  # fmt: skip
"""Act that can be forbidden for as long as it isn't asked for (manners.py) -> slots and values, as in CAN."""
ROOM = {"go": 2}  # how many of them there can be at a time, else one
ARRIVING = ("go", "rotate", "regroup")  # end when the agent is there
SEVERAL = ("how", "what", *CONDITIONS)
EVENTS = tuple(event for event in DECLARED.events if event != "signal")
CAN: dict[str, dict[str, tuple[str, ...]]] = {
    "follow": {"whom": _MATE, "how": ALL_FLAGS, "far": tuple(DECLARED.slots["far"].values)},
    "rescue": {"whom": _MATE, "how": ALL_FLAGS},
    "go": {**_TO, "how": ALL_FLAGS}, "hold": {"at": _AT, "behind": _KINDS, "how": ALL_FLAGS},
    "attack": {"whom": _ENEMY, "at": _THERE, "how": ALL_FLAGS[1:], "result": ("down", "kill")},
    "approach": {"whom": _ENEMY, "how": ALL_FLAGS}, "avoid": {"whom": _ENEMY[:2], "far": tuple(FAR)},
    "take_cover": {"behind": _KINDS, "how": ALL_FLAGS}, "scout": {"at": _AT},
    "help": {"whom": _MATE}, "cover": {"whom": _MATE},
    "look": {"at": (*_AT[1:], "zone"), "whom": (*_MATE, *_ENEMY)}, "spread": {},
    "loot": {"at": _TO["at"], "how": ALL_FLAGS, "what": tuple(DECLARED.slots["what"].values)},
    **{act: {} for act in ("heal", "prone", "crouch", "hold_fire", "rotate", "regroup", "retreat", *AT_ONCE)},
}  # fmt: skip
"""Act -> the slots, and their values, that version 1 has besides limits and conditions; "#" for numbers."""
_WHY_NOT = {
    "cannot": "There is one part I have no move for", "act": "I have no move for that yet",
    "not": "I can't keep from that yet", "then": "I can't tell yet when it is time for that",
    "both": "I can't do that at the same time", "signal": "I can't wait for your signal yet",
    "whom": "I can't pick them out for that yet", "times": "I can't count yet", "where": "I don't know where",
    "draw": "I always have my gun in my hands",
}  # fmt: skip


@dataclass(eq=False)
class _Part:
    """A clause as one doer has it, and the steps of version 1 for it, or why (`_WHY_NOT`) there are none."""

    doer: Any  # None: all who are told
    run: int  # which of the groups that come one after the other it belongs to
    clause: Clause
    steps: list[dict[str, Any]]
    why: str
    kind: str = ""  # of its last step, unless that is done at once or along with others
    way: str = ""  # the flag that stands for it beside others
    beside: bool = False


def carried(clauses: list[Clause], aim: dict[str, Any] | None = None) -> Carried:
    """The program of version 1 that does what the clauses say. `aim`: {"x", "y", "seat"}, the point in
    units and the player that the speaker looks at; any of them may be None or missing.
    """
    parts = _parts(clauses, aim or {})
    in_order = any(part.run for part in parts)
    _put_beside(parts, in_order)
    for part in parts if not in_order else ():
        asked = part.steps[0].get("if", {}) if part.steps else {}
        at_once = not part.kind and (asked or part.clause.get("seconds"))
        way = asked and part.way and any(other.kind for other in parts if other is not part)
        part.beside |= bool(at_once or way or {"when", "after"} & asked.keys())
    busy = any(part.kind and not part.beside for part in parts)  # with more than what is done at once
    for run, doer in dict.fromkeys((part.run, part.doer) for part in parts):
        own, last = ([one for one in parts if (one.run, one.doer) == (at, doer)] for at in (run, run - 1))
        ends = [one for one in last if not one.clause.get("not") or {"until", "seconds"} & {*one.clause}]
        ends = [one for one in ends if one.why != "draw"]
        endless = [one for one in ends if one.kind == "help" and not {"until", "seconds"} & {*one.clause}]
        ready = run == 0 or last and not endless and not any(part.why for part in ends)
        for part in own:
            part.why = part.why or ("" if ready else "then")
        # Who is named is one of all: what they do beside it, they do in the way of all.
        common = [replace(one) for one in parts if one.way and one.steps and not one.doer and one.run == run]
        common = [one for one in common if not one.beside]
        shared = common if doer and any(one.kind and not one.way for one in own) else []
        together = [part for part in own + shared if not part.why and not part.beside]
        _put_together(together, any(part.kind for part in last), busy, in_order)
    done = [part for part in parts if not part.why]
    for part in done:
        more = any(other.kind and other.doer == part.doer and other.run > part.run for other in done)
        if more and part.kind in LASTING and not {"seconds", "until"} & {*part.clause}:
            part.steps[-1]["seconds"] = part.clause["seconds"] = IN_BETWEEN
        for step in part.steps if part.beside else ():
            step |= {"beside": 1 + done.index(part), "adds": True}
        part.clause["then"] = part.run not in [other.run for other in done[: done.index(part)]]
    reading = saying.sentence(ordered(DECLARED, [part.clause for part in done])) if done else ""
    # Who is named does that before what all do; and what ends comes before what lasts.
    done.sort(key=lambda part: (part.doer is None, part.run, part.kind in LASTING))
    steps = [step for part in done for step in part.steps]
    program = {"game": "arena", "version": VERSION, "clauses": steps, "reading": reading}
    return Carried(program if done else None, tuple(_left(part) for part in parts if part.why))


def _left(part: _Part) -> str:
    """Why a clause isn't carried out, and which."""
    why, what = _WHY_NOT.get(part.why, "I can't do it in that way yet"), saying.clause(part.clause)
    return f"{why}." if part.why == "cannot" else f"{why}: {what.removeprefix('I ')}."


def _parts(clauses: list[Clause], aim: dict[str, Any]) -> list[_Part]:
    """The clauses for each who does them, without those of the speaker."""
    run, parts = -1, []
    for clause in (one for one in clauses if one["act"] not in ("talk", "undo", "again", "redirect")):
        run += run < 0 or bool(clause.get("then"))
        for by in (one for one in values(clause, "by") or [None] if one != "me"):
            own = {**clause, "by": by}
            why = _obstacle(own)
            steps = [] if why else _steps(own, aim)
            kind = "" if why or steps[-1]["negated"] else steps[-1]["kind"]
            lasts, way = "" if kind in AT_ONCE else kind, WAYS.get(kind, "")
            lasts = "avoid" if kind and own["act"] == "avoid" else lasts
            parts.append(_Part(None if by == "all" else by, run, own, steps, why, lasts, way))
    return parts


def _obstacle(clause: Clause) -> str:
    """The reason (of `_WHY_NOT`) for which version 1 can't say a clause, "" if it can."""
    act, negated, can = clause["act"], bool(clause.get("not")), CAN.get(clause["act"])
    if can is None or negated and act in ("cancel", "scout"):
        return act if act in ("cannot", "draw") and not negated else "not" if negated else "act"
    apart = clause.get("whom") == "me" or {"at", "behind"} & {*clause}
    lasts = ("" if apart else CONTRARY.get(act, "")) if negated else act
    if _bars(clause):
        lasts, can = act, BARRED[act]
    elif negated:  # `standing` then ends what was asked, whomever and wherever it was about
        can = {name: tuple({"me", "enemy", "here"} & {*fit}) for name, fit in can.items() if act != "loot"}
    if lasts:
        can = {**can, **dict.fromkeys(CONDITIONS, EVENTS), "after": _NUMBER}
    if lasts and lasts not in AT_ONCE or lasts == "hurry":
        can = {**can, "seconds": _NUMBER}
    for name in DECLARED.slots_of(act):
        said, known = values(clause, name), can.get(name, ())
        fits = all(one in known or (isinstance(one, int) and one > 0 and "#" in known) for one in said)
        if not fits or said[1:] and (name not in SEVERAL or any(odd <= {*said} for odd in ODD)):
            return "signal" if "signal" in said else "not" if negated else name
    places = [name for name in ("at", "behind", "whom") if name in clause]
    odd = places[1:] and (act != "attack" or clause["whom"] != "enemy") or clause["by"] == 0
    if odd or "metres" in clause and clause.get("at") not in _SIDES:
        return "how"
    return "where" if act in ("go", "look") and not places and not negated else ""


def _bars(clause: Clause) -> bool:
    """Whether a clause says what isn't to be done for as long as it stands, in whatever is done."""
    act = clause["act"]
    if not clause.get("not") or act not in BARRED:
        return False
    return act not in CONTRARY or any(clause.get(name) not in (None, "enemy") for name in BARRED[act])


def _steps(clause: Clause, aim: dict[str, Any]) -> list[dict[str, Any]]:
    """What version 1 does for a clause that it can say."""
    act, by, whom, negated = clause["act"], clause["by"], clause.get("whom"), bool(clause.get("not"))
    place = f"behind {clause['behind']}" if "behind" in clause else clause.get("at")
    flags, metres = values(clause, "how"), clause.get("metres")
    asked = {name: values(clause, name) for name in CONDITIONS if name in clause}
    if act in ARRIVING and not negated:
        asked["until"] = [event for event in asked.get("until", ()) if event != "there"]
    elif act == "scout" and place in (None, "here"):
        asked["until"] = ["seen", *(event for event in asked.get("until", ()) if event != "seen")]
    asked |= {"after": clause["after"]} if "after" in clause else {}
    if negated and act in CONTRARY and whom != "me" and not place and not _bars(clause):
        act, whom, negated = CONTRARY[act], None, False
    if act == "slow":
        act, negated = "hurry", True
    elif act == "avoid":
        act, whom, metres = "retreat", None, None if negated else FAR[clause.get("far", "medium")]
    elif act == "approach":
        act, place, whom = "go", "enemy", None if whom == "nearest" else whom
    elif act == "scout":
        act, place = ("attack", None) if place in (None, "here") else ("go", place)
    elif act == "go" and (whom == "me" or place == "here"):
        place, whom = "me", None
    elif act == "attack" and place:
        place, whom = None, "aim"
    elif act == "take_cover" and place:
        act, flags = "hold", flags if "lying" in flags else [*flags, "crouched"]
    elif act == "follow":
        metres = BEHIND.get(clause.get("far", ""))
    elif place == "here":
        place = None
    known: dict[Any, Any] = {"enemy": None, "mate": None if act == "rescue" else "nearest"}
    known |= {None: "me"} if act in ("follow", "cover", "help") else {}
    known = known if act != "look" else {}
    known |= {"aim": aim["seat"]} if aim.get("seat") is not None else {}
    point = [aim["x"], aim["y"]] if place == "there" and None not in (aim.get("x"), aim.get("y")) else None
    step = {"kind": act, "to": f"player {by}" if isinstance(by, int) else by, "place": place, "point": point}
    step |= {"who": f"player {whom}" if isinstance(whom, int) else known.get(whom, whom)}
    step |= {"metres": metres, "negated": negated, "seconds": clause.get("seconds")}
    step |= {"flags": [flag for flag in ALL_FLAGS if flag in flags], "adds": act in ADDING}
    step |= {"what": values(clause, "what")} if "what" in clause else {}
    step |= {"result": "kill"} if clause.get("result") == "kill" else {}
    asked = {name: some for name, some in asked.items() if some}
    step |= {"if": asked} if asked else {}
    going = {"kind": "rotate", "place": None} if place == "zone" else {"kind": "go"}
    if act == "loot" and place:
        first = {name: one for name, one in step.items() if name != "what"}
        then = {name: some for name, some in asked.items() if name in ("unless", "until")}
        last = {name: one for name, one in step.items() if name != "if"} | ({"if": then} if then else {})
        return [{**first, **going, "seconds": None}, {**last, "place": None, "point": None}]
    return [{**step, **going} if act == "go" else step]


def _put_beside(parts: list[_Part], in_order: bool) -> None:
    """Let what is to be heeded in whatever is done hold beside all else, as far as goals have room for it."""
    taken: Counter[tuple[Any, str]] = Counter()
    for part in parts:
        act, always = part.clause["act"], _bars(part.clause) and part.run == 0
        part.beside = bool(part.steps and (always or part.kind in ALWAYS and not in_order))
        if part.beside and "if" not in part.steps[0]:
            taken[part.doer, act] += 1
            part.why = "both" if taken[part.doer, act] > ROOM.get(act, 1) else ""


def _put_together(own: list[_Part], begun: bool, busy: bool, in_order: bool) -> None:
    """Settle which clauses of one doer can be carried out together, and let some be ways of doing others."""
    kept = sorted((part for part in own if part.kind), key=lambda part: part.kind == "hold_fire")
    mains = [part for part in kept if not part.way] or kept[:1]
    steps: list[dict[str, Any]] = []
    for part in sorted(own, key=lambda part: (part not in mains, part.kind == "look")):
        last = part.steps[-1]
        held = next((one for one in steps if one["kind"] == "hold" and not one["place"]), None)
        flag = part.way if part not in mains else ""
        fits = bool(flag and steps) and not last["seconds"] and mains[0].kind != "hold_fire"
        fits = fits and "if" not in last
        clash = any(CLASHES.get(flag, set()) & {one["kind"], *one["flags"]} for one in steps)
        if part.kind == "look" and held and not last["seconds"] and "if" not in last:
            held.update({name: last[name] for name in ("kind", "place", "point", "who")})
            part.steps, part.kind = [], ""
        elif last in steps or fits and not clash:
            for one in () if last in steps else steps:
                one["flags"] = [other for other in ALL_FLAGS if other in (*one["flags"], flag)]
            part.steps, part.kind = [], ""
        elif part in mains and not _clash(part, steps, in_order):
            steps += part.steps
        elif part.kind and part.way and last["seconds"] and not in_order:
            part.beside = True
        elif part.kind or flag and busy:
            part.why = "both"
        elif begun:
            part.why = "then"


def _clash(part: _Part, steps: list[dict[str, Any]], in_order: bool) -> bool:
    """Whether something can't be done before or after other steps of the same time."""
    lasts = any(one["kind"] in LASTING or one["kind"] == "retreat" and one["metres"] for one in steps)
    waits = in_order and steps and ("if" in part.steps[0] or any("if" in one for one in steps))
    return bool(waits or part.kind in LASTING and lasts)


def of_version_1(program: dict[str, Any]) -> list[Clause]:
    """The clauses of a program, `cannot` for mere sub-goals. Raises Refusal for more than there may be."""
    runs: dict[int, list[Clause]] = {}
    begun: dict[Any, int] = {}
    for step in program["clauses"]:
        doer = None if step["to"] == "all" else step["to"], step.get("beside")
        at_once = step["negated"] or step["kind"] in AT_ONCE
        far = step["kind"] == "hold" and step["metres"]  # to hold there is to go there and to hold
        for one in [{**step, "kind": "go", "seconds": None}, {**step, "place": None}] if far else [step]:
            run = 0 if at_once else begun.get(doer, 0)
            begun[doer] = begun.get(doer, 0) + (not at_once)
            runs.setdefault(run, []).extend(of_step(one))
    clauses = [{**one, "then": not at} for run in sorted(runs) for at, one in enumerate(runs[run])]
    return checked(DECLARED, clauses or [{"act": "cannot"}])


def of_step(step: dict[str, Any]) -> list[Clause]:
    """A step as a clause, and as others the flags that it has no slot for."""
    act, place, flags, whom = step["kind"], step["place"] or "", step["flags"], step["who"]
    asked = dict(step.get("if", {}))
    fars = {"retreat": FAR, "follow": BEHIND}.get(act, {})
    far = next((name for name, metres in fars.items() if metres == step["metres"]), None)
    if act == "attack" and not step["negated"] and whom is None and "seen" in asked.get("until", ()):
        act, asked["until"] = "scout", [event for event in asked["until"] if event != "seen"]
    act, place = (
        ("approach", "") if place == "enemy" else ("avoid" if far and act == "retreat" else act, place)
    )
    by, named = (int(one.split()[1]) if " " in one else one for one in (step["to"] or "", str(whom or "")))
    whom = whom + 1 if isinstance(whom, int) else "me" if (act, place) == ("go", "me") else named
    said = {
        "whom": "mate" if whom == "nearest" and act not in ("attack", "look") else whom,
        "how": flags,
        "far": far,
    }
    said |= {"what": step.get("what"), "result": step.get("result"), **asked}
    said["behind" if " " in place else "at"] = place.removeprefix("behind ").removeprefix("me")
    said |= {name: min(step[name] or 0, MOST_NUMBER) for name in ("metres", "seconds")}
    has = set(DECLARED.slots_of(act)) - (set() if place in _SIDES else {"metres"})
    clause = {"act": act, "by": by or None, "not": step["negated"]}
    clause |= {name: one for name, one in said.items() if one and name in has}
    beside = [other for other, flag in WAYS.items() if flag in flags and other != act and "how" not in has]
    return [clause, *({"act": other, "by": by or None} for other in beside)]

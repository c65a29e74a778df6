"""Declared programs as programs of version 1 (programs.py describes their rules), which `follow` carries out,
and back. Conditions that such rules can't say are their "if" (events.py). What neither can is left whole, and
told. Not for sentences (saying.py).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from engine.games.hanabi.language import events, saying
from engine.games.hanabi.language.declared import DECLARED
from engine.games.hanabi.language.programs import EVENTS, HABITS, HINTS, KINDS
from engine.games.hanabi.options import COLOR_NAMES
from engine.language.declared import CONDITIONS, Carried, Clause, checked, ordered, values, without
from engine.refusal import Refusal

VERSION = 1
UNHEARD = ("talk", "undo", "again", "redirect")
PURPOSES = {"play": "playable", "keep": "critical", "discard": "useless"}  # of hints that are answered so
MORE_HINTS = 0.5  # the weight of "give me hints", which doesn't ask for one at every turn
NEVER = 99  # a place in a chain
PLACES = range(1, 6)  # positions of cards, and ranks
ENDS = ("oldest", "newest")  # of a hand
SURE = {("when", "you_know"): "sure", ("unless", "you_doubt"): "sure"}
SURE |= {("when", "playable"): "sure", ("unless", "nothing"): "sure"}
UNSURE = {("when", "you_doubt"): "unsure", ("unless", "you_know"): "unsure", ("until", "you_know"): "unsure"}
PHASES = {"early", "late", "lives", "few_lives", "many_hints"}
"""Conditions that hold for long: how to discard or hint then is a habit, and asks for neither."""
Rule = dict[str, Any]


def carried(clauses: list[Clause], aim: Any = None) -> Carried:
    """The program of version 1 that does what the clauses say. `aim`: of use in other games only."""
    rules: list[Rule] = []
    left: list[str] = []
    acts = [clause for clause in clauses if clause["act"] not in (*UNHEARD, "cancel")]
    chained, place, yours = any(clause.get("then") for clause in acts[1:]), 0, NEVER
    for clause in clauses:
        place += clause in acts[1:] and bool(clause.get("then"))
        if clause["act"] in UNHEARD:
            continue
        if values(clause, "by") == ["me"]:
            yours = min(yours, place)
            continue
        try:
            _leave_if(place > yours, "I can't tell yet when to go on after you")
            found, why = _rules(clause, chained)
        except Refusal as error:
            found, why = [], str(error)
        found = [{**rule, **({"after": place} if place else {})} for rule in found]
        rules += [rule for rule in found if rule not in rules]
        more = "" if clause["act"] == "cannot" else f": {saying.clause(clause)}"
        left += [f"{why}{more}."] if why else []
    return Carried({"game": "hanabi", "version": VERSION, "rules": rules} if rules else None, tuple(left))


def never(clause: Clause, options: dict[str, Any]) -> tuple[str, Clause | None]:
    """Why nobody can ever do this in such a game, "" if somebody can, and what of it can be done."""
    colors = COLOR_NAMES[options["colors"] :]
    if missing := [color for color in values(clause, "color") if color in colors]:
        return f"There are no {missing[0]} cards in this game", without(clause, "color", colors)
    beyond = {
        "rank": (options["ranks"], f"Ranks end at {options['ranks']} in this game"),
        "slot": (options["hand_size"], f"A hand has {options['hand_size']} cards in this game"),
    }
    for name, (last, why) in beyond.items():
        if wrong := [number for number in values(clause, name) if number > last]:
            return why, without(clause, name, wrong)
    return "", None


def _rules(clause: Clause, chained: bool) -> tuple[list[Rule], str]:
    """The rules of a clause, and why a part of it is left, "" for none. `chained`: it stands in a chain
    (chain.py). Raises Refusal.
    """
    numbers = [one for name in ("slot", "rank", "told", "except") for one in values(clause, name)]
    _leave_if(clause["act"] in ("cannot", "cancel"), "There is one part I have no move for yet")
    _leave_if(any(isinstance(one, int) for one in values(clause, "by")), "I can't tell players apart yet")
    _leave_if(any(isinstance(one, int) and one not in PLACES for one in numbers), "There is no such card")
    step = chained and not clause.get("not") and clause["act"] != "keep"
    _leave_if(step and set(CONDITIONS) & set(clause), "I can't wait for that between two things yet")
    clause, given = _apart(_without_known({**clause, "now": True} if step else clause))
    weight = (0.5 if clause.get("rather") else 1.0) * (-1 if clause.get("not") else 1)
    whens = _whens(clause)
    always, lasts = whens == [None], _lasts(clause["act"], given)
    made = _hints(clause, always, lasts) if clause["act"] == "hint" else _moves(clause, always, lasts, step)
    rules = [{**_said({"when": when}), **one} for when in whens for one in made]
    rules = [{**one, "weight": one["weight"] * weight or 0.0} for one in rules]
    own, why = _own_hints(clause, whens) if "both" in values(clause, "by") else ([], "")
    rules += ({"then": then, "weight": abs(weight)} for then in own)
    return [{**one, **_said({"if": given or None})} for one in rules], why


def _apart(clause: Clause) -> tuple[Clause, dict[str, list[str]]]:
    """The clause without the conditions that rules of version 1 can't say, and these by slot."""
    said = {name: values(clause, name) for name in CONDITIONS}
    for event in sum(said.values(), []):
        _leave_if(event not in events.EVENTS, f"I can't go by whether {saying.event(event)} yet")
    kinds_of = {event: {f"the event {event}"} for event in events.EVENTS} | EVENTS
    did, other = (set().union(*(kinds_of[event] for event in said[name])) for name in ("when", "unless"))
    _leave_if(did and did <= other, "That never happens")
    always = "new" in values(clause, "about") or "critical" in values(clause, "cards")  # chances.py
    touched = any(str(cards).startswith("touched") for cards in values(clause, "cards"))

    def fits(kinds: set[str]) -> bool:
        # Hinted cards stay meant, whatever is done after the hint: rules about them go by hints alone.
        return kinds <= set(KINDS) and (not touched or bool(kinds) and (kinds <= HINTS or kinds >= HINTS))

    names = {"until", *(["when", "unless"] if did and (always or not fits(did)) else [])}
    kinds = did or (HINTS if touched else set(KINDS))
    if always or other - (HINTS if touched else set(KINDS)) or not fits(kinds - other):
        names.add("unless")
    hints = HINTS & (other | (did if "when" in names else set()))
    _leave_if(hints and {"told", "touch"} & set(clause), "I can't tell which hint that is about")
    given = {name: said[name] for name in CONDITIONS if name in names and said[name]}
    return {**clause, **dict.fromkeys(given, [])}, given


def _lasts(act: str, given: dict[str, list[str]]) -> bool:
    """Whether an act under such conditions is asked for no more than one that is without them."""
    return set(given.get("when", ())) <= (set() if act == "play" else PHASES)


def _leave_if(is_so: Any, why: str) -> None:
    if is_so:
        raise Refusal(why)


def _said(given: dict[str, Any]) -> dict[str, Any]:
    """Without what is not said."""
    return {name: one for name, one in given.items() if one not in (None, False, [])}


def _without_known(clause: Clause) -> Clause:
    """The clause without conditions that its slots say as well, or that always hold."""
    when, about, cards = (values(clause, name) for name in ("when", "about", "cards"))
    if clause["act"] == "play" and not {"slot", "color", "rank"} & set(clause):
        for (name, event), known in (SURE | UNSURE).items():
            bans = bool(clause.get("not")) and known == "sure"
            if values(clause, name) == [event] and cards in ([], ["any"], [known]) and not bans:
                return {**clause, name: [], "cards": known}
    if clause["act"] == "hint" and not clause.get("not"):
        void = ("no_hints", *(["nothing"] if about == ["playable"] else []))
        clause = {**clause, "unless": [one for one in values(clause, "unless") if one not in void]}
        on = {"on": "oldest"} if (when, about) == (["critical"], ["oldest"]) else {}
        if on or when in (["critical"], ["playable"]) and about in ([], when):
            return {**clause, "when": [], "about": when, **on}
    return clause


def _whens(clause: Clause) -> list[Rule | None]:
    """What the partner has to have done, in the form of rules; None: always. The rest is apart."""
    when, unless = (
        set().union(*(EVENTS[event] for event in values(clause, name))) for name in ("when", "unless")
    )
    told, touch = values(clause, "told"), values(clause, "touch")
    touched = any(str(cards).startswith("touched") for cards in values(clause, "cards"))
    when = HINTS if not when and (touched or told or touch) else when
    if not when and not unless:
        return [None]
    kinds = (when or set(KINDS)) - unless
    found: list[Rule | None] = []
    for value, many in product(told or [None], touch or [None]):
        hints = HINTS if many else kinds
        fits = kinds & (hints if value is None else {f"hint_{name}" for name in _card(value)})
        _leave_if(not fits, "That never happens")
        found.append(_said({"partner_did": sorted(fits, key=KINDS.index), "value": value, "touched": many}))
    others = sorted(kinds - HINTS, key=KINDS.index) if told or touch else []
    return [*found, *([{"partner_did": others}] if others else [])]


def _moves(clause: Clause, always: bool, lasts: bool, step: bool) -> list[Rule]:
    """The rules of a play, a discard or cards to keep, but for conditions and the weight of the clause.
    `step`: it is done once.
    """
    act, negated = clause["act"], bool(clause.get("not"))
    slots, colors, ranks = (values(clause, name) for name in ("slot", "color", "rank"))
    cards = [one for one in values(clause, "cards") if one != "any"]
    _leave_if(sum(map(bool, (slots, colors + ranks, cards))) > 1, "I can't go by two things at once yet")
    both = [_card(color) | _card(rank) for color, rank in product(colors, ranks)]
    known = both or [_card(one) for one in colors + ranks]
    cards = cards + [{"slot": one - 1} for one in slots] + known or ["any"]
    _leave_if("critical" in values(clause, "except"), "I can't leave out last copies yet")
    unless = [_card(one) for one in values(clause, "except")]
    # What need not be kept isn't thrown for that: it only lifts what was asked before (standing.py).
    chosen = [(one, 0.0 if act == "keep" and negated else 1.0) for one in cards]
    if cards == ["sure"] and act == "play" and not (negated or step):  # all but those that it isn't sure of
        chosen = [*(({"slot": place - 1}, 1.0) for place in PLACES), ("unsure", -1.0)]
    elif cards == ["critical"] and act == "discard" and negated and always and not unless:
        act, chosen = "keep", [("critical", -1.0)]
    elif cards != ["critical"] or act != "keep" or not always:
        beyond = "critical" in cards or act == "play" and "useless" in cards
        _leave_if(beyond, "I can't pick out such cards yet")
    habit = always and lasts and not negated and not clause.get("now") and any(one in HABITS for one in cards)
    mixed = len({str(one).startswith("touched") for one in cards}) > 1
    _leave_if(mixed or habit and act != "keep" and cards[1:], "I can't choose among several cards yet")
    then, flags = _said({"action": act, "unless": unless}), _said({"habit": habit})
    return [{"then": {**then, "cards": one}, "weight": weight, **flags} for one, weight in chosen]


def _card(value: int | str) -> dict[str, Any]:
    return {"rank" if isinstance(value, int) else "color": value}


def _hints(clause: Clause, always: bool, lasts: bool) -> list[Rule]:
    """The rules of hints to give, but for conditions and the weight of the clause."""
    negated, about, on = bool(clause.get("not")), values(clause, "about"), clause.get("on")
    told = [_card(one) for one in values(clause, "color") + values(clause, "rank")]
    kinds = values(clause, "kind_of") if len(values(clause, "kind_of")) == 1 else []
    _leave_if(len({*kinds, *(name for card in told for name in card)}) > 1, "A hint tells one of the two")
    _leave_if("new" in about and not always, "I can't pick out what you don't know yet")
    # Where hints of a kind are forbidden for playable cards, follow.py would ask for those for others.
    _leave_if(negated and "playable" in about and (told or kinds), "I can't hold back such hints yet")
    moves = [{"action": f"hint_{kind}", "value": value} for card in told for kind, value in card.items()]
    moves = moves or [{"action": "_".join(["hint", *kinds])}]
    plain = not (negated or clause.get("now") or about or told)
    weight = MORE_HINTS if plain and not kinds else 1.0
    asked = bool({*PURPOSES.values()} & set(about)) and not (negated or on or clause.get("by") == "both")
    flags = _said({"habit": always and lasts and plain and bool(kinds), "asked": asked})
    for_what = [_said({"on" if one in ENDS else "for": one}) | _said({"on": on}) for one in about or [None]]
    return [{"then": one | other, "weight": weight, **flags} for other in for_what for one in moves]


def _own_hints(clause: Clause, whens: list[Rule | None]) -> tuple[list[dict[str, Any]], str]:
    """What the agent hints where a convention about hints holds for both; why it can't, "" where it can."""
    act = ("keep" if clause["act"] == "discard" else "") if clause.get("not") else clause["act"]
    hints = [(when, kinds) for when in whens if when and (kinds := HINTS & set(when["partner_did"]))]
    if act not in PURPOSES or not hints:
        return [], ""
    touched = all(str(one).startswith("touched") for one in values(clause, "cards") or [""])
    if not touched or clause.get("except") or any("touched" in when for when, _ in hints):
        return [], "I can't give such hints myself yet, only answer yours"
    named = [(min(kinds) if len(kinds) == 1 else "hint", when.get("value")) for when, kinds in hints]
    return [_said({"action": kind, "value": value, "for": PURPOSES[act]}) for kind, value in named], ""


def of_version_1(program: dict[str, Any]) -> list[Clause]:
    """The clauses of a program of version 1. Raises Refusal for more rules than a program has clauses."""
    return checked(DECLARED, clauses_of(program["rules"]))


def clauses_of(rules: list[Rule]) -> list[Clause]:
    """The clauses of rules; `cannot` for those that no clause says."""
    chained, place, pairs = any("after" in rule for rule in rules), 0, []
    for rule in rules:
        later, place = rule.get("after", 0) > place, max(place, rule.get("after", 0))
        clause = _clause(rule)
        said = {name: one for name, one in clause.items() if not (chained and name == "now")}
        pairs.append((said | _said({"then": later}), rule))
    answered: list[Rule] = []  # own hints that a convention of both says with the answer to them
    for clause, rule in pairs:
        both = carried([{**clause, "by": "both"}]).program if clause["act"] in PURPOSES else None
        own = [other for other in both["rules"] if other != rule] if both and rule in both["rules"] else []
        if own and all(other in rules for other in own):
            clause["by"] = "both"
            answered += own
    return ordered(DECLARED, [clause for clause, rule in pairs if rule not in answered])


def _clause(rule: Rule) -> Clause:
    then, when, weight = rule["then"], rule.get("when", {}), float(rule["weight"])
    given = rule.get("if", {})
    act, _, kind = then["action"].partition("_")
    cards, value, purpose, on = (then.get(name) for name in ("cards", "value", "for", "on"))
    if "but_not" in when or when and on and purpose:
        return {"act": "cannot"}  # no clause says that
    known = dict(cards) if isinstance(cards, dict) else {kind: value} if value is not None else {}
    known |= {"slot": known["slot"] + 1} if "slot" in known else {}
    more, chooses = then == {"action": "hint"}, str(cards) in HABITS or bool(kind) and set(then) == {"action"}
    chooses = chooses and weight > 0 and not when and not rule.get("habit") and _lasts(act, given)
    forced = more and weight == 1 or chooses
    fits = weight > 0 and purpose in PURPOSES.values() and not on and not rule.get("asked")
    did = when.get("partner_did", [])
    did = ["hint", *(one for one in did if one not in HINTS)] if set(did) >= HINTS else did
    # What fits what is done with a hint, and isn't asked for, is one half of what holds for both.
    said = {"act": act, "by": "both" if fits else None, "not": weight <= 0, "now": forced}
    said |= {"rather": 0 < abs(weight) < (MORE_HINTS if more and weight > 0 else 1)}
    said |= {"cards": cards if isinstance(cards, str) else None, **known}
    said |= {"except": [one for card in then.get("unless", ()) for one in card.values()]}
    said |= {"kind_of": None if known else kind or None, "about": on or purpose}
    started = ["start" if one == "nothing" else one for one in did]
    said |= {"when": ["critical"] if on and purpose else started, **given}
    return _said({**said, "told": when.get("value"), "touch": when.get("touched")})

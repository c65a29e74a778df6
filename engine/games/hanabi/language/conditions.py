"""Conditions: which moves of the partner an order answers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from engine.games.hanabi.language.lexicon import Token
from engine.games.hanabi.language.parts import Part, actor

KINDS = ("play", "discard", "hint_color", "hint_rank", "nothing")
HINTS = ["hint_color", "hint_rank"]


@dataclass
class Condition:
    """`whens`: the alternatives, in the form of a rule's "when"; None for no condition that the table knows.

    `actor`: whose move it is; a condition on the agent's own move only names the move that an order is about.
    `of_both`: a convention that nobody owns. `loose`: said without "if".
    """

    whens: list[dict[str, Any] | None] = field(default_factory=lambda: [None])
    kinds: list[str] = field(default_factory=list)
    actor: str = "player"
    verb: str = ""
    is_else: bool = False
    unless: bool = False
    of_both: bool = False
    loose: bool = False
    end: str | None = None  # "the newest card that my hint touches, …"
    among: bool = False  # "of the cards that i hint, …"
    relative: bool = False  # "the cards that i hint"
    sure: bool = False  # about what the agent knows of its cards
    excluded: list[dict[str, Any]] = field(default_factory=list)


def named_kinds(tokens: list[Token]) -> tuple[list[str], list[int | str]]:
    """The kinds of hint named in `tokens`, and the colours and ranks that are."""
    colors = [t.value for t in tokens if t.concept == "COLOR_VALUE" and t.value is not None]
    ranks = [t.value for t in tokens if t.concept == "RANK_VALUE" and t.value is not None]
    kinds = []
    if colors or any(t.concept == "COLOR" for t in tokens):
        kinds.append("hint_color")
    if ranks or any(t.concept == "RANK" for t in tokens):
        kinds.append("hint_rank")
    return kinds, [*colors, *ranks]


def read(
    group: list[Part],
    agent_is_me: bool,
    seen: list[str],
    previous: Condition | None,
    topic: list[Token] | None = None,
) -> Condition | None:
    """The condition that the parts of `group` state together.

    `seen`: the kinds that were named before, for "otherwise". `topic`: words of the order that a relative
    clause belongs to ("the card whose colour I tell you").
    """
    first = group[0]
    tokens = [t for p in group for t in p.tokens]
    owner = next((who for who in (actor(p, agent_is_me) for p in group if p.verb) if who), None)
    verbs = [p.verb for p in group if p.verb]
    if first.lead == "SO":
        if previous is None or not previous.unless:
            return previous
        return replace(previous, unless=False)
    if first.lead == "ELSE":
        return _else(tokens, seen, previous)
    if "START" in verbs:
        return Condition([{"partner_did": ["nothing"]}], ["nothing"], verb="START")
    gerund = (
        bool(first.tokens)
        and first.verb in ("PLAY", "DISCARD")
        and first.tokens[first.at].word.endswith("ing")
    )
    gerund = gerund or first.verb == "HINT" and first.tokens[first.at].word in ("hinting", "cluing", "giving")
    if owner is None and gerund and first.lead == "IF":
        owner = "agent"
    if owner == "agent":
        kinds = _did(group, None)[0] if verbs else []
        return Condition([None], kinds, "agent", verbs[0] if verbs else "")
    did, values = _did(group, topic)
    if not did:
        if any(t.concept == "NOT" for t in tokens) and not any(t.concept in ("SURE", "CARD") for t in tokens):
            return _else(tokens, seen, previous) if seen else None
        sure = any(t.concept in ("SURE", "RISK", "PLAYABLE") for t in tokens)
        return Condition([None], [], "", "", sure=sure)
    negated = any(t.concept == "NOT" for t in tokens)
    unless = first.lead == "UNLESS"
    nobody = owner is None and first.lead is None
    condition = Condition(
        kinds=list(did),
        verb=verbs[0] if verbs else "HINT",
        unless=unless,
        of_both=nobody and topic is None and not any(t.concept in ("GET", "HINTED") for t in tokens),
        loose=first.lead is None,
        end=next((t.concept.lower() for t in tokens if t.concept in ("NEWEST", "OLDEST")), None),
        among=any(t.word == "among" for t in tokens),
        relative=topic is not None,
    )
    bare = verbs == ["HINT"] and not named_kinds(tokens)[0]
    if bare and previous is not None and any("touched" in (w or {}) for w in previous.whens):
        # "A colour hint that touches one card …, one that touches more …"
        did = [k for k in previous.kinds if k in HINTS] or did
    touched = "one" if any(t.concept == "ONE" for t in tokens) else None
    touched = "many" if any(t.concept == "MANY" for t in tokens) else touched
    if negated:
        condition.whens = [{"partner_did": [k for k in KINDS if k not in did]}]
        condition.kinds = list(condition.whens[0]["partner_did"]) if condition.whens[0] else []
        return condition
    whens: list[dict[str, Any] | None] = []
    alternatives: list[int | str | None] = [*values] or [None]
    for value in alternatives:
        kinds = did if value is None else ["hint_color" if isinstance(value, str) else "hint_rank"]
        when: dict[str, Any] = {"partner_did": list(kinds)}
        if value is not None:
            when["value"] = value
        if touched is not None and set(kinds) <= set(HINTS):
            when["touched"] = touched
        whens.append(when)
    if values and any(k not in HINTS for k in did):
        whens.append({"partner_did": [k for k in did if k not in HINTS]})
    condition.whens = whens
    return condition


def is_bare(part: Part) -> bool:
    """Whether a condition speaks of a hint without saying of which kind: "if I hint them"."""
    return part.lead == "IF" and part.verb == "HINT" and not named_kinds(part.tokens)[0]


def _did(group: list[Part], topic: list[Token] | None) -> tuple[list[str], list[int | str]]:
    """The kinds of moves that the parts name, and the values of hints."""
    did: list[str] = []
    values: list[int | str] = []
    for i, part in enumerate(group):
        kinds, named = named_kinds(part.tokens)
        if not kinds and topic is not None:
            kinds, named = named_kinds(topic)
        if part.verb in ("PLAY", "DISCARD"):
            did.append(part.verb.lower())
        elif part.verb == "HINT" or kinds and (part.verb == "" or i == 0):
            if (
                part.verb == "HINT"
                and i > 0
                and not kinds
                and did
                and any(t.concept in ("ONE", "MANY") for t in part.tokens)
            ):
                continue  # "… and it touches one card"
            did += kinds or HINTS
            values += named
    words = [t.concept for p in group for t in p.tokens]
    kinds_of = zip(words, words[1:], strict=False)
    if any(a == "SOMETHING" and b in ("COLOR", "RANK") for a, b in kinds_of):
        values = []  # "green, or whatever colour"
    ordered = [k for k in ("play", "discard", *HINTS) if k in did]
    return ordered, list(dict.fromkeys(values))


def _else(tokens: list[Token], seen: list[str], previous: Condition | None) -> Condition | None:
    """ "Otherwise": all kinds of moves that were not named before, or all hints that were not."""
    hint = any(t.concept in ("HINT", "HINTED", "OTHERHINT") for t in tokens)
    kinds, _ = named_kinds(tokens)
    others = [k for k in KINDS if k not in seen]
    if kinds or hint:
        within = kinds or HINTS
        others = [k for k in within if k not in seen] or within
    if not others:
        return None
    condition = Condition([{"partner_did": others}], others, is_else=True)
    if not seen:
        condition.whens = [None]
    valued = [w for w in previous.whens if w and "value" in w] if previous is not None else []
    if (kinds or hint) and valued:
        condition.excluded = [w for w in valued if w is not None and set(w["partner_did"]) <= set(others)]
    return condition


def refined(before: Condition | None, condition: Condition, group: list[Part]) -> Condition | None:
    """The condition of an order narrowed to hints that touch one or several cards: "…, unless it touches
    several", or None if that is not what the parts say."""
    touched = next((w["touched"] for w in condition.whens if w and "touched" in w), None)
    bare = len(group) == 1 and not named_kinds(group[0].tokens)[0] and group[0].lead in ("IF", "UNLESS")
    if before is None or touched is None or not bare or not set(before.kinds) <= set(HINTS):
        return None
    if condition.unless:
        touched = "one" if touched == "many" else "many"
    return replace(before, whens=[{**w, "touched": touched} for w in before.whens if w])


def without(before: Condition, exception: Condition) -> Condition:
    """A condition less what an "unless" takes from it: "if I hint, play it, unless it is a number"."""
    valued = [w for w in exception.whens if w and ("value" in w or "touched" in w)]
    if valued:
        return replace(before, excluded=[*before.excluded, *valued])
    whens: list[dict[str, Any] | None] = []
    for when in before.whens:
        left = [k for k in (when or {"partner_did": KINDS})["partner_did"] if k not in exception.kinds]
        if left:
            whens.append({**(when or {}), "partner_did": left})
    return replace(before, whens=whens or before.whens)

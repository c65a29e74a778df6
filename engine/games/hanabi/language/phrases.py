"""One order and what belongs to it, as rules: which cards, which hints, for what. `parse.py` finds the orders
and their conditions.

The form of a rule is described there.
"""

from __future__ import annotations

from typing import Any

from engine.games.hanabi.language.conditions import HINTS, KINDS, Condition, named_kinds
from engine.games.hanabi.language.lexicon import Token
from engine.games.hanabi.language.parts import PEOPLE, Part

_CHOICES = ("newest", "oldest", "untouched", "untouched_newest", "untouched_oldest")
"""Cards that a habit may choose; "discard the newest" is about which card, not about discarding at once."""

Rule = dict[str, Any]
_When = dict[str, Any] | None


def has(tokens: list[Token], *concepts: str) -> bool:
    return any(t.concept in concepts for t in tokens)


def make_rule(when: _When, then: dict[str, Any], weight: float, habit: bool = False) -> Rule:
    rule: Rule = {"then": then, "weight": weight}
    if when is not None:
        rule = {"when": when, **rule}
    if habit:
        rule["habit"] = True
    return rule


def order_rules(
    part: Part, verb: str, condition: Condition | None, negated: bool, relative: Part | None
) -> list[Rule]:
    """The rules of one order. `relative`: the hint that says which cards ("the cards that i hint")."""
    whens: list[_When] = [None] if condition is None or condition.actor == "agent" else list(condition.whens)
    opposite: list[_When] = []
    excluded: list[dict[str, Any]] = [] if condition is None else list(condition.excluded)
    if condition is not None and condition.unless and condition.actor != "agent":
        named = [w for w in condition.whens if w and "value" in w]
        others: list[_When] = [{"partner_did": [k for k in KINDS if k not in condition.kinds]}]
        if negated:
            negated, opposite = False, others
        elif named and len(named) == len(condition.whens):
            whens, excluded = [None], [*excluded, *named]  # "unless I hint a five": any other number as well
        else:
            whens = others
    if condition is not None and condition.actor != "agent" and not condition.kinds and condition.unless:
        return []
    rules: list[Rule] = []
    for when in whens:
        found = _rules(part, verb, when, negated, relative, condition)
        rules += [r for r in found if r not in rules]
    for when in opposite:
        action = "hint" if verb == "HINT" else verb.lower()
        then: dict[str, Any] = {"action": action} if action == "hint" else {"action": action, "cards": "any"}
        rules.append(make_rule(when, then, -1.0))
    for rule in list(rules) if excluded else ():
        plain = {key: value for key, value in rule.items() if key != "habit"}
        rules += [{"when": w, **plain} | {"when": w, "weight": -rule["weight"]} for w in excluded]
    return rules


def _rules(
    part: Part, verb: str, when: _When, negated: bool, relative: Part | None, condition: Condition | None
) -> list[Rule]:
    tokens = part.tokens
    weight = -1.0 if negated else 1.0
    if verb == "HINT":
        return _hint_rules(part, when, negated, condition)
    if has(tokens, "MAY") and not negated:
        weight = 0.5
    own = part.verb == verb
    phrase, before = (part.after, part.before) if own else (tokens, [])
    if verb == "KEEP":
        if has(tokens, "TOKENS") or _hints_kept(phrase) and when is None and relative is None:
            return _save_hints(phrase, negated)
    after_hint = when is not None and bool(set(when["partner_did"]) & set(HINTS))
    only_hints = when is not None and set(when["partner_did"]) <= set(HINTS)
    many = when is not None and (when.get("touched") == "many" or condition is not None and condition.among)
    cards = _cards(phrase, only_hints, relative, many) or _cards(before, only_hints, relative, many)
    if condition is not None and condition.loose and condition.end and cards in (None, "touched"):
        cards = f"touched_{condition.end}"
    if (
        verb == "PLAY"
        and when is None
        and relative is None
        and has(tokens, "SURE", "RISK")
        and cards in (None, "any")
    ):
        if has(tokens, "RISK") and not has(tokens, "SURE") and not negated:
            return []
        return [make_rule(None, {"action": "play", "cards": "unsure"}, -1.0)]
    if verb == "PLAY" and condition is not None and condition.sure and cards in (None, "any", "unsure"):
        return [make_rule(None, {"action": "play", "cards": "unsure"}, -1.0)]
    if cards == "any" and after_hint and only_hints and has(tokens, "THOSE"):
        cards = "touched"
    if cards is None:
        if only_hints:
            cards = "touched"
        elif negated or when is not None:
            cards = "any" if not after_hint or has(tokens, "CARD", "SOMETHING") or negated else "touched"
        elif condition is not None and condition.actor == "agent":
            return []
        elif (
            has(phrase, "CARD", "SOMETHING", "MORE", "THOSE")
            and relative is None
            and has(phrase, "CARD", "SOMETHING")
        ):
            cards = "any"
        else:
            return []
    forced = has(tokens, "ALWAYS")
    habit = when is None and not negated and not forced and cards in _CHOICES
    return [make_rule(when, {"action": verb.lower(), "cards": cards}, weight, habit)]


def _hints_kept(phrase: list[Token]) -> bool:
    return (
        bool(phrase)
        and phrase[0].concept == "HINT"
        and not has(phrase, "CARD", "COLOR", "RANK", "THOSE", *PEOPLE)
    )


def _save_hints(phrase: list[Token], negative: bool) -> list[Rule]:
    """ "Save hints" are hints that say "keep this card"; "save our hint tokens" is about spending."""
    if has(phrase, "TOKENS"):
        return [make_rule(None, {"action": "hint"}, 0.5 if negative else -0.5)]
    if negative:
        return [make_rule(None, {"action": "hint", "for": "critical"}, -1.0)]
    return [
        make_rule({"partner_did": list(HINTS)}, {"action": "discard", "cards": "touched"}, -1.0),
        make_rule(None, {"action": "hint", "for": "critical"}, 1.0),
    ]


def _cards(tokens: list[Token], touched_given: bool, relative: Part | None, many: bool) -> Any:
    """Which cards are meant, or None."""
    kept: list[Token] = []
    skipping = False
    for i, token in enumerate(tokens):  # "the newest, not the oldest"
        if (
            token.concept in ("NOT", "RATHER")
            and kept
            and has(kept, "NEWEST", "OLDEST", "SLOT", "HINTED", "CARD")
        ):
            chosen = has(kept, "NEWEST", "OLDEST") and (
                token.concept == "RATHER"
                or kept[-1].concept == "COMMA"
                or has(tokens[i + 1 : i + 2], "HINTED")
            )
            skipping = chosen or not has(tokens, "HINT", "HINTED")
        elif token.concept in ("COMMA", "BUT", "AND"):
            skipping = False
        if not skipping:
            kept.append(token)
    tokens = kept
    slot = next((t.value for t in tokens if t.concept == "SLOT"), None)
    if isinstance(slot, int) and 0 <= slot < 5:
        return {"slot": slot}
    end = next((t.concept.lower() for t in tokens if t.concept in ("NEWEST", "OLDEST")), None)
    hint_words = [*tokens, *(relative.tokens if relative is not None else [])]
    negative_hint = (
        relative is not None and relative.has("NOT") or has(tokens, "NOT") and has(tokens, "HINT", "HINTED")
    )
    if end is None and relative is not None:
        end = next((t.concept.lower() for t in relative.tokens if t.concept in ("NEWEST", "OLDEST")), None)
    if has(hint_words, "UNTOUCHED") or negative_hint or has(tokens, "OTHERS"):
        return f"untouched_{end}" if end else "untouched"
    among = relative is not None or has(tokens, "HINT", "HINTED") or touched_given and _among(tokens)
    if end:
        hand = any(t.word in ("your", "my", "yours", "mine") for t in tokens) and not among
        return f"touched_{end}" if among or many and not hand else end
    if has(tokens, "RISK"):
        return "unsure"
    if relative is not None:
        return "touched"
    rank = next((t.value for t in tokens if t.concept == "RANK_VALUE"), None)
    color = next((t.value for t in tokens if t.concept == "COLOR_VALUE"), None)
    if (rank is not None or color is not None) and not touched_given:
        return {"rank": rank} if rank is not None else {"color": color}
    if has(tokens, "HINT", "HINTED") or touched_given and has(tokens, "THOSE"):
        return "touched"
    if has(tokens, "SOMETHING"):
        return "any" if not touched_given else "touched"
    return None


def _among(tokens: list[Token]) -> bool:
    """Whether an end is one of the hinted cards: "the newest of those", "the newest one touched"."""
    return any(t.word in ("those", "them", "these", "it", "they") for t in tokens)


def _hint_rules(part: Part, when: _When, negated: bool, condition: Condition | None) -> list[Rule]:
    """ "Hint colours", "hint me my playable cards", "prefer ranks to colours", "don't hint fives"."""
    tokens = part.tokens
    did = when["partner_did"] if when is not None else []
    if has(tokens, "SAME", "SWAP") and (when is None or set(did) <= set(HINTS)):
        kinds = did or HINTS
        other = {"hint_color": "hint_rank", "hint_rank": "hint_color"}
        return [
            make_rule(
                {"partner_did": [k]},
                {"action": other[k] if has(tokens, "SWAP") else k},
                -1.0 if negated else 1.0,
            )
            for k in kinds
        ]
    if condition is not None and any(t.word == "one" for t in part.after) and not named_kinds(tokens)[0]:
        asked_for = [k for k in condition.kinds if k in HINTS]
        if len(asked_for) == 1:  # "unless I tell you a colour, hint me one"
            tokens = [*tokens, Token("one", "COLOR" if asked_for == ["hint_color"] else "RANK")]
            part = Part(tokens, part.verb, part.at)
    weight = -1.0 if negated else 0.5 if has(tokens, "MAY", "PREFER") else 1.0
    purpose = _purpose(tokens)
    rules = []
    unwanted: list[Rule] = []
    for kind, against in _hint_kinds(part):
        then: dict[str, Any] = {"action": kind}
        wanted = "COLOR_VALUE" if kind == "hint_color" else "RANK_VALUE"
        said, left_out = _values(tokens, wanted)
        if against:
            said, left_out = [*said, *left_out], []
        if said:
            then["value"] = said[0]
        if purpose:
            then["for"] = purpose
        if not negated:
            unwanted += [make_rule(when, {"action": kind, "value": value}, -1.0) for value in left_out]
        rules.append(make_rule(when, then, -weight if against else weight))
        if purpose and not against and not negated:
            rules[-1]["asked"] = True
    if not rules:
        if purpose:
            rule = make_rule(when, {"action": "hint", "for": purpose}, weight)
            return [rule if negated else {**rule, "asked": True}]
        if has(tokens, "LESS"):
            return [make_rule(when, {"action": "hint"}, -0.5)]
        if negated:
            return [make_rule(when, {"action": "hint"}, -1.0)]
        noun = any(
            t.word in ("hint", "hints", "clue", "clues", "hinting", "cluing", "tip", "tips") for t in tokens
        )
        asked = when is not None or has(tokens, "MORE", "ALWAYS", "SAY") or has(tokens, *PEOPLE, "KEEP")
        return [make_rule(when, {"action": "hint"}, 0.5)] if noun and asked else []
    habitual = when is None and purpose is None and not negated
    if habitual and len(rules) == 1 and "value" not in rules[0]["then"]:
        # "Hint colours": among hints, colours; said of the other kind so that it never forces a hint.
        rules[0]["habit"] = True
    elif habitual and len(rules) == 2:
        rules = [r for r in rules if r["weight"] > 0]
        if len(rules) == 1:
            rules[0]["habit"] = True
        else:
            return [make_rule(when, {"action": "hint"}, 0.5)]
    elif not negated:
        rules = [r for r in rules if r["weight"] > 0] or rules
    return rules + unwanted


def _values(tokens: list[Token], concept: str) -> tuple[list[Any], list[Any]]:
    """The colours or ranks that are named, and those after a "not" that follows a kind: "colours, not
    red".
    """
    kind = concept.removesuffix("_VALUE")
    named, against = False, False
    said: list[Any] = []
    left_out: list[Any] = []
    for token in tokens:
        if token.concept in ("NOT", "RATHER") and named:
            against = True
        if token.concept in (kind, concept):
            named = True
        if token.concept == concept and token.value is not None:
            (left_out if against else said).append(token.value)
    return said, left_out


def _hint_kinds(part: Part) -> list[tuple[str, bool]]:
    """(kind, whether it is what is not wanted), in order: "colours rather than ranks", "not ranks but
    colours"."""
    kinds: list[tuple[str, bool]] = []
    against = False
    for i, token in enumerate(part.tokens):
        after_kind = token.concept in ("RATHER", "NOT") and i > part.at - 1 and bool(kinds)
        if after_kind or token.concept == "RATHER" and not kinds and part.verb == "":
            against = True
        elif token.concept in ("BUT", "COMMA") and against:
            against = False
        if token.concept in ("COLOR", "COLOR_VALUE", "RANK", "RANK_VALUE"):
            kind = "hint_color" if token.concept.startswith("COLOR") else "hint_rank"
            if all(k != kind for k, _ in kinds):
                kinds.append((kind, against))
    return kinds


def _purpose(tokens: list[Token]) -> str | None:
    for concept, purpose in (("PLAYABLE", "playable"), ("CRITICAL", "critical"), ("USELESS", "useless")):
        if has(tokens, concept):
            return purpose
    return None


def answering(verb: str, negated: bool, kinds: list[str]) -> list[Rule]:
    """The player will do something when the agent hints so: hints that fit, then, are worth giving."""
    purpose = {"PLAY": "playable", "KEEP": "critical", "DISCARD": "useless"}.get(verb)
    if negated and purpose is not None:
        purpose = "critical" if purpose == "useless" else None
    if purpose is None or not set(kinds) <= set(HINTS):
        return []
    return [make_rule(None, {"action": kinds[0] if len(kinds) == 1 else "hint", "for": purpose}, 1.0)]


__all__ = ["HINTS", "Rule", "answering", "has", "make_rule", "named_kinds", "order_rules"]

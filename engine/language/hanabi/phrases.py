"""One action and what belongs to it, as rules: which cards, which hints, for what. `parse.py` finds the
clauses.

The form of a rule is described there.
"""

from __future__ import annotations

from typing import Any

from engine.language.hanabi.lexicon import Token

HINTS = ["hint_color", "hint_rank"]
PEOPLE = ("ME", "YOU", "PARTNER")

_CHOICES = ("newest", "oldest", "untouched_newest", "untouched_oldest")
"""Cards that a habit may choose; "discard the newest" is about which card, not about discarding at once."""

Rule = dict[str, Any]


def has(tokens: list[Token], *concepts: str) -> bool:
    return any(t.concept in concepts for t in tokens)


def named_kinds(tokens: list[Token]) -> tuple[list[str], int | str | None]:
    """The kinds of hint named in `tokens`, and the colour or rank if one is."""
    color = next((t.value for t in tokens if t.concept == "COLOR_VALUE"), None)
    rank = next((t.value for t in tokens if t.concept == "RANK_VALUE"), None)
    kinds = []
    if color is not None or has(tokens, "COLOR"):
        kinds.append("hint_color")
    if rank is not None or has(tokens, "RANK"):
        kinds.append("hint_rank")
    return kinds, color if color is not None else rank


def make_rule(when: dict[str, Any] | None, then: dict[str, Any], weight: float, habit: bool = False) -> Rule:
    rule: Rule = {"then": then, "weight": weight}
    if when is not None:
        rule = {"when": when, **rule}
    if habit:
        rule["habit"] = True
    return rule


def object_rules(
    tokens: list[Token], start: int, end: int, when: dict[str, Any] | None, negative: bool
) -> list[Rule]:
    verb, phrase, before = tokens[start].concept, tokens[start + 1 : end], tokens[:start]
    weight = -1.0 if negative else 1.0
    around = [*before, *phrase]
    if verb in ("COLOR", "RANK"):
        phrase, verb = tokens[start:], "HINT"
    if verb == "HINT":
        return _hint_rules(before, phrase, when, negative)
    if has(around, "MAY") and not negative:
        weight = 0.5
    if verb == "KEEP" and (has(phrase, "TOKENS") or is_bare_hint(phrase)):
        return _save_hints(phrase, negative)
    if when is None:
        relative = _relative_condition(around)
        if relative is not None:
            when, around = relative, [t for t in around if t.concept not in ("COLOR_VALUE", "RANK_VALUE")]
            cards: Any = _cards(around, touched_given=True) or "touched"
            if cards in ("newest", "oldest"):
                cards = f"touched_{cards}"
            return [make_rule(when, {"action": verb.lower(), "cards": cards}, weight)]
    cards = _cards(phrase, touched_given=when is not None) or _cards(before, touched_given=when is not None)
    if verb == "PLAY" and has(around, "SURE", "RISK") and cards in (None, "any"):
        if has(around, "RISK") and not has(around, "SURE"):
            return [] if not negative else [make_rule(when, {"action": "play", "cards": "unsure"}, -1.0)]
        return [make_rule(when, {"action": "play", "cards": "unsure"}, -1.0)]
    if cards is None:
        if when is not None and set(when["partner_did"]) & set(HINTS):
            cards = "touched"
        elif negative:
            cards = "any"
        else:
            return []
    forced = has(around, "ALWAYS")
    habit = when is None and not negative and not forced and cards in _CHOICES
    return [make_rule(when, {"action": verb.lower(), "cards": cards}, weight, habit)]


def is_bare_hint(phrase: list[Token]) -> bool:
    return bool(phrase) and phrase[0].concept == "HINT" and not has(phrase, "CARD", "COLOR", "RANK", "THOSE")


def _save_hints(phrase: list[Token], negative: bool) -> list[Rule]:
    """ "Save hints" are hints that say "keep this card"; "save our hint tokens" is about spending."""
    if has(phrase, "TOKENS"):
        return [make_rule(None, {"action": "hint"}, 0.5 if negative else -0.5)]
    if negative:
        return [make_rule(None, {"action": "hint", "for": "critical"}, -1.0)]
    return save_hint_rules()


def save_hint_rules() -> list[Rule]:
    """The convention of save hints, both ways."""
    return [
        make_rule({"partner_did": list(HINTS)}, {"action": "discard", "cards": "touched"}, -1.0),
        make_rule(None, {"action": "hint", "for": "critical"}, 1.0),
    ]


def _relative_condition(tokens: list[Token]) -> dict[str, Any] | None:
    """ "… the cards that i hint by colour", "… cards hinted with red"."""
    if not has(tokens, "HINT", "HINTED"):
        return None
    kinds, value = named_kinds(tokens)
    when: dict[str, Any] = {"partner_did": kinds or list(HINTS)}
    if value is not None:
        when["value"] = value
    return when


def _cards(tokens: list[Token], touched_given: bool) -> Any:
    """Which cards are meant, or None."""
    slot = next((t.value for t in tokens if t.concept == "SLOT"), None)
    if isinstance(slot, int) and 0 <= slot < 5:
        return {"slot": slot}
    if has(tokens, "UNTOUCHED") or (has(tokens, "HINTED") and has(tokens, "NOT")):
        end = next((t.concept.lower() for t in tokens if t.concept in ("NEWEST", "OLDEST")), None)
        return f"untouched_{end}" if end else "untouched"
    if has(tokens, "NEWEST"):
        return "touched_newest" if touched_given and has(tokens, "THOSE", "HINTED") else "newest"
    if has(tokens, "OLDEST"):
        return "touched_oldest" if touched_given and has(tokens, "THOSE", "HINTED") else "oldest"
    if has(tokens, "RISK"):
        return "unsure"
    rank = next((t.value for t in tokens if t.concept == "RANK_VALUE"), None)
    if rank is not None:
        return {"rank": rank}
    color = next((t.value for t in tokens if t.concept == "COLOR_VALUE"), None)
    if color is not None:
        return {"color": color}
    if has(tokens, "HINTED", "THOSE"):
        return "touched"
    return None


def _hint_rules(
    before: list[Token], phrase: list[Token], when: dict[str, Any] | None, negative: bool
) -> list[Rule]:
    """ "Hint colours", "hint me my playable cards", "prefer ranks to colours", "don't hint fives"."""
    around = [*before, *phrase]
    weight = -1.0 if negative else 0.5 if has(around, "MAY", "PREFER") else 1.0
    purpose = _purpose(around)
    rules = []
    for kind, against in _hint_kinds(around):
        then: dict[str, Any] = {"action": kind}
        value = next(
            (
                t.value
                for t in phrase
                if t.concept == ("COLOR_VALUE" if kind == "hint_color" else "RANK_VALUE")
            ),
            None,
        )
        if value is not None:
            then["value"] = value
        if purpose:
            then["for"] = purpose
        rules.append(make_rule(when, then, -weight if against else weight))
    if not rules:
        if purpose:
            return [make_rule(when, {"action": "hint", "for": purpose}, weight)]
        if has(around, "LESS"):
            return [make_rule(when, {"action": "hint"}, -0.5)]
        if negative:
            return [make_rule(when, {"action": "hint"}, -1.0)]
        asked = when is not None or has(around, "MORE", "USE") or has(phrase, *PEOPLE)
        return [make_rule(when, {"action": "hint"}, 0.5)] if asked and not has(around, "ONLY") else []
    habitual = when is None and purpose is None and not negative
    if habitual and len(rules) == 1 and "value" not in rules[0]["then"]:
        # "Hint colours": among hints, colours; said of the other kind so that it never forces a hint.
        rules[0]["habit"] = True
    elif habitual and len(rules) == 2:
        rules = [r for r in rules if r["weight"] > 0]
        if len(rules) == 1:
            rules[0]["habit"] = True
        else:
            return [make_rule(when, {"action": "hint"}, 0.5)]
    return rules


def _hint_kinds(tokens: list[Token]) -> list[tuple[str, bool]]:
    """(kind, whether it is what is not wanted), in order: "colours rather than ranks", "not ranks but
    colours"."""
    kinds: list[tuple[str, bool]] = []
    against = False
    for i, token in enumerate(tokens):
        if token.concept in ("RATHER", "NOT") and i > 0 and any(k for k in kinds):
            against = True
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
